/** Where the sweeper of deliveries cannot go on, or comes too late: what it counts, leaves and tells. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { sweepDeliveries } from '../../../../core/deliveries/log/sweep.ts';
import { hourMs, unpackHours } from '../../../../core/deliveries/statistics/hours.ts';
import { log } from '../../../../core/log.ts';
import { getItem } from '../../../../core/store/read.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newTenant, put, recordsOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

vi.mock('../../../../core/table-keys.ts', async (original) => ({
  ...(await original<typeof import('../../../../core/table-keys.ts')>()),
  webhookShards: 2,
}));

const begin = usePipeline();
let pipeline: Pipeline;
let webhook: WebhookItem;
/** The numbers that pages of the log begin with. */
let pages: number[];
/** Comes before a query of a partition, and before a write of one. */
let beforeQuery: (pk: string) => void;
let beforeWrite: (pk: string) => Promise<unknown>;

beforeEach(async () => {
  pipeline = begin();
  [pages, beforeQuery, beforeWrite] = [[], () => {}, async () => {}];
  webhook = (await newTenant(1)).webhooks[0] as WebhookItem;
  scriptTest([
    {
      when: 'Query',
      before: ({ input: { ExpressionAttributeValues: values = {} } }) => {
        beforeQuery(String(values[':pk']));
        if (values[':log'] && values[':first']) pages.push(Number(values[':first'].slice(2)));
      },
    },
    { when: 'UpdateItem', before: ({ input }) => beforeWrite(String(input.Key?.pk)) },
  ]);
});
afterEach(async () => {
  vi.restoreAllMocks();
  await transact([remove('deliveries', deliveries.registration(webhook))]);
});

const hourAgo = () => pipeline.now - hourMs;
const sweep = () => sweepDeliveries(undefined, { getRemainingTimeInMillis: () => 600_000 });
const mark = () => getItem<Registration>('deliveries', deliveries.registration(webhook));
const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

/** Three hundred numbers are waited for, and behind them three deliveries have ended. */
async function full(changes: Partial<Registration> = {}): Promise<void> {
  const open = Object.fromEntries(range(1, 300).map((number) => [number, hourAgo()]));
  await put('deliveries', { ...registrationOf(webhook), sweptThrough: 300, open, countedThrough: 300, ...changes });
  for (const number of range(301, 303)) await put('deliveries', endedDelivery(webhook, number, hourAgo()));
}

test('With too many open deliveries, the sweeper only counts the further records and logs the webhook', async () => {
  const warned = vi.spyOn(log, 'warn').mockReturnValue();
  await full();
  await sweep();
  const { sweptThrough, countedThrough, hours } = (await mark()) ?? {};
  expect([sweptThrough, countedThrough]).toEqual([300, 303]);
  expect([...unpackHours(hours).values()].map(({ successes }) => successes)).toEqual([3]);
  expect(pages).toEqual([301, 302]);
  expect(warned.mock.calls.map(([, said]) => said)).toEqual([{ webhookId: webhook.id }]);
});

test('With too many uncounted records, the sweeper reads nothing more of that webhook', async () => {
  await full({ waiting: range(1, 300) });
  await sweep();
  expect(await mark()).toMatchObject({ sweptThrough: 300, countedThrough: 300 });
  expect(pages).toEqual([301]);
});

test('The sweeper does not treat the record of a later attempt as an open delivery', async () => {
  const { state: _, ...later } = endedDelivery(webhook, 1, hourAgo());
  await put('deliveries', later);
  await sweep();
  const { sweptThrough, open } = (await mark()) ?? {};
  expect([sweptThrough, open]).toEqual([1, {}]);
});

test('A ping that ends while the sweeper runs keeps its result', async () => {
  const pending = { trigger: 'ping', deliveryStatus: 'pending' } as const;
  await put('deliveries', endedDelivery(webhook, 1, hourAgo(), pending));
  beforeWrite = async (pk) => {
    if (pk !== deliveries.log(webhook.id)) return;
    beforeWrite = async () => {};
    await writeOne(set('deliveries', deliveries.record(webhook.id, 1), { deliveryStatus: 'success' }));
  };
  await sweep();
  const [record] = await recordsOf(webhook.id);
  expect(record).toMatchObject({ deliveryStatus: 'success', errorMessage: null });
});
