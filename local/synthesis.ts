/** Synthesises the CDK app as `cdk synth` would, without an account and without pages. The assembly is a kept build. */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { kept } from '../lib/kept-build.ts';
import { projectFolder } from '../lib/project-folder.ts';

/** What the stacks are made of, and what their code is. */
const stackSources = [
  'bin/app.ts',
  'bin/command-line.ts',
  'cdk.json',
  // The edge knows its screens.
  'console/src/app/router.tsx',
  'contract',
  'lib',
  'local/synthesis.ts',
  'package-lock.json',
  'site/packed-client.ts',
  'site/pages.ts',
];
export const sources = [...stackSources, 'core', 'functions', 'tsconfig.json'];

/** Set on this machine, where an email costs nothing and is read at `/_local/mails`. */
const localSettings = { mailFrom: 'notices@booking.example' };

interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly progress?: ((line: string) => void) | undefined;
  /** `names`: the assembly holds no code, only the names of handlers (`lib/named-code.ts`). Default: the bundles. */
  readonly code?: keyof typeof kinds;
  /** With `-c` beside those of `cdk.json`. */
  readonly given?: Readonly<Record<string, string>> | undefined;
}

const kinds = {
  bundles: { name: 'assemblies', sources },
  names: { name: 'assemblies-of-names', sources: stackSources },
} as const;

/** Puts the assembly into the folder. Throws with the app's own words when there can be none. */
export async function synthesise(
  folder: string,
  { signal, progress = () => undefined, code = 'bundles', given }: SynthesisOptions,
) {
  const kind = kinds[code];
  const assembly = await kept({
    name: given ? `${kind.name}-given-${nameOf(given)}` : kind.name,
    sources: kind.sources,
    make: (making) => {
      progress('synthesising the stacks');
      return synthesiseInto(making, { signal, code, given });
    },
  });
  progress(
    assembly.madeInMs === undefined
      ? 'nothing has changed: the stacks are those of an earlier start'
      : `the stacks are synthesised, in ${(assembly.madeInMs / 1_000).toFixed(1)} s`,
  );
  // A copy of its own, because functions are loaded when they are first called, and the kept one may be gone by then.
  await cp(assembly.folder, folder, { recursive: true });
}

/** Short, and the same for the same values. */
function nameOf(given: object): string {
  return createHash('sha256').update(JSON.stringify(given)).digest('hex').slice(0, 8);
}

/** Writes the assembly to the folder. Throws with the app's own words when it cannot. */
async function synthesiseInto(
  folder: string,
  { signal, code, given }: Omit<SynthesisOptions, 'progress'>,
): Promise<void> {
  const { context } = JSON.parse(await readFile(join(projectFolder, 'cdk.json'), 'utf8')) as { context?: object };
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: projectFolder,
    env: {
      ...inherited,
      // The CDK's own rules take as long as all the rest, and `cdk synth` and the tests ask them: not the local run.
      CDK_VALIDATION: 'false',
      CODE: code,
      PAGES: 'names',
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...localSettings, ...given }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    signal,
  });
  let output = '';
  const listen = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', listen);
  child.stderr.on('data', listen);
  const exit = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (exit !== 0) throw new Error(`node bin/app.ts ended with ${exit}, so there are no stacks:\n${output.trim()}`);
}
