/** The client as integrators install it. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('..', import.meta.url));
/** What it is made of, in this project. */
export const clientSources = [
  'client/README.md',
  'client/package.json',
  'client/src',
  'client/tsconfig.json',
  'tsconfig.json',
];

/** What `npm pack` makes of it: the same bytes for the same sources. It packs a copy, since packing builds in place. */
export async function packedClient(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'booking-client-'));
  try {
    for (const source of clientSources) await cp(join(project, source), join(folder, source), { recursive: true });
    // Its command is checked against the types of Node.js.
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const PATH = `${join(project, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
    // On Windows npm is a script of the shell.
    const options = { cwd: folder, env: { ...process.env, PATH }, shell: process.platform === 'win32' };
    await promisify(execFile)('npm', ['pack', './client'], options);
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
    return await readFile(join(folder, tarball));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
