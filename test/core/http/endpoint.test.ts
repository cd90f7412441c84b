import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { del, get, post } from '../../../contract/define.ts';
import { text } from '../../../contract/fields.ts';
import { rateLimitHeaders } from '../../../contract/headers.ts';
import * as routes from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { setRuntime } from '../../../core/clock.ts';
import { fail } from '../../../core/errors.ts';
import { endpoint } from '../../../core/http/endpoint.ts';
import { log } from '../../../core/log.ts';
import { call, type Received, type Sent } from '../../support/http.ts';
import { noon, useKeyTable } from '../../support/key-table.ts';

const { table, accept, key } = useKeyTable(['webhooks:manage']);

const thing = z.strictObject({ id: z.int() });
const scope = 'webhooks:manage';
const base = { scope, summary: '', needs: {}, output: thing } as const;

const things = {
  create: post('/things', {
    ...base,
    status: 201,
    location: '/things/:id',
    body: z.strictObject({
      name: text(1, 10),
      count: z.int().check(z.minimum(1)),
      owner: z.strictObject({ email: z.email() }),
      tags: z.optional(z.array(z.string()).check(z.maxLength(60))),
    }),
  }),
  touch: post('/things/:id/touch', {
    ...base,
    status: 200,
    params: z.strictObject({ id: text(1, 3) }),
    body: z.strictObject({ note: z.optional(z.string()) }),
    bodyOptional: true,
  }),
  list: get('/things', {
    ...base,
    status: 200,
    etag: true,
    query: z.strictObject({ page: z.optional(z.string().check(z.regex(/^[1-9]$/))), from: z.optional(z.string()) }),
  }),
  remove: del('/things/:id', { scope, summary: '', needs: {}, status: 204 }),
};

function send(handler: Parameters<typeof call>[0], sent: Sent = {}): Promise<Received> {
  return call(handler, { ...sent, headers: { 'x-api-key': key(), ...sent.headers } });
}

const echo = endpoint(things.create).handler(({ body }) => ({ id: body.count }));
const list = endpoint(things.list).handler(() => ({ id: 1 }));
const goodBody = { name: 'a', count: 3, owner: { email: 'a@example.com' } };

test('The handler of an endpoint gets the API key and the parsed request, and its result becomes the JSON body of the response', async () => {
  const verb = vi.fn(() => ({ id: 12 }));
  const response = await send(endpoint(things.create).handler(verb), { body: { ...goodBody, name: ' a ' } });
  expect(response).toMatchObject({ status: 201, text: '{"id":12}' });
  expect(response.headers).not.toHaveProperty('idempotent-replayed');
  expect(response.headers).toMatchObject({
    'content-type': 'application/json',
    location: '/v1/integration/things/12',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
    vary: 'Origin',
  });
  expect(verb).toHaveBeenCalledWith({
    principal: { tenantId: 7, actor: { kind: 'key', id: 5, scopes: ['webhooks:manage'] } },
    params: undefined,
    query: undefined,
    body: goodBody,
    operation: 'POST /v1/integration/things',
    idempotencyKey: undefined,
  });
});

test.each([
  ['2026-12-10T10:00+02:00', '2026-12-10T10:00:00+02:00'],
  ['2026-12-10T10:00Z', '2026-12-10T10:00:00Z'],
  ['2026-12-10T10:00-00:30', '2026-12-10T10:00:00-00:30'],
])('A request may contain the time %s, which has no seconds, in its query or body', async (sent, startTime) => {
  accept({ scopes: ['slots:read', 'bookings:write'] });
  const verb = vi.fn(() => {
    throw fail('not_found');
  });
  const query = `${new URLSearchParams({ startTime: sent, serviceId: '1' })}`;
  await send(endpoint(routes.explainSlot).handler(verb), { query });
  expect(verb).toHaveBeenLastCalledWith(expect.objectContaining({ query: { startTime, serviceId: 1 } }));
  await send(endpoint(routes.rescheduleBooking).handler(verb), { params: { id: '1' }, body: { startTime: sent } });
  expect(verb).toHaveBeenLastCalledWith(expect.objectContaining({ body: { startTime } }));
});

