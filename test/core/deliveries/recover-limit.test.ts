/** What one call of `recover` takes on, with limits that a test can reach. */
import { expect, test, vi } from 'vitest';
import { recover } from '../../../core/deliveries/recover.ts';
import { newTenant, newWebhook, recordsOf } from '../../support/pipeline.ts';
import { usePipeline } from '../../support/pipeline-bench.ts';

vi.mock(import('../../../contract/limits.ts'), async (original) => {
  const { limits } = await original();
  return { limits: { ...limits, recoveredPerCall: 3 as never, recordsPerRecovery: 6 as never } };
});

const begin = usePipeline();
const everything = { since: '2020-01-01T00:00:00Z' };

async function missed(count: number) {
  const pipeline = begin();
  const { businessId, keyId } = await newTenant(0);
  const webhook = await newWebhook(businessId, keyId, { status: 'failed' });
  for (let i = 0; i < count; i++) await pipeline.raise(businessId);
  await pipeline.run();
  return { id: webhook.id, call: () => recover({ businessId, id: keyId }, { id: webhook.id }, everything) };
}

test('as many failed deliveries as one call may redeliver are redelivered', async () => {
  const { call } = await missed(3);
  expect(await call()).toEqual({ matched: 3 });
});

test.each([
  ['more failed deliveries', 4],
  ['more records', 8],
])('a period with %s than one call looks at is refused in words that help, and redelivers none', async (_, count) => {
  const { id, call } = await missed(count);
  await expect(call()).rejects.toMatchObject({
    code: 'range_too_large',
    message: expect.stringContaining('at most 3 deliveries. Choose a shorter period'),
  });
  expect(await recordsOf(id)).toHaveLength(count);
});
