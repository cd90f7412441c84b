/** The search for lost deliveries: its permissions, parts of the list that it cannot read, and interrupted pings. */

import { expect, test } from 'vitest';
import { schedules } from '../../../../contract/system/schedules.ts';
import { hourMs } from '../../../../core/clock.ts';
import { ping } from '../../../../core/deliveries/attempt/ping.ts';
import { isRevivalDue, revivedAfterMs } from '../../../../core/deliveries/log/sweep.ts';
import { packHours } from '../../../../core/deliveries/statistics/hours.ts';
import { getItem } from '../../../../core/store/read.ts';
import { set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { type Registration, registrationOf } from '../../../../core/webhooks/registry/registration.ts';
import type { WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { ok, refused } from '../../../support/pipeline.ts';
import { newOwnWebhook, newTenant, recordsOf } from '../../../support/pipeline-state.ts';
import { type Call, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';
import { variedHours } from '../statistics/counted-record.ts';

const begin = usePipeline();
const minute = 60_000;

const registration = (webhook: WebhookItem) => getItem<Registration>('deliveries', deliveries.registration(webhook));

test('If a part of the webhooks cannot be read, the search for lost deliveries checks the others, and ends with an error', async () => {
  const pipeline = begin();
  const tenants = await Promise.all(Array.from({ length: 12 }, () => newTenant(1)));
  const shardOf = (tenant: (typeof tenants)[number]) => tenant.webhooks[0]?.shard ?? -1;
  const [broken = -1] = tenants.map(shardOf);
  for (const { tenantId } of tenants) await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now - 1);
  pipeline.advance(2 * revivedAfterMs);
  const ofShard = ({ operation, input }: Call) =>
    operation === 'Query' && JSON.stringify(input).includes(`"${deliveries.webhookShard(broken)}"`);
  await scripted([{ when: ofShard, fail: 'ProvisionedThroughputExceeded' }], () =>
    expect(pipeline.sweepDeliveries()).rejects.toThrow(String(broken)),
  );
  for (const tenant of tenants) {
    const [webhook] = tenant.webhooks;
    const swept = webhook && (await registration(webhook))?.sweptThrough;
    expect(swept).toBe(shardOf(tenant) === broken ? 0 : 1);
  }
});

test('The scheduled search for lost deliveries marks an interrupted ping as failed, and does not change a finished ping', async () => {
  const pipeline = begin();
  const { key, id } = await newOwnWebhook();
  const records = () => recordsOf(id.id);
  await ping(key, id, {}, async () => ok);
  await expect(ping(key, id, {}, () => Promise.reject(new Error('the end')))).rejects.toThrow();
  expect((await records()).map(({ deliveryStatus }) => deliveryStatus)).toEqual(['success', 'pending']);
  pipeline.advance(revivedAfterMs);
  await pipeline.sweepDeliveries();
  expect((await records()).map(({ deliveryStatus }) => deliveryStatus)).toEqual(['success', 'failed']);
});

test('The function that searches for lost deliveries uses each permission that its IAM policy lists, and no other', async () => {
  const pipeline = begin({ answer: () => refused });
  const { tenantId, webhook } = await newOwnWebhook();
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now + 500);
  pipeline.advance(revivedAfterMs);
  // Its checkpoint cannot hold what it counts now.
  const hour = Math.floor(pipeline.now / hourMs);
  await writeOne(set('deliveries', registrationOf(webhook), { hours: packHours(variedHours(200, hour)) }));
  for (let run = 1; run <= 2; run++) await pipeline.sweepDeliveries();
  const { needs } = schedules.sweepDeliveries;
  expect([...pipeline.actions].filter((action) => action.startsWith('sweepDeliveries')).sort()).toEqual(
    needs.deliveries.map((action) => `sweepDeliveries deliveries ${action}`).sort(),
  );
});

test('If a delivery is overdue, its message is sent again 0.5, 1, 2, 4, 8, 16 and 32 hours after the due time', () => {
  const interval = 15 * minute;
  const turns: number[] = [];
  let revivedAt = 0;
  for (let overdue = interval; overdue <= 48 * 60 * minute; overdue += interval) {
    if (!isRevivalDue(overdue, overdue - revivedAt)) continue;
    revivedAt = overdue;
    turns.push(overdue / minute);
  }
  expect(turns).toEqual([30, 60, 120, 240, 480, 960, 1920]);
});
