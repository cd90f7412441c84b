import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import * as accountRows from '../../contract/account/routes.ts';
import * as rows from '../../contract/integration/routes.ts';
import { withoutDocumentation } from '../../lib/bundle/contract.ts';
import { projectFolder } from '../../lib/project-folder.ts';
import { sharedBundles } from '../support/assembly.ts';

const contract = join(projectFolder, 'contract');
const sources = readdirSync(contract, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .map((file) => ({ file, source: readFileSync(join(contract, file), 'utf8') }));

const bundles = await sharedBundles();

test('No function bundle contains text that only the documentation needs', () => {
  const texts = sources.flatMap(({ source }) => [...source.matchAll(/\b(?:field|object)\(\s*'((?:[^'\\\n]|\\.)*)'/g)]);
  const summaries = [...Object.values(rows), ...Object.values(accountRows)].flatMap((row) =>
    'summary' in row ? [row.summary] : [],
  );
  const words = [...texts.map(([, text = '']) => text), ...summaries].filter((text) => text.length > 20);
  expect(words.length).toBeGreaterThan(200);
  for (const { name, folder } of bundles.values()) {
    // The list of its tools contains their descriptions.
    if (name === 'api/call-mcp') continue;
    const code = readFileSync(join(folder, 'index.mjs'), 'utf8');
    // Each text is one literal. Searching only those with the same beginning as a literal is a hundred times faster.
    const begun = new Set([...code.matchAll(/["'`](?=(.{20}))/g)].map(([, beginning]) => beginning));
    expect(begun.size, name).toBeGreaterThan(10);
    expect(
      words.filter((text) => begun.has(text.slice(0, 20)) && code.includes(text)),
      name,
    ).toEqual([]);
  }
});

test('Every function bundle contains the schema by which its response is filtered', () => {
  const lean = sources.map(({ file, source }) => ({ source, bare: withoutDocumentation(source, file) }));
  const outputs = (text: string) => text.match(/^ {2}output: /gm)?.length ?? 0;
  expect(lean.reduce((sum, { source }) => sum + outputs(source), 0)).toBeGreaterThan(50);
  for (const { source, bare } of lean) expect(outputs(bare)).toBe(outputs(source));
});
