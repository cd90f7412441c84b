/** What integrators install: the packed client, in an empty project, without a network. */
import { execFile } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const client = fileURLToPath(new URL('../../client', import.meta.url));

/** Makes the project before the tests of the file and removes it after them. Its folder is the function's answer. */
export function withPackedClient(): () => string {
  let project = '';
  // On Windows npm is a script of the shell.
  const npm = (...args: readonly string[]) =>
    promisify(execFile)('npm', args, { cwd: project, shell: process.platform === 'win32' });
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'booking-integrator-'));
    await npm('pack', client, '--pack-destination', project);
    const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? '';
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await npm('install', '--offline', '--no-audit', '--no-fund', join(project, tarball));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));
  return () => project;
}
