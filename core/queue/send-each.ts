/** Sends messages, ten in a call, and returns for each whether its queue accepted it. */
import { SendMessageBatchCommand } from '@aws-sdk/client-sqs';
import type { SentQueue } from '../../contract/system/needs.ts';
import { chunksOf, forEachConcurrently } from '../chunks.ts';
import { sqs } from '../clients.ts';
import { env } from '../env.ts';
import { log } from '../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../retrying.ts';

export interface QueueMessage {
  /** Sent as JSON. */
  readonly body: object;
  /**
   * The message group. Messages of a business are a group, so that the fair queues of SQS serve businesses in rotation
   * (docs/rules.md#fairness).
   */
  readonly tenantId: number;
  /** 0 to 900. */
  readonly delaySeconds: number;
}

/** Amazon SQS's limit of one SendMessageBatch. */
const messagesPerCall = 10;
const retryPolicy: RetryPolicy = { attempts: 4, firstPauseMs: 100 };

/** Returns for each message, in order, whether the queue accepted it. Never rejects. */
export async function sendEach(queue: SentQueue, messages: readonly QueueMessage[]): Promise<readonly boolean[]> {
  const sent = messages.map(() => false);
  const chunks = chunksOf([...messages.entries()], messagesPerCall);
  await forEachConcurrently(chunks, (chunk) => sendChunk(queue, chunk, sent));
  return sent;
}

/** A message and its position among all of them. */
type Positioned = readonly [number, QueueMessage];

async function sendChunk(queue: SentQueue, chunk: readonly Positioned[], sent: boolean[]): Promise<void> {
  let left = chunk;
  await retrying(retryPolicy, async () => {
    for (const position of await send(queue, left)) sent[position] = true;
    left = left.filter(([position]) => !sent[position]);
    return left.length > 0 ? RETRY : 'sent';
  });
}

/** One call; returns the positions of the accepted messages. */
async function send(queue: SentQueue, messages: readonly Positioned[]): Promise<readonly number[]> {
  try {
    const { Successful, Failed } = await sqs().send(
      new SendMessageBatchCommand({ QueueUrl: env.queueUrl(queue), Entries: messages.map(entryOf) }),
    );
    if (Failed?.length) log.warn('A queue refused some messages', { queue, reasons: Failed.map(({ Code }) => Code) });
    return (Successful ?? []).map(({ Id }) => Number(Id));
  } catch (error) {
    log.warn('Sending messages to a queue failed', { queue, error });
    return [];
  }
}

function entryOf([position, { body, tenantId, delaySeconds }]: Positioned) {
  return {
    Id: String(position),
    MessageBody: JSON.stringify(body),
    MessageGroupId: String(tenantId),
    DelaySeconds: delaySeconds,
  };
}
