/** Synthesises the CDK app as `cdk synth` would, without an account. */
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The CDK's own rules take as long as all the rest, and `cdk synth` and the tests ask them: not the local run. */
const withoutRules = { CDK_VALIDATION: 'false' };

/** Writes the cloud assembly to the folder. Throws with the app's own words when it cannot. */
export async function synthesise(outputDir: string, signal: AbortSignal): Promise<void> {
  const { context } = JSON.parse(await readFile(`${project}cdk.json`, 'utf8')) as { context?: Record<string, unknown> };
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: project,
    env: { ...inherited, ...withoutRules, CDK_OUTDIR: outputDir, CDK_CONTEXT_JSON: JSON.stringify(context ?? {}) },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let said = '';
  const listen = (chunk: Buffer) => {
    said += chunk.toString();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code !== 0)
    throw new Error(`The app could not be synthesised (node bin/app.ts ended with ${code}):\n${said.trim()}`);
}
