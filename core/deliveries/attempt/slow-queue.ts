/** Marks webhooks whose receivers are slow, so that their next messages take the slow queue (docs/rules.md#fairness). */
import { limits } from '../../../contract/limits.ts';
import { type Statement, update } from '../../store/write-each.ts';
import type { Attempt } from './attempt.ts';

const slowQueueMs = limits.slowQueueSeconds * 1_000;

/**
 * Marks the webhooks whose receivers took long: one write for each, and none where the mark that was read holds for half
 * its time yet. A mark that cannot be written is written by the next batch.
 */
export function slowWebhookUpdates(attempts: readonly Attempt[]): readonly Statement[] {
  const slow = new Map(attempts.filter(tookLong).map((one) => [one.webhook.id, one]));
  return [...slow.values()]
    .filter(({ webhook: { slowUntil = 0 }, endedAt }) => slowUntil <= endedAt + slowQueueMs / 2)
    .map(({ webhook: { pk, sk, id }, endedAt }) =>
      update('deliveries', { pk, sk }, { slowUntil: endedAt + slowQueueMs }, { id }),
    );
}

/** The time of a platform fault is not the receiver's. */
function tookLong({ outcome, startedAt, endedAt }: Attempt): boolean {
  const isPlatformFault = outcome.kind === 'failed' && outcome.platformFault;
  return !isPlatformFault && endedAt - startedAt > limits.slowReceiverMs;
}
