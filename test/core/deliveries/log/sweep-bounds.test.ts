/** A run of the sweeper reads a bounded amount, and loses nothing because of it. The test simulates the logs. */
import { expect, test, vi } from 'vitest';
import { timestamp } from '../../../../core/clock.ts';
import { revivedAfterMs, sweepDeliveries } from '../../../../core/deliveries/log/sweep.ts';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import type { Key } from '../../../../core/store/key.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import { tableName } from '../../../support/dynamo.ts';
import { collectMetrics } from '../../../support/emitted-metrics.ts';
import { newTenant, webhookOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { type Call, type Input, type Output, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

/** A few shards suffice, because hundreds of runs of the sweeper read them all. */
vi.mock('../../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../../core/table-keys.ts')>()),
  webhookShards: 4,
}));

const begin = usePipeline();
const minute = 60_000;
const hour = 60 * minute;
const quarter = 15 * minute;
const plenty = 600_000;

type Head = Pick<DeliveryItem, 'id' | 'createdAt' | 'attempts' | 'dueAt' | 'trigger' | 'deliveryStatus' | 'state'>;

const numberOf = (sk = '') => Number(sk.slice(2));

type Log = Awaited<ReturnType<typeof sweptLog>>['log'];

/** The log of one webhook, with counters of its reads. `forgetful` is an injected bug: open deliveries are not noted. */
async function sweptLog(forgetful = false) {
  const pipeline = begin();
  const registration = registrationOf(webhookOf(await newTenant(1)));
  const { id: webhookId } = registration;
  const pk = deliveries.log(webhookId);
  const records = new Map<number, Head>();
  let newest = 0;
  const log = {
    records,
    /** The number of records and pages that queries returned. */
    read: 0,
    pages: 0,
    /** The page that DynamoDB refuses once. */
    refusedPage: 0,
    registration: () => getItem('deliveries', registration) as Promise<Registration>,
    put(id: number, createdAt: number, state: Head['state'], dueAt = createdAt): void {
      newest = Math.max(newest, id);
      const status = { state, deliveryStatus: state };
      records.set(id, { id, createdAt: timestamp(createdAt), attempts: 1, dueAt, trigger: 'scheduled', ...status });
    },
    end(id: number): void {
      const delivery = records.get(id);
      if (delivery) records.set(id, { ...delivery, state: 'success', deliveryStatus: 'success' });
    },
    /** Runs the sweeper once. Returns the numbers for which messages were sent. */
    async sweep(msLeft: () => number = () => plenty): Promise<number[]> {
      await sweepDeliveries(undefined, { getRemainingTimeInMillis: msLeft });
      const sent = pipeline.queues.retries.take().flatMap(parseDeliveryBatch);
      return sent.filter((one) => one.webhookId === webhookId).map(({ number }) => number);
    },
    /** Makes runs a quarter of an hour apart or more; all sent deliveries end before the next. */
    async settle(runs: number, apart = quarter): Promise<number[]> {
      const sent: number[] = [];
      for (let run = 0; run < runs; run++) {
        const now = await log.sweep();
        for (const number of now) log.end(number);
        sent.push(...now);
        pipeline.advance(apart);
      }
      return sent;
    },
  };

  function page({ ExpressionAttributeValues, ExclusiveStartKey, Limit = 0 }: Input): Output {
    log.pages += 1;
    if (log.pages === log.refusedPage) throw new Error('The level of throughput was exceeded');
    const after = ExclusiveStartKey ? numberOf((ExclusiveStartKey as Key).sk) : 0;
    const Items: Head[] = [];
    const first = Math.max(numberOf(ExpressionAttributeValues?.[':first']), after + 1);
    for (let id = first; id <= newest && Items.length < Limit; id++) {
      const record = records.get(id);
      if (record) Items.push(record);
    }
    log.read += Items.length;
    const last = Items.length === Limit && Items.at(-1)?.id !== newest ? Items.at(-1) : undefined;
    return { Items, ...(last && { LastEvaluatedKey: deliveries.record(webhookId, last.id) }) };
  }
  const keysIn = ({ RequestItems }: Input) =>
    (RequestItems?.[tableName('deliveries')] as { readonly Keys: readonly Key[] } | undefined)?.Keys ?? [];
  scriptTest([
    {
      when: ({ operation, input }) => operation === 'Query' && input.ExpressionAttributeValues?.[':log'] === pk,
      answer: ({ input }) => page(input),
    },
    {
      when: ({ operation, input }) => operation === 'BatchGetItem' && keysIn(input)[0]?.pk === pk,
      answer: ({ input }) => {
        const found = keysIn(input).map((key) => ({ ...key, ...records.get(numberOf(key.sk)) }));
        return { Responses: { [tableName('deliveries')]: found.filter(({ id }) => id !== undefined) } };
      },
    },
    {
      when: ({ operation, input }) => forgetful && operation === 'UpdateItem' && /^WEBHOOKS#/.test(input.Key?.pk ?? ''),
      answer: ({ input }, send) =>
        send({ ...input, ExpressionAttributeValues: { ...input.ExpressionAttributeValues, ':open': {} } }),
    },
  ]);
  return { pipeline, log };
}