test('The rate limit headers of a response show the counters stored with the API key', async () => {
  accept({ [`m#${Math.floor(noon / 60_000)}`]: 18, [`d#${Math.floor(noon / 86_400_000)}`]: 400 });
  const { headers } = await send(echo, { body: goodBody });
  expect(headers).toMatchObject({
    'x-ratelimit-limit': '60',
    'x-ratelimit-remaining': '42',
    'x-ratelimit-reset': String(Date.parse('2026-12-01T12:01:00Z') / 1_000),
    'x-ratelimit-limit-day': '10000',
    'x-ratelimit-remaining-day': '9600',
    'x-ratelimit-reset-day': String(Date.parse('2026-12-02T00:00:00Z') / 1_000),
    'x-request-id': expect.any(String),
  });
});

test('A 204 response has neither a body nor a content type', async () => {
  const response = await send(endpoint(things.remove).handler(async () => {}));
  expect(response).toMatchObject({ status: 204, text: undefined });
  expect(response.headers['content-type']).toBeUndefined();
});

test('A response has a strong ETag, which changes when the response changes', async () => {
  const { headers } = await send(list);
  expect(headers).toMatchObject({ etag: expect.stringMatching(/^"[\w-]{43}"$/), 'cache-control': 'private, no-cache' });
  expect((await send(list)).headers.etag).toBe(headers.etag);
  expect((await send(endpoint(things.list).handler(() => ({ id: 2 })))).headers.etag).not.toBe(headers.etag);
});

test('A request whose If-None-Match header matches gets 304 without a body and counts towards the rate limit', async () => {
  const { etag = '' } = (await send(list)).headers;
  const matching = [etag, `W/${etag}`, `"other", ${etag}`, `"other",W/${etag} , "more"`, '*', ' * '];
  for (const tag of matching) {
    const again = await send(list, { headers: { 'if-none-match': tag } });
    expect(again, tag).toMatchObject({ status: 304, text: undefined, headers: { etag } });
    for (const name of rateLimitHeaders) expect(again.headers).toHaveProperty(name.toLowerCase());
  }
  expect(table.calls()).toHaveLength(1 + matching.length);
  for (const tag of ['', '"other"', etag.slice(1, -1), '"*"']) {
    expect(await send(list, { headers: { 'if-none-match': tag } }), tag).toMatchObject({ status: 200 });
  }
});

function notReached(): never {
  throw fail('internal_error');
}

async function detailsOf(response: Promise<Received>): Promise<unknown> {
  const { status, json } = await response;
  expect({ status, code: json.code }).toEqual({ status: 400, code: 'validation_failed' });
  return json.details;
}

test('The details of a response with status 400 contain all problems of query and body, each with the path of its field', async () => {
  const body = { name: '', count: 'x', owner: { email: 'no', age: 3 }, tags: ['a', 4], extra: 1 };
  expect(await detailsOf(send(echo, { query: 'debug=1', body }))).toEqual([
    { path: 'debug', message: 'is not a known field or parameter' },
    { path: 'name', message: 'must not be empty' },
    { path: 'count', message: 'must be a number' },
    { path: 'owner.email', message: 'must be an email address' },
    { path: 'owner.age', message: 'is not a known field or parameter' },
    { path: 'tags.1', message: 'must be text' },
    { path: 'extra', message: 'is not a known field or parameter' },
  ]);
  // The length of a value of another type is not a problem of its own.
  expect(await detailsOf(send(echo, { body: { ...goodBody, name: [], tags: 'a'.repeat(61) } }))).toEqual([
    { path: 'name', message: 'must be text' },
    { path: 'tags', message: 'must be a list' },
  ]);
});

test('The details of a response with status 400 contain a limited number of problems, and the total number of problems', async () => {
  const wrong = (count: number) => ({ body: { ...goodBody, tags: Array.from({ length: count }, () => 1) } });
  const message = 'must be text';
  const most = Array.from({ length: limits.problemsListed }, (_, n) => ({ path: `tags.${n}`, message }));
  expect(await detailsOf(send(echo, wrong(most.length)))).toEqual(most);
  const count = most.length + 1;
  const rest = { path: '', message: `has ${count} problems; these are the first ${most.length}` };
  expect(await detailsOf(send(echo, wrong(count)))).toEqual([...most, rest]);
});

