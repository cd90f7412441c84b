/**
 * Placeholder code that contains only the name of its handler, `// api/create-webhook`, and a placeholder folder for
 * the pages. The stacks of a local run contain them instead of builds, because that run builds both itself.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Bundles } from './bundle.ts';
import { type HandlerName, handlers } from './handlers.ts';
import { projectFolder } from './project-folder.ts';

const file = 'index.mjs';

export function nameFunctions(outputFolder = join(projectFolder, '.build', 'names')): Bundles {
  return new Map(
    handlers.map(({ name }) => {
      const folder = join(outputFolder, name);
      const text = `// ${name}\n`;
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, file), text);
      return [name, { name, folder, bytes: text.length, inputs: [] }];
    }),
  );
}

export function handlerNamedIn(folder: string): HandlerName {
  const name = readFileSync(join(folder, file), 'utf8').slice('// '.length).trim();
  const found = handlers.find((handler) => handler.name === name);
  if (!found) throw new Error(`The code in ${folder} contains no name of a handler.`);
  return found.name;
}

const pagesFile = 'pages-come-here.txt';

/** Creates the placeholder folder of the pages. */
export function namePages(outputFolder = join(projectFolder, '.build', 'names', 'pages')): string {
  mkdirSync(outputFolder, { recursive: true });
  writeFileSync(join(outputFolder, pagesFile), 'The console, the reference and the documents.\n');
  return outputFolder;
}

/** Whether the folder is the placeholder of the pages. */
export function isNamedPages(folder: string): boolean {
  return existsSync(join(folder, pagesFile));
}
