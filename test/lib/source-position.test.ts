import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../lib/bundle.ts';
import { bundleWithMap, sourceAt } from '../../lib/source-position.ts';
import { sharedBundles } from '../support/assembly.ts';

/** Written once, in core/http/preflight.ts. */
const text = 'Access-Control-Max-Age';

/** Line and column of the text, both from 1. */
function placeIn(code: string): [line: number, column: number] {
  const before = code.slice(0, code.indexOf(text)).split('\n');
  return [before.length, (before.at(-1) ?? '').length + 1];
}

test('a place in a bundle is told as file, line and column of the source', async () => {
  const { code } = await bundleWithMap('api/preflight');
  const [, file = '', line] = /^(.+):(\d+):\d+$/.exec(await sourceAt('api/preflight', ...placeIn(code))) ?? [];
  expect(file).toBe('core/http/preflight.ts');
  expect(readFileSync(join(projectFolder, file), 'utf8').split('\n')[Number(line) - 1]).toContain(text);
});

test('the map is of the very bytes that are deployed', { timeout: 60_000 }, async () => {
  const deployed = await sharedBundles();
  const shipped = readFileSync(join(deployed.get('api/preflight')?.folder ?? '', 'index.mjs'), 'utf8');
  expect((await bundleWithMap('api/preflight')).code).toBe(shipped);
});

test('an unknown handler is refused by its name', async () => {
  await expect(sourceAt('api/nothing', 1, 1)).rejects.toThrow('There is no functions/api/nothing.ts.');
});