/**
 * With a hundred deliveries a second, a run has time for 58 000 pages of ten milliseconds, and needs 900: the result of
 * three runs holds for a day.
 */
async function threeRuns(perSecond: number, pages = Number.POSITIVE_INFINITY) {
  const { pipeline, log } = await sweptLog();
  const emitted = collectMetrics(() => undefined);
  const everyMs = 1_000 / perSecond;
  const [runs, perRun] = [3, quarter / everyMs];
  for (let run = 0; run < runs; run++) {
    const first = 1 + run * perRun;
    for (let n = 0; n < perRun; n++) log.put(first + n, pipeline.now + everyMs * n, 'success');
    pipeline.advance(quarter);
    const before = log.pages;
    await log.sweep(() => {
      const read = log.pages - before;
      return read < pages ? 600_000 - 10 * read : 0;
    });
  }
  // The message of the last delivery was lost.
  log.put(runs * perRun, pipeline.now, 'pending');
  pipeline.advance(2 * revivedAfterMs);
  await log.sweep(() => (pages === Number.POSITIVE_INFINITY ? plenty : 0));
  const valuesOf = (metric: string) => emitted.filter(({ name }) => name === metric).flatMap(({ values }) => values);
  const [lags, overdue] = [valuesOf('SweepLag'), valuesOf('DeliveriesOverdue').at(-1)];
  return { swept: (await log.registration()).sweptThrough, all: runs * perRun, lags, overdue };
}

test('With 100 deliveries a second to one webhook for hours, each scheduled search for lost deliveries still checks all of them', async () => {
  const { swept, all, lags, overdue } = await threeRuns(100);
  expect([swept, overdue]).toEqual([all, 1]);
  expect(lags.length).toBeGreaterThanOrEqual(3);
  expect(Math.max(...lags)).toBe(0);
});

test('Negative control: a search for lost deliveries that reads fewer than were added falls further and further behind', async () => {
  const { swept, all, lags } = await threeRuns(10, 10);
  expect(swept).toBeLessThan(all / 2);
  expect(lags.at(-2)).toBeGreaterThan(500);
  expect(lags.at(-2)).toBeLessThan((3 * quarter) / 1_000);
});

test.each([
  ['is out of time', (log: Log) => log.sweep(() => (log.pages < 2 ? plenty : 19_999))],
  [
    'cannot read a page',
    (log: Log) => {
      log.refusedPage = 3;
      return log.sweep();
    },
  ],
])(
  'An interrupted search for lost deliveries sends what it has found, and the next search continues from there (the search %s)',
  async (_, sweep) => {
    const { pipeline, log } = await sweptLog();
    for (let number = 1; number <= 500; number++) log.put(number, pipeline.now, number % 150 ? 'success' : 'pending');
    pipeline.advance(2 * revivedAfterMs);
    expect(await sweep(log)).toEqual([150]);
    const open = { 150: pipeline.now };
    expect(await log.registration()).toMatchObject({ sweptThrough: 200, countedThrough: 200, open });
    expect(await log.sweep()).toEqual([300, 450]);
    expect(log.read).toBe(500);
  },
);

