/** The deliveries of all webhooks as one list (docs/rules.md#delivery-records), compared with a sort of all records. */
import { beforeEach, expect, test } from 'vitest';
import { eventExamples } from '../../../../contract/event-examples.ts';
import { eventNames } from '../../../../contract/events.ts';
import { limits } from '../../../../contract/limits.ts';
import { dynamo } from '../../../../core/clients.ts';
import { firstIdAt, newId, timestamp } from '../../../../core/clock.ts';
import { compressText, decompressText } from '../../../../core/compressed-text.ts';
import { writeCursor } from '../../../../core/cursor.ts';
import { type DeliveriesQuery, listAllDeliveries } from '../../../../core/deliveries/log/list-all.ts';
import { listDeliveriesOfOwner } from '../../../../core/deliveries/log/list-messages.ts';
import { type DeliveryItem, recordBase } from '../../../../core/deliveries/model/delivery-record.ts';
import type { Principal } from '../../../../core/principal.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { putAll } from '../../../../local/admin.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { tableName } from '../../../support/dynamo.ts';
import { pagesOf } from '../../../support/pages.ts';
import { type Pipeline, refused } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put, webhookOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
let pipeline: Pipeline;
beforeEach(() => {
  pipeline = begin();
});

interface Log {
  /** The numbers of its records: from `first` to `last`. */
  readonly first: number;
  readonly last: number;
  /** The minutes between two records. */
  readonly everyMinutes: number;
}

type SeededLogs = Awaited<ReturnType<typeof seedLogs>>;

/** A business with a webhook for each log. Every tenth record has failed, every fiftieth is about a payment. */
async function seedLogs(logs: readonly Log[]) {
  const { tenantId, keyId } = await newTenant(0);
  const webhooks: WebhookItem[] = [];
  const records: DeliveryItem[] = [];
  for (const { first, last, everyMinutes } of logs) {
    const webhook = await newWebhook(tenantId, keyId, { lastNumber: last });
    webhooks.push(webhook);
    for (let number = first; number <= last; number++) {
      const at = pipeline.now - (last - number) * everyMinutes * 60_000 - (webhook.id % 1_000);
      records.push(recordOf(webhook, number, at));
    }
  }
  await putAll({ db: dynamo(), table: tableName }, 'deliveries', records);
  return { owner: ownerPrincipal(tenantId), webhooks, first: webhookOf({ tenantId, keyId, webhooks }), records };
}

function recordOf(webhook: WebhookItem, number: number, at: number): DeliveryItem {
  const name = number % 50 === 0 ? 'payment.received' : (eventNames[number % 3] ?? 'booking.created');
  const state = number % 10 === 0 ? 'failed' : 'success';
  const response = { responseStatusCode: 200, responseBody: '{"received":true}' };
  return endedDelivery(webhook, number, at, { state, ...response }, name);
}

const nameOf = ({ webhookId, id }: { webhookId: number; id: number }) => `${webhookId}#${id}`;

/** The expected list, in order. */
function expected({ records }: SeededLogs, matches: (record: DeliveryItem) => boolean): string[] {
  return records
    .filter(matches)
    .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))
    .map(nameOf);
}

/** Reads all pages, and returns their number. */
async function whole({ owner }: SeededLogs, query: DeliveriesQuery): Promise<{ names: string[]; pages: number }> {
  const pages = await pagesOf(async (cursor) => {
    const page = await listAllDeliveries(owner, { ...query, cursor });
    expect(page.data.length).toBeLessThanOrEqual(query.limit ?? limits.pageSizeDefault);
    return page;
  });
  return { names: pages.flatMap(({ data }) => data.map(nameOf)), pages: pages.length };
}

const minutely = (last: number): readonly Log[] => [{ first: 1, last, everyMinutes: 1 }];
const uneven: readonly Log[] = [
  { first: 1, last: 120, everyMinutes: 1 },
  { first: 1, last: 7, everyMinutes: 60 },
  { first: 1, last: 0, everyMinutes: 1 },
  { first: 41, last: 90, everyMinutes: 11 },
];