test('The details of a response with status 400 contain at most 100 characters of each field name', async () => {
  const path = 'a'.repeat(limits.fieldNameShown);
  const values = Array.from({ length: 4_800 }, () => '\u0000');
  const texts = await send(echo, { body: { [path.repeat(160)]: values } });
  expect(texts).toMatchObject({ status: 400, json: { details: { 49: { path: `${path}.49` } } } });
  expect(texts.text?.length).toBeLessThan(20_000);
  expect(await detailsOf(send(echo, { body: { ...goodBody, [path.repeat(600)]: 1 } }))).toEqual([
    { path, message: 'is not a known field or parameter' },
  ]);
});

test('The details of a response with status 400 also list problems that concern several fields together', async () => {
  accept({ scopes: ['bookings:write'] });
  const handler = endpoint(routes.createBooking).handler(notReached);
  expect(await detailsOf(send(handler, { body: { serviceId: 'x', client: { name: 3 } } }))).toEqual([
    { path: 'serviceId', message: expect.any(String) },
    { path: 'startTime', message: 'is required' },
    { path: 'client.name', message: expect.any(String) },
    { path: 'client', message: 'phone or email is required' },
  ]);
  const neither = { serviceId: 'x', startTime: '2026-12-01T10:00:00Z' };
  expect(await detailsOf(send(handler, { body: neither }))).toContainEqual({
    path: 'client',
    message: 'exactly one of client and clientId is required',
  });
});

test.each([
  ['startTime', 'bookings:write', endpoint(routes.updateBooking).handler(notReached)],
  ['delivery', 'webhooks:manage', endpoint(routes.updateWebhook).handler(notReached)],
] as const)('A PATCH of only the read-only field %s gets a 400 with one problem', async (path, scope, handler) => {
  accept({ scopes: [scope] });
  const params = { id: '1' };
  const unknown = { path, message: 'is not a known field or parameter' };
  expect(await detailsOf(send(handler, { params, body: { [path]: 'x' } }))).toEqual([unknown]);
  const empty = { path: '', message: 'at least one field is required' };
  expect(await detailsOf(send(handler, { params, body: {} }))).toEqual([empty]);
});

test('A request with a query parameter that is unknown or given twice is refused with 400', async () => {
  expect(await detailsOf(send(list, { query: 'page=1&page=1&sort=name&page=2' }))).toEqual([
    { path: 'page', message: 'must not be given more than once' },
    { path: 'sort', message: 'is not a known field or parameter' },
  ]);
});

test.each<[string, string | Buffer, string]>([
  ['is empty', '', 'This endpoint needs a JSON body.'],
  ['is not valid UTF-8', Buffer.from([0x22, 0xff, 0x22]), 'The request body is not valid UTF-8.'],
  ['ends after its first bracket', '{', 'The request body is not valid JSON.'],
  ['begins with a byte order mark', '\ufeff{}', 'The request body is not valid JSON.'],
  ['is a NUL character', '\u0000', 'The request body is not valid JSON.'],
])('A request body that %s is refused as invalid JSON, with a message that explains why', async (_, body, message) => {
  const sent = typeof body === 'string' ? { body } : { body: body.toString('base64'), base64: true };
  const response = await send(echo, { headers: { 'content-type': 'application/json' }, ...sent });
  expect(response).toMatchObject({ status: 400, json: { code: 'invalid_json', message } });
});

test.each([
  ['is null', 'must be an object', 'null'],
  ['is a list', 'must be an object', '[]'],
  ['nests 33 levels deep', 'must not nest deeper than 32 levels', '['.repeat(33) + ']'.repeat(33)],
])('A JSON request body of the wrong structure is refused with the reason (it %s: %s)', async (_, message, body) => {
  const sent = { headers: { 'content-type': 'application/json' }, body };
  expect(await detailsOf(send(echo, sent))).toEqual([{ path: '', message }]);
});

test('An optional request body may be left out, with any content type in the header', async () => {
  const verb = vi.fn(() => ({ id: 1 }));
  const sent = { params: { id: '1' }, headers: { 'content-type': 'text/plain' } };
  expect(await send(endpoint(things.touch).handler(verb), sent)).toMatchObject({ status: 200 });
  expect(verb).toHaveBeenCalledWith(expect.objectContaining({ body: {}, params: { id: '1' } }));
});

