/** Synthesises the CDK app as `cdk synth` would, without an account. The assembly is a kept build. */
import { spawn } from 'node:child_process';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kept, projectFolder } from './kept-build.ts';

export const sources = [
  'bin/app.ts',
  'cdk.json',
  'contract',
  'core',
  'functions',
  'lib',
  'package-lock.json',
  'tsconfig.json',
];

export interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly progress?: ((line: string) => void) | undefined;
}

/** Puts the assembly into the folder. Throws with the app's own words when there can be none. */
export async function synthesise(folder: string, { signal, progress = () => undefined }: SynthesisOptions) {
  const make = (making: string) => {
    progress('synthesising the stacks');
    return synthesiseInto(making, signal);
  };
  const assembly = await kept({ name: 'assemblies', sources, make });
  progress(
    assembly.madeInMs === undefined
      ? 'nothing has changed: the stacks are those of an earlier start'
      : `the stacks are synthesised, in ${(assembly.madeInMs / 1_000).toFixed(1)} s`,
  );
  // A copy of its own, because functions are loaded when they are first called, and the kept one may be gone by then.
  await cp(assembly.folder, folder, { recursive: true });
}

/** Writes the assembly to the folder, with `-c` beside what `cdk.json` says. Throws with the app's own words when it cannot. */
export async function synthesiseInto(
  folder: string,
  signal: AbortSignal,
  given: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { context } = JSON.parse(await readFile(join(projectFolder, 'cdk.json'), 'utf8')) as { context?: object };
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: projectFolder,
    env: {
      ...inherited,
      // The CDK's own rules take as long as all the rest, and `cdk synth` and the tests ask them: not the local run.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...given }),
    },
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
