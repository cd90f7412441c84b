/** The deliveries that one call of `recover` sends, exact to the record and the millisecond (docs/rules.md#recovery). */
import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { listAudit } from '../../../../core/audit/list.ts';
import { timestamp } from '../../../../core/clock.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { type DeliveryItem, redeliveryOf } from '../../../../core/deliveries/model/delivery-record.ts';
import { fail } from '../../../../core/errors.ts';
import { recorded } from '../../../../core/store/audit-trail.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { limitsDuringTest } from '../../../support/during-test.ts';
import { outcomes } from '../../../support/outcomes.ts';
import { type Answer, ok, refused } from '../../../support/pipeline.ts';
import { changeWebhook, newOwnWebhook, put, recordsOf } from '../../../support/pipeline-state.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const everything = { since: '2020-01-01T00:00:00Z' };

/** A webhook that was disabled when its events were planned, and is active again. */
async function missed(events: number, answer: Answer = ok) {
  const pipeline = begin();
  pipeline.answer = answer;
  const { key, id, tenantId, webhook } = await newOwnWebhook({ status: 'failed' });
  await pipeline.raiseMany(tenantId, events);
  await pipeline.run();
  const become = (status: 'active' | 'failed') => changeWebhook(webhook, { status, consecutiveFailures: 0 });
  await become('active');
  return { pipeline, key, id, webhook, become, call: () => recover(key, id, everything) };
}

const pause = limits.recoveryPauseSeconds * 1_000;
const inProgress = (retryAfter: number) => ({ code: 'recovery_in_progress', extras: { retryAfter } });

test('The records that a recovery adds are numbered without gaps, even if they do not fit into one transaction', async () => {
  const { pipeline, key, id, webhook, call } = await missed(120);
  expect(await call()).toMatchObject({ matched: 120 });
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(120);
  const all = await recordsOf(webhook.id);
  expect(all.map(({ id: number }) => number)).toEqual(Array.from({ length: 240 }, (_, i) => i + 1));
  expect(await listDeliveries(key, id, {})).toMatchObject({ total: 240 });
});

test('Failed deliveries of a disabled webhook cannot be recovered until the webhook is active again', async () => {
  const { pipeline, webhook, call, become } = await missed(1);
  await become('failed');
  await expect(call()).rejects.toMatchObject({ code: 'invalid_state' });
  expect(await recordsOf(webhook.id)).toHaveLength(1);
  await become('active');
  expect(await call()).toEqual({ matched: 1, stillRetrying: 0, leftOut: 0 });
  await pipeline.run(pipeline.now);
  expect(pipeline.posts).toHaveLength(1);
});

test.each([
  ['that fell due while the webhook was disabled do not count', true, 1],
  ['that got an error response count', false, 0],
] as const)(
  'A recovery of failed deliveries skips a delivery after too many manual attempts with error responses (attempts %s)',
  async (_, disables, matched) => {
    const { pipeline, call, become } = await missed(1, refused);
    for (let i = 0; i < limits.manualFailuresToLeaveOut; i++) {
      await become('active');
      expect(await call()).toMatchObject({ matched: 1 });
      if (disables) await become('failed');
      await pipeline.run(pipeline.now);
      pipeline.advance(pause);
    }
    await become('active');
    expect(await call()).toMatchObject({ matched, leftOut: 1 - matched });
  },
);

test('A recovery of failed deliveries leaves out a delivery that is still being retried, and counts it once as `stillRetrying`', async () => {
  const { pipeline, webhook, call } = await missed(1, refused);
  await pipeline.raise(webhook.tenantId);
  await pipeline.run(pipeline.now + 10 * 60_000);
  expect(await call()).toEqual({ matched: 1, stillRetrying: 1, leftOut: 0 });
});

test('Of many concurrent recoveries of one webhook, only one is carried out, and the next may begin after a pause', async () => {
  const { call, pipeline } = await missed(20);
  const { won, codes } = await outcomes(Array.from({ length: 10 }, call));
  expect(won).toMatchObject([{ matched: 20 }]);
  expect(codes).toEqual(Array(9).fill('recovery_in_progress'));
  pipeline.advance(pause - 1);
  await expect(call()).rejects.toMatchObject({ code: 'recovery_in_progress' });
  pipeline.advance(1);
  expect(await call()).toMatchObject({ matched: 0 });
});

