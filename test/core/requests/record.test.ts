/** The cost of the request log, and what is kept when it is limited (docs/rules.md#request-log). */
import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, expect, test } from 'vitest';
import { requestLogLimits } from '../../../contract/limits.ts';
import { setRuntime } from '../../../core/clock.ts';
import { inSandbox } from '../../../core/mode.ts';
import { type RequestBatch, unpackEntries } from '../../../core/requests/entry.ts';
import { type Recorded, requestRecorder } from '../../../core/requests/record.ts';
import { records } from '../../../core/table-keys.ts';

const base = Date.UTC(2026, 11, 1, 5);
const minuteMs = 60_000;
const { entriesPerWrite, refusalsPerMinute } = requestLogLimits;

afterEach(() => setRuntime());

/** A container that serves requests one after the other, with a time between them. */
function container() {
  const written: RequestBatch[] = [];
  const clock = { now: base };
  setRuntime({ now: () => clock.now });
  const { begin, end } = requestRecorder(async (batch) => written.push(batch));
  let requests = 0;
  const serve = (given: Partial<Recorded> = {}, afterMs = 100, isBegun = true) => {
    clock.now += afterMs;
    if (isBegun) begin();
    requests += 1;
    // These are as long as those of API Gateway, and as hard to compress.
    const requestId = createHash('sha256').update(`${requests}`).digest().subarray(0, 11).toString('base64');
    const entry = { tenantId: 7, keyId: 9, status: 200, isCounted: true, durationMs: 20 + (requests % 17) };
    return end({ ...entry, at: clock.now, requestId, operation: 'GET /x', ...given });
  };
  const entries = () => written.flatMap((batch) => unpackEntries(batch.entries));
  return { serve, written, entries, clock };
}

/** The size as DynamoDB counts it: names, texts, and numbers of up to sixteen digits. */
function bytesOf(batch: RequestBatch): number {
  const sizes = Object.entries(batch).map(([name, value]) => {
    return name.length + (typeof value === 'number' ? 10 : value.length);
  });
  return sizes.reduce((sum, size) => sum + size, 0);
}

const anyRequest = fc.record({
  keyId: fc.integer({ min: 0, max: 30 }),
  tenantId: fc.constantFrom(7, 8, inSandbox(7)),
  status: fc.constantFrom(200, 201, 404, 409, 503),
  isCounted: fc.boolean(),
  afterMs: fc.constantFrom(0, 10, 1_000, 50_000, 7_000_000),
  operation: fc.constantFrom('GET /services', 'POST /bookings', 'GET /bookings/7312345678901', 'PATCH'),
});

/** Write units beyond what the number of requests and the minutes allow. */
async function excessOf(
  requests: readonly (Partial<Recorded> & { readonly afterMs: number })[],
  { serve, written, clock }: ReturnType<typeof container>,
): Promise<number> {
  for (const { afterMs, ...given } of requests) await serve(given, afterMs);
  const minutes = Math.floor((clock.now - base) / minuteMs);
  const units = written.reduce((sum, batch) => sum + Math.ceil(bytesOf(batch) / 1_024), 0);
  const counted = requests.filter(({ isCounted }) => isCounted).length;
  return units - (1 + minutes + counted / entriesPerWrite + 0.01);
}

test('The request log of a Lambda container costs at most one write unit a minute, and another for each forty requests', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(anyRequest, { maxLength: 200 }), async (requests) => {
      expect(await excessOf(requests, container())).toBeLessThanOrEqual(0);
    }),
    { numRuns: 60 },
  );
});

test('Negative control: if each request is logged by its own write, the log costs more than a write unit per forty requests', async () => {
  const one = container();
  const serve: typeof one.serve = async (given = {}, afterMs) => {
    // Each request has its own recorder, so nothing is collected.
    const each = container();
    await each.serve({ ...given, status: 404 }, afterMs);
    one.written.push(...each.written);
  };
  const requests = Array.from({ length: 100 }, () => ({ afterMs: 10, isCounted: true }));
  expect(await excessOf(requests, { ...one, serve })).toBeGreaterThan(50);
});

test('All requests of a busy API key are in the request log, forty of them in an item of less than a kilobyte', async () => {
  const { serve, written, entries } = container();
  for (let i = 0; i <= 10 * entriesPerWrite; i++) await serve({ operation: 'POST /bookings/7312345678901/cancel' });
  expect(written).toHaveLength(10);
  expect(entries()).toHaveLength(10 * entriesPerWrite);
  for (const batch of written) expect(bytesOf(batch)).toBeLessThan(1_024);
});

