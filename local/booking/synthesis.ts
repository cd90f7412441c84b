/**
 * Synthesises the CDK app as `cdk synth` would, without an account. The assembly is kept: while nothing that it is made
 * of has changed, the next start takes it as it is.
 */
import { spawn } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const assemblies = join(project, '.build', 'assemblies');

/** Files and folders of this project that an assembly is made of. Packages are told by the lock file. */
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

/** For those who go back and forth between branches. */
const keptAssemblies = 3;

export interface SynthesisOptions {
  readonly signal: AbortSignal;
  readonly progress?: ((line: string) => void) | undefined;
}

/** Puts the assembly into the folder. Throws with the app's own words when there can be none. */
export async function synthesise(folder: string, { signal, progress = () => undefined }: SynthesisOptions) {
  const kept = await keptAssembly(signal, progress);
  // A copy of its own, because functions are loaded when they are first called, and the kept one may be gone by then.
  await cp(kept, folder, { recursive: true });
}

async function keptAssembly(signal: AbortSignal, progress: (line: string) => void): Promise<string> {
  const print = await fingerprint();
  const folder = join(assemblies, print);
  if (existsSync(folder)) {
    progress('nothing has changed: the stacks are those of an earlier start');
    return folder;
  }
  progress('synthesising the stacks');
  const began = performance.now();
  const making = join(assemblies, `making-${randomUUID()}`);
  try {
    await synthesiseInto(making, signal);
    if ((await fingerprint()) !== print) return await keptAssembly(signal, progress);
    // Of two starts that synthesise at once, the second finds the first one's assembly.
    await rename(making, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  progress(`the stacks are synthesised, in ${((performance.now() - began) / 1_000).toFixed(1)} s`);
  await forgetAllBut(keptAssemblies);
  return folder;
}

/** Writes the assembly to the folder. Throws with the app's own words when it cannot. */
async function synthesiseInto(folder: string, signal: AbortSignal): Promise<void> {
  const { context } = JSON.parse(await readFile(join(project, 'cdk.json'), 'utf8')) as { context?: object };
  const { NODE_OPTIONS: _, ...inherited } = process.env;
  const child = spawn(process.execPath, ['bin/app.ts'], {
    cwd: project,
    env: {
      ...inherited,
      // The CDK's own rules take as long as all the rest, and `cdk synth` and the tests ask them: not the local run.
      CDK_VALIDATION: 'false',
      CDK_OUTDIR: folder,
      CDK_CONTEXT_JSON: JSON.stringify(context ?? {}),
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

/** The same for the same names and contents below these paths of the folder, whatever their times say. */
export async function fingerprint(folder = project, paths: readonly string[] = sources): Promise<string> {
  const hash = createHash('sha256').update(process.version);
  for (const file of await filesOf(folder, paths)) {
    const content = await readFile(join(folder, file));
    hash.update(`${file}\0${content.length}\0`).update(content);
  }
  return hash.digest('hex').slice(0, 32);
}

async function filesOf(folder: string, paths: readonly string[]): Promise<string[]> {
  const found = await Promise.all(
    paths.map(async (path) => {
      const entries = await readdir(join(folder, path), { recursive: true, withFileTypes: true }).catch((error) => {
        if (error.code === 'ENOTDIR') return undefined;
        throw error;
      });
      if (!entries) return [path];
      return entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(folder, join(parentPath, name)));
    }),
  );
  return found.flat().sort();
}

async function forgetAllBut(newest: number): Promise<void> {
  const names = await readdir(assemblies);
  const dated = await Promise.all(
    names.map(async (name) => ({
      name,
      time: (await stat(join(assemblies, name)).catch(() => undefined))?.mtimeMs ?? 0,
    })),
  );
  const old = dated.sort((a, b) => b.time - a.time).slice(newest);
  await Promise.all(old.map(({ name }) => rm(join(assemblies, name), { recursive: true, force: true })));
}
