/** Stores how far the function `sweep-deliveries` has read the log of a webhook, and what it has counted. */

import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../../contract/limits.ts';
import { dayMs } from '../../clock.ts';
import { transact } from '../../store/transact.ts';
import { putNew, set, writeOne } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { Registration, SweepCheckpoint } from '../../webhooks/registry/registration.ts';
import type { Counter } from '../statistics/counter.ts';

/**
 * Writes nothing if there is nothing new or the webhook is deleted; uses a transaction if hours move out of the
 * checkpoint. The write is conditional on the checkpoint that was read, so nothing is counted twice, even if several
 * runs overlap. If the write fails, the next run reads and counts the same records again.
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
