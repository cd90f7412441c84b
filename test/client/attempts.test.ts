/** The number, times and contents of a call's attempts, in virtual time, with a fake `fetch`. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { operations } from '../../client/src/generated/operations.ts';
import { ApiError, createClient, type IntegrationClient } from '../../client/src/index.ts';
import { limits } from '../../contract/limits.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance', 'Date'], now: 1_800_000_000_000 });
});
afterEach(() => {
  // A mock of a fake timer would put the fake back if it were removed after `useRealTimers`.
  vi.restoreAllMocks();
  vi.useRealTimers();
});

type Play = (request: Request) => Response | Promise<Response>;

const answer = (status: number, body: object, headers: Record<string, string> = {}) =>
  new Response(status === 204 ? null : JSON.stringify(body), {
    status,
    headers: { 'Content-Type': 'application/json', ...headers },
  });
const refusal = (status: number, code: string, more: object = {}, headers: Record<string, string> = {}) =>
  answer(status, { statusCode: status, error: '', message: 'No.', code, requestId: 'r1', ...more }, headers);
const limited = (retryAfter: number) => refusal(429, 'rate_limit_exceeded', { retryAfter });
const unavailable = (retryAfter: string) => refusal(503, 'temporarily_unavailable', {}, { 'Retry-After': retryAfter });
const cut: Play = () => Promise.reject(new TypeError('fetch failed', { cause: new Error('read ECONNRESET') }));
const hang: Play = () => new Promise(() => {});

/** Returns the responses one after the other, and repeats the last one. */
function played(...plays: readonly [Play, ...Play[]]) {
  return playedWith({}, ...plays);
}

function playedWith(options: { timeoutMs?: number; deadlineMs?: number }, ...plays: readonly Play[]) {
  const requests: Request[] = [];
  const times: number[] = [];
  const client = createClient({
    baseUrl: 'https://api.example.com/v1/integration/',
    apiKey: 'bk_test_secret',
    ...options,
    fetch: async (input, init) => {
      // The signal of `fetch` is left out: a call must end without a listener on it.
      const { signal: _, ...rest } = init ?? {};
      const request = new Request(input as string, rest);
      requests.push(request);
      times.push(performance.now());
      return (plays[requests.length - 1] ?? plays.at(-1) ?? hang)(request);
    },
  });
  return { client, requests, times };
}

/** Advances virtual time until the call has ended. */
async function ended<T>(call: Promise<T>): Promise<{ value: T } | { error: unknown }> {
  const outcome = call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  await vi.runAllTimersAsync();
  return outcome;
}

/** Calls an operation by name, with an input that fills its path. */
function callOf(client: IntegrationClient, name: string): Promise<unknown> {
  const call = client[name as keyof IntegrationClient] as (input: object) => Promise<unknown>;
  return call({ id: 1, holdId: 'h', deliveryId: 'd' });
}

const rows = Object.entries(operations);
/** Operations that may be sent twice: idempotent methods, those with an Idempotency-Key, and a cancellation. */
const repeatable = rows.filter(
  ([name, row]) => row.method === 'GET' || row.method === 'DELETE' || 'keyed' in row || name === 'cancelBooking',
);
const once = rows.filter((row) => !repeatable.includes(row));

describe.each(rows)('%s', (name, row) => {
  const safe = repeatable.some(([other]) => other === name);

  test.each<[string, Play]>([
    ['a cut connection', cut],
    ['a time-out', hang],
    ['status 500', () => refusal(500, 'internal_error')],
    ['status 503', () => refusal(503, 'temporarily_unavailable')],
  ])(`The client library ${safe ? 'repeats' : 'does not repeat'} ${name} after %s`, async (_, play) => {
    const { client, requests } = played(play, () => answer(200, { data: [] }));
    const outcome = await ended(callOf(client, name));
    expect(requests).toHaveLength(safe ? 2 : 1);
    expect('value' in outcome).toBe(safe);
  });

  test(`The client library repeats ${name} after status 429`, async () => {
    const { client, requests } = played(
      () => limited(1),
      () => answer(200, { data: [] }),
    );
    expect(await ended(callOf(client, name))).toHaveProperty('value');
    expect(requests).toHaveLength(2);
  });

  test(`The client library sends ${name} to the documented path, with the API key in a header only`, async () => {
    const { client, requests } = played(() => answer(200, { data: [] }));
    await ended(callOf(client, name));
    const [request] = requests;
    expect(request?.method).toBe(row.method);
    const path = row.path.replace('{id}', '1').replace('{holdId}', 'h').replace('{deliveryId}', 'd');
    expect(request && new URL(request.url).pathname).toBe(`/v1/integration${path}`);
    expect(request?.headers.get('x-api-key')).toBe('bk_test_secret');
    expect(request?.url).not.toContain('bk_test');
  });
});

