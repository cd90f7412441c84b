/** Builds that are kept below `.build` and reused while their sources are unchanged. */
import { createHash, randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder } from './project-folder.ts';

/** The builds that were used last are kept, for switching between branches. */
const keptBuilds = 3;

interface BuildRecipe {
  /** The folder below `.build`, one for each kind. */
  readonly name: string;
  /** Files and folders of this project that the build uses. Packages are listed in the lock file. */
  readonly sources: readonly string[];
  /** Writes the build into a new folder. Throws if the build fails. */
  make(folder: string): Promise<void>;
}

export interface CachedBuild {
  readonly folder: string;
  /** The duration of the build in milliseconds; undefined if it was reused. */
  readonly madeInMs: number | undefined;
}

/** The folder of the build of the current sources. A later build may remove it. */
export async function cachedBuild(build: BuildRecipe): Promise<CachedBuild> {
  const builds = join(projectFolder, '.build', build.name);
  const print = await fingerprint(projectFolder, build.sources);
  const folder = join(builds, print);
  // The time of a build's folder is that of its last use.
  const used = new Date();
  const isKept = await utimes(folder, used, used).then(
    () => true,
    () => false,
  );
  if (isKept) return { folder, madeInMs: undefined };
  const began = performance.now();
  const making = join(builds, `making-${randomUUID()}`);
  try {
    await build.make(making);
    if ((await fingerprint(projectFolder, build.sources)) !== print) return await cachedBuild(build);
    // When two builds run concurrently, the second uses the result of the first.
    await rename(making, folder).catch((error) => {
      if (!existsSync(folder)) throw error;
    });
  } finally {
    await rm(making, { recursive: true, force: true });
  }
  await forgetOld(builds, print);
  return { folder, madeInMs: performance.now() - began };
}

/** A hash of the names and contents below these paths of the folder, independent of file times. */
export async function fingerprint(folder: string, paths: readonly string[]): Promise<string> {
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

/** Keeps this build, and those that were used last before it. Tests at another date leave times in the future. */
async function forgetOld(builds: string, current: string): Promise<void> {
  const names = (await readdir(builds)).filter((name) => name !== current);
  const dated = await Promise.all(
    names.map(async (name) => ({ name, time: (await stat(join(builds, name)).catch(() => undefined))?.mtimeMs ?? 0 })),
  );
  const old = dated.sort((a, b) => b.time - a.time).slice(keptBuilds - 1);
  await Promise.all(old.map(({ name }) => rm(join(builds, name), { recursive: true, force: true })));
}
