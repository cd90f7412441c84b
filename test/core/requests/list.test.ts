/** The log of a key's requests, with the endpoints that write and list it (docs/rules.md#request-log). */
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { LoggedRequest } from '../../../contract/integration/resources.ts';
import { limits, requestLogLimits } from '../../../contract/limits.ts';
import { scopeSets } from '../../../contract/scopes.ts';
import { dynamo } from '../../../core/clients.ts';
import { dayMs, setRuntime, timestamp } from '../../../core/clock.ts';
import { packEntries, type RequestBatch, type RequestEntry, unpackEntries } from '../../../core/requests/entry.ts';
import { listRequests } from '../../../core/requests/list.ts';
import { requestLog } from '../../../core/requests/record.ts';
import { keys, records } from '../../../core/table-keys.ts';
import { callRow, ownerOf } from '../../support/account.ts';
import { issueKey } from '../../support/api-keys.ts';
import type { Sent } from '../../support/http.ts';
import { pagesOf } from '../../support/pages.ts';
import { isLogWrite, pendingLogWrites } from '../../support/pending-log-writes.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const minuteMs = 60_000;

/** The time is a minute later for each step, so that a failure is written at once. */
let now = testNow;
const nextMinute = () => {
  now += minuteMs;
};
/** Waits for writes: a minute later they would be refused, because the time of their request is up. */
const underWay = pendingLogWrites();
beforeAll(() => scriptDynamo([underWay.row]).end);
beforeEach(() => {
  nextMinute();
  setRuntime({ now: () => now });
});

async function business() {
  const one = await fixture.business();
  const key = await issueKey(dynamo(), { tenantId: one.tenantId });
  const send = async (operation: string, sent: Sent = {}, { value } = key) => {
    nextMinute();
    const answer = await callRow({ folder: 'api', operation }, { tenantId: one.tenantId, key: value }, sent);
    await underWay.settled();
    return answer;
  };
  const list = async (query = '', headers = {}): Promise<readonly LoggedRequest[]> => {
    const { json } = await ownerOf(one.tenantId)('listRequests', { query, headers });
    return json.data as LoggedRequest[];
  };
  return { ...one, apiKey: key, send, list };
}

/** The item that another container writes for some requests of a key, in the order of their start. */
function batchOf(tenantId: number, requests: readonly Partial<RequestEntry>[], keyId = 9) {
  const usual = { at: now, requestId: 'r', status: 200, durationMs: 1, operation: 'GET /services' };
  const entries = requests.map((one) => ({ ...usual, ...one }));
  const { at, requestId } = entries.at(-1) ?? usual;
  return { ...records.requests(tenantId, at, requestId), keyId, entries: packEntries(entries) };
}

test('An owner finds a failed request in the request log by its id, with an explanation of its error code', async () => {
  const { send, list, apiKey, tenantId } = await business();
  await send('listServices');
  const failed = await send('listBookings', { query: 'from=yesterday' });
  const requestId = failed.headers['x-request-id'];
  expect(await list(`requestId=${requestId}`)).toHaveLength(1);
  expect(await list(`requestId=${requestId}`)).toEqual([
    {
      requestId,
      at: new Date(now).toISOString(),
      method: 'GET',
      path: '/v1/integration/bookings',
      status: 400,
      code: 'validation_failed',
      durationMs: 0,
      apiKeyId: apiKey.id,
      bySession: false,
      meaning: 'The request is not valid. See details.',
      nextStep: '`details` lists every wrong field with its `path`. Correct all of them.',
    },
  ]);
  expect((await list()).map(({ status }) => status)).toEqual([400, 200]);
  expect(await list('statusClass=2xx')).toHaveLength(1);
  expect(await list('code=not_found')).toEqual([]);
  expect(await list(`to=${new Date(now).toISOString()}`)).toHaveLength(1);
  expect(await list(`from=${new Date(now).toISOString()}`)).toHaveLength(1);
  const other = await issueKey(dynamo(), { tenantId });
  expect(await list(`apiKeyId=${other.id}`)).toEqual([]);
});