test.each([1, 7, 20, 100])(
  'With a page size of %i, the list of all deliveries contains each delivery once, newest first',
  async (limit) => {
    const one = await seedLogs(uneven);
    const { names, pages } = await whole(one, { limit });
    expect(names).toEqual(expected(one, () => true));
    expect(pages).toBe(Math.ceil(names.length / limit));
  },
);

test('The list of all deliveries contains exactly the deliveries that match its filters', async () => {
  const one = await seedLogs(uneven);
  const { id: webhookId } = one.first;
  const at = (minutesAgo: number) => pipeline.now - minutesAgo * 60_000;
  const [from, to] = [timestamp(at(300)), timestamp(at(30))];
  const cases: readonly (readonly [DeliveriesQuery, (record: DeliveryItem) => boolean])[] = [
    [{ webhookId }, (record) => record.webhookId === webhookId],
    [{ webhookId: newId() }, () => false],
    [{ deliveryStatus: 'failed' }, ({ deliveryStatus }) => deliveryStatus === 'failed'],
    [{ event: 'payment.received' }, ({ event }) => event === 'payment.received'],
    [
      { from, to, deliveryStatus: 'success', webhookId },
      (record) =>
        record.createdAt >= from &&
        record.createdAt < to &&
        record.deliveryStatus === 'success' &&
        record.webhookId === webhookId,
    ],
  ];
  for (const [query, matches] of cases) {
    expect((await whole(one, { ...query, limit: 9 })).names, JSON.stringify(query)).toEqual(expected(one, matches));
  }
});

test('The list of all deliveries leaves out records older than 30 days', async () => {
  const one = await seedLogs([{ first: 1, last: 40, everyMinutes: 60 * 24 }]);
  const { names } = await whole(one, {});
  expect(names).toEqual(expected(one, ({ expiresAtSeconds }) => expiresAtSeconds > pipeline.now / 1_000));
  expect(names.length).toBeLessThan(40);
  const deliveryId = one.records[0]?.deliveryId;
  expect(await listAllDeliveries(one.owner, { deliveryId })).toEqual({ data: [], nextCursor: null });
});

test('The list of all deliveries skips delivery numbers whose record is not written yet', async () => {
  const { owner, first } = await seedLogs(minutely(5));
  await put('deliveries', { ...first, lastNumber: 30 });
  expect((await listAllDeliveries(owner, {})).data.map(({ id }) => id)).toEqual([5, 4, 3, 2, 1]);
});

test('Paging through all deliveries lists each of them once, even while webhooks are added or deleted or get messages', async () => {
  const one = await seedLogs(uneven);
  const { data, nextCursor } = await listAllDeliveries(one.owner, { limit: 10 });
  const { first } = one;
  await put('deliveries', { ...first, lastNumber: 121 });
  await put('deliveries', recordOf(first, 121, pipeline.now));
  await newWebhook(first.tenantId, first.keyId);
  const rest = await whole(one, { limit: 100 });
  const from = await listAllDeliveries(one.owner, { limit: 100, cursor: nextCursor ?? undefined });
  expect([...data, ...from.data].map(nameOf)).toEqual(rest.names.slice(1, 111));
});

