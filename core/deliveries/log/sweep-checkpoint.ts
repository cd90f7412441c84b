/** Keeps how far the sweeper got in a webhook's log, and what it counted there. */
import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../../contract/limits.ts';
import { transact } from '../../store/transact.ts';
import { putNew, set, writeOne } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { Registration, SweepCheckpoint } from '../../webhooks/registry/registration.ts';
import type { Counter } from '../statistics/counter.ts';

const dayMs = 86_400_000;

/**
 * One write, unless nothing is new or the webhook is gone; a transaction when hours leave the checkpoint. It replaces the
 * checkpoint that was read and no other, so that nothing is counted twice, however many sweepers run. What is refused is
 * swept and counted again.
 */
export async function saveCheckpoint(
  before: Registration,
  swept: SweepCheckpoint,
  counter: Counter,
  at: number,
): Promise<void> {
  const { id, sweptThrough, open = {}, countedAt } = before;
  const isAsBefore = isDeepStrictEqual(swept, { sweptThrough, open }) && !counter.hasMoved;
  if (isAsBefore) return;
  const { checkpoint: counted, segment } = counter.next(at);
  const update = set('deliveries', before, { ...swept, ...counted }, { countedAt });
  if (segment === undefined) {
    await writeOne(update);
    return;
  }
  const since = countedAt ?? 0;
  const item = {
    ...deliveries.segment(id, since),
    hours: segment,
    expiresAtSeconds: Math.ceil((since + (limits.webhookStatisticsDays + 1) * dayMs) / 1_000),
  };
  await transact([update, putNew('deliveries', item)]);
}
