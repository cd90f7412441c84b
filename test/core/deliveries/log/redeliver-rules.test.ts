/** What one more attempt by hand is refused for, and what is on record of it (docs/rules.md#redelivery). */

import { afterEach, expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { redeliver } from '../../../../core/deliveries/log/redeliver.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { endedDelivery } from '../../../support/delivery-records.ts';
import { interfering } from '../../../support/interfere.ts';
import { newTenant, newWebhook, put, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
afterEach(() => vi.restoreAllMocks());

async function scene(changes: Partial<DeliveryItem> = {}) {
  const pipeline = begin();
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, { lastNumber: 1 });
  const first = endedDelivery(webhook, 1, pipeline.now, changes);
  await put('deliveries', first);
  const key = keyPrincipal(tenantId, keyId);
  const { id } = webhook;
  return {
    pipeline,
    key,
    webhook,
    first,
    call: (deliveryId = first.deliveryId) => redeliver(key, { id, deliveryId }),
    records: () => recordsOf(id),
  };
}

test.each<[string, Partial<DeliveryItem>, RegExp]>([
  ['has another attempt to come', { state: 'retrying' }, /^The delivery has not ended: another attempt/],
  ['was not attempted yet', { state: 'pending' }, /^The delivery has not ended/],
  ['had ten manual attempts', { redeliveries: limits.manualAttemptsPerDelivery }, /had 10 manual attempts/],
])('Redelivering a delivery that %s is refused with the reason', async (_, changes, why) => {
  const { call, records } = await scene(changes);
  await expect(call()).rejects.toMatchObject({ code: 'invalid_state', message: expect.stringMatching(why) });
  expect(await records()).toHaveLength(1);
});

test('A delivery shows every manual attempt and counts the failed manual attempts', async () => {
  const { call, records, first } = await scene({ redeliveries: limits.manualAttemptsPerDelivery - 2 });
  const { deliveryId } = first;
  expect(await call()).toMatchObject({ id: 2, deliveryId, attemptNumber: 2, trigger: 'manual' });
  const [one, two] = await records();
  expect(one).toMatchObject({
    attempts: 2,
    laterRecords: [2],
    lastRedelivery: 2,
    redeliveries: 9,
    failedRedeliveries: 0,
  });
  await put('deliveries', { ...two, state: 'failed', deliveryStatus: 'failed' });
  expect(await call()).toMatchObject({ id: 3, attemptNumber: 3 });
  expect((await records())[0]).toMatchObject({
    attempts: 3,
    laterRecords: [2, 3],
    lastRedelivery: 3,
    redeliveries: 10,
    failedRedeliveries: 1,
  });
});

test('A delivery can be redelivered when the record of its last manual attempt has expired', async () => {
  const { call } = await scene({ lastRedelivery: 9, laterRecords: [9], attempts: 2 });
  expect(await call()).toMatchObject({ attemptNumber: 3 });
});

test('A redelivery takes an attempt that is recorded concurrently into account', async () => {
  const { call, first } = await scene();
  const changed = put.bind(undefined, 'deliveries', { ...first, attempts: 4 });
  const record = await interfering({ when: (writes) => writes.length > 1, first: changed }, () => call());
  expect(record).toMatchObject({ attemptNumber: 5 });
});