test.each([
  ['an unexpected error', new Error('broken')],
  ['an unavailable database', fail('temporarily_unavailable')],
])(
  'If a recovery of failed deliveries ends with an error, the next recovery may begin after the usual pause (%s)',
  async (_, error) => {
    const { pipeline, call } = await missed(1);
    const script = scriptTest([{ when: 'Query', fail: () => error }]);
    await expect(call()).rejects.toBe(error);
    script.end();
    pipeline.advance(pause - 1_500);
    await expect(call()).rejects.toMatchObject(inProgress(2));
    pipeline.advance(1_499);
    await expect(call()).rejects.toMatchObject(inProgress(1));
    pipeline.advance(1);
    expect(await call()).toMatchObject({ matched: 1 });
  },
);

test('A recovery of failed deliveries that does not end blocks other recoveries of its webhook only for a limited time', async () => {
  const { pipeline, call } = await missed(1);
  /** Begins a recovery, and returns the function that ends it. */
  const begun = async () => {
    const [begin, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const hold = () => {
      begin.resolve();
      return end.promise;
    };
    scriptTest([{ when: 'BatchGetItem', nth: 1, before: hold }]);
    const recovery = call();
    await begin.promise;
    return () => {
      end.resolve();
      return recovery;
    };
  };
  const endFirst = await begun();
  // Three seconds more than the recovery and the pause.
  const longest = limits.recoverySeconds * 1_000 + pause + 3_000;
  pipeline.advance(longest - 1);
  await expect(call()).rejects.toMatchObject(inProgress(1));
  pipeline.advance(1);
  const endSecond = await begun();
  await endFirst();
  await expect(call()).rejects.toMatchObject(inProgress(longest / 1_000));
  await endSecond();
  await expect(call()).rejects.toMatchObject(inProgress(pause / 1_000));
});

test('A recovery of failed deliveries returns its result even if the database cannot store the end of the recovery', async () => {
  const { key, id, call } = await missed(1);
  const removed = () => transact([remove('deliveries', deliveries.recovery(key.tenantId, id.id))]);
  const script = scriptTest([{ when: 'UpdateItem', before: removed }]);
  expect(await call()).toMatchObject({ matched: 1 });
  script.end();
  scriptTest([{ when: 'UpdateItem', fail: 'AccessDeniedException' }]);
  expect(await call()).toMatchObject({ matched: 0 });
});

test('A recovery of a period with too many records is refused without an audit log entry, and the next may begin at once', async () => {
  const { call, key } = await missed(1);
  const change = { principal: key, operation: 'POST /v1/integration/webhooks/:id/recover', fields: ['since'] };
  const entries = async () => (await listAudit(key, {})).data;
  const { recordsPerRecovery } = limits;
  limitsDuringTest({ recordsPerRecovery: 0 });
  await expect(recorded(change, call)).rejects.toMatchObject({ code: 'range_too_large' });
  limitsDuringTest({ recordsPerRecovery });
  expect(await entries()).toEqual([]);
  expect(await recorded(change, call)).toMatchObject({ matched: 1 });
  expect(await entries()).toMatchObject([{ operation: change.operation, fields: ['since'] }]);
});

const minute = 60_000;
const failed = { state: 'failed' } as const;

/** Numbers from 1 on, one a minute, until an hour ago. A recovery sends at most three, and reads at most six. */
async function seedRecords(numbers: number, changes: Readonly<Record<number, Partial<DeliveryItem>>>) {
  limitsDuringTest({ recoveredPerCall: 3, recordsPerRecovery: 6 });
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
    /** The numbers of the deliveries that were sent again. The record of each names the record of its new attempt. */
    sentAgain: async () => {
      const all = await recordsOf(webhook.id);
      const isManual = (deliveryId: string, number?: number) =>
        all.some((one) => one.trigger === 'manual' && one.deliveryId === deliveryId && one.id === number);
      return all.filter((one) => isManual(one.deliveryId, one.lastRedelivery)).map(({ id }) => id);
    },
  };
}

test('A recovery of failed deliveries includes deliveries from the first and the last moment of its period', async () => {
  const { at, call, sentAgain } = await seedRecords(5, { 1: failed, 2: failed, 4: failed, 5: failed });
  expect(await call(at(2), at(4))).toMatchObject({ matched: 2 });
  expect(await sentAgain()).toEqual([2, 4]);
});

test('A recovery of failed deliveries selects deliveries by `createdAt`, even if their numbers are in another order', async () => {
  const { at, webhook, call, sentAgain } = await seedRecords(9, {});
  for (const number of [1, 9]) await put('deliveries', endedDelivery(webhook, number, at(5), failed));
  expect(await call(at(5), at(5))).toMatchObject({ matched: 2 });
  expect(await sentAgain()).toEqual([1, 9]);
});

