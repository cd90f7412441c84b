/** Fails for each row without a test of its behaviour. Loops over all rows (`test/contract/`) do not count. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { accountRoutes } from '../../contract/account/api.ts';
import { allRoutes, fileName } from '../../contract/integration/api.ts';
import { type Source, untested } from '../support/tested-rows.ts';

const project = fileURLToPath(new URL('../..', import.meta.url));
const source = async (path: string): Promise<Source> => ({ path, code: await readFile(`${project}${path}`, 'utf8') });

async function tests(): Promise<Source[]> {
  const files = await readdir(`${project}test`, { recursive: true });
  // A race that runs on two emulators is in its own file beside its tests.
  const counted = files.filter((file) => /^(?:core|journeys|simulation)\/.*\.ts$/.test(file));
  return Promise.all(counted.map((file) => source(`test/${file}`)));
}

describe.each([
  ['api', allRoutes],
  ['account', accountRoutes],
] as const)('handlers in functions/%s', (folder, rows) => {
  test(`Every endpoint in functions/${folder} is called by at least one test`, async () => {
    const handlers = new Map<string, Source>();
    for (const { operation } of rows) {
      handlers.set(operation, await source(`functions/${folder}/${fileName(operation)}.ts`));
    }
    const missing = await untested(
      rows,
      ({ operation }) => handlers.get(operation) ?? { path: '', code: '' },
      await tests(),
      // The two APIs share names; only owners are called by them: `owner('createService')`.
      { byName: folder === 'account' },
    );
    expect(missing, 'write a test in test/core/<noun>/ that calls the verb of the handler').toEqual([]);
  });
});