test('A list of deliveries grouped by message shows each message once, in its current state, with its booking and client', async () => {
  const one = await seedLogs(minutely(60));
  const { first: webhook } = one;
  const [failed, retried, ping] = [9, 19, 29].map((i) => one.records[i]) as [DeliveryItem, DeliveryItem, DeliveryItem];
  // A failed delivery succeeded when it was sent manually; another was retried.
  const { body: _, state: __, attempts: ___, ...attempt } = retried;
  await put('deliveries', { ...failed, laterRecords: [61], lastRedelivery: 61, attempts: 2 });
  await put('deliveries', {
    ...failed,
    ...recordBase(webhook.id, 61, pipeline.now),
    ...{ id: 61, attemptNumber: 2, trigger: 'manual', deliveryStatus: 'success', state: 'success' },
  });
  await put('deliveries', { ...retried, deliveryStatus: 'retrying', laterRecords: [62], attempts: 2 });
  await put('deliveries', { ...attempt, ...recordBase(webhook.id, 62, pipeline.now), id: 62, attemptNumber: 2 });
  await put('deliveries', { ...ping, trigger: 'ping' });
  await put('deliveries', { ...webhook, lastNumber: 62 });
  const page = (query: object) => listDeliveriesOfOwner(one.owner, { groupBy: 'delivery', limit: 7, ...query });
  const list = async (query: object) =>
    (await pagesOf((cursor) => page({ ...query, cursor }))).flatMap(({ data }) => data);
  const all = await list({});
  expect(all.map(({ deliveryId }) => deliveryId)).toEqual(one.records.map((record) => record.deliveryId).reverse());
  const stateOf = ({ deliveryId }: DeliveryItem) => all.find((found) => found.deliveryId === deliveryId);
  expect(stateOf(failed)).toMatchObject({ attemptNumber: 2, deliveryStatus: 'success', plannedAt: failed.createdAt });
  expect(stateOf(retried)).toMatchObject({ attemptNumber: 2, deliveryStatus: 'failed' });
  const stillFailed = (await list({ deliveryStatus: 'failed' })).map(({ deliveryId }) => deliveryId);
  expect(stillFailed).toEqual(all.flatMap((found) => (found.deliveryStatus === 'failed' ? [found.deliveryId] : [])));
  expect(stillFailed).not.toContain(failed.deliveryId);
  const succeeded = (await list({ deliveryStatus: 'success' })).map(({ deliveryId }) => deliveryId);
  expect(succeeded).toEqual(all.flatMap((found) => (found.deliveryStatus === 'success' ? [found.deliveryId] : [])));
  expect(succeeded).toContain(failed.deliveryId);
  expect((await page({ deliveryStatus: 'success' })).data).toHaveLength(7);
  // Negative control: by attempt, the delivery that has succeeded since is listed as failed.
  const byAttempt = await listAllDeliveries(one.owner, { deliveryStatus: 'failed', limit: 100 });
  expect(byAttempt.data.map(({ deliveryId }) => deliveryId)).toContain(failed.deliveryId);
  const { bookingId, clientId } = eventExamples['booking.created'];
  expect(all.filter(({ event }) => event === 'booking.created')[0]).toMatchObject({ bookingId, clientId });
  // A ping contains the data of an example.
  expect(stateOf(ping)).toMatchObject({ event: 'booking.created', bookingId: null, clientId: null });
});

test('The list of deliveries about a booking contains all of them, and no others', async () => {
  const one = await seedLogs(minutely(60));
  const bookingId = firstIdAt(pipeline.now - 30 * 60_000);
  const about = { ...eventExamples['booking.confirmed'], bookingId };
  const change = async (number: number) => {
    const record = one.records[number - 1] as DeliveryItem;
    const message = { ...JSON.parse(decompressText(record.body)), data: about };
    await put('deliveries', { ...record, body: compressText(JSON.stringify(message)) });
    return record.deliveryId;
  };
  const found = [await change(50), await change(40)];
  // No message can be about the booking two hours before it.
  await put('deliveries', { ...one.records[0], createdAt: timestamp(pipeline.now - 150 * 60_000) });
  const page = await listDeliveriesOfOwner(one.owner, { bookingId });
  expect(page.data.map(({ deliveryId }) => deliveryId)).toEqual(found);
  expect(page).toMatchObject({ nextCursor: null, data: [{ bookingId }, { bookingId }] });
  const to = timestamp(pipeline.now - 120 * 60_000);
  expect(await listDeliveriesOfOwner(one.owner, { bookingId, to })).toEqual({ data: [], nextCursor: null });
});

test('An API key lists only deliveries of its own webhooks, and a cursor works only with the same key and filters', async () => {
  const { owner, first } = await seedLogs(minutely(8));
  const { tenantId, keyId } = first;
  const [own, stranger] = [keyPrincipal(tenantId, keyId), keyPrincipal(tenantId, keyId + 1)];
  expect((await listAllDeliveries(own, {})).data).toEqual((await listAllDeliveries(owner, {})).data);
  expect(await listAllDeliveries(stranger, {})).toEqual({ data: [], nextCursor: null });
  const { nextCursor } = await listAllDeliveries(own, { limit: 3 });
  const query = { limit: 3, cursor: nextCursor ?? '' };
  for (const [by, filter] of [
    [stranger, {}],
    [owner, {}],
    [keyPrincipal(tenantId + 1, keyId), {}],
    [own, { deliveryStatus: 'failed' }],
  ] as const) {
    await expect(listAllDeliveries(by, { ...query, ...filter })).rejects.toMatchObject({ code: 'validation_failed' });
  }
  expect((await listAllDeliveries(own, query)).data).toHaveLength(3);
});