test('A recovery of failed deliveries is refused if its period begins in the future or ends before its beginning', async () => {
  const { pipeline, at, call, sentAgain } = await seedRecords(3, { 1: failed, 2: failed, 3: failed });
  await expect(call(at(2), at(2) - 1)).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'until', message: 'must not be before since' }] },
  });
  await expect(call(pipeline.now + 1)).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'since', message: 'must not be in the future' }] },
  });
  // The refused requests do not block the next recovery.
  expect(await call(at(2), at(2))).toMatchObject({ matched: 1 });
  expect(await sentAgain()).toEqual([2]);
});

test.each([
  ['that must read the maximum number of records is carried out', 3, 9, 0, { matched: 3 }],
  ['that must read one record more than the maximum is refused', 2, 9, 0, 'range_too_large'],
  ['that exceeds the maximum by a record in the last millisecond of its period is refused', 3, 9, 1, 'range_too_large'],
])('A recovery of failed deliveries reads a limited number of records (one %s)', async (_, from, to, moreMs, end) => {
  const { at, call } = await seedRecords(12, { 4: failed, 6: failed, 8: failed });
  const called = call(at(from), at(to) + moreMs);
  if (typeof end === 'string') await expect(called).rejects.toMatchObject({ code: end });
  else expect(await called).toMatchObject(end);
});

test('The delivery numbers that a failover skipped do not count as records for the limit of a recovery of failed deliveries', async () => {
  const { at, webhook, call, sentAgain } = await seedRecords(5, { 2: failed, 5: failed });
  await changeWebhook(webhook, { lastNumber: 1_005, gaps: [[6, 1_005, at(5)]] });
  expect(await call(at(1))).toMatchObject({ matched: 2 });
  expect(await sentAgain()).toEqual([2, 5]);
});

test('Expired delivery records that DynamoDB has not deleted yet do not count towards the limit of a recovery', async () => {
  const old = { ...failed, expiresAtSeconds: 1 };
  const { at, call, sentAgain } = await seedRecords(9, { 1: old, 2: old, 3: old, 4: failed });
  expect(await call(at(1))).toMatchObject({ matched: 1 });
  expect(await sentAgain()).toEqual([4]);
});

test('A recovery of more failed deliveries than allowed is refused, and a recovery of exactly the allowed number is carried out', async () => {
  const { at, call } = await seedRecords(4, { 1: failed, 2: failed, 3: failed, 4: failed });
  await expect(call(at(1), at(4))).rejects.toMatchObject({ code: 'range_too_large' });
  expect(await call(at(1), at(3))).toMatchObject({ matched: 3 });
});

test('Failed deliveries whose redelivery was successful do not count towards the maximum of a recovery', async () => {
  const { at, webhook, call, sentAgain } = await seedRecords(5, { 1: failed, 2: failed, 3: failed, 4: failed });
  const [first] = await recordsOf(webhook.id);
  await put('deliveries', { ...(first as DeliveryItem), lastRedelivery: 5, laterRecords: [5] });
  await put('deliveries', { ...redeliveryOf(first as DeliveryItem, 5, at(5)), state: 'success' });
  expect(await call(at(1), at(4))).toMatchObject({ matched: 3, leftOut: 0 });
  // The first one was sent again before this recovery.
  expect(await sentAgain()).toEqual([1, 2, 3, 4]);
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
])(
  'Earlier manual attempts decide whether a recovery of failed deliveries sends a delivery again (it %s a delivery that %s)',
  async (_result, _history, counts, newest, isRecovered) => {
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
  },
);

test('A recovery of failed deliveries includes deliveries that an eventually consistent read would miss', async () => {
  const { at, call } = await seedRecords(9, { 4: failed, 6: failed, 9: failed });
  scriptTest([
    { when: ({ operation, input }) => operation === 'Query' && !input.ConsistentRead, answer: () => ({ Items: [] }) },
  ]);
  expect(await call(at(4), at(9))).toMatchObject({ matched: 3 });
});

test('A recovery of failed deliveries skips a delivery that is deleted during the recovery', async () => {
  const { at, call, webhook, sentAgain } = await seedRecords(2, { 1: failed, 2: failed });
  const removed = () => transact([remove('deliveries', deliveries.record(webhook.id, 1))]);
  scriptTest([{ when: 'BatchGetItem', nth: 1, before: removed }]);
  expect(await call(at(1), at(2))).toMatchObject({ matched: 1 });
  expect(await sentAgain()).toEqual([2]);
});