test("The client library's list of repeatable calls contains createBooking, but not createWebhook", () => {
  expect(repeatable.map(([name]) => name)).toContain('createBooking');
  expect(once.map(([name]) => name)).toContain('createWebhook');
});

const booking = { serviceId: 1, startTime: '2026-12-01T10:00:00Z', client: { name: 'A', email: 'a@example.com' } };

test('The client library sends one Idempotency-Key with all attempts of a createBooking call', async () => {
  const { client, requests } = played(cut, cut, () => answer(201, { id: 1 }));
  await ended(client.createBooking(booking));
  await ended(client.createBooking(booking));
  const keys = requests.map(({ headers }) => headers.get('idempotency-key'));
  expect(keys).toHaveLength(4);
  expect(keys[0]).toMatch(/^[0-9a-f-]{36}$/);
  expect(new Set(keys.slice(0, 3)).size).toBe(1);
  expect(keys[3]).not.toBe(keys[0]);
});

test('While the API still processes the first createBooking request, the client library repeats it until the result arrives', async () => {
  const inProgress: Play = () => refusal(409, 'idempotency_in_progress');
  const { client, requests } = played(cut, inProgress, () => answer(201, { id: 7 }));
  expect(await ended(client.createBooking(booking))).toEqual({ value: { id: 7 } });
  expect(requests).toHaveLength(3);
});

test('The caller of createBooking can choose the Idempotency-Key, such as the number of an order', async () => {
  const { client, requests } = played(() => answer(201, { id: 1 }));
  await ended(client.createBooking(booking, { idempotencyKey: 'order-4711' }));
  expect(requests[0]?.headers.get('idempotency-key')).toBe('order-4711');
});

test.each<[string, Play, number]>([
  ['for the seconds that the body of a response demands', () => limited(30), 30_000],
  ['for the seconds that the header Retry-After demands', () => unavailable('7'), 7_000],
  ['until the date in the header Retry-After', () => unavailable(new Date(Date.now() + 12_000).toUTCString()), 12_000],
  ['for no time if the date in the header Retry-After is past', () => unavailable('Sat, 01 Jan 2000 00:00:00 GMT'), 0],
])('Before the next attempt, the client library waits %s', async (_, play, waitMs) => {
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const { client, times } = played(play, () => answer(200, {}));
  await ended(client.getBusiness());
  expect((times[1] ?? 0) - (times[0] ?? 0)).toBe(waitMs);
});

test('The client library waits a random time before each retry, and doubles the longest possible wait with each retry', async () => {
  const random = vi.spyOn(Math, 'random').mockReturnValue(1);
  const { client, times } = played(() => refusal(500, 'internal_error'));
  await ended(client.getBusiness());
  expect(times.map((at) => at - (times[0] ?? 0))).toEqual([0, 250, 750, 1_750, 3_750]);
  random.mockReturnValue(0);
  const { client: lucky, times: at } = played(() => refusal(500, 'internal_error'));
  await ended(lucky.getBusiness());
  expect(new Set(at).size).toBe(1);
});

test('The client library waits at most eight seconds between attempts', async () => {
  vi.spyOn(Math, 'random').mockReturnValue(1);
  const { client, times } = played(() => refusal(500, 'internal_error'));
  await ended(client.getBusiness({ maxRetries: 7 }));
  expect(times.slice(-2).map((at) => at - (times[0] ?? 0))).toEqual([15_750, 23_750]);
});