test('If a webhook is deleted during a scheduled search for lost deliveries, this search ends without an error', async () => {
  const { pipeline, log } = await sweptLog();
  for (let number = 1; number <= 25_001; number++) log.put(number, pipeline.now, 'success');
  pipeline.advance(2 * revivedAfterMs);
  const registration = await log.registration();
  const looksItUp = ({ operation, input }: Call) =>
    operation === 'BatchGetItem' && JSON.stringify(input).includes(`"${registration.sk}"`);
  const deleted = { when: looksItUp, nth: 1, before: () => transact([remove('deliveries', registration)]) };
  await scripted([deleted], () => log.sweep());
  expect(await log.registration()).toBeUndefined();
});

async function hole(forgetful = false) {
  const { pipeline, log } = await sweptLog(forgetful);
  log.put(1, pipeline.now, 'success');
  log.put(3, pipeline.now, 'pending');
  log.put(4, pipeline.now, 'success');
  pipeline.advance(2 * revivedAfterMs);
  return { pipeline, log };
}

test.each([
  ['The search for lost deliveries looks up missing records again and sends a delivery recorded late', false, [2]],
  ['Negative control: a search that forgets missing records never sends a delivery recorded late', true, []],
])('%s', async (_, forgetful, found) => {
  const { pipeline, log } = await hole(forgetful);
  await log.settle(10, 2 * hour);
  log.put(2, pipeline.now, 'pending');
  await log.sweep();
  pipeline.advance(2 * revivedAfterMs);
  expect(await log.settle(2)).toEqual(found);
});

test('A scheduled search for lost deliveries skips a million delivery numbers in one step if their records have expired', async () => {
  const { pipeline, log } = await sweptLog();
  log.put(1_000_000, pipeline.now, 'success');
  pipeline.advance(3 * 24 * hour);
  await log.sweep();
  expect(await log.registration()).toMatchObject({ sweptThrough: 1_000_000 });
});

test('If a thousand delivery records are written late, the search for lost deliveries waits for them, and then sends all', async () => {
  const { pipeline, log } = await sweptLog();
  log.put(1_001, pipeline.now, 'pending');
  pipeline.advance(2 * revivedAfterMs);
  await log.sweep();
  expect((await log.registration()).sweptThrough).toBe(300);
  for (let number = 1; number <= 1_000; number++) log.put(number, pipeline.now - 2 * revivedAfterMs, 'pending');
  const sent = await log.settle(5);
  expect([...sent].sort((a, b) => a - b)).toEqual(Array.from({ length: 1_001 }, (_, i) => i + 1));
});

/** Simulates a log of 900 numbers with thirty hours of faults and a day without. Returns the numbers never sent. */
async function play(seed: number, forgetful: boolean): Promise<readonly number[]> {
  const { pipeline, log } = await sweptLog(forgetful);
  let state = seed;
  const chance = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  const late: number[] = [];
  const begun = pipeline.now;
  for (let number = 1; number <= 900; number++) {
    const at = begun + number * minute;
    if (chance() < 0.05) late.push(number);
    else log.put(number, at, chance() < 0.2 ? 'pending' : 'success', at + Math.floor(chance() * 4) * hour);
  }
  for (let run = 0; run < 120; run++) {
    pipeline.advance(quarter);
    const pages = log.pages + Math.floor(chance() * 3);
    if (chance() < 0.3) pipeline.refuseMessages = Array.from({ length: 8 }, () => [0, 1, 2]);
    for (const number of await log.sweep(() => (log.pages < pages ? plenty : 0))) if (chance() < 0.5) log.end(number);
    pipeline.refuseMessages = [];
    const [due] = late;
    if (due !== undefined && begun + due * minute < pipeline.now - 2 * hour && late.shift())
      log.put(due, pipeline.now, 'pending');
  }
  for (const number of late) log.put(number, pipeline.now, 'pending');
  await log.settle(30, hour);
  const { sweptThrough, open } = await log.registration();
  if (!forgetful) expect({ sweptThrough, open }).toEqual({ sweptThrough: 900, open: {} });
  return [...log.records.values()].filter((record) => record.state === 'pending').map(({ id }) => id);
}

test.each([1, 2, 3])(
  'The scheduled search for lost deliveries eventually sends every overdue delivery despite random failures (random seed %i)',
  async (seed) => {
    expect(await play(seed, false)).toEqual([]);
  },
);

test('Negative control: if the search for lost deliveries does not store the unfinished ones that it found, some are never sent', async () => {
  expect(await play(1, true)).not.toEqual([]);
});