test('Only the API key that owns a delivery can list its attempts, newest first', async () => {
  const { tenantId, keyId, webhooks } = await newTenant(2);
  pipeline.answer = refused;
  await pipeline.raise(tenantId);
  await pipeline.run();
  const key = keyPrincipal(tenantId, keyId);
  // Another key with a webhook, in the same business.
  await newWebhook(tenantId, keyId + 1);
  const [{ deliveryId = '' } = {}] = (await listAllDeliveries(key, { webhookId: webhooks[1]?.id })).data;
  const page = await listAllDeliveries(key, { deliveryId });
  expect(page.nextCursor).toBeNull();
  const paged = listAllDeliveries(key, { deliveryId, cursor: 'x' });
  await expect(paged).rejects.toMatchObject({ code: 'validation_failed' });
  expect(page.data.map((one) => [one.attemptNumber, one.deliveryId])).toEqual(
    [6, 5, 4, 3, 2, 1].map((number) => [number, deliveryId]),
  );
  expect((await listAllDeliveries(key, { deliveryId, deliveryStatus: 'failed' })).data).toHaveLength(1);
  for (const [by, id] of [
    [keyPrincipal(tenantId, keyId + 1), deliveryId],
    [key, `${deliveryId}9`],
    [key, 'dlv_x'],
  ] as const) {
    expect((await listAllDeliveries(by, { deliveryId: id })).data).toEqual([]);
  }
});

const idsOf = async ({ owner }: SeededLogs, query: DeliveriesQuery) =>
  (await listAllDeliveries(owner, query)).data.map(({ id }) => id);
const timeOf =
  ({ records }: SeededLogs) =>
  (number: number) =>
    records[number - 1]?.createdAt;

test('A list of deliveries for a period includes the first moment of the period and excludes the last', async () => {
  const one = await seedLogs(minutely(9));
  const at = timeOf(one);
  expect(await idsOf(one, { from: at(3), to: at(6) })).toEqual([5, 4, 3]);
  expect(await idsOf(one, { from: at(3), to: at(3) })).toEqual([]);
  expect(await idsOf(one, { to: at(3) })).toEqual([2, 1]);
  expect(await idsOf(one, { from: at(8) })).toEqual([9, 8]);
  expect(await idsOf(one, { to: at(9) })).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  await expect(idsOf(one, { from: at(4), to: at(3) })).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'to', message: 'must not be before from' }] },
  });
});

test('A list of deliveries selects records by `createdAt`, even if a record with a higher number has an earlier `createdAt`', async () => {
  const one = await seedLogs(minutely(9));
  const at = timeOf(one);
  await put('deliveries', { ...one.records[3], createdAt: at(6) });
  expect(await idsOf(one, { to: at(6) })).toEqual([5, 3, 2, 1]);
  expect(await idsOf(one, { from: at(6) })).toEqual([9, 8, 7, 6, 4]);
  // The first four records are read together. The older two of them are from before the period, and a later one is in it.
  for (const number of [6, 7]) await put('deliveries', { ...one.records[number - 1], createdAt: at(2) });
  expect(await idsOf(one, { from: at(5), limit: 3 })).toEqual([9, 8, 5]);
});

test.each([
  [10, 19],
  [64, 64],
])(
  'A list of deliveries does not read records from more than ten minutes after its period (end of the period: record %i of 64)',
  async (number, first) => {
    const one = await seedLogs(minutely(64));
    const reads = readLogs();
    expect((await idsOf(one, { to: timeOf(one)(number), limit: 3 }))[0]).toBe(number - 1);
    expect(reads[0]).toBe(first);
  },
);

