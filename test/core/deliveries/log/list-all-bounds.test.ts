import { beforeEach, describe, expect, test } from 'vitest';
import { timestamp } from '../../../../core/clock.ts';
import { writeCursor } from '../../../../core/cursor.ts';
import { type DeliveriesQuery, listAllDeliveries } from '../../../../core/deliveries/log/list-all.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import type { Pipeline } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put } from '../../../support/pipeline-state.ts';
import { ownerPrincipal } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const minute = 60_000;
let pipeline: Pipeline;
/** Reads of logs: the number that each begins with. */
let reads: number[];

beforeEach(() => {
  pipeline = begin();
  reads = [];
  scriptTest([
    {
      before: ({ input: { ExpressionAttributeValues } }) => {
        const { ':log': log, ':last': last } = ExpressionAttributeValues ?? {};
        if (log && last) reads.push(Number(last.slice(2)));
      },
    },
  ]);
});

/** A business whose webhooks have so many records each, one a minute until now. */
async function scene(counts: readonly number[], change: (number: number) => Partial<DeliveryItem> = () => ({})) {
  const { tenantId, keyId } = await newTenant(0);
  const webhooks = [];
  for (const count of counts) {
    const webhook = await newWebhook(tenantId, keyId, { lastNumber: count });
    webhooks.push(webhook);
    const numbers = Array.from({ length: count }, (_, i) => i + 1);
    await Promise.all(
      numbers.map((number) => {
        const at = pipeline.now - (count - number) * minute;
        return put('deliveries', endedDelivery(webhook, number, at, change(number)));
      }),
    );
  }
  const owner = ownerPrincipal(tenantId);
  const list = (query: DeliveriesQuery) => listAllDeliveries(owner, query);
  return { owner, webhooks, list, ids: async (query: DeliveriesQuery) => (await list(query)).data.map(({ id }) => id) };
}

test('A list of deliveries for a period includes its first moment and excludes its last', async () => {
  const { ids, list } = await scene([9]);
  const at = (number: number) => timestamp(pipeline.now - (9 - number) * minute);
  expect(await ids({ from: at(3), to: at(6) })).toEqual([5, 4, 3]);
  expect(await ids({ from: at(3), to: at(3) })).toEqual([]);
  expect(await ids({ to: at(3) })).toEqual([2, 1]);
  expect(await ids({ from: at(8) })).toEqual([9, 8]);
  expect(await ids({ to: at(9) })).toEqual([8, 7, 6, 5, 4, 3, 2, 1]);
  await expect(list({ from: at(4), to: at(3) })).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'to', message: 'must not be before from' }] },
  });
});

test('A delivery record is listed by the time it was written, even if its number was taken earlier', async () => {
  const at = (number: number) => timestamp(pipeline.now - (9 - number) * minute);
  const { ids } = await scene([9], (number) => (number === 4 ? { createdAt: at(6) } : {}));
  expect(await ids({ to: at(6) })).toEqual([5, 3, 2, 1]);
  expect(await ids({ from: at(6) })).toEqual([9, 8, 7, 6, 4]);
});

test('A list of deliveries for a past period reads no later records', async () => {
  const { ids } = await scene([64]);
  const at = (number: number) => timestamp(pipeline.now - (64 - number) * minute);
  for (const number of [10, 64]) {
    reads.length = 0;
    expect((await ids({ to: at(number), limit: 3 }))[0]).toBe(number - 1);
    expect(reads[0]).toBe(number - 1);
  }
});

describe('forged cursors', () => {
  test.each(['', '1', '.', '0.1', '-1.1', '1.0', '1.-1', '.1', '1.', '!.1', '1.!'])(
    'A forged cursor of the list of all deliveries is refused: "%s"',
    async (place) => {
      const { owner, list } = await scene([1]);
      const cursor = writeCursor({ tenantId: owner.tenantId, list: 'deliveries' }, place);
      await expect(list({ cursor })).rejects.toMatchObject({ code: 'validation_failed' });
    },
  );

  test('A forged cursor into the deliveries of another business shows none of them', async () => {
    const { owner, webhooks, list } = await scene([2]);
    const other = await scene([2]);
    const id = (one: typeof other) => one.webhooks[0]?.id.toString(36);
    const cursor = (place: string) => writeCursor({ tenantId: owner.tenantId, list: 'deliveries' }, place);
    expect(await list({ cursor: cursor(`${id(other)}.2`) })).toEqual({ data: [], nextCursor: null });
    expect(reads).toEqual([]);
    // What the log has not come to yet is not waited for.
    const [own] = webhooks;
    if (!own) throw new Error('There is a webhook');
    await put('deliveries', endedDelivery(own, 9, pipeline.now));
    const { data } = await list({ cursor: cursor(`${own.id.toString(36)}.9`) });
    expect(data.map((record) => record.id)).toEqual([2, 1]);
  });
});
