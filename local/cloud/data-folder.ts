/** The folder that keeps data between runs: checked before anything is started, and used by one run at a time. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Checkpoints } from './stream-sources.ts';

export interface DataFolder {
  readonly path: string;
  release(): void;
}

/** Throws one sentence when the folder cannot be written or another run uses it. */
export function claimDataFolder(path: string): DataFolder {
  const lock = join(path, 'local-run.pid');
  try {
    makeFolder(resolve(path));
    claim(lock);
  } catch (error) {
    if (error instanceof FolderInUse) throw error;
    throw new Error(`The data folder ${path} cannot be written (${errorCode(error)}): choose another one with --data.`);
  }
  return { path, release: () => rmSync(lock, { force: true }) };
}

/** One level at a time: where a parent exists and yet takes no folder, such as `/proc`, the recursive call never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  // Secrets of webhooks lie in it.
  mkdirSync(path, { mode: 0o700 });
}

class FolderInUse extends Error {}

function claim(lock: string): void {
  try {
    writeFileSync(lock, String(process.pid), { flag: 'wx' });
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    const owner = Number(readFileSync(lock, 'utf8'));
    if (owner !== process.pid && runs(owner)) {
      throw new FolderInUse(
        `The data folder is used by another local run (process ${owner}): stop it, or choose another folder.`,
      );
    }
    writeFileSync(lock, String(process.pid));
  }
}

function runs(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Where each stream's reader has got to: in a file of the data folder, or in memory. */
export function openCheckpoints(folder: DataFolder | undefined): Checkpoints {
  const file = folder && join(folder.path, 'stream-checkpoints.json');
  const positions = new Map<string, string>(file ? Object.entries(read(file)) : []);
  return {
    get: (name) => positions.get(name),
    set: (name, sequenceNumber) => {
      positions.set(name, sequenceNumber);
      if (file) writeFileSync(file, JSON.stringify(Object.fromEntries(positions)));
    },
  };
}

function read(file: string): Record<string, string> {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>;
  } catch {
    return {};
  }
}
