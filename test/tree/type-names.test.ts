/** Each name has one meaning: a search for a type of `core/` finds one declaration. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../lib/project-folder.ts';

const declaration = /^export (?:interface|type|class|enum|abstract class) (\w+)/gm;

/** Exported type names that several files declare, with these files. */
function sharedNames(files: ReadonlyMap<string, string>): Record<string, string[]> {
  const declared: Record<string, string[]> = {};
  for (const [path, source] of files) {
    for (const [, name = ''] of source.matchAll(declaration)) declared[name] = [...(declared[name] ?? []), path];
  }
  return Object.fromEntries(Object.entries(declared).filter(([, paths]) => paths.length > 1));
}

test('No two files of core/ export types with the same name', () => {
  const folder = join(projectFolder, 'core');
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'));
  expect(paths.length).toBeGreaterThan(100);
  expect(sharedNames(new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')])))).toEqual({});
});

test('Negative control: a type name that two files export is reported, even if one type is an interface and the other an alias', () => {
  const files = new Map([
    ['a.ts', 'export interface Found {}\nexport type Row = 1;\ninterface Page {}\n'],
    ['b.ts', 'export type Found<T> = T;\nexport class Row {}\nexport interface Page {}\n'],
  ]);
  expect(sharedNames(files)).toEqual({ Found: ['a.ts', 'b.ts'], Row: ['a.ts', 'b.ts'] });
});
