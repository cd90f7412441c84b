/** What integrators install: the packed client, in an empty project, without a network. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Makes the project before the tests of the file and removes it after them. Its folder is the function's answer. */
export function withPackedClient(): () => string {
  let project = '';
  const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
  // On Windows npm is a script of the shell.
  const npm = (...args: readonly string[]) =>
    promisify(execFile)('npm', args, {
      cwd: project,
      env: { ...process.env, PATH },
      shell: process.platform === 'win32',
    });
  beforeAll(async () => {
    project = await mkdtemp(join(tmpdir(), 'booking-integrator-'));
    // Packing builds in the client's own folder, and two test files may pack at once.
    for (const path of ['client', 'tsconfig.json'])
      await cp(join(root, path), join(project, path), { recursive: true });
    await npm('pack', './client', '--pack-destination', project);
    for (const path of ['client', 'tsconfig.json']) await rm(join(project, path), { recursive: true });
    const tarball = (await readdir(project)).find((name) => name.endsWith('.tgz')) ?? '';
    await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
    await npm('install', '--offline', '--no-audit', '--no-fund', join(project, tarball));
  });
  afterAll(() => rm(project, { recursive: true, force: true }));
  return () => project;
}
