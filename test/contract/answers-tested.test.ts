/** Fails for each error or header that no test of behaviour expects. Loops over all codes do not count. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { exposedHeaders, webhookHeaders } from '../../contract/headers.ts';

const ownName = 'answers-tested.test.ts';
const tests = fileURLToPath(new URL('..', import.meta.url));

/** Headers of every response beside those in the contract. */
const otherHeaders = [
  ...['Access-Control-Allow-Origin', 'Access-Control-Expose-Headers', 'Allow', 'Cache-Control', 'Vary'],
  ...['WWW-Authenticate', 'X-Content-Type-Options'],
];

/** The code of all tests of behaviour, without comments and types. */
async function behaviour(): Promise<string> {
  const files = await readdir(tests, { recursive: true });
  const counted = files.filter((file) => /^(?:core|journeys|contract)\/.*\.ts$/.test(file) && !file.endsWith(ownName));
  const code = counted.map(async (file) => {
    const source = await readFile(`${tests}/${file}`, 'utf8');
    return (await transform(source, { loader: 'ts', legalComments: 'none' })).code;
  });
  return (await Promise.all(code)).join('\n');
}

/** Whether the code contains a name as a literal: `"not_found"`, `'x-request-id'`. */
const names = (code: string, name: string) => new RegExp(`["'\`.\\s]${name}\\b`, 'i').test(code);

test('Each error code, and each header of a response or webhook message, is named in at least one test', async () => {
  const code = await behaviour();
  const all = [...Object.keys(errors), ...exposedHeaders, ...webhookHeaders, ...otherHeaders];
  expect(all.filter((name) => !names(code, name))).toEqual([]);
});

test('Negative control: the check of tested responses reports an error code that no test names', () => {
  const code = 'expect(answer.json.code).toBe("not_found"); expect(headers["x-request-id"]).toBe(id);';
  expect(['not_found', 'X-Request-Id', 'not_found_at_all', 'Retry-After'].filter((name) => !names(code, name))).toEqual(
    ['not_found_at_all', 'Retry-After'],
  );
});
