/**
 * Which queue a message takes. First attempts have a queue of their own, and receivers that let us wait are kept out of
 * it: a batch lasts as long as its slowest receiver, so a few that hang would take all workers from those that answer
 * (docs/rules.md#fairness: a slow or dead receiver delays nobody else).
 */
import { limits } from '../../../contract/limits.ts';
import type { DeliveryQueue } from '../../../contract/system/needs.ts';
import { type Statement, update } from '../../store/write-each.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { MadeAttempt } from './made-attempt.ts';

const slowLaneMs = limits.slowLaneSeconds * 1_000;

export function laneOf({ slowUntil = 0 }: Pick<WebhookItem, 'slowUntil'>, at: number): DeliveryQueue {
  return slowUntil > at ? 'retries' : 'deliveries';
}

/**
 * Marks the webhooks whose receivers took long: one write for each, and none where the mark that was read holds for half
 * its time yet. A mark that cannot be written is written by the next batch.
 */
export function slowMarks(made: readonly MadeAttempt[]): readonly Statement[] {
  const slow = new Map(made.filter(tookLong).map((one) => [one.webhook.id, one]));
  return [...slow.values()]
    .filter(({ webhook: { slowUntil = 0 }, endedAt }) => slowUntil <= endedAt + slowLaneMs / 2)
    .map(({ webhook: { pk, sk, id }, endedAt }) =>
      update('deliveries', { pk, sk }, { slowUntil: endedAt + slowLaneMs }, { id }),
    );
}

/** Time that we took by our own fault is not the receiver's. */
function tookLong({ result, startedAt, endedAt }: MadeAttempt): boolean {
  const isOurs = result.kind === 'failed' && result.ours;
  return !isOurs && endedAt - startedAt > limits.slowReceiverMs;
}
