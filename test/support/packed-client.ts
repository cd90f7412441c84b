/** Installs the client package in an empty project without a network, as integrators do. */
import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';
import { packedClient } from '../../site/packed-client.ts';

/** Creates the project before the tests of the file and removes it after them. Returns its folder. */
export function withPackedClient(): () => string {
  let project = '';
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'booking-integrator-'));
    const tarball = join(project, 'client.tgz');
    await writeFile(tarball, await packedClient());
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    const install = ['install', '--offline', '--no-audit', '--no-fund', tarball];
    // On Windows npm is a shell script.
    await promisify(execFile)('npm', install, { cwd: project, shell: process.platform === 'win32' });
  });
  afterAll(() => rm(project, { recursive: true, force: true }));
  return () => project;
}