test('The request log shows an API key only the requests of this key, and shows a business no requests of other businesses', async () => {
  const [one, other] = [await business(), await business()];
  const neighbour = await issueKey(dynamo(), { tenantId: one.tenantId });
  await one.send('listBookings', { query: 'x=1' });
  await one.send('listBookings', { query: 'x=1' }, neighbour);
  await other.send('listBookings', { query: 'x=1' });
  expect(await one.list()).toHaveLength(2);
  expect(await other.list()).toHaveLength(1);
  const { json } = await one.send('listRequests', {}, neighbour);
  expect(json.data).toMatchObject([{ apiKeyId: neighbour.id }]);
  // A key cannot list those of another, whatever it passes to the function.
  const requests = await listRequests(keyPrincipal(one.tenantId, neighbour.id), { apiKeyId: one.apiKey.id });
  expect(requests.data).toMatchObject([{ apiKeyId: neighbour.id }]);
  const named = await one.send('listRequests', { query: `apiKeyId=${one.apiKey.id}` });
  expect(named.status).toBe(400);
  const widget = await issueKey(dynamo(), { tenantId: one.tenantId, scopes: scopeSets.booking_widget });
  expect((await one.send('listRequests', {}, widget)).json.code).toBe('insufficient_scope');
});

test('The request log lists requests of a test key in test mode, and a reset of the sandbox deletes them', async () => {
  const { list, send, account } = await business();
  const test = { 'booking-mode': 'test' };
  const response = await account('createApiKey', { headers: test, body: { name: 'Test', scopeSet: 'full_crm' } });
  const key = { value: String(response.json.key), hash: '', id: Number(response.json.id) };
  await send('listServices', {}, key);
  expect(await list('', test)).toMatchObject([{ status: 200, apiKeyId: key.id }]);
  expect(await list()).toEqual([]);
  expect((await account('resetSandbox', { headers: test })).status).toBe(202);
  expect(await list('', test)).toEqual([]);
});

test('The request log lists requests that were refused for a revoked API key or the rate limit, but none with an unknown API key', async () => {
  const { send, list, tenantId } = await business();
  const ended = vi.spyOn(requestLog, 'end');
  const revoked = await issueKey(dynamo(), { tenantId, status: 'revoked' });
  expect((await send('listServices', {}, revoked)).status).toBe(401);
  expect(await list()).toMatchObject([{ code: 'api_key_revoked', apiKeyId: revoked.id }]);
  nextMinute();
  const window = `m#${Math.floor((now + minuteMs) / minuteMs)}`;
  const full = await issueKey(dynamo(), { tenantId, [window]: 60 });
  expect((await send('listServices', {}, full)).status).toBe(429);
  // The link of the advice is left out.
  const nextStep = 'Wait for `Retry-After` seconds. See limits.';
  expect(await list('statusClass=4xx&code=rate_limit_exceeded')).toMatchObject([{ apiKeyId: full.id, nextStep }]);
  await send('listServices', {}, { ...full, value: `${full.value.slice(0, -1)}~` });
  expect(await list()).toHaveLength(2);
  await send('listServices');
  expect(ended.mock.calls.map(([{ status, isCounted }]) => [status, isCounted])).toEqual([
    [401, false],
    [429, false],
    [200, true],
  ]);
});

test('The request log lists failed requests of the console without their user, and no successful ones', async () => {
  const { list, account, tenantId } = await business();
  const ended = vi.spyOn(requestLog, 'end');
  nextMinute();
  const failed = await account('getBooking', { params: { id: '7' } });
  await account('listBookings');
  await expect
    .poll(() => list())
    .toMatchObject([{ requestId: failed.headers['x-request-id'], path: '/v1/account/bookings/:id', apiKeyId: null }]);
  expect(JSON.stringify(await fixture.items('records')).match(/REQUESTS[^}]*owner/)).toBeNull();
  const window = `m#${Math.floor(now / minuteMs)}`;
  await fixture.put('keys', [{ ...keys.owner(tenantId, 'owner'), [window]: limits.requests.owner.perMinute }]);
  await account('listBookings');
  expect(ended.mock.calls.map(([{ status, isCounted }]) => [status, isCounted])).toEqual([
    [404, true],
    [429, false],
  ]);
});

