/**
 * Generates the files that are not tracked: the account document, the types and operations of `client/` and `console/`,
 * the tools of agents, and the list of public suffixes. `npm ci` runs this program, and so does every command if a file
 * is missing or out of date.
 */
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fingerprint } from '../../lib/cached-build.ts';

const root = new URL('../../', import.meta.url);
const stamp = new URL('.build/generated-types', root);
/** All sources of the files. Versions of packages are in the lock file. */
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

/** Writes the files, unless they exist and their sources are unchanged. */
export async function generateTypes(): Promise<void> {
  const print = await fingerprint(fileURLToPath(root), sources);
  const isFresh = existsSync(stamp) && readFileSync(stamp, 'utf8') === print;
  if (isFresh && files.every((file) => existsSync(new URL(file, root)))) return;
  console.error('generating the files that contract/ determines');
  // This is a separate process, because its modules take a second to load, and vitest cannot load them.
  await promisify(execFile)(process.execPath, [fileURLToPath(new URL('write-types.ts', import.meta.url))]);
  mkdirSync(new URL('.', stamp), { recursive: true });
  writeFileSync(stamp, print);
}