/** Records the numbers with which reads of logs begin at their newest record, from now on. */
function readLogs(): readonly number[] {
  const reads: number[] = [];
  scriptTest([
    {
      before: ({ input: { ExpressionAttributeValues, ScanIndexForward } }) => {
        const { ':log': log, ':last': last } = ExpressionAttributeValues ?? {};
        if (log && ScanIndexForward === false) reads.push(Number(last.slice(2)));
      },
    },
  ]);
  return reads;
}

const forged = ({ tenantId }: Principal, text: string) => writeCursor({ tenantId, list: 'deliveries' }, text);

const invalid = ['', '1', '.', '0.1', '-1.1', '1.0', '1.-1', '.1', '1.', '!.1', '1.!'];
test.each(invalid.map((text) => [text === '' ? 'nothing' : `"${text}"`, text] as const))(
  'The list of all deliveries refuses a forged cursor that contains %s',
  async (_, text) => {
    const { owner } = await seedLogs(minutely(1));
    const listed = listAllDeliveries(owner, { cursor: forged(owner, text) });
    await expect(listed).rejects.toMatchObject({ code: 'validation_failed' });
  },
);

test('A list of deliveries with a forged cursor that names deliveries of another business shows none of these deliveries', async () => {
  const [{ owner, first: own }, other] = [await seedLogs(minutely(2)), await seedLogs(minutely(2))];
  const reads = readLogs();
  const cursor = ({ id }: WebhookItem, number: number) => forged(owner, `${id.toString(36)}.${number}`);
  const listed = await listAllDeliveries(owner, { cursor: cursor(other.first, 2) });
  expect(listed).toEqual({ data: [], nextCursor: null });
  expect(reads).toEqual([]);
  // The list does not wait for records that are not written yet.
  await put('deliveries', endedDelivery(own, 9, pipeline.now));
  const { data } = await listAllDeliveries(owner, { cursor: cursor(own, 9) });
  expect(data.map((record) => record.id)).toEqual([2, 1]);
});

test('A cursor of the list of all deliveries is short enough for a URL, even with a hundred webhooks', async () => {
  const one = await seedLogs(Array.from({ length: 100 }, () => ({ first: 99_999, last: 100_000, everyMinutes: 1 })));
  const { nextCursor } = await listAllDeliveries(one.owner, { limit: 1 });
  expect(nextCursor?.length).toBeLessThanOrEqual(limits.deliveriesCursorLength);
});

test('A page of 20 filtered deliveries costs at most 20 read units if a tenth of the delivery records match the filter', async () => {
  // The last 500 records of each exist: numbers below are not read.
  const one = await seedLogs(Array.from({ length: 10 }, () => ({ first: 99_501, last: 100_000, everyMinutes: 0.4 })));
  const script = scriptTest([], { units: true });
  const cost = async (query: DeliveriesQuery) => {
    script.calls.length = 0;
    const { data, nextCursor } = await listAllDeliveries(one.owner, query);
    return { found: data.length, units: script.units(), next: nextCursor ?? undefined };
  };
  const webhookId = one.webhooks[3]?.id;
  const cases: readonly (readonly [least: number, DeliveriesQuery])[] = [
    [20, {}],
    [20, { webhookId }],
    [20, { deliveryStatus: 'success' }],
    [20, { event: 'booking.created' }],
    [20, { webhookId, event: 'booking.created' }],
    [20, { from: timestamp(pipeline.now - 3_600_000) }],
    // If a tenth matches, no page of this cost is full, but each has some entries.
    [5, { deliveryStatus: 'failed' }],
    [5, { deliveryStatus: 'failed', webhookId }],
  ];
  for (const [least, query] of cases) {
    let cursor: string | undefined;
    for (let page = 1; page <= 4; page++) {
      const { found, units, next } = await cost({ ...query, cursor });
      expect(found, JSON.stringify(query)).toBeGreaterThanOrEqual(least);
      expect(units, JSON.stringify(query)).toBeLessThanOrEqual(20);
      cursor = next;
    }
  }
  const rare = await cost({ event: 'review.created' });
  expect(rare).toMatchObject({ found: 0, next: expect.any(String) });
  expect(rare.units).toBeLessThanOrEqual(130);
});
