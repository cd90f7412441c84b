/** One run of the sweeper of deliveries: what it logs, what it counts, what it stores, and what it does not change. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { revivedAfterMs, sweepDeliveries } from '../../../../core/deliveries/log/sweep.ts';
import { saveCheckpoint } from '../../../../core/deliveries/log/sweep-checkpoint.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { Counter } from '../../../../core/deliveries/statistics/counter.ts';
import { hourMs, packHours, unpackHours } from '../../../../core/deliveries/statistics/hours.ts';
import { log } from '../../../../core/log.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newTenant, put, recordsOf, webhookOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';
import { countedRecord, variedHours } from '../statistics/counted-record.ts';

vi.mock('../../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../../core/table-keys.ts')>()),
  webhookShards: 4,
}));

const begin = usePipeline();
const minute = 60_000;
const enough = 20_000;
let pipeline: Pipeline;
let registrations: Registration[];
/** Partitions from which pages were read, numbers with which pages of logs began, and writes that were tried. */
let requests: string[];
let pages: number[];
let writes: string[];
/** Runs before a write to a partition. */
let beforeWrite: (pk: string) => unknown;

beforeEach(() => {
  pipeline = begin({ randomBytes: (size) => new Uint8Array(size).fill(128) });
  [registrations, requests, pages, writes] = [[], [], [], []];
  beforeWrite = () => {};
  scriptTest([
    {
      when: 'Query',
      before: ({ input: { ExpressionAttributeValues: values = {} } }) => {
        requests.push(values[':pk'] ?? values[':log'] ?? '');
        if (values[':log'] && values[':first']) pages.push(Number(values[':first'].slice(2)));
      },
    },
    {
      when: 'UpdateItem',
      before: ({ input }) => {
        writes.push(input.Key?.pk ?? '');
        return beforeWrite(input.Key?.pk ?? '');
      },
    },
  ]);
});
afterEach(async () => {
  // Each run processes all existing webhooks.
  await Promise.all(registrations.map((one) => transact([remove('deliveries', one)])));
});

const lost = { state: 'pending', attempts: 0 } as const;

/** A webhook with records by number; by default they were created an hour ago. */
async function seedRecords(
  records: Readonly<Record<number, Partial<DeliveryItem> & { readonly at?: number }>>,
  checkpoint: Partial<Registration> = {},
) {
  const webhook = webhookOf(await newTenant(1));
  const registration = { ...registrationOf(webhook), ...checkpoint };
  registrations.push(registration);
  await put('deliveries', registration);
  await Promise.all(
    Object.entries(records).map(([number, { at = pipeline.now - hourMs, ...changes }]) =>
      put('deliveries', endedDelivery(webhook, Number(number), at, changes)),
    ),
  );
  requests = [];
  const { id } = webhook;
  return {
    id,
    log: deliveries.log(id),
    shard: registration.pk,
    now: () => getItem<Registration>('deliveries', registration),
  };
}

/** Runs the sweeper once. Returns the numbers for which messages were sent. */
async function sweep(msLeft: () => number = () => enough): Promise<number[]> {
  await sweepDeliveries(undefined, { getRemainingTimeInMillis: msLeft });
  const sent = pipeline.queues.retries.take().flatMap(parseDeliveryBatch);
  return sent.map(({ number }) => number);
}

test('If the records of one webhook cannot be read and another webhook causes an error, the search for lost deliveries logs their ids and handles all others', async () => {
  const [warned, failed] = [vi.spyOn(log, 'warn').mockReturnValue(), vi.spyOn(log, 'error').mockReturnValue()];
  const [unreadable, broken] = [await seedRecords({ 1: lost }), await seedRecords({ 1: lost })];
  const fine = await seedRecords({ 1: lost });
  await put('deliveries', { ...registrations[1], open: { 1: 'no time' }, waiting: 7 });
  const error = new Error('throttled');
  vi.spyOn(requests, 'push').mockImplementation((pk) => {
    if (pk === unreadable.log) throw error;
    return 0;
  });
  expect(await sweep()).toEqual([1]);
  expect(await fine.now()).toMatchObject({ sweptThrough: 1 });
  expect(warned).toHaveBeenCalledWith(expect.any(String), { webhookId: unreadable.id, error });
  expect(failed.mock.calls.map(([, attributes]) => attributes)).toEqual([
    { webhookId: broken.id, error: expect.any(Error) },
  ]);
});

