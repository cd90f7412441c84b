/** Numbers without a record, or with an expired one, hide nothing from `recover` and from the log's total. */

import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { timestamp } from '../../../../core/clock.ts';
import { listDeliveries } from '../../../../core/deliveries/log/list.ts';
import { type firstNumber, lowestRecord } from '../../../../core/deliveries/log/number-range.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { transact } from '../../../../core/store/transact.ts';
import { remove, set, writeOne } from '../../../../core/store/write.ts';
import { deliveries } from '../../../../core/table-keys.ts';
import { duringTest } from '../../../support/during-test.ts';
import { changeWebhook, newOwnWebhook } from '../../../support/pipeline-state.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

type FirstNumber = typeof firstNumber;

const injected = vi.hoisted(() => ({ firstNumber: undefined as FirstNumber | undefined }));
vi.mock(import('../../../../core/deliveries/log/number-range.ts'), async (original) => {
  const real = await original();
  return { ...real, firstNumber: (...args) => (injected.firstNumber ?? real.firstNumber)(...args) };
});

/** An injected bug: numbers without a record count as expired. */
const missingIsPast: FirstNumber = async (webhookId, lastNumber, isFrom, above = 0) => {
  let before = above;
  let found = lastNumber + 1;
  while (found - before > 1) {
    const middle = Math.floor((before + found) / 2);
    const record = await lowestRecord(webhookId, middle, middle);
    if (record && isFrom(record)) found = middle;
    else before = middle;
  }
  return found;
};

const begin = usePipeline();
const count = 7;
const numbers = Array.from({ length: count }, (_, i) => i + 1);
const hour = 3_600_000;

/** A webhook that was disabled, with a failed record every hour. */
async function webhookWithGaps(missing: readonly number[]) {
  const pipeline = begin();
  const { tenantId, key, id, webhook } = await newOwnWebhook({ status: 'failed' });
  const createdAt: number[] = [];
  for (const _ of numbers) {
    pipeline.advance(hour);
    createdAt.push(pipeline.now);
    await pipeline.raise(tenantId);
    await pipeline.run(pipeline.now);
  }
  pipeline.advance(hour);
  await changeWebhook(webhook, { status: 'active' });
  if (missing.length > 0) {
    await transact(missing.map((number) => remove('deliveries', deliveries.record(id.id, number))));
  }
  /** Waits until `recover` is allowed again. */
  const wait = () => pipeline.advance(limits.recoveryPauseSeconds * 1_000);
  return { key, id, createdAt, wait };
}

const holes = [[1], [4], [7], [1, 2], [4, 5, 6], [2, 4, 6], numbers].map(
  (missing) => [missing.join(', '), missing] as const,
);

test.each(holes)(
  'A recovery of failed deliveries finds all that are stored, even if the delivery records with the numbers %s are missing',
  async (_, missing) => {
    const one = await webhookWithGaps(missing);
    for (const [i, at] of one.createdAt.entries()) {
      const period = { since: timestamp(at), until: timestamp(at + hour / 2) };
      expect(await recover(one.key, one.id, period)).toMatchObject({ matched: missing.includes(i + 1) ? 0 : 1 });
      one.wait();
    }
    const { key, id } = await webhookWithGaps(missing);
    const { matched } = await recover(key, id, { since: '2020-01-01T00:00:00Z' });
    expect(matched).toBe(count - missing.length);
  },
);

test('Negative control: if a missing delivery record counts as expired, a recovery of failed deliveries misses some of them', async () => {
  duringTest(injected, { firstNumber: missingIsPast });
  const { key, id } = await webhookWithGaps([4]);
  const { matched } = await recover(key, id, { since: '2020-01-01T00:00:00Z' });
  expect(matched).toBeLessThan(count - 1);
});

/** The total of a list of which the first record has expired, and another one is missing. */
async function totalWithout(missing: number): Promise<number> {
  const { key, id } = await webhookWithGaps([missing]);
  await writeOne(set('deliveries', deliveries.record(id.id, 1), { expiresAtSeconds: 1 }));
  return (await listDeliveries(key, id, {})).total;
}

test('If the record of a delivery is not yet written, the total of a list of deliveries still includes the earlier deliveries', async () => {
  for (const missing of [3, 6]) expect(await totalWithout(missing), `${missing}`).toBe(count - 1);
});

test('Negative control: if a missing delivery record counts as expired, the total of the list leaves out all earlier records', async () => {
  duringTest(injected, { firstNumber: missingIsPast });
  expect(await totalWithout(4)).toBeLessThan(count - 1);
});
