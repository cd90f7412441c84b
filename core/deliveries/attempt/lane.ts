/**
 * Which queue a message takes. First attempts have a queue of their own, and receivers that let us wait are kept out of
 * it: a batch lasts as long as its slowest receiver, so a few that hang would take all workers from those that answer
 * (decisions §6: a slow or dead receiver delays nobody else).
 */
import { limits } from '../../../contract/limits.ts';
import { now, sleep } from '../../clock.ts';
import { update, writeEach } from '../../store/write-each.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { Stage } from '../../webhooks/sender/failures.ts';
import type { Outcome } from '../../webhooks/sender/send.ts';

export type Lane = 'deliveries' | 'retries';

export function laneOf({ slowUntil = 0 }: Pick<WebhookItem, 'slowUntil'>, at: number): Lane {
  return slowUntil > at ? 'retries' : 'deliveries';
}

const slowLaneMs = limits.slowLaneSeconds * 1_000;

/** Makes an attempt and looks after it. The attempt tells its stages; one that tells none counts as past the first. */
export type Watch = (
  webhook: WebhookItem,
  attempt: (onStage: (stage: Stage) => void) => Promise<Outcome>,
) => Promise<Outcome>;

/**
 * Notes webhooks whose receivers take long, while they still do: with the timeout it would be too late for the events of
 * ten seconds. While a name is resolved nobody knows whose fault the delay is; an attempt that ends as ours moves nobody.
 *
 * One watch serves one batch, whose attempts at a webhook all take long at the same moment: it writes one note for each
 * webhook, and none where the batch has read one that holds for half its time yet. Never rejects by itself: what is not
 * noted now is noted by the next batch.
 */
export function slowWatch(): Watch {
  const noted = new Set<number>();

  async function note({ pk, sk, id, slowUntil = 0 }: WebhookItem): Promise<void> {
    const at = now();
    if (noted.has(id) || slowUntil > at + slowLaneMs / 2) return;
    noted.add(id);
    await writeEach([update('deliveries', { pk, sk }, { slowUntil: at + slowLaneMs }, { id })]);
  }

  return async (webhook, attempt) => {
    const ended = new AbortController();
    const notes: Promise<void>[] = [];
    let stage: Stage | undefined;
    let isLong = false;
    const look = () => {
      if (isLong && stage !== 'resolve') notes.push(note(webhook));
    };
    const waited = sleep(limits.slowReceiverMs, ended.signal).then(() => {
      isLong = !ended.signal.aborted;
      look();
    });
    try {
      const outcome = await attempt((next) => {
        stage = next;
        look();
      });
      if (isLong && !isOurFault(outcome)) notes.push(note(webhook));
      return outcome;
    } finally {
      ended.abort();
      await waited;
      await Promise.all(notes);
    }
  };
}

function isOurFault(outcome: Outcome): boolean {
  return outcome.kind === 'failed' && outcome.ours;
}