test.each<[string, Play, object]>([
  [
    'the body of a response',
    () => refusal(429, 'daily_limit_exceeded', { retryAfter: 40_000 }),
    { code: 'daily_limit_exceeded', status: 429, retryAfter: 40_000 },
  ],
  [
    'the header Retry-After',
    () => unavailable('Fri, 31 Dec 2199 23:59:59 GMT'),
    { code: 'temporarily_unavailable', status: 503 },
  ],
])(
  'The client library ends a call at once if %s demands a wait beyond the deadline of the call',
  async (_, play, error) => {
    const { client, times } = played(play);
    expect(await ended(client.getBusiness())).toMatchObject({ error });
    expect(times).toHaveLength(1);
  },
);

test('After the last allowed retry, a call of the client library ends with the error of the last response', async () => {
  const { client, times } = played(() => limited(0));
  const outcome = await ended(client.getBusiness({ maxRetries: 2 }));
  expect(outcome).toMatchObject({ error: { code: 'rate_limit_exceeded', status: 429, retryAfter: 0 } });
  expect(times).toHaveLength(3);
});

test('A call of the client library ends at its deadline, even if fetch never ends', async () => {
  const { client, times } = played(hang);
  const start = performance.now();
  const outcome = await ended(client.getBusiness({ timeoutMs: 4_000, deadlineMs: 10_000, maxRetries: 99 }));
  expect(outcome).toMatchObject({ error: { code: 'timeout' } });
  expect(performance.now() - start).toBeLessThanOrEqual(10_000);
  expect(times.length).toBeGreaterThan(2);
});

test('The client library begins no attempt after the deadline of a call, even if a timer fires late', async () => {
  const { client, times } = played(() => unavailable('1'));
  vi.spyOn(Math, 'random').mockReturnValue(0);
  const onTime = globalThis.setTimeout;
  vi.spyOn(globalThis, 'setTimeout').mockImplementation((run, ms = 0) => onTime(run, ms + 200));
  const outcome = await ended(client.getBusiness({ deadlineMs: 1_100 }));
  expect(outcome).toMatchObject({ error: { code: 'temporarily_unavailable' } });
  expect(times).toHaveLength(1);
});

test.each([
  ['a call of recoverWebhook takes 29 seconds', 29_000, {}],
  ['a call without a time limit takes an hour', 3_600_000, { timeoutMs: Infinity, deadlineMs: Infinity }],
])('The client library waits for the response if %s', async (_, ms, limits) => {
  const found = { matched: 1, stillRetrying: 0, leftOut: 0 };
  const { client } = played(() => new Promise((resolve) => setTimeout(() => resolve(answer(202, found)), ms)));
  const outcome = ended(client.recoverWebhook({ id: 1, since: '2026-12-01T10:00:00Z' }, limits));
  expect(await outcome).toEqual({ value: found });
});

const emptyPage = { data: [], next: 0, hasMore: false, oldest: 1, withheld: 0 };

/** Reads a feed until the returned function is called, which returns how the reading ended. */
function readFeed(client: ReturnType<typeof createClient>) {
  const controller = new AbortController();
  const next = client.feed(1, { secret: 'whsec_AAAA', signal: controller.signal }).next();
  const outcome = next.catch((error: unknown) => error);
  return () => {
    controller.abort('enough');
    return outcome;
  };
}

test('While the client library polls a webhook for messages, it has only one open request, even if the API is slow', async () => {
  const slow: Play = () => new Promise((resolve) => setTimeout(() => resolve(answer(200, emptyPage)), 10_000));
  const { client, requests } = playedWith({ timeoutMs: 5_000, deadlineMs: 5_000 }, slow);
  const stop = readFeed(client);
  await vi.advanceTimersByTimeAsync(59_000);
  expect([await stop(), requests.length]).toEqual(['enough', 6]);
});

