/**
 * A process that synthesises the app for all files of a test run. Loading the CDK takes longer than a synthesis; here
 * it is loaded once, and each context is synthesised once. `assembly.ts` starts it, and it ends with its parent.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import type { Context } from './stub-app.ts';

export interface SynthesisRequest {
  readonly stage: string;
  readonly context: Context;
  /** How many additional endpoints each API has. */
  readonly laterEndpoints?: number;
}

/** The folder of the assembly, or the reason why there is none. */
export type SynthesisResult = { readonly folder: string } | { readonly refusal: string };

const [folder = ''] = process.argv.slice(2);
const answers = new Map<string, Promise<SynthesisResult>>();

async function synthesise(
  { stage, context, laterEndpoints }: SynthesisRequest,
  outdir: string,
): Promise<SynthesisResult> {
  // The rules for findings have their own test (nag.test.ts) and take longest.
  process.env.CDK_VALIDATION = 'false';
  const { stubApp } = await import('./stub-app.ts');
  try {
    const app = stubApp({ stage, context, laterEndpoints, outdir, code: join(folder, 'code') });
    return { folder: app.synth().directory };
  } catch (error) {
    return { refusal: error instanceof Error ? error.message : String(error) };
  }
}

const server = createServer(async (incoming, response) => {
  const request = (await json(incoming)) as SynthesisRequest;
  const name = JSON.stringify(request);
  const answer = answers.get(name) ?? synthesise(request, join(folder, String(answers.size)));
  answers.set(name, answer);
  // A kept connection would time out while a synthesis blocks the process.
  response.setHeader('Connection', 'close').end(JSON.stringify(await answer));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
process.once('disconnect', () => process.exit());
