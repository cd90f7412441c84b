/**
 * Sending by hand has its bounds (docs/rules.md#recovery). Sixty calls a minute on five thousand deliveries are in
 * `test/simulation/recover.test.ts`.
 */

import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import type { ApiError } from '../../../../core/errors.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { refused } from '../../../support/pipeline.ts';
import { newTenant, newWebhook, put, webhookNow } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

vi.setConfig({ testTimeout: 120_000 });

const begin = usePipeline();

/** A webhook that missed some events while it was off, and whose receiver refuses everything now. */
async function scene(missed: number) {
  const pipeline = begin({ answer: () => refused });
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, { status: 'failed' });
  for (let i = 0; i < missed; i++) await pipeline.raise(tenantId);
  await pipeline.run();
  await put('deliveries', { ...(await webhookNow(webhook)), status: 'active' });
  const key = keyPrincipal(tenantId, keyId);
  const call = (since = '2020-01-01T00:00:00Z', until?: string) => recover(key, { id: webhook.id }, { since, until });
  return { pipeline, key, webhook, call };
}

test('Of many concurrent recoveries of one webhook, only one is carried out', async () => {
  const { call } = await scene(20);
  const ends = await Promise.allSettled(Array.from({ length: 10 }, () => call()));
  const answered = ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  expect(answered).toMatchObject([{ matched: 20 }]);
  const codes = ends.flatMap((end) => (end.status === 'rejected' ? [(end.reason as ApiError).code] : []));
  expect(codes).toEqual(Array(9).fill('recovery_in_progress'));
});

test('The next recovery may begin a minute after the last response, and leaves out deliveries with three failed manual attempts', async () => {
  const { pipeline, call } = await scene(5);
  for (const matched of [5, 5, 5, 0]) {
    expect(await call()).toMatchObject({ matched });
    await pipeline.run(pipeline.now);
    pipeline.advance(limits.recoveryPauseSeconds * 1_000 - 1);
    await expect(call()).rejects.toMatchObject({ code: 'recovery_in_progress', extras: { retryAfter: 1 } });
    pipeline.advance(1);
  }
});

test('A recovery that is refused does not block the next recovery', async () => {
  const { call } = await scene(1);
  vi.spyOn(limits as { recordsPerRecovery: number }, 'recordsPerRecovery', 'get').mockReturnValue(0);
  await expect(call()).rejects.toMatchObject({ code: 'range_too_large' });
  vi.restoreAllMocks();
  expect(await call()).toMatchObject({ matched: 1 });
});

test('A recovery that never ended blocks further recoveries only until its lease expires', async () => {
  const { pipeline, call, key, webhook } = await scene(1);
  const ends = pipeline.now + (limits.recoverySeconds + limits.recoveryPauseSeconds) * 1_000;
  await put('deliveries', { ...deliveries.recovery(key.tenantId, webhook.id), until: ends });
  pipeline.advance(ends - pipeline.now - 1);
  await expect(call()).rejects.toMatchObject({ code: 'recovery_in_progress' });
  pipeline.advance(1);
  expect(await call()).toMatchObject({ matched: 1 });
});
