/**
 * The functions' code during development: readable, with source maps, and rebuilt when a file changes. Shared code is
 * built once, so that an edit is cheap and affects only functions that import it.
 */
import { lstatSync, readdirSync, watch as watchFolder } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { context, formatMessages } from 'esbuild';
import { bundleOptions } from '../lib/bundle.ts';

interface LiveCodeOptions {
  readonly projectFolder: string;
  /** The handlers by the name of their folder below `outputFolder`: a handler's name and its file. */
  readonly entries: readonly { readonly name: string; readonly file: string }[];
  /** The folder is overwritten, and deleted at the end. It is in the project, where debuggers find its source maps. */
  readonly outputFolder: string;
}

export type Rebuilt =
  /** The names of entries that have changed. */
  | { readonly kind: 'built'; readonly changed: ReadonlySet<string>; readonly ms: number }
  /** The previous build stays in use. */
  | { readonly kind: 'broken'; readonly problems: string };

interface LiveCode {
  /** Rebuilds whenever a file in one of the folders changes, and reports the result. `file` is one that changed. */
  watch(folders: readonly string[], onRebuilt: (rebuilt: Rebuilt, file: string) => void): void;
  stop(): Promise<void>;
}

/** Editors write a file in several steps. */
const settleMs = 15;

/** Resolves after the first build. Rejects with the compiler's message. */
export async function startLiveCode({ projectFolder, entries, outputFolder }: LiveCodeOptions): Promise<LiveCode> {
  const hashes = new Map<string, string>();
  const stopped = new AbortController();
  const building = await context({
    ...bundleOptions,
    minify: false,
    splitting: true,
    sourcemap: 'linked',
    chunkNames: 'shared/[hash]',
    entryPoints: entries.map(({ name, file }) => ({ in: file, out: `${name}/index` })),
    absWorkingDir: projectFolder,
    outdir: outputFolder,
    write: false,
    logLevel: 'silent',
  });

  async function stop(): Promise<void> {
    stopped.abort();
    await building.dispose();
    await rm(outputFolder, { recursive: true, force: true });
  }

  /** Writes changed files, shared ones first, because an entry names its imports by their hash. */
  async function build(): Promise<Rebuilt> {
    const began = performance.now();
    try {
      const { outputFiles } = await building.rebuild();
      const fresh = outputFiles.filter(({ path, hash }) => hashes.get(path) !== hash);
      const [entryFiles, shared] = [fresh.filter(isEntry), fresh.filter((file) => !isEntry(file))];
      for (const files of [shared, entryFiles]) {
        await Promise.all(
          files.map(async ({ path, hash, contents }) => {
            await mkdir(dirname(path), { recursive: true });
            await writeFile(path, contents);
            hashes.set(path, hash);
          }),
        );
      }
      const changed = new Set(entryFiles.map(({ path }) => relative(outputFolder, dirname(path)).replaceAll(sep, '/')));
      return { kind: 'built', changed, ms: performance.now() - began };
    } catch (error) {
      const { errors = [] } = error as { errors?: Parameters<typeof formatMessages>[0] };
      if (errors.length === 0) throw error;
      const problems = await formatMessages(errors, { kind: 'error', color: process.stderr.isTTY });
      return { kind: 'broken', problems: problems.join('').trim() };
    }
  }

  function watch(folders: readonly string[], onRebuilt: (rebuilt: Rebuilt, file: string) => void): void {
    let changedFile: string | undefined;
    let working = false;
    const work = async () => {
      if (working) return;
      working = true;
      while (changedFile !== undefined && !stopped.signal.aborted) {
        const file = changedFile;
        changedFile = undefined;
        const rebuilt = await build();
        if (!stopped.signal.aborted) onRebuilt(rebuilt, file);
      }
      working = false;
    };
    const isFolder = (path: string) => lstatSync(join(projectFolder, path), { throwIfNoEntry: false })?.isDirectory();
    /** On Linux, the recursive watcher of Node.js reports only the first time that an editor replaces a file. */
    const watchTree = (folder: string) => {
      const path = join(projectFolder, folder);
      try {
        const watcher = watchFolder(path, { signal: stopped.signal }, (event, name) => {
          const changed = `${folder}/${name}`;
          if (event === 'rename' && isFolder(changed)) watchTree(changed);
          else if (!/\.(?:ts|json)$/.test(changed)) return;
          if (changedFile === undefined) setTimeout(() => void work(), settleMs);
          changedFile = changed;
        });
        // On Windows, the deletion of a watched folder is an error.
        watcher.on('error', () => watcher.close());
        for (const name of readdirSync(path)) if (isFolder(`${folder}/${name}`)) watchTree(`${folder}/${name}`);
      } catch (error) {
        // The folder was deleted after it was seen, for example by a change of branches.
        if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      }
    };
    folders.forEach(watchTree);
  }

  const first = await build();
  if (first.kind === 'broken') {
    await stop();
    throw new Error(first.problems);
  }
  return { watch, stop };
}

function isEntry({ path }: { readonly path: string }): boolean {
  return path.endsWith('/index.mjs') || path.endsWith('\\index.mjs');
}
