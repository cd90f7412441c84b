/** Messages of the queues `deliveries` and `retries`. They name a delivery and carry none of its content. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import * as z from 'zod/mini';
import type { DeliveryQueue } from '../../../contract/needs.ts';
import { chunksOf, someAtATime } from '../../chunks.ts';
import { sqs } from '../../clients.ts';
import { env } from '../../env.ts';
import { log } from '../../log.ts';
import { again, type Patience, retrying } from '../../retrying.ts';

const count = z.int().check(z.positive());

const deliveryMessage = z.strictObject({
  businessId: count,
  keyId: count,
  webhookId: count,
  /** Of the delivery's first record, its head. */
  number: count,
  /** The attempt to make, from 1. */
  attempt: count,
  /** When it is to be made, in epoch milliseconds. */
  dueAt: z.int(),
});
export type DeliveryMessage = z.infer<typeof deliveryMessage>;

/** Throws for a body that is not such a message. */
export function parseDeliveryMessage(body: string): DeliveryMessage {
  return z.parse(deliveryMessage, JSON.parse(body));
}

export interface Outgoing {
  readonly message: DeliveryMessage;
  /** 0 to 900. */
  readonly delaySeconds: number;
}

/** Amazon SQS's limit of one SendMessageBatch. */
const messagesPerCall = 10;
const patience: Patience = { rounds: 4, firstPauseMs: 100 };

/**
 * Sends the messages and says of each whether the queue took it. Their group is their webhook, so that SQS fair queues
 * keep one webhook's backlog from delaying the others (decisions §6).
 */
export async function sendMessages(queue: DeliveryQueue, outgoing: readonly Outgoing[]): Promise<readonly boolean[]> {
  const sent = outgoing.map(() => false);
  const chunks = chunksOf([...outgoing.keys()], messagesPerCall);
  await someAtATime(chunks, (indexes) => sendChunk(queue, outgoing, indexes, sent));
  return sent;
}

async function sendChunk(
  queue: DeliveryQueue,
  outgoing: readonly Outgoing[],
  indexes: readonly number[],
  sent: boolean[],
): Promise<void> {
  let left = indexes;
  await retrying(patience, async () => {
    for (const i of await send(queue, outgoing, left)) sent[i] = true;
    left = left.filter((i) => !sent[i]);
    return left.length > 0 ? again : 'sent';
  });
}

/** One call; returns the indexes of what the queue took. */
async function send(
  queue: DeliveryQueue,
  outgoing: readonly Outgoing[],
  indexes: readonly number[],
): Promise<readonly number[]> {
  try {
    const { Successful, Failed } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: env.queueUrl(queue),
        Entries: indexes.flatMap((i) => {
          const one = outgoing[i];
          return one ? [entry(String(i), one)] : [];
        }),
      }),
    );
    if (Failed?.length)
      log.warn('The queue took some messages only', { queue, reasons: Failed.map(({ Code }) => Code) });
    return (Successful ?? []).map(({ Id }) => Number(Id));
  } catch (error) {
    log.warn('The queue took no messages', { queue, error });
    return [];
  }
}

function entry(id: string, { message, delaySeconds }: Outgoing) {
  return {
    Id: id,
    MessageBody: JSON.stringify(message),
    MessageGroupId: String(message.webhookId),
    DelaySeconds: delaySeconds,
  };
}
