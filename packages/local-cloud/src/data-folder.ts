/**
 * The folder that keeps data between runs: it is checked before anything starts, private to its owner, and used by one
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

export interface DataFolder {
  readonly path: string;
  release(): void;
}

/** The databases of the emulators. The emulator of queues defines the name of its own. */
export const databaseFiles = { dynamodb: 'dynamodb.sqlite', memory: 'memory-dynamo.sqlite', queues: 'fauxqs.db' };
const lockFile = 'local-run.lock';
/** Shows which process holds the lock. It is only informative. */
const pidFile = 'local-run.pid';
const checkpointsFile = 'stream-checkpoints.json';

/** All files that the local run writes here. It does not touch others. */
const ownFiles = [
  lockFile,
  pidFile,
  checkpointsFile,
  ...Object.values(databaseFiles).flatMap((name) => ['', '-journal', '-wal', '-shm'].map((end) => `${name}${end}`)),
];

/** Throws an error of one sentence if the folder is not writable, contains a link, or is used by another run. */
export function claimDataFolder(path: string): DataFolder {
  try {
    makeFolder(resolve(path));
    makePrivate(path);
    const unlock = lock(path);
    // SQLite creates the files beside a database with the mode of the database.
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
  // The command line prints the stack of an error with another name.
  override readonly name = 'Error';
}

/**
 * Creates one level at a time: the recursive call never ends below a parent that accepts no folder, such as `/proc`.
 */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o700 });
}

/** The folder may contain secrets. A link could redirect writes to a folder that others can read. */
function makePrivate(folder: string): void {
  chmodSync(folder, 0o700);
  for (const name of ownFiles) {
    const found = lstatSync(join(folder, name), { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) {
      throw new FolderRefused(
        `The data folder ${folder} contains a link (${name}): remove it, or choose another folder.`,
      );
    }
    if (found) chmodSync(join(folder, name), 0o600);
  }
}

/**
 * Creates the file if it is missing. An existing file is not opened, because closing it would release every POSIX lock
 * that this process holds on it.
 */
function makeFile(file: string): void {
  if (!existsSync(file)) closeSync(openSync(file, 'wx', 0o600));
}

/** Keeps a reference, because a database without one is garbage-collected and closed, which releases its lock. */
const locks = new Set<DatabaseSync>();

/**
 * Takes an SQLite lock, which the system releases however the process ends: an earlier run never blocks, and no other
 * process can be mistaken for it.
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

/** The checkpoints of event sources on streams, also those of an earlier run with the same data. */
export interface Checkpoints {
  get(name: string): string | undefined;
  set(name: string, sequenceNumber: string): void;
}

/** Keeps the checkpoints in a file of the data folder, or in memory. */
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