test('A repeated search for lost deliveries that finds none sends nothing and writes nothing', async () => {
  const { now, log } = await seedRecords({
    1: {},
    2: { ...lost, state: 'retrying', attempts: 1, dueAt: pipeline.now + hourMs },
  });
  expect(await sweep()).toEqual([]);
  const before = await now();
  expect(before).toMatchObject({ sweptThrough: 2, open: { 2: expect.any(Number) } });
  expect(writes).not.toContain(log);
  writes = [];
  pipeline.advance(minute);
  expect(await sweep()).toEqual([]);
  expect([await now(), writes]).toEqual([before, []]);
});

test('The search for lost deliveries handles a delivery as soon as its record is half an hour old', async () => {
  const { now } = await seedRecords({
    1: { ...lost, at: pipeline.now - revivedAfterMs },
    2: { ...lost, at: pipeline.now - revivedAfterMs + 1 },
  });
  expect(await sweep()).toEqual([1]);
  expect(await now()).toMatchObject({ sweptThrough: 1 });
});

test('The search for lost deliveries does not treat the record of a later attempt as an unfinished delivery', async () => {
  const { now } = await seedRecords({ 1: { state: undefined as never } });
  await sweep();
  expect(await now()).toMatchObject({ sweptThrough: 1, open: {} });
});

test('A ping of a webhook that ends during the search for lost deliveries keeps its result', async () => {
  const { id, log } = await seedRecords({ 1: { trigger: 'ping', deliveryStatus: 'pending' } });
  beforeWrite = async (pk) => {
    if (pk !== log) return;
    beforeWrite = () => {};
    await writeOne(set('deliveries', deliveries.record(id, 1), { deliveryStatus: 'success' }));
  };
  await sweep();
  expect(await recordsOf(id)).toMatchObject([{ deliveryStatus: 'success', errorMessage: null }]);
});

const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);
const longEnough = () => 600_000;

/** The checkpoint waits for its maximum of numbers, after which three deliveries have ended. */
function full(changes: Partial<Registration> = {}) {
  const open = Object.fromEntries(range(1, 300).map((number) => [number, pipeline.now - hourMs]));
  return seedRecords({ 301: {}, 302: {}, 303: {} }, { sweptThrough: 300, open, countedThrough: 300, ...changes });
}

test('If a webhook has too many unfinished deliveries, the search for lost deliveries only counts its later deliveries, and logs this', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  const { id, now } = await full();
  await sweep(longEnough);
  const checkpoint = await now();
  expect(checkpoint).toMatchObject({ sweptThrough: 300, countedThrough: 303 });
  expect([...unpackHours(checkpoint?.hours).values()].map(({ successes }) => successes)).toEqual([3]);
  expect(pages).toEqual([301, 302]);
  expect(warned.mock.calls.map(([, attributes]) => attributes)).toEqual([{ webhookId: id }]);
});

test('If the statistics of a webhook wait for too many missing records, the search for lost deliveries reads only one page of records', async () => {
  const { now } = await full({ waiting: range(1, 300) });
  await sweep(longEnough);
  expect(await now()).toMatchObject({ sweptThrough: 300, countedThrough: 300 });
  expect(pages).toEqual([301]);
});

const days = 48 * hourMs;

test.each([
  ['wait for a missing record as long as later records are at most two days old', 0, [1, 2, 4]],
  ['do not wait for a missing record once a later record is more than two days old', 1, []],
])('Delivery statistics %s', async (_, more, waiting) => {
  const at = pipeline.now - days - more;
  const { now } = await seedRecords({ 3: { at }, 5: { at, trigger: 'ping' } });
  await sweep();
  const checkpoint = await now();
  expect(checkpoint).toMatchObject({ countedThrough: 5, waiting });
  expect([...unpackHours(checkpoint?.hours).values()].map(({ successes }) => successes)).toEqual([1]);
  expect(Object.keys(checkpoint?.open ?? {}).map(Number)).toEqual(waiting);
});

