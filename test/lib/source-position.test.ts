import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../lib/project-folder.ts';
import { bundleWithMap, sourceAt } from '../../lib/source-position.ts';
import { type Assembly, inside, type Properties, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

/** A text that occurs once, in core/http/preflight.ts. */
const text = 'Access-Control-Max-Age';

test('The source map of a function bundle leads from a position in the bundle to the file and line in TypeScript', async () => {
  const { code } = await bundleWithMap('api/preflight');
  const before = code.slice(0, code.indexOf(text)).split('\n');
  const reported = await sourceAt('api/preflight', before.length, (before.at(-1) ?? '').length + 1);
  const [, file = '', line] = /^(.+):(\d+):\d+$/.exec(reported) ?? [];
  expect(file).toBe('core/http/preflight.ts');
  expect(readFileSync(join(projectFolder, file), 'utf8').split('\n')[Number(line) - 1]).toContain(text);
});

test('Looking up the source line of a position after the end of a function bundle ends with an error', async () => {
  await expect(sourceAt('api/preflight', 9_999, 1)).rejects.toThrow(
    'There is no source line for 9999:1 of api/preflight',
  );
});

const filesOf = ({ folder }: Assembly) => [
  ...new Set(
    readdirSync(folder, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && existsSync(join(folder, entry.name, 'index.mjs')))
      .flatMap(({ name }) => readdirSync(join(folder, name))),
  ),
];
const optionsOf = ({ functions }: Assembly) => [
  ...new Set(functions.map((one) => inside<Properties>(one, 'Environment', 'Variables').NODE_OPTIONS)),
];

test('By default, deployed functions contain no source maps', async () => {
  const assembly = await synthesised();
  expect(filesOf(assembly)).toEqual(['index.mjs']);
  expect(optionsOf(assembly)).toEqual([undefined]);
});

test('If an operator asks for source maps, deployed functions contain them and use them in error messages', async () => {
  const assembly = await synthesisedAs(variants['all settings']);
  expect(filesOf(assembly)).toEqual(['index.mjs', 'index.mjs.map']);
  expect(optionsOf(assembly)).toEqual(['--enable-source-maps']);
});
