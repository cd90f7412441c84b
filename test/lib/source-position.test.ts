import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../lib/bundle.ts';
import { bundleWithMap, sourceAt } from '../../lib/source-position.ts';
import { sharedBundles } from '../support/assembly.ts';
import { temporaryFolder } from '../support/synthesised.ts';

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

test('the map is of the very bytes that are deployed', { timeout: 120_000 }, async () => {
  const deployed = await sharedBundles();
  const shipped = readFileSync(join(deployed.get('api/preflight')?.folder ?? '', 'index.mjs'), 'utf8');
  expect((await bundleWithMap('api/preflight')).code).toBe(shipped);
});

describe('the build', { timeout: 120_000 }, () => {
  test('keeps the map of each bundle beside what is deployed, and nothing but the bundle is deployed', async () => {
    const bundles = [...(await sharedBundles()).values()];
    expect(bundles.length).toBeGreaterThan(50);
    for (const { folder } of bundles) {
      expect(readdirSync(folder)).toEqual(['index.mjs']);
      expect(existsSync(`${folder}.mjs.map`), folder).toBe(true);
      expect(readFileSync(join(folder, 'index.mjs'), 'utf8')).not.toContain('sourceMappingURL');
    }
  });

  test('tells the same line by its kept maps as the sources do', async () => {
    const { folder = '' } = (await sharedBundles()).get('api/preflight') ?? {};
    const place = placeIn(readFileSync(join(folder, 'index.mjs'), 'utf8'));
    // It was built elsewhere, so that the way up to the project is another.
    const kept = await sourceAt('api/preflight', ...place, dirname(dirname(folder)));
    expect(kept.endsWith(await sourceAt('api/preflight', ...place))).toBe(true);
  });

  test('of another folder is asked in vain', async () => {
    await expect(sourceAt('api/preflight', 1, 1, temporaryFolder('maps'))).rejects.toThrow('holds no map of');
  });
});

test('an unknown handler is refused by its name', async () => {
  await expect(sourceAt('api/nothing', 1, 1)).rejects.toThrow('There is no functions/api/nothing.ts.');
});