test('While another program polls the same webhook, the client library uses less than a third of the daily limit of its API key', async () => {
  const { client, requests } = played(({ url }) =>
    url.includes('wait=0') ? answer(200, emptyPage) : refusal(409, 'feed_busy', { retryAfter: 5 }),
  );
  const stop = readFeed(client);
  // A program that was started again reads soon: its earlier request waits only for some seconds.
  await vi.advanceTimersByTimeAsync(6_000);
  expect(requests).toHaveLength(2);
  await vi.advanceTimersByTimeAsync(3_600_000);
  expect(await stop()).toBe('enough');
  expect(24 * requests.length).toBeLessThan(limits.requests.key.perDay / 3);
});

test('The client library returns no value for an MCP notification, whose response has no body', async () => {
  const { client } = played(() => new Response('', { status: 202, headers: { 'Content-Type': 'application/json' } }));
  const outcome = ended(client.callMcp({ jsonrpc: '2.0', method: 'notifications/initialized' }));
  expect(await outcome).toEqual({ value: undefined });
});

test.each<[string, Play, number]>([
  ['an attempt', hang, 1_000],
  ['a wait between attempts', () => limited(30), 5_000],
])('An AbortSignal ends %s of the client library with the reason that the caller gave', async (_, play, atMs) => {
  const controller = new AbortController();
  const { client, requests } = played(play);
  const outcome = client.createBooking(booking, { signal: controller.signal }).catch((error: unknown) => error);
  await vi.advanceTimersByTimeAsync(atMs);
  const reason = new Error('The customer left.');
  controller.abort(reason);
  expect(await outcome).toBe(reason);
  expect(vi.getTimerCount()).toBe(0);
  await vi.runAllTimersAsync();
  expect(requests).toHaveLength(1);
});

test('An AbortSignal ends every call of the client library, even one that the library must not repeat', async () => {
  const controller = new AbortController();
  const { client } = played(hang);
  const outcome = client.pingWebhook({ id: 1 }, { signal: controller.signal }).catch((error: unknown) => error);
  controller.abort('gone');
  expect(await outcome).toBe('gone');
});

test('A call of the client library with an already aborted AbortSignal ends at once', async () => {
  const { client } = played(hang);
  await expect(client.getBusiness({ signal: AbortSignal.abort('gone') })).rejects.toBe('gone');
});

test('A delete call of the client library succeeds if its first attempt deleted the resource but the response was lost', async () => {
  const { client } = played(cut, () => refusal(404, 'not_found'));
  expect(await ended(client.deleteWebhook({ id: 1 }))).toEqual({ value: undefined });
});

test('A delete call of the client library fails if a proxy answers 404 after the response to the first attempt was lost', async () => {
  const { client } = played(cut, () => new Response('<h1>No such backend</h1>', { status: 404 }));
  expect(await ended(client.deleteWebhook({ id: 1 }))).toMatchObject({ error: { code: 'unexpected_response' } });
});

test('A delete call of the client library for a resource that never existed ends with an error', async () => {
  const { client } = played(
    () => limited(1),
    () => refusal(404, 'not_found'),
  );
  expect(await ended(client.deleteWebhook({ id: 1 }))).toMatchObject({ error: { code: 'not_found' } });
});

const entry = (id: number) => ({ id });
const ids = async (list: AsyncIterable<{ id: number }>) => {
  const found: number[] = [];
  for await (const { id } of list) found.push(id);
  return found;
};

test('The client library reads a list page by page with one request per page, and yields each entry once', async () => {
  const { client, requests } = played(({ url }) => {
    const page = Number(new URL(url).searchParams.get('page') ?? 1);
    const all = Array.from({ length: 5 }, (_, i) => entry(i));
    return answer(200, { data: all.slice((page - 1) * 2, page * 2), total: 5 });
  });
  expect(await ids(client.listServices({ limit: 2 }))).toEqual([0, 1, 2, 3, 4]);
  expect(requests).toHaveLength(3);
  expect(await ids(client.listServices({ limit: 2, page: 3 }))).toEqual([4]);
  expect(requests).toHaveLength(4);
  expect(await client.listServices({ limit: 2 })).toMatchObject({ total: 5 });
  expect(requests).toHaveLength(5);
});

