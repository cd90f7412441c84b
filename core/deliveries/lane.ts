/**
 * Which queue a message takes. First attempts have a queue of their own, and receivers that let us wait are kept out of
 * it: a batch lasts as long as its slowest receiver, so a few that hang would take all workers from those that answer
 * (decisions §6: a slow or dead receiver delays nobody else).
 */
import { limits } from '../../contract/limits.ts';
import { now, sleep } from '../clock.ts';
import { update, writeEach } from '../records/write-each.ts';
import type { WebhookItem } from '../webhooks/webhook.ts';

export type Lane = 'deliveries' | 'retries';

export function laneOf({ slowUntil = 0 }: Pick<WebhookItem, 'slowUntil'>, at: number): Lane {
  return slowUntil > at ? 'retries' : 'deliveries';
}

const slowLaneMs = limits.slowLaneSeconds * 1_000;

/**
 * Notes a webhook whose receiver takes long, while it still does: with the timeout it would be too late for the events
 * of ten seconds. A note that is fresh is not renewed, so that it costs one write in minutes. Never rejects: what is not
 * noted now is noted by the next attempt.
 */
export async function watchingFor<T>({ pk, sk, id, slowUntil = 0 }: WebhookItem, work: Promise<T>): Promise<T> {
  const ended = new AbortController();
  const noted = sleep(limits.slowReceiverMs, ended.signal).then(async () => {
    const at = now();
    if (ended.signal.aborted || slowUntil > at + slowLaneMs / 2) return;
    await writeEach([update('deliveries', { pk, sk }, { slowUntil: at + slowLaneMs }, { id })]);
  });
  try {
    return await work;
  } finally {
    ended.abort();
    await noted;
  }
}
