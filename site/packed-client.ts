/** The client package as integrators install it. */
import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('..', import.meta.url));
/** The source files of the package. */
export const clientSources = [
  'client/README.md',
  'client/package.json',
  'client/src',
  'client/tsconfig.json',
  'tsconfig.json',
];

/** Runs `npm pack` on a copy, because packing builds in place. The same sources give the same bytes. */
export async function packedClient(): Promise<Uint8Array> {
  const folder = await mkdtemp(join(tmpdir(), 'booking-client-'));
  try {
    for (const source of clientSources) await cp(join(project, source), join(folder, source), { recursive: true });
    // The command of the client is type-checked with the types of Node.js.
    await symlink(join(project, 'node_modules'), join(folder, 'node_modules'), 'junction');
    const PATH = `${join(project, 'node_modules/.bin')}${delimiter}${process.env.PATH}`;
    // On Windows npm is a shell script.
    const options = { cwd: folder, env: { ...process.env, PATH }, shell: process.platform === 'win32' };
    await promisify(execFile)('npm', ['pack', './client'], options);
    const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
    return await readFile(join(folder, tarball));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
