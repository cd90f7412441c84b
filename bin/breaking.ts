/**
 * A step of `npm run verify`: fails if openapi.json breaks programs for its last release, which is the newest tag `v…`,
 * or without one the last commit. An intended breaking change needs a new major version.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { openApiDocument } from '../contract/openapi.ts';
import { projectFolder } from '../lib/project-folder.ts';
import { breakingChanges } from './breaking-changes.ts';

type OpenApi = Pick<typeof import('../contract/openapi.ts'), 'openApiDocument'>;

function git(...args: readonly string[]): Buffer | undefined {
  try {
    return execFileSync('git', args, { cwd: projectFolder, maxBuffer: 1e8, stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return undefined;
  }
}

/** The document of a release, from its own tables: `contract/` imports nothing else of the project. */
async function released(archive: Buffer) {
  const folder = join(projectFolder, '.build/released');
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-x', '-C', folder], { input: archive });
  const { openApiDocument }: OpenApi = await import(`file://${join(folder, 'contract/openapi.ts')}`);
  rmSync(folder, { recursive: true });
  return openApiDocument();
}

const base = git('describe', '--tags', '--abbrev=0', '--match', 'v*')?.toString().trim() ?? 'HEAD';
const archive = git('archive', base, 'contract');
const found = archive ? breakingChanges(await released(archive), openApiDocument()) : [];
for (const change of found) console.error(change);
if (found.length > 0) {
  console.error(`openapi.json breaks programs that were built on ${base}.`);
  process.exitCode = 1;
}
