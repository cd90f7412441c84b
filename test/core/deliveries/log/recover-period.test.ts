/** The deliveries that one call of `recover` selects from a period, exact to the record and the millisecond. */
import { beforeEach, expect, test } from 'vitest';
import { timestamp } from '../../../../core/clock.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { redeliveryOf } from '../../../../core/deliveries/model/delivery-record.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { limitsDuringTest } from '../../../support/during-test.ts';
import { newOwnWebhook, put, recordsOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
beforeEach(() => limitsDuringTest({ recoveredPerCall: 3, recordsPerRecovery: 6 }));

const minute = 60_000;
const failed = { state: 'failed' } as const;

/** Numbers from 1 on, one a minute, until an hour ago. */
async function seedRecords(numbers: number, changes: Readonly<Record<number, Partial<DeliveryItem>>>) {
  const pipeline = begin();
  const { key, id, webhook } = await newOwnWebhook({ lastNumber: numbers });
  const at = (number: number) => pipeline.now - 60 * minute - (numbers - number) * minute;
  for (let number = 1; number <= numbers; number++) {
    await put('deliveries', endedDelivery(webhook, number, at(number), changes[number]));
  }
  return {
    pipeline,
    webhook,
    at,
    call: (since: number, until?: number) =>
      recover(key, id, { since: timestamp(since), ...(until !== undefined && { until: timestamp(until) }) }),
    /** The numbers of the deliveries that were sent again. */
    sentAgain: async () => {
      const all = await recordsOf(webhook.id);
      const again = all.filter(({ trigger }) => trigger === 'manual').map(({ deliveryId }) => deliveryId);
      return all.filter((one) => one.trigger === 'scheduled' && again.includes(one.deliveryId)).map(({ id }) => id);
    },
  };
}

test('A recovery of a webhook includes deliveries from the first and the last moment of its period', async () => {
  const { at, call, sentAgain } = await seedRecords(5, { 1: failed, 2: failed, 4: failed, 5: failed });
  expect(await call(at(2), at(4))).toMatchObject({ matched: 2 });
  expect(await sentAgain()).toEqual([2, 4]);
});

test('The period of a recovery of failed deliveries may begin and end at the same time, but must not end before it begins', async () => {
  const { at, call, sentAgain } = await seedRecords(3, { 1: failed, 2: failed, 3: failed });
  await expect(call(at(2), at(2) - 1)).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'until', message: 'must not be before since' }] },
  });
  expect(await call(at(2), at(2))).toMatchObject({ matched: 1 });
  expect(await sentAgain()).toEqual([2]);
});

test.each([
  ['that must read the maximum number of records is carried out', 3, 9, 0, { matched: 3 }],
  ['that must read one record more than the maximum is refused', 2, 9, 0, 'range_too_large'],
  ['that exceeds the maximum by a record in the last millisecond of its period is refused', 3, 9, 1, 'range_too_large'],
])('A recovery of failed deliveries %s', async (_, from, to, moreMs, end) => {
  const { at, call } = await seedRecords(12, { 4: failed, 6: failed, 8: failed });
  const called = call(at(from), at(to) + moreMs);
  if (typeof end === 'string') await expect(called).rejects.toMatchObject({ code: end });
  else expect(await called).toMatchObject(end);
});

test('A recovery of more failed deliveries than allowed is refused, and a recovery of exactly the allowed number is carried out', async () => {
  const { at, call } = await seedRecords(4, { 1: failed, 2: failed, 3: failed, 4: failed });
  await expect(call(at(1), at(4))).rejects.toMatchObject({ code: 'range_too_large' });
  expect(await call(at(1), at(3))).toMatchObject({ matched: 3 });
});

test.each<[string, string, Partial<DeliveryItem>, DeliveryItem['state'] | undefined, boolean]>([
  ['sends again', 'had no manual attempt', {}, undefined, true],
  ['sends again', 'failed in two manual attempts', { failedRedeliveries: 2 }, undefined, true],
  ['leaves out', 'failed in three manual attempts', { failedRedeliveries: 3 }, undefined, false],
  ['sends again', 'failed in two manual attempts, one not counted yet', { failedRedeliveries: 1 }, 'failed', true],
  ['leaves out', 'failed in three manual attempts, one not counted yet', { failedRedeliveries: 2 }, 'failed', false],
  ['sends again', 'had nine manual attempts, the last of which failed', { redeliveries: 9 }, 'failed', true],
  ['leaves out', 'had ten manual attempts, the last of which failed', { redeliveries: 10 }, 'failed', false],
  ['leaves out', 'succeeded in a manual attempt', {}, 'success', false],
  ['leaves out', 'has a pending manual attempt', {}, 'pending', false],
])('A recovery of a webhook %s a failed delivery that %s', async (_result, _history, counts, newest, isRecovered) => {
  const lastRedelivery = newest && 2;
  const { pipeline, at, webhook, call } = await seedRecords(2, {
    1: { ...failed, ...counts, ...(lastRedelivery && { lastRedelivery, laterRecords: [lastRedelivery] }) },
  });
  if (newest) {
    const [first] = await recordsOf(webhook.id);
    const again = redeliveryOf(first as DeliveryItem, 2, at(2));
    await put('deliveries', { ...again, state: newest, deliveryStatus: newest });
  }
  const { calls } = scriptTest();
  expect(await call(at(1), pipeline.now)).toMatchObject({ matched: isRecovered ? 1 : 0 });
  // The lease is an update, and a redelivery puts a record.
  const written = calls.flatMap(({ input }) => input.TransactItems ?? []);
  expect(written.some(({ Put }) => Put)).toBe(isRecovered);
});

test('A request to send all failed deliveries again includes those that an eventually consistent read would miss', async () => {
  const { at, call } = await seedRecords(9, { 4: failed, 6: failed, 9: failed });
  scriptTest([
    { when: ({ operation, input }) => operation === 'Query' && !input.ConsistentRead, answer: () => ({ Items: [] }) },
  ]);
  expect(await call(at(4), at(9))).toMatchObject({ matched: 3 });
});

test('A recovery of a webhook leaves out a delivery that is deleted during the recovery', async () => {
  const { at, call, webhook, sentAgain } = await seedRecords(2, { 1: failed, 2: failed });
  const removed = () => transact([remove('deliveries', deliveries.record(webhook.id, 1))]);
  scriptTest([{ when: 'BatchGetItem', nth: 1, before: removed }]);
  expect(await call(at(1), at(2))).toMatchObject({ matched: 1 });
  expect(await sentAgain()).toEqual([2]);
});