test('An endpoint that takes no body ignores a sent body, unless the body is too large', async () => {
  expect(await send(list, { body: 'not json' })).toMatchObject({ status: 200 });
  expect(await send(list, { body: 'x'.repeat(65_537) })).toMatchObject({ status: 413 });
});

test('A request body that the gateway has encoded as base64 is decoded', async () => {
  const body = Buffer.from(JSON.stringify(goodBody)).toString('base64');
  const response = await send(echo, { headers: { 'content-type': 'application/json' }, body, base64: true });
  expect(response).toMatchObject({ status: 201, text: '{"id":3}' });
});

const shown = (type: string) => (type === '' ? 'an empty Content-Type' : `the Content-Type ${JSON.stringify(type)}`);
const accepted = [
  ...['application/json', 'Application/JSON;charset=utf-8', 'application/json ; charset="UTF8"'],
  'application/json; profile="charset=iso-8859-1"',
];
const refused = [
  ...['', 'text/plain', 'application/jsonp', 'application/vnd.api+json', 'application/json, application/json'],
  'application/json; charset = iso-8859-1',
  ...['iso-8859-1', 'utf-8-sig', '"charset=utf-8"', ' utf-8'].map((name) => `application/json; charset=${name}`),
];
test.each([
  ...accepted.map((type) => [shown(type), 'accepted', type, 201, undefined] as const),
  ...refused.map((type) => [shown(type), 'refused with 415', type, 415, 'unsupported_media_type'] as const),
])('A request body must have a JSON Content-Type in UTF-8 (%s: %s)', async (_type, _result, type, status, code) => {
  const { json, ...response } = await send(echo, { headers: { 'content-type': type }, body: JSON.stringify(goodBody) });
  expect([response.status, json.code]).toEqual([status, code]);
});

test.each([
  [
    'identity, gzip',
    'refused with 415',
    { status: 415, json: { message: 'Send the body without a Content-Encoding.' } },
  ],
  [' Identity ', 'accepted', { status: 201 }],
  [' ', 'accepted', { status: 201 }],
])('A request body must have no Content-Encoding except identity (%j: %s)', async (encoding, _, expected) => {
  expect(await send(echo, { headers: { 'content-encoding': encoding }, body: goodBody })).toMatchObject(expected);
});

test('A request body of 64 KiB is accepted, and one byte more is refused with 413, also when encoded as base64', async () => {
  const headers = { 'content-type': 'application/json' };
  const exact = JSON.stringify({ name: 'é'.repeat(32_763) });
  expect(Buffer.byteLength(exact)).toBe(65_537);
  const fitting = exact.replace('é', 'e');
  for (const [body, status] of [
    [exact, 413],
    [fitting, 400],
  ] as const) {
    const encoded = Buffer.from(body).toString('base64');
    expect(await send(echo, { headers, body })).toMatchObject({ status });
    expect(await send(echo, { headers, body: encoded, base64: true })).toMatchObject({ status });
  }
});

test('A request that fails with an unexpected error gets a 500 without details, and the error is logged', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const cause = new Error('table records-7 exploded');
  const handler = endpoint(things.list).handler(() => {
    throw cause;
  });
  const response = await send(handler);
  expect(response).toMatchObject({ status: 500, json: { code: 'internal_error', error: 'Internal Server Error' } });
  expect(response.text).not.toContain('exploded');
  expect(logged).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ cause }));
});

test('When an API key cannot be checked because of throttling, the request gets 503 with Retry-After and the cause is logged', async () => {
  const logged = vi.spyOn(log, 'error').mockImplementation(() => {});
  const verb = vi.fn(() => ({ id: 1 }));
  const cause = Object.assign(new Error(), { name: 'ThrottlingException' });
  table.on(UpdateCommand).rejects(cause);
  const response = await send(endpoint(things.list).handler(verb));
  expect(response).toMatchObject({ status: 503, json: { code: 'temporarily_unavailable', retryAfter: 2 } });
  expect(response.headers).toMatchObject({ 'retry-after': '2', 'x-ratelimit-remaining': '0' });
  expect(logged).toHaveBeenCalledWith(expect.any(String), expect.objectContaining({ cause }));
  expect(verb).not.toHaveBeenCalled();
});

