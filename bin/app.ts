/**
 * The CDK app: `npx cdk synth -c stage=prod`, or `CDK_OUTDIR=folder node bin/app.ts` without the CDK command. With
 * `CODE=names` the stacks hold no code, only the names of handlers: for local runs that build the code themselves.
 */
import { bundleFunctions } from '../lib/bundle.ts';
import { nameFunctions } from '../lib/named-code.ts';
import { runCommand } from './command-line.ts';

await runCommand(async () => {
  // esbuild works in a process of its own: the CDK is loaded meanwhile.
  const bundling = process.env.CODE === 'names' ? nameFunctions() : bundleFunctions();
  const { bookingApp } = await import('../lib/app.ts');
  bookingApp({ bundles: await bundling }).synth();
});