test('Requests more than an hour apart are written to different items of the request log, so that they are listed in order', async () => {
  const { serve, written } = container();
  await serve();
  await serve({ status: 404 }, 61 * minuteMs);
  await serve({ status: 404 }, minuteMs);
  for (const { entries } of written) {
    const times = unpackEntries(entries).map(({ at }) => at);
    expect(Math.max(...times) - Math.min(...times)).toBeLessThan(60 * minuteMs);
  }
  expect(written).toHaveLength(2);
});

test('If request ids are hard to compress, an item of the request log stays below a kilobyte and contains the newest requests', async () => {
  const { serve, written, entries } = container();
  const longId = (i: number) => createHash('sha512').update(`${i}`).digest('base64');
  for (let i = 0; i <= entriesPerWrite; i++) await serve({ requestId: longId(i) });
  expect(written.map((batch) => bytesOf(batch) < 1_024)).toEqual([true]);
  const ids = entries().map(({ requestId }) => requestId);
  expect(ids.length).toBeGreaterThan(5);
  expect(ids).toEqual(ids.map((_, i) => longId(entriesPerWrite - ids.length + i)));
});

test('If a container has more requests of a key than fit into the request log, it leaves out the oldest successful ones', async () => {
  const { serve, entries } = container();
  const all = 2 * entriesPerWrite + 10;
  // The first failed request is written at once, and the second one only a minute later. Between them nothing is
  // written, because no request begins.
  for (let i = 0; i < all; i++) {
    await serve({ requestId: `${i}`, status: i < 2 ? 400 : 200 }, i < all - 3 ? 1 : minuteMs, false);
  }
  const ids = entries().map(({ requestId }) => Number(requestId));
  expect(ids.toSorted((a, b) => a - b)).toEqual([0, 1, ...Array.from({ length: all - 9 }, (_, i) => 9 + i)]);
});

test('The first failed request of a minute is written to the request log at once, together with earlier successful requests', async () => {
  const { serve, entries, clock } = container();
  await serve();
  expect(entries()).toEqual([]);
  await serve({ status: 409, code: 'slot_unavailable' });
  expect(entries().map(({ status }) => status)).toEqual([200, 409]);
  await serve({ status: 404 });
  expect(entries()).toHaveLength(2);
  clock.now += minuteMs;
  await serve({ keyId: 10 });
  expect(entries()).toHaveLength(3);
});

test('A successful request in test mode is in the request log within a minute', async () => {
  const { serve, entries } = container();
  await serve({ tenantId: inSandbox(7) });
  expect(entries()).toHaveLength(1);
});

test('A flood of refused requests of one or many API keys costs at most one write to the request log a minute', async () => {
  const { serve, written, clock } = container();
  const refused = { status: 401, code: 'api_key_revoked', isCounted: false };
  for (let i = 0; i < 2_000; i++) await serve(refused, 20);
  await serve({ keyId: 10, status: 404 });
  // This is after 40 seconds.
  expect(written).toHaveLength(1);
  clock.now = base + 2 * minuteMs;
  await serve(refused);
  clock.now += minuteMs;
  await serve(refused);
  expect(written.map(({ keyId }) => keyId)).toEqual([9, 10, 9]);
  expect(written.flatMap(({ entries }) => unpackEntries(entries)).length).toBeLessThanOrEqual(3 * refusalsPerMinute);
  for (let keyId = 1; keyId <= 2_000; keyId++) await serve({ ...refused, keyId }, 20);
  expect(written).toHaveLength(3);
});

test('The request log returns an entry as it was recorded, and leaves out an entry that newer code wrote in another format', async () => {
  const fields = { requestId: 'a', status: 409, code: 'x', durationMs: 12, operation: 'GET /a', bySession: true };
  const entry = { at: base, ...fields };
  const { written, serve } = container();
  await serve({ ...entry, tenantId: 7, keyId: 9 });
  const [{ pk, sk, entries, expiresAtSeconds } = {} as RequestBatch] = written;
  // The id keeps items apart that two containers write for the same moment.
  expect({ pk, sk }).toEqual(records.requests(7, base, entry.requestId));
  expect(unpackEntries(entries)).toEqual([entry]);
  expect(unpackEntries(Uint8Array.of(2, ...entries.slice(1)))).toEqual([]);
  expect(expiresAtSeconds).toBe(base / 1_000 + 7 * 86_400);
});