test('Every change and every refused request is logged, and a successful read is not', async () => {
  const logged = vi.spyOn(log, 'info').mockImplementation(() => {});
  await send(echo, { body: goodBody });
  expect(logged).toHaveBeenLastCalledWith('Changed');
  await send(echo, { body: {} });
  expect(logged).toHaveBeenLastCalledWith('Refused', { code: 'validation_failed' });
  await send(list);
  expect(logged).toHaveBeenCalledTimes(2);
});

const guarded = endpoint(things.list).handler(() => ({ id: 1 }));

test('A stage behind CloudFront serves only requests with the secret header of CloudFront', async () => {
  const sentWith = async (secret?: string) =>
    (await send(guarded, secret === undefined ? {} : { headers: { 'x-origin-secret': secret } })).json;
  expect(await sentWith()).toEqual({ id: 1 });
  vi.stubEnv('EDGE_SECRET', 'secret of the edge');
  expect(await sentWith('secret of the edge')).toEqual({ id: 1 });
  table.resetHistory();
  for (const wrong of [undefined, 'another', ''])
    expect(await sentWith(wrong)).toMatchObject({ code: 'api_key_invalid' });
  // The API key of these requests is not even read.
  expect(table.calls()).toHaveLength(0);
});

test('In a stage behind CloudFront, a caller is identified by the second-last IP address of X-Forwarded-For', async () => {
  vi.stubEnv('ADDRESS_KEY', 'key of the stage');
  vi.stubEnv('EDGE_SECRET', 'secret of the edge');
  const added = vi.spyOn(log, 'appendKeys');
  const viewers = ['203.0.113.7', '203.0.113.7', '203.0.113.8'];
  for (const forwarded of viewers.map((viewer, i) => `198.51.100.${i}, ${viewer}, 10.0.0.${i}`)) {
    const headers = { 'x-origin-secret': 'secret of the edge', 'x-forwarded-for': forwarded };
    await send(guarded, { headers: { ...headers, 'x-api-key': 'bk_live_unknown' } });
  }
  const [first, second, other, ...more] = added.mock.calls.flatMap(([{ caller }]) => caller ?? []);
  expect([first, more]).toEqual([second, []]);
  expect(other).not.toBe(first);
});

test('The log distinguishes callers of refused requests by a hash that changes daily, and never contains their IP address', async () => {
  vi.spyOn(log, 'info').mockImplementation(() => {});
  const added = vi.spyOn(log, 'appendKeys');
  const callers = () => added.mock.calls.flatMap(([{ caller }]) => caller ?? []);
  const refusedAt = (time: number, key?: string) => {
    vi.stubEnv('ADDRESS_KEY', key);
    setRuntime({ now: () => time });
    // Without CloudFront, a caller can send any addresses.
    const headers = { 'x-api-key': 'bk_live_unknown', 'x-forwarded-for': `${time}, 10.0.0.1` };
    return send(guarded, { headers });
  };
  const midnight = Date.UTC(2026, 11, 2);
  for (const time of [noon, midnight - 1, midnight]) await refusedAt(time, 'key of the stage');
  await refusedAt(noon, 'key of another stage');
  const [first, second, nextDay, elsewhere] = callers();
  expect(first).toMatch(/^[0-9a-f]{6}$/);
  expect(second).toBe(first);
  expect(new Set([first, nextDay, elsewhere]).size).toBe(3);
  await send(echo, { body: {} });
  await refusedAt(noon);
  expect(callers()).toHaveLength(4);
});

test('Refused requests with unknown API keys are logged at most ten times a minute, those with known keys always', async () => {
  const logged = vi.spyOn(log, 'info').mockImplementation(() => {});
  // The container counts refusals by handler.
  const guarded = endpoint(things.list).handler(() => ({ id: 1 }));
  const stranger = { headers: { 'x-api-key': 'bk_live_unknown' } };
  for (let i = 0; i < 12; i++) await send(guarded, stranger);
  expect(logged.mock.calls).toEqual(Array.from({ length: 10 }, () => ['Refused', { code: 'api_key_invalid' }]));
  setRuntime({ now: () => noon + 60_000 });
  await send(guarded, stranger);
  expect(logged).toHaveBeenCalledTimes(11);
  for (let i = 0; i < 12; i++) await send(echo, { body: {} });
  expect(logged).toHaveBeenCalledTimes(23);
});
