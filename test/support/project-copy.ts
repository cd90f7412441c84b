/** A copy of this project in its own folder, for tests that edit its files. It shares the packages. */
import { existsSync, readdirSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../lib/project-folder.ts';

/** Folders that `npm start` does not read, that a run has written, or that the copy shares. */
const leftOut = /^(?:\..*|bench|cdk\.out|coverage|node_modules|test)$/;
/** Cached builds are valid for the same sources in any folder. */
const caches = ['assemblies', 'assemblies-of-names', 'bundles', 'generated-types', 'pages'];

export interface ProjectCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const sources = readdirSync(projectFolder).filter((name) => !leftOut.test(name));
  const builds = caches.map((name) => join('.build', name)).filter((path) => existsSync(join(projectFolder, path)));
  for (const part of [...sources, ...builds])
    await cp(join(projectFolder, part), join(folder, part), { recursive: true });
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The file that is edited to see when an edit takes effect. */
export const editedFile = 'core/catalog/items.ts';

/** Returns the text of the file so that `GET /business` has this name, an expression. */
export function withBusinessName(text: string, name: string): string {
  return text.replace(/return \{ id, name(: [^,]*)?,/, `return { id, name: ${name},`);
}
