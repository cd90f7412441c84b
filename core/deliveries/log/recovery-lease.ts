/**
 * A lease, so that recoveries of one webhook run one after the other (docs/rules.md#recovery): each sends up to thousands
 * of messages to one receiver.
 */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { ApiError, fail } from '../../errors.ts';
import { log } from '../../log.ts';
import type { Key } from '../../store/key.ts';
import { getItem } from '../../store/read.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { put } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';

interface Lease {
  /** The earliest time of the next recovery, in epoch milliseconds. */
  readonly until: number;
}

const pauseMs = limits.recoveryPauseSeconds * 1_000;

/**
 * Runs a recovery while it holds the lease of its webhook. The next recovery may begin some time after the response to
 * this one, or at once if this one was refused and has sent nothing. If the end of a recovery cannot be recorded, the
 * lease expires. 409 `recovery_in_progress`.
 */
export async function withRecoveryLease<T>(
  { tenantId, id }: Pick<WebhookItem, 'tenantId' | 'id'>,
  recovery: () => Promise<T>,
): Promise<T> {
  const key = deliveries.recovery(tenantId, id);
  const lease = await takeLease(key);
  try {
    const answer = await recovery();
    await endLease(key, lease, now() + pauseMs);
    return answer;
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    await endLease(key, lease, isRefusal ? now() : now() + pauseMs);
    throw error;
  }
}

function takeLease(key: Key): Promise<Lease> {
  return commitWithRetry(async () => {
    const before = await getItem<Lease>('deliveries', key);
    const at = now();
    if (before && at < before.until) {
      throw fail('recovery_in_progress', { retryAfter: Math.ceil((before.until - at) / 1_000) });
    }
    const lease = { until: at + limits.recoverySeconds * 1_000 + pauseMs };
    return { writes: [leasePut(key, before, lease)], answer: lease, unaudited: true };
  });
}

/** Never rejects: the recovery is finished, and its lease expires by itself. */
async function endLease(key: Key, lease: Lease, until: number): Promise<void> {
  try {
    await commitWithRetry(async () => {
      const current = await getItem<Lease>('deliveries', key);
      const isOurs = current?.until === lease.until;
      return { writes: isOurs ? [leasePut(key, lease, { until })] : [], answer: undefined, unaudited: true };
    });
  } catch (error) {
    log.warn('The lease of a recovery could not be ended', { recovery: key.sk, error });
  }
}

function leasePut(key: Key, before: Lease | undefined, { until }: Lease) {
  const item = { ...key, until, expiresAtSeconds: Math.ceil(until / 1_000) + 86_400 };
  return put('deliveries', item, { until: before?.until });
}
