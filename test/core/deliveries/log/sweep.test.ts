/** One run of the search for lost deliveries: what it logs, counts and stores, and what it does not change. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { hourMs } from '../../../../core/clock.ts';
import { revivedAfterMs, sweepDeliveries } from '../../../../core/deliveries/log/sweep.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { packHours, unpackHours } from '../../../../core/deliveries/statistics/hours.ts';
import { log } from '../../../../core/log.ts';
import { renumber } from '../../../../core/reconcile/numbers.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newTenant, put, recordsOf, webhookNow, webhookOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';
import { variedHours } from '../statistics/counted-record.ts';

vi.mock('../../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../../core/table-keys.ts')>()),
  webhookShards: 4,
}));

const begin = usePipeline();
const minute = 60_000;
const enough = 20_000;
let pipeline: Pipeline;
let registrations: Registration[];
/** The partitions that were read, the first number of each page of a log, and the writes that were tried. */
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
    webhook,
    registration,
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

test('If two webhooks cause errors, the search for lost deliveries logs the ids of these webhooks and handles all other webhooks', async () => {
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

test('After a lost region is back, the search for lost deliveries finds deliveries whose records arrived late', async () => {
  const { webhook, now } = await seedRecords({});
  const lag = { since: pipeline.now - 1, until: pipeline.now };
  await renumber(webhook.tenantId, lag);
  const { lastNumber } = await webhookNow(webhook);
  const seed = (number: number, changes = {}) =>
    put('deliveries', endedDelivery(webhook, number, pipeline.now - hourMs, changes));
  await seed(lastNumber + 1);
  expect(await sweep()).toEqual([]);
  expect(await now()).toMatchObject({ sweptThrough: lastNumber + 1 });
  await seed(1, lost);
  await renumber(webhook.tenantId, lag);
  expect(await sweep()).toEqual([1]);
});

test('A repeated search that finds no lost deliveries sends nothing and writes nothing', async () => {
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

test('The search for lost deliveries sends a pending delivery again as soon as its record is half an hour old', async () => {
  const { now } = await seedRecords({
    1: { ...lost, at: pipeline.now - revivedAfterMs },
    2: { ...lost, at: pipeline.now - revivedAfterMs + 1 },
  });
  expect(await sweep()).toEqual([1]);
  expect(await now()).toMatchObject({ sweptThrough: 1 });
});

test('The search for lost deliveries does not treat the record of a retry as an unfinished delivery', async () => {
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

test('If a webhook has too many unfinished deliveries, the search for lost deliveries skips newer ones, and logs a warning', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  const { id, now } = await full();
  await sweep(longEnough);
  const checkpoint = await now();
  expect(checkpoint).toMatchObject({ sweptThrough: 300, countedThrough: 303 });
  expect([...unpackHours(checkpoint?.hours).values()].map(({ successes }) => successes)).toEqual([3]);
  expect(pages).toEqual([301, 302]);
  expect(warned.mock.calls.map(([, attributes]) => attributes)).toEqual([{ webhookId: id }]);
});

test('If many delivery records of a webhook are missing, the search for lost deliveries waits for them before it reads on', async () => {
  const { now } = await full({ waiting: range(1, 300) });
  await sweep(longEnough);
  expect(await now()).toMatchObject({ sweptThrough: 300, countedThrough: 300 });
  expect(pages).toEqual([301]);
});

const days = 48 * hourMs;

test.each([
  ['as long as later records are at most two days old', 0, [1, 2, 4]],
  ['no longer once a later record is more than two days old', 1, []],
])('Delivery statistics wait up to two days for a missing record (%s)', async (_, more, waiting) => {
  const at = pipeline.now - days - more;
  const { now } = await seedRecords({ 3: { at }, 5: { at, trigger: 'ping' } });
  await sweep();
  const checkpoint = await now();
  expect(checkpoint).toMatchObject({ countedThrough: 5, waiting });
  expect([...unpackHours(checkpoint?.hours).values()].map(({ successes }) => successes)).toEqual([1]);
  expect(Object.keys(checkpoint?.open ?? {}).map(Number)).toEqual(waiting);
});

test.each<[string, Partial<Registration>, readonly number[]]>([
  ['not if the search has given up the record', { sweptThrough: 7, open: {} }, []],
  ['as long as the search waits for the record', { sweptThrough: 8, open: { 7: 1 } }, [7]],
  ['as long as the search has not reached the record', { sweptThrough: 5, open: {} }, [7]],
])(
  'Delivery statistics wait for a missing record until the search for lost deliveries gives it up (%s)',
  async (_, { sweptThrough, open = {} }, waiting) => {
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
  },
);

const through5 = { sweptThrough: 5, countedThrough: 5 };

test.each<[string, (before: Registration) => Promise<unknown>]>([
  ['was changed by another search', (before) => writeOne(set('deliveries', before, { countedAt: 1 }))],
  ['was deleted with the webhook', (before) => transact([remove('deliveries', before)])],
])(
  'A search for lost deliveries does not overwrite stored progress that changed since it was read (the progress %s)',
  async (_, change) => {
    const { registration, shard, now } = await seedRecords({ 6: {} }, { ...through5, countedAt: 2 });
    const left: unknown[] = [];
    beforeWrite = async (pk) => {
      if (pk !== shard) return;
      beforeWrite = () => {};
      await change(registration);
      left.push(await now());
    };
    await sweep();
    expect(left).toEqual([await now()]);
  },
);

/** A checkpoint that cannot hold another hour, and a delivery that is not counted yet. */
async function fullHours(countedAt?: number) {
  const hours = packHours(variedHours(200, Math.floor(pipeline.now / hourMs)));
  const seeded = await seedRecords({ 6: {} }, { ...through5, hours, ...(countedAt && { countedAt }) });
  const segment = () =>
    getItem<{ hours: Uint8Array }>('deliveries', deliveries.segment(seeded.registration.id, countedAt ?? 0));
  return { ...seeded, hours, segment };
}

test.each([
  ['at a later count of attempts', true],
  ['at the first count of attempts', false],
])(
  'Hourly delivery statistics that no longer fit into one DynamoDB item move to a second item (%s)',
  async (_, wasCounted) => {
    const since = wasCounted ? pipeline.now - hourMs : 0;
    const { hours: many, segment, now } = await fullHours(since);
    await sweep();
    expect(await segment()).toMatchObject({
      hours: many,
      expiresAtSeconds: Math.ceil(since / 1_000) + (limits.webhookStatisticsDays + 1) * 86_400,
    });
    const { hours, ...checkpoint } = (await now()) ?? {};
    expect(checkpoint).toMatchObject({ sweptThrough: 6, countedThrough: 6, countedAt: pipeline.now });
    expect([...unpackHours(hours).values()].map(({ successes }) => successes)).toEqual([1]);
  },
);

test('When two scheduled searches for lost deliveries overlap, hourly delivery statistics are not stored twice', async () => {
  const { registration, hours, segment, now } = await fullHours(pipeline.now - hourMs);
  const other = vi.fn(() => writeOne(set('deliveries', registration, { countedAt: pipeline.now - 1 })));
  scriptTest([{ when: 'TransactWriteItems', nth: 1, before: other }]);
  await sweep();
  expect(other).toHaveBeenCalledOnce();
  expect(await segment()).toBeUndefined();
  expect(await now()).toMatchObject({ hours, sweptThrough: 5 });
});