test('The client library reads a list with cursors until nextCursor is null, even when pages are short or empty', async () => {
  const pages: Record<string, object> = {
    '': { data: [entry(1)], nextCursor: 'a' },
    a: { data: [], nextCursor: 'b' },
    b: { data: [entry(2), entry(3)], nextCursor: null },
  };
  const { client, requests } = played(({ url }) =>
    answer(200, pages[new URL(url).searchParams.get('cursor') ?? ''] ?? {}),
  );
  expect(await ids(client.listBookings({ status: 'confirmed' }))).toEqual([1, 2, 3]);
  expect(requests.map(({ url }) => new URL(url).search)).toEqual([
    '?status=confirmed',
    '?status=confirmed&cursor=a',
    '?status=confirmed&cursor=b',
  ]);
});

test('The client library takes several ids as an array, or as a string with commas', async () => {
  const { client, requests } = played(() => answer(200, { data: [] }));
  const week = { from: '2026-12-01', to: '2026-12-07' };
  await client.listSlots({ ...week, serviceIds: [1002, 1003], staffIds: '1005,1006' });
  const query = new URL(requests[0]?.url ?? '').searchParams;
  expect([query.get('serviceIds'), query.get('staffIds')]).toEqual(['1002,1003', '1005,1006']);
});

test('If the server returns the same cursor twice, the client library stops reading the list and reports an error', async () => {
  const { client } = played(() => answer(200, { data: [], nextCursor: 'a' }));
  await expect(ids(client.listBookings())).rejects.toMatchObject({ code: 'unexpected_response' });
});

test('The client library requests no further page of a list when the caller stops reading early', async () => {
  const { client, requests } = played(() => answer(200, { data: [entry(1), entry(2)], total: 99 }));
  for await (const { id } of client.listServices()) if (id === 2) break;
  expect(requests).toHaveLength(1);
});

test('An error of the client library contains code, status, details and request id, and never the API key', async () => {
  const details = { nextAvailable: ['2026-12-01T10:45:00+02:00'] };
  const { client } = played(() => refusal(409, 'slot_unavailable', { details }));
  const outcome = await ended(client.createBooking(booking));
  const error = 'error' in outcome ? outcome.error : undefined;
  if (!(error instanceof ApiError && error.code === 'slot_unavailable')) throw error;
  const next: readonly string[] | undefined = error.details.nextAvailable;
  expect(next).toEqual(details.nextAvailable);
  expect(error).toMatchObject({ status: 409, requestId: 'r1', name: 'ApiError' });
  expect(error.message).toBe('slot_unavailable: No. (request r1)');
  expect(`${error.stack}${JSON.stringify(error)}`).not.toContain('bk_test');
});

test.each([
  ['an empty id', ''],
  ['the id “.”', '.'],
  ['the id “..”', '..'],
])('The client library refuses %s in a call, because the request would go to another path', async (_, holdId) => {
  const { client, requests } = played(() => answer(204, {}));
  await expect(client.releaseHold({ holdId })).rejects.toThrow(TypeError);
  await ended(client.releaseHold({ holdId: '../a?b' }));
  expect(requests.map(({ url }) => new URL(url).pathname)).toEqual(['/v1/integration/slots/holds/..%2Fa%3Fb']);
});

const [notUrl, notKey] = ['baseUrl must be a URL such as https://…/v1/integration.', 'apiKey must be an API key.'];
test.each([
  ['an empty base URL', { baseUrl: '', apiKey: 'k' }, notUrl],
  ['a base URL without a scheme', { baseUrl: 'api.example.com', apiKey: 'k' }, notUrl],
  ['an empty API key', { baseUrl: 'https://api.example.com', apiKey: '' }, notKey],
  ['a line break in the API key', { baseUrl: 'https://api.example.com', apiKey: 'line\nbreak' }, notKey],
  ['a byte order mark in the API key', { baseUrl: 'https://api.example.com', apiKey: '\uFEFFbk_test' }, notKey],
  ['an ellipsis in the API key', { baseUrl: 'https://api.example.com', apiKey: 'bk_test_…' }, notKey],
])('createClient with %s throws an error that names the option, and not its value', (_, options, message) => {
  expect(() => createClient(options)).toThrow(new TypeError(message));
});
