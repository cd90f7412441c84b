/** What recovery makes of deliveries that were not sent because their webhook was disabled (docs/rules.md#recovery). */
import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { refused } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const everything = { since: '2020-01-01T00:00:00Z' };

/** A webhook that was disabled when its only event was planned. */
async function skipped(answer?: typeof refused) {
  const pipeline = begin(answer && { answer: () => answer });
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, { status: 'failed' });
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now);
  const call = () => {
    pipeline.advance((limits.recoveryPauseSeconds + 1) * 1_000);
    return recover(keyPrincipal(tenantId, keyId), { id: webhook.id }, everything);
  };
  const become = async (status: 'active' | 'failed') =>
    put('deliveries', { ...(await webhookNow(webhook)), status, consecutiveFailures: 0 });
  return { pipeline, webhook, call, become };
}

test('The recovery of a disabled webhook is refused, and works once the webhook is active', async () => {
  const { pipeline, webhook, call, become } = await skipped();
  for (let i = 0; i <= limits.manualFailuresToLeaveOut; i++) {
    await expect(call()).rejects.toMatchObject({ code: 'invalid_state' });
  }
  expect(await recordsOf(webhook.id)).toHaveLength(1);
  await become('active');
  expect(await call()).toEqual({ matched: 1, stillRetrying: 0 });
  await pipeline.run(pipeline.now);
  expect(pipeline.posts).toHaveLength(1);
});

test.each([
  ['fell due on a disabled webhook do not count', true, 1],
  ['negative control: were refused by the receiver count', false, 0],
] as const)(
  'Manual attempts that %s towards the limit after which a recovery leaves a delivery out',
  async (_, disables, matched) => {
    const { pipeline, call, become } = await skipped(refused);
    for (let i = 0; i < limits.manualFailuresToLeaveOut; i++) {
      await become('active');
      expect(await call()).toMatchObject({ matched: 1 });
      if (disables) await become('failed');
      await pipeline.run(pipeline.now);
    }
    await become('active');
    expect(await call()).toMatchObject({ matched });
  },
);

test('A recovery reports deliveries that are still being retried separately and does not send them again', async () => {
  const { pipeline, webhook, call, become } = await skipped(refused);
  await become('active');
  await pipeline.raise(webhook.tenantId);
  await pipeline.run(pipeline.now);
  expect(await call()).toEqual({ matched: 1, stillRetrying: 1 });
});
