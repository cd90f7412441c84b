/** Sends messages, ten in a call, and knows of each whether its queue took it. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SentQueue } from '../../contract/system/needs.ts';
import { chunksOf, someAtATime } from '../chunks.ts';
import { sqs } from '../clients.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';

export interface QueueMessage {
  /** Sent as JSON. */
  readonly body: object;
  /**
   * Whose it is. Messages of a business are a group, so that SQS fair queues keep one tenant's backlog from delaying the
   * others, however many webhooks it has (docs/rules.md#fairness).
   */
  readonly tenantId: number;
  /** 0 to 900. */
  readonly delaySeconds: number;
}

/** Amazon SQS's limit of one SendMessageBatch. */
const messagesPerCall = 10;
const retryPolicy: RetryPolicy = { attempts: 4, firstPauseMs: 100 };

/** Says of each message, in order, whether the queue took it. Never rejects. */
export async function sendEach(queue: SentQueue, messages: readonly QueueMessage[]): Promise<readonly boolean[]> {
  const sent = messages.map(() => false);
  const chunks = chunksOf([...messages.keys()], messagesPerCall);
  await someAtATime(chunks, (indexes) => sendChunk(queue, messages, indexes, sent));
  return sent;
}

async function sendChunk(
  queue: SentQueue,
  messages: readonly QueueMessage[],
  indexes: readonly number[],
  sent: boolean[],
): Promise<void> {
  let left = indexes;
  await retrying(retryPolicy, async () => {
    for (const i of await send(queue, messages, left)) sent[i] = true;
    left = left.filter((i) => !sent[i]);
    return left.length > 0 ? RETRY : 'sent';
  });
}

/** One call; returns the indexes of what the queue took. */
async function send(
  queue: SentQueue,
  messages: readonly QueueMessage[],
  indexes: readonly number[],
): Promise<readonly number[]> {
  try {
    const { Successful, Failed } = await sqs().send(
      new SendMessageBatchCommand({
        QueueUrl: env.queueUrl(queue),
        Entries: indexes.flatMap((i) => {
          const one = messages[i];
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

function entry(id: string, { body, tenantId, delaySeconds }: QueueMessage) {
  return { Id: id, MessageBody: JSON.stringify(body), MessageGroupId: String(tenantId), DelaySeconds: delaySeconds };
}
