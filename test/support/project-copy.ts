/** A copy of this project in its own folder, for tests that edit its files. It shares the packages. */
import { existsSync } from 'node:fs';
import { cp, mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../lib/project-folder.ts';

/** The files and folders that `npm start` reads. */
const parts = [
  'bin',
  'cdk.json',
  'CHANGELOG.md',
  'client',
  'console',
  'contract',
  'core',
  'docs',
  'examples',
  'functions',
  'lib',
  'llms.txt',
  'local',
  'openapi-account.json',
  'openapi-small.json',
  'openapi.json',
  'packages',
  'package-lock.json',
  'package.json',
  'README.md',
  'site',
  'tsconfig.json',
  // Cached builds are valid for the same sources in any folder.
  '.build/assemblies',
  '.build/assemblies-of-names',
  '.build/bundles',
  '.build/generated-types',
  '.build/pages',
];

export interface ProjectCopy {
  readonly folder: string;
  remove(): Promise<void>;
}

export async function copyProject(): Promise<ProjectCopy> {
  const folder = await mkdtemp(join(tmpdir(), 'project-'));
  const there = parts.filter((part) => existsSync(join(projectFolder, part)));
  for (const part of there) await cp(join(projectFolder, part), join(folder, part), { recursive: true });
  await symlink(join(projectFolder, 'node_modules'), join(folder, 'node_modules'), 'junction');
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}

/** The file that is edited to see when an edit takes effect. */
export const editedFile = 'core/catalog/items.ts';

/** Returns the text of the file so that `GET /business` has this name, an expression. */
export function withBusinessName(text: string, name: string): string {
  return text.replace(/return \{ id, name(: [^,]*)?,/, `return { id, name: ${name},`);
}
