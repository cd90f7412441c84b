/**
 * A step of `npm run verify`: fails if openapi.json breaks programs for its last release, which is the newest tag `v…`,
 * or without one the last commit. An intended breaking change needs a new major version.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { projectFolder } from '../lib/project-folder.ts';
import { breakingChanges } from './breaking-changes.ts';

function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, {
      cwd: projectFolder,
      encoding: 'utf8',
      maxBuffer: 1e8,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  } catch {
    return undefined;
  }
}

const tag = git('describe', '--tags', '--abbrev=0', '--match', 'v*')?.trim();
const base = tag ?? 'HEAD';
const released = git('show', `${base}:openapi.json`);
const baseName = tag ?? 'the last commit, because Git finds no tag v…';
console.log(
  `openapi.json is compared with ${released === undefined ? 'nothing: Git finds no earlier version' : baseName}.`,
);
const current = readFileSync(new URL('../openapi.json', import.meta.url), 'utf8');
const found = released === undefined ? [] : breakingChanges(JSON.parse(released), JSON.parse(current));
for (const change of found) console.error(change);
if (found.length > 0) {
  console.error(`openapi.json breaks programs that were built on ${base}.`);
  process.exitCode = 1;
}
