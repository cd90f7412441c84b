/**
 * Recoveries of one webhook take turns (docs/rules.md#recovery): each sends up to thousands of messages to one
 * receiver.
 */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { ApiError, fail } from '../../errors.ts';
import { log } from '../../log.ts';
import type { Key } from '../../store/key.ts';
import { getItem } from '../../store/read.ts';
import { decideAndCommit } from '../../store/transact.ts';
import { put } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';

interface Lease {
  /** No other recovery begins before, in epoch milliseconds. */
  readonly until: number;
}

const pauseMs = limits.recoveryPauseSeconds * 1_000;

/**
 * Runs a recovery when it is its lease. The next may begin a pause after this one was answered; at once when it was
 * refused, since nothing was sent then; and if nobody hears how it ended, when it must have. 409 `recovery_in_progress`.
 */
export async function withRecoveryLease<T>(
  tenantId: number,
  webhookId: number,
  recovery: () => Promise<T>,
): Promise<T> {
  const place = deliveries.recovery(tenantId, webhookId);
  const lease = await takeLease(place);
  try {
    const answer = await recovery();
    await endLease(place, lease, now() + pauseMs);
    return answer;
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    await endLease(place, lease, isRefusal ? now() : now() + pauseMs);
    throw error;
  }
}

function takeLease(place: Key): Promise<Lease> {
  return decideAndCommit(async () => {
    const before = await getItem<Lease>('deliveries', place);
    const at = now();
    if (before && at < before.until) {
      throw fail('recovery_in_progress', { retryAfter: Math.ceil((before.until - at) / 1_000) });
    }
    const lease = { until: at + limits.recoverySeconds * 1_000 + pauseMs };
    return { writes: [leasePut(place, before, lease)], answer: lease };
  });
}

/** Never rejects: what the recovery did is done, and its lease ends by itself. */
async function endLease(place: Key, lease: Lease, until: number): Promise<void> {
  try {
    await decideAndCommit(async () => {
      const current = await getItem<Lease>('deliveries', place);
      const isOurs = current?.until === lease.until;
      return { writes: isOurs ? [leasePut(place, lease, { until })] : [], answer: undefined };
    });
  } catch (error) {
    log.warn('A recovery ended and could not say so', { recovery: place.sk, error });
  }
}

function leasePut(place: Key, before: Lease | undefined, { until }: Lease) {
  const item = { ...place, until, expiresAtSeconds: Math.ceil(until / 1_000) + 86_400 };
  return put('deliveries', item, { until: before?.until });
}