/** Personal data and secrets in this test. */
const seeded = ['Canary', 'canary@example.com', '37129999999', 'whsec_canary', 'bk_live_', 'nosuch'];

async function leaks(): Promise<readonly string[]> {
  const items = (await fixture.items('records')) as unknown as RequestBatch[];
  const logged = items.filter(({ pk }) => pk.endsWith('#REQUESTS'));
  expect(logged.length).toBeGreaterThan(0);
  const texts = logged.map((batch) =>
    JSON.stringify([batch, Buffer.from(batch.entries).toString('latin1'), unpackEntries(batch.entries)]),
  );
  return seeded.filter((secret) => texts.some((text) => text.includes(secret)));
}

test('The stored request log contains nothing that a caller sent: no path, query, header or body', async () => {
  const { send, book, list } = await business();
  const booking = await book(at('10:00', 3));
  const headers = {
    'user-agent': 'Canary',
    origin: 'https://canary@example.com',
    'idempotency-key': 'Canary',
    'x-trace': 'whsec_canary',
  };
  const id = { params: { id: '37129999999' } };
  await send('getClient', { ...id, headers, path: '/v1/integration/clients/37129999999' });
  await send('cancelBooking', { ...id, headers, method: 'POST', body: { reason: 'Canary' } });
  await send('listBookings', { headers, query: 'phone=37129999999&name=Canary' });
  await send('createBooking', {
    headers,
    method: 'POST',
    body: { serviceId: 1, client: { name: 'Canary', email: 'canary@example.com' } },
  });
  await send('routeNotFound', { headers, method: 'CANARY', path: '/v1/integration/nosuch/Canary' });
  const found = { params: { id: String(booking.id) } };
  await send('cancelBooking', { ...found, headers, method: 'POST', body: { reason: 'Canary' } });
  const body = { startTime: at('12:00', 3) };
  expect(await send('rescheduleBooking', { ...found, method: 'POST', body })).toMatchObject({ status: 409 });
  await send('getBooking', found);
  await send('cancelBooking', { ...id, method: 'POST', body: { reason: 1 } });
  expect(await list()).toHaveLength(9);
  expect(await leaks()).toEqual([]);
  expect((await list()).map(({ method, path }) => `${method} ${path}`).toReversed()).toEqual([
    'GET /v1/integration/clients/:id',
    'POST /v1/integration/bookings/:id/cancel',
    'GET /v1/integration/bookings',
    'POST /v1/integration/bookings',
    'OTHER null',
    `POST /v1/integration/bookings/${booking.id}/cancel`,
    `POST /v1/integration/bookings/${booking.id}/reschedule`,
    `GET /v1/integration/bookings/${booking.id}`,
    'POST /v1/integration/bookings/:id/cancel',
  ]);
  expect((await list())[0]).toMatchObject({ status: 400 });

  // Negative control: a path as it was sent is found.
  await fixture.put('records', [batchOf(7, [{ operation: 'GET /clients/37129999999' }])]);
  expect(await leaks()).toEqual(['37129999999']);
});

