/**
 * The folder that keeps data between runs: checked before anything is started, private to its owner, and used by one
 * run at a time.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Checkpoints } from './stream-reader.ts';

export interface DataFolder {
  readonly path: string;
  release(): void;
}

/** The emulators' databases. The second name is the emulator's own choice. */
export const databaseFiles = { dynamodb: 'dynamodb.sqlite', queues: 'fauxqs.db' };
const lockFile = 'local-run.lock';
/** Says in words who holds the lock. Nothing is decided by it. */
const pidFile = 'local-run.pid';
const checkpointsFile = 'stream-checkpoints.json';

/** All that is written here. Files beside them are none of ours. */
const ownFiles = [
  lockFile,
  pidFile,
  checkpointsFile,
  ...Object.values(databaseFiles).flatMap((name) => ['', '-journal', '-wal', '-shm'].map((end) => `${name}${end}`)),
];

/** Throws one sentence when the folder cannot be written, leads elsewhere, or is used by another run. */
export function claimDataFolder(path: string): DataFolder {
  try {
    makeFolder(resolve(path));
    makePrivate(path);
    const unlock = lock(path);
    // SQLite gives the files beside a database the database's own mode.
    for (const name of Object.values(databaseFiles)) makeFile(join(path, name));
    writeFileSync(join(path, pidFile), String(process.pid), { mode: 0o600 });
    return {
      path,
      release() {
        rmSync(join(path, pidFile), { force: true });
        unlock();
      },
    };
  } catch (error) {
    if (error instanceof FolderRefused) throw error;
    throw new Error(`The data folder ${path} cannot be written (${errorCode(error)}): choose another one with --data.`);
  }
}

class FolderRefused extends Error {
  // A person reads the sentence; a stack would hide it.
  override readonly name = 'Error';
}

/** One level at a time: where a parent exists and yet takes no folder, such as `/proc`, the recursive call never ends. */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** It may contain secrets. A link could lead what is written to a folder that others read. */
function makePrivate(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of ownFiles) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) {
      throw new FolderRefused(`The data folder ${folder} holds a link (${name}): remove it, or choose another folder.`);
    }
    if (found) chmodSync(join(folder, name), 0o600);
  }
}

/**
 * Makes the file when there is none. One that exists is not even opened: closing it would release every lock that this
 * process holds on it, which is how POSIX locks are.
 */
function makeFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}

/** Named here, because a database that nobody names any more is closed some day, and its lock with it. */
const locks = new Set<DatabaseSync>();

/**
 * SQLite's own lock, which the system releases when the process ends, however it ends: what an earlier run left behind
 * never blocks, and no other process can be mistaken for it.
 */
function lock(folder: string): () => void {
  const file = join(folder, lockFile);
  makeFile(file);
  const database = new DatabaseSync(file);
  try {
    database.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    if (!/locked/.test(String(error))) throw error;
    throw new FolderRefused(
      `The data folder is used by another local run${ownerOf(folder)}: stop it, or choose another folder.`,
    );
  }
  locks.add(database);
  return () => {
    locks.delete(database);
    database.close();
  };
}

function ownerOf(folder: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(join(folder, pidFile), 'utf8'), 10) || 'unknown'})`;
  } catch {
    return '';
  }
}

function errorCode(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : String(error);
}

/** Where each stream's reader has got to: in a file of the data folder, or in memory. */
export function openCheckpoints(folder: DataFolder | undefined): Checkpoints {
  const file = folder && join(folder.path, checkpointsFile);
  const positions = new Map<string, string>(file ? Object.entries(read(file)) : []);
  return {
    get: (name) => positions.get(name),
    set: (name, sequenceNumber) => {
      positions.set(name, sequenceNumber);
      if (file) writeFileSync(file, JSON.stringify(Object.fromEntries(positions)), { mode: 0o600 });
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
