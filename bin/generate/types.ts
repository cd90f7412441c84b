/**
 * What is generated before use and not tracked: the account document, the types and operations that `client/` and
 * `console/` are built on, the tools of agents, and the list of public suffixes. `npm ci` runs it, and every command
 * does where something is missing or stale.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fingerprint } from '../../lib/kept-build.ts';

const root = new URL('../../', import.meta.url);
const stamp = new URL('.build/generated-types', root);
/** All that the files are made of. Versions of packages are in the lock file. */
const sources = ['bin/generate', 'client/package.json', 'contract', 'package-lock.json'];

const files = [
  'openapi-account.json',
  'openapi-small.json',
  'client/src/generated/operations.ts',
  'client/src/generated/types.ts',
  'console/src/api/generated/events.ts',
  'console/src/api/generated/operations.ts',
  'console/src/api/generated/types.ts',
  'core/keys/generated/public-suffixes.ts',
  'functions/generated/tools.ts',
];

/** Writes the files, unless they are there and their sources have not changed. */
export async function generateTypes(): Promise<void> {
  const print = await fingerprint(fileURLToPath(root), sources);
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (isFresh && files.every((file) => existsSync(new URL(file, root)))) return;
  // A process of its own: what it loads takes a second, and vitest could not load it.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('write-types.ts', import.meta.url))]);
  mkdirSync(new URL('.', stamp), { recursive: true });
  writeFileSync(stamp, print);
}