test('Paging through the request log while requests are being written returns each request once, newest first', async () => {
  const { tenantId, list, account } = await business();
  // Two requests at each time.
  const times = Array.from({ length: 90 }, (_, i) => now - Math.floor(i / 2) * 20_000);
  // One container writes its requests together, and one only much later. The others fill more than one read of the log.
  const requests = times.map((at, i) => ({ at, requestId: `r${i}` }));
  await fixture.put('records', [
    batchOf(tenantId, requests.filter((_, i) => i % 3 === 0).toReversed()),
    ...requests.filter((_, i) => i % 3 !== 0).map((one) => batchOf(tenantId, [one])),
    batchOf(tenantId, [{ at: now - 50 * minuteMs, requestId: 'old' }], 11),
  ]);
  const pages = await pagesOf(async (cursor) => {
    const { json } = await account('listRequests', { query: `limit=7${cursor ? `&cursor=${cursor}` : ''}` });
    return json as unknown as { data: LoggedRequest[]; nextCursor: string | null };
  });
  const ids = pages.flatMap(({ data }) => data.map(({ requestId }) => requestId));
  const inTurn = (a: number, b: number) => Number(times[b]) - Number(times[a]) || (`r${a}` < `r${b}` ? 1 : -1);
  expect(ids).toEqual(
    [...times.keys()]
      .sort(inTurn)
      .map((i) => `r${i}`)
      .concat('old'),
  );
  expect(Math.max(...pages.map(({ data }) => data.length))).toBe(7);
  // Negative control: the newest write does not contain the newest request.
  const items = (await fixture.items('records')) as unknown as RequestBatch[];
  const asWritten = items
    .filter(({ pk }) => pk === records.requests(tenantId, 0, '').pk)
    .toSorted((a, b) => (a.sk < b.sk ? 1 : -1));
  const naive = asWritten
    .flatMap(({ entries }) => unpackEntries(entries).toReversed())
    .map(({ requestId }) => requestId);
  expect(naive.toSorted()).toEqual(ids.toSorted());
  expect(naive).not.toEqual(ids);
  expect(await list('apiKeyId=11')).toHaveLength(1);

  expect((await account('listRequests', { query: `limit=7&code=x&cursor=${pages[0]?.nextCursor}` })).status).toBe(400);
  const other = await business();
  expect((await other.account('listRequests', { query: `cursor=${pages[0]?.nextCursor}` })).status).toBe(400);
  expect((await account('listRequests', { query: 'from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z' })).status).toBe(
    400,
  );
});

test('A filtered page of the request log may be empty after many requests without a match, and the next page continues the search', async () => {
  const { tenantId, account } = await business();
  const batches = Array.from({ length: requestLogLimits.writesPerPage + 1 }, (_, i) =>
    batchOf(tenantId, [{ at: now - i, requestId: `r${i}`, status: i < requestLogLimits.writesPerPage ? 200 : 404 }]),
  );
  await fixture.put('records', batches);
  const newest = await account('listRequests', { query: 'limit=1' });
  expect(newest.json).toMatchObject({ data: [{ requestId: 'r0' }] });
  const first = await account('listRequests', { query: 'statusClass=4xx' });
  expect(first.json).toMatchObject({ data: [], nextCursor: expect.any(String) });
  const next = await account('listRequests', { query: `statusClass=4xx&cursor=${first.json.nextCursor}` });
  expect(next.json).toMatchObject({ data: [{ requestId: `r${requestLogLimits.writesPerPage}` }], nextCursor: null });
});

test('The request log lists no request older than seven days, even if its stored entry is not yet deleted', async () => {
  const { tenantId, list } = await business();
  await fixture.put('records', [batchOf(tenantId, [{}])]);
  now += 7 * dayMs - 1;
  expect(await list()).toHaveLength(1);
  now += 2;
  expect(await list()).toEqual([]);
  expect(await list(`to=${timestamp(now - 8 * dayMs)}`)).toEqual([]);
});

test('A failed request gets its response even if its entry in the request log cannot be written in time', async () => {
  const { apiKey, tenantId } = await business();
  const never = new Promise<never>(() => undefined);
  for (const answer of [() => never, () => Promise.reject(new Error('Gone'))]) {
    using script = scriptDynamo([{ when: isLogWrite, answer }]);
    nextMinute();
    const by = { tenantId, key: apiKey.value };
    const { status, json } = await callRow({ folder: 'api', operation: 'listBookings' }, by, { query: 'x=1' });
    expect([status, json.code]).toEqual([400, 'validation_failed']);
    expect(script.operations).toEqual(['UpdateItem', 'UpdateItem']);
  }
});
