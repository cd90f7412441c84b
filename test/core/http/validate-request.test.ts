/** What is said of a request that does not parse (docs/rules.md#requests, #errors). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { type Endpoint, post } from '../../../contract/define.ts';
import { limits } from '../../../contract/limits.ts';
import type { Middleware } from '../../../core/http/context.ts';
import { validateRequest } from '../../../core/http/request.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { call } from '../../support/http.ts';

const row = post('/things', () => ({
  scope: 'webhooks:manage',
  summary: '',
  needs: {},
  status: 204,
  query: z.strictObject({ page: z.optional(z.string()) }),
  body: z.strictObject({ list: z.array(z.int()), owner: z.optional(z.strictObject({ email: z.email() })) }),
})) as Endpoint;

const readAs = (body: unknown): Middleware => ({
  before: ({ event }) => {
    event.state.body = body;
  },
});

async function operationalEventsOf(body: unknown, query = '') {
  const checks = [readAs(body), validateRequest(row)];
  const handler = serve('POST /things', { ...publicAccess(), checks }, async () => ({ statusCode: 204 }));
  const { status, json } = await call(handler, { query });
  return status === 204 ? [] : (json.details as { path: string; message: string }[]);
}

test.each<[string, unknown, string, string]>([
  ['what is missing', {}, 'list', 'is required'],
  ['what is missing further down', { list: [], owner: {} }, 'owner.email', 'is required'],
  ['what is there and something else', { list: 'none' }, 'list', 'must be a list'],
  ['what is null', { list: [], owner: null }, 'owner', 'must be an object'],
  ['a body that is no object', null, '', 'must be an object'],
  [
    'a field that nobody knows',
    { list: [], owner: { email: 'a@example.com', age: 1 } },
    'owner.age',
    'is not known here',
  ],
])('%s is told by its path', async (_, body, path, message) => {
  expect(await operationalEventsOf(body)).toEqual([{ path, message }]);
});

test('problems of query and body are told together', async () => {
  expect(await operationalEventsOf({}, 'page=1&page=2')).toEqual([
    { path: 'page', message: 'must not be given more than once' },
    { path: 'list', message: 'is required' },
  ]);
  expect(await operationalEventsOf({ list: [1] }, 'page=1')).toEqual([]);
  expect(await operationalEventsOf({ list: [1] })).toEqual([]);
});

test('as many problems are told as there is room for, and of more how many there are', async () => {
  const wrong = (count: number) => ({ list: Array.from({ length: count }, () => 'x') });
  const most = await operationalEventsOf(wrong(limits.problemsTold));
  expect(most.map(({ path }) => path)).toEqual(most.map((_, n) => `list.${n}`));
  expect(most).toHaveLength(limits.problemsTold);
  const count = limits.problemsTold + 1;
  const rest = { path: '', message: `has ${count} problems; these are the first ${limits.problemsTold}` };
  expect(await operationalEventsOf(wrong(count))).toEqual([...most, rest]);
});
