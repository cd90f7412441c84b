/** What one call of `recover` takes on, with limits that a test can reach. */

import { expect, test, vi } from 'vitest';
import { type Period, recover } from '../../../../core/deliveries/log/recover.ts';
import { newTenant, newWebhook, put, recordsOf, webhookNow } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

vi.mock(import('../../../../contract/limits.ts'), async (original) => {
  const { limits } = await original();
  return { limits: { ...limits, recoveredPerCall: 3 as never, recordsPerRecovery: 6 as never } };
});

const begin = usePipeline();
const everything = { since: '2020-01-01T00:00:00Z' };

async function missed(count: number, apartMs = 0) {
  const pipeline = begin();
  const { tenantId, keyId } = await newTenant(0);
  const webhook = await newWebhook(tenantId, keyId, { status: 'failed' });
  for (let i = 0; i < count; i++) {
    await pipeline.raise(tenantId);
    await pipeline.run(pipeline.now);
    pipeline.advance(apartMs);
  }
  pipeline.advance(3_600_000);
  await put('deliveries', { ...(await webhookNow(webhook)), status: 'active' });
  const call = (period: Period = everything) => recover(keyPrincipal(tenantId, keyId), { id: webhook.id }, period);
  return { id: webhook.id, call, pipeline };
}

test('One recovery redelivers as many failed deliveries as its limit allows', async () => {
  const { call } = await missed(3);
  expect(await call()).toMatchObject({ matched: 3 });
});

test.each([
  ['more failed deliveries', 4, 'One call redelivers at most 3 deliveries'],
  ['more records', 8, 'One call looks through at most 6 records'],
])(
  'A recovery of a period with %s than its limit is refused with advice, and redelivers nothing',
  async (_, count, why) => {
    const { id, call } = await missed(count);
    await expect(call()).rejects.toMatchObject({
      code: 'range_too_large',
      message: expect.stringMatching(new RegExp(`${why}, and .*period.*\\. Choose a shorter period\\.`)),
    });
    expect(await recordsOf(id)).toHaveLength(count);
  },
);

test('Records just outside the period of a recovery do not count towards its limit', async () => {
  const { id, call, pipeline } = await missed(8, 1_000);
  const [first, second, third] = await recordsOf(id);
  const [since, until] = [second?.createdAt ?? '', third?.createdAt ?? ''];
  expect(await call({ since, until: since })).toMatchObject({ matched: 1 });
  pipeline.advance(60_000);
  expect(await call({ since, until })).toMatchObject({ matched: 1 });
  expect(first?.createdAt).not.toBe(since);
});
