/**
 * The language of CloudFront functions: ES 5.1 with some syntax of later versions. CloudFront rejects other syntax when
 * the function is created, in the middle of a deployment.
 * https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/functions-javascript-runtime-20.html
 */
import { transform } from 'esbuild';
import { messageOf } from './log.ts';

const edge = {
  target: 'es5',
  supported: {
    arrow: true,
    'async-await': true,
    'const-and-let': true,
    'exponent-operator': true,
    'object-extensions': true,
    'regexp-named-capture-groups': true,
    'rest-argument': true,
    'template-literal': true,
  },
} as const;

/** Throws if the code has syntax that CloudFront does not support: esbuild fails or has to rewrite it. */
export async function assertRuntimeSyntax(name: string, code: string): Promise<void> {
  try {
    const options = { logLevel: 'silent' } as const;
    const [supported, written] = await Promise.all([
      transform(code, { ...options, ...edge }),
      transform(code, options),
    ]);
    if (supported.code === written.code) return;
  } catch (cause) {
    throw new Error(`CloudFront cannot read the code of ${name}: ${messageOf(cause)}`, { cause });
  }
  throw new Error(`CloudFront cannot read the code of ${name}: its runtime does not have operators such as ?. and ??.`);
}
