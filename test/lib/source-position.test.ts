import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { projectFolder } from '../../lib/project-folder.ts';
import { bundleWithMap, sourceAt } from '../../lib/source-position.ts';
import { type Assembly, inside, type Properties, synthesised } from '../support/synthesised.ts';

/** Written once, in core/http/preflight.ts. */
const text = 'Access-Control-Max-Age';

/** Line and column of the text, both from 1. */
function placeIn(code: string): [line: number, column: number] {
  const before = code.slice(0, code.indexOf(text)).split('\n');
  return [before.length, (before.at(-1) ?? '').length + 1];
}

let code: string;
/** Where the text is, as the sources tell it. */
let reportedNow: string;
beforeAll(async () => {
  code = (await bundleWithMap('api/preflight')).code;
  reportedNow = await sourceAt('api/preflight', ...placeIn(code));
});

test('A position in a function bundle is reported as file, line and column of the TypeScript source', () => {
  const [, file = '', line] = /^(.+):(\d+):\d+$/.exec(reportedNow) ?? [];
  expect(file).toBe('core/http/preflight.ts');
  expect(readFileSync(join(projectFolder, file), 'utf8').split('\n')[Number(line) - 1]).toContain(text);
});

describe('source maps in a deployment', { timeout: 120_000 }, () => {
  /** The files of all code. */
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

  test('A deployment contains no source maps by default', async () => {
    const assembly = await synthesised();
    expect(filesOf(assembly)).toEqual(['index.mjs']);
    expect(optionsOf(assembly)).toEqual([undefined]);
  });

  test('On request, a deployment contains source maps, and its functions use them in error messages', async () => {
    const assembly = await synthesised('dev', { sourceMaps: 'shipped' });
    expect(filesOf(assembly)).toEqual(['index.mjs', 'index.mjs.map']);
    expect(optionsOf(assembly)).toEqual(['--enable-source-maps']);
  });
});