test.each<[string, Partial<Registration>, readonly number[]]>([
  ['leave out a missing record that the search for lost deliveries has given up', { sweptThrough: 7, open: {} }, []],
  [
    'wait for a missing record for which the search for lost deliveries waits',
    { sweptThrough: 8, open: { 7: 1 } },
    [7],
  ],
  [
    'wait for a missing record that the search for lost deliveries has not reached yet',
    { sweptThrough: 5, open: {} },
    [7],
  ],
])('Delivery statistics %s', async (_, { sweptThrough, open = {} }, waiting) => {
  const since = pipeline.now - days;
  const { now } = await seedRecords(
    {},
    {
      sweptThrough: sweptThrough as number,
      open: Object.fromEntries(Object.keys(open).map((number) => [number, since])),
      countedThrough: 8,
      waiting: [7],
      countedAt: since,
    },
  );
  await sweep();
  expect((await now())?.waiting).toEqual(waiting);
});

const at = Date.UTC(2026, 10, 24, 12);
const record = { id: 6, ...countedRecord({ createdAt: '2026-11-24T11:30:00.000Z', sentAt: at - hourMs / 2 }) };

/** A checkpoint up to which all numbers, to 5, are swept and counted, with changes. */
async function marked(changes: Partial<Registration> = {}): Promise<Registration> {
  const webhook = webhookOf(await newTenant(1));
  const before = { ...registrationOf(webhook), sweptThrough: 5, countedThrough: 5, countedAt: at - hourMs, ...changes };
  registrations.push(before);
  await put('deliveries', before);
  return before;
}
const nowOf = (before: Registration) => getItem<Registration>('deliveries', before);

test.each([
  [
    'was changed by another search',
    (before: Registration) => writeOne(set('deliveries', before, { countedAt: at - 1 })),
  ],
  ['was deleted with its webhook', (before: Registration) => transact([remove('deliveries', before)])],
])(
  'A search for lost deliveries does not store its progress if the stored progress %s after it was read',
  async (_, change) => {
    const before = await marked();
    await change(before);
    const left = await nowOf(before);
    await saveCheckpoint(before, { sweptThrough: 9, open: {} }, new Counter(before), at);
    expect(await nowOf(before)).toEqual(left);
  },
);

/** With so many hours a checkpoint cannot hold another one. */
const many = packHours(variedHours(200, Math.floor(at / hourMs)));

test.each([
  ['after an earlier count', at - hourMs],
  ['also at the first count', undefined],
])(
  'Hourly statistics that no longer fit into one item move to a second item that expires, %s',
  async (_, countedAt) => {
    const before = await marked({ hours: many });
    const { countedAt: __, ...never } = before;
    const read = countedAt === undefined ? never : before;
    await put('deliveries', read);
    const counter = new Counter(read);
    counter.see(record, false);
    const script = scriptTest();
    await saveCheckpoint(read, { sweptThrough: 6, open: {} }, counter, at);
    expect(script.operations).toEqual(['TransactWriteItems']);
    const since = countedAt ?? 0;
    const segment = await getItem<{ hours: Uint8Array }>('deliveries', deliveries.segment(before.id, since));
    expect(segment).toMatchObject({
      hours: many,
      expiresAtSeconds: Math.ceil(since / 1_000) + (limits.webhookStatisticsDays + 1) * 86_400,
    });
    const { hours, ...checkpoint } = (await nowOf(before)) ?? {};
    expect(checkpoint).toMatchObject({ sweptThrough: 6, countedThrough: 6, countedAt: at });
    expect([...unpackHours(hours).values()].map(({ successes }) => successes)).toEqual([1]);
  },
);

test('When two scheduled searches for lost deliveries overlap, no hourly statistics are stored twice', async () => {
  const before = await marked({ hours: many });
  await writeOne(set('deliveries', before, { countedAt: at - 1 }));
  const counter = new Counter(before);
  counter.see(record, false);
  await saveCheckpoint(before, { sweptThrough: 6, open: {} }, counter, at);
  expect(await getItem('deliveries', deliveries.segment(before.id, at - hourMs))).toBeUndefined();
  expect(await nowOf(before)).toMatchObject({ hours: many, sweptThrough: 5 });
});
