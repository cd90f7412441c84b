/** The deliveries that one call of `recover` sends or omits (docs/rules.md#recovery). */
import { expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { listAudit } from '../../../../core/audit/list.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { recorded } from '../../../../core/store/audit-trail.ts';
import { limitsDuringTest } from '../../../support/during-test.ts';
import { outcomes } from '../../../support/outcomes.ts';
import { type Answer, ok, refused } from '../../../support/pipeline.ts';
import { changeWebhook, newOwnWebhook, recordsOf } from '../../../support/pipeline-state.ts';
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

test('The records that a recovery of deliveries adds are numbered without gaps, even if they do not fit into one transaction', async () => {
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
  for (let i = 0; i <= limits.manualFailuresToLeaveOut; i++) {
    await expect(call()).rejects.toMatchObject({ code: 'invalid_state' });
    pipeline.advance(pause);
  }
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
  'Manual attempts %s towards the number after which a recovery leaves out a delivery',
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

test('A recovery does not send a delivery that is still being retried, and counts it once, however many of its attempts failed', async () => {
  const { pipeline, webhook, call } = await missed(1, refused);
  await pipeline.raise(webhook.tenantId);
  await pipeline.run(pipeline.now + 10 * 60_000);
  expect(await call()).toEqual({ matched: 1, stillRetrying: 1, leftOut: 0 });
});

test('Of many concurrent recoveries of one webhook, only one is carried out', async () => {
  const { call } = await missed(20);
  const { won, codes } = await outcomes(Array.from({ length: 10 }, call));
  expect(won).toMatchObject([{ matched: 20 }]);
  expect(codes).toEqual(Array(9).fill('recovery_in_progress'));
});

test('A recovery of failed deliveries that is refused because its period has too many records does not block the next recovery', async () => {
  const { call } = await missed(1);
  const { recordsPerRecovery } = limits;
  limitsDuringTest({ recordsPerRecovery: 0 });
  await expect(call()).rejects.toMatchObject({ code: 'range_too_large' });
  limitsDuringTest({ recordsPerRecovery });
  expect(await call()).toMatchObject({ matched: 1 });
});

test('The audit log has an entry for a recovery that sends a failed delivery again, and none for a refused recovery', async () => {
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
