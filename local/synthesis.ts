/** Synthesises the CDK app like `cdk synth`, without an account and without pages. The assembly is a cached build. */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { cachedBuild } from '../lib/cached-build.ts';
import { projectFolder } from '../lib/project-folder.ts';

/** The sources of the stacks, and those of their code. */
const stackSources = [
  'bin/app.ts',
  'bin/command-line.ts',
  'bin/generate/types.ts',
  'cdk.json',
  // The edge reads the console's screens from it.
  'console/src/app/router.tsx',
  'contract',
  'lib',
  'local/synthesis.ts',
  'package-lock.json',
  'site/packed-client.ts',
  'site/pages.ts',
];
export const sources = [...stackSources, 'core', 'functions', 'tsconfig.json'];

/** The default setting of this machine, where an email costs nothing and is shown at `/_local/mails`. */
const localSettings = { mailFrom: 'notices@booking.example' };

interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly progress?: ((line: string) => void) | undefined;
  /** With `names` the assembly has no code, only handlers' names (`lib/named-code.ts`). The default is the bundles. */
  readonly code?: keyof typeof kinds;
  /** Context values of `-c` in addition to those of `cdk.json`. */
  readonly settings?: Readonly<Record<string, string>> | undefined;
}

const kinds = {
  bundles: { name: 'assemblies', sources },
  names: { name: 'assemblies-of-names', sources: stackSources },
} as const;

/** Writes the assembly to the folder. Throws with the app's message if the synthesis fails. */
export async function synthesise(
  folder: string,
  { signal, progress = () => undefined, code = 'bundles', settings }: SynthesisOptions,
) {
  const kind = kinds[code];
  const assembly = await cachedBuild({
    name: settings ? `${kind.name}-given-${nameOf(settings)}` : kind.name,
    sources: kind.sources,
    make: (making) => {
      progress('synthesising the stacks');
      return synthesiseInto(making, { signal, code, settings });
    },
  });
  progress(
    assembly.madeInMs === undefined
      ? 'nothing has changed: the stacks are those of an earlier start'
      : `the stacks are synthesised, in ${(assembly.madeInMs / 1_000).toFixed(1)} s`,
  );
  // A stopped start has already removed the folder.
  signal.throwIfAborted();
  // The run needs its own copy, because functions are loaded on their first call, when the cached build may be deleted.
  // The asynchronous copy needs three times the processor time.
  cpSync(assembly.folder, folder, { recursive: true });
}

/** A short name, which is the same for the same values. */
function nameOf(settings: object): string {
  return createHash('sha256').update(JSON.stringify(settings)).digest('hex').slice(0, 8);
}

/** Writes the assembly to the folder. Throws with the app's message if it cannot. */
async function synthesiseInto(
  folder: string,
  { signal, code, settings }: Omit<SynthesisOptions, 'progress'>,
): Promise<void> {
  const { context } = JSON.parse(await readFile(join(projectFolder, 'cdk.json'), 'utf8')) as { context?: object };
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  await promisify(execFile)(process.execPath, ['bin/app.ts'], {
    cwd: projectFolder,
    env: {
      ...inherited,
      // The CDK's own rules take as long as all the rest; `cdk synth` and the tests run them, the local run does not.
      CDK_VALIDATION: 'false',
      CODE: code,
      PAGES: 'names',
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify({ ...context, ...localSettings, ...settings }),
    },
    signal,
    // By default, a program that writes more than 1 MB is killed, and the reason of its failure is cut off.
    maxBuffer: Number.POSITIVE_INFINITY,
  });
}
