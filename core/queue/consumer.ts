/** The common parts of all queue consumers: partial failures, messages that fail alone, and a check of the time. */
import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import { now, sleep } from '../clock.ts';
import { log } from '../log.ts';
import { writingUntil } from '../time-left.ts';

/** The part of Lambda's context that returns the remaining time. */
export type TimeLeft = Pick<Context, 'getRemainingTimeInMillis'>;

/** One promise for each message, in order. If it rejects, SQS delivers only that message again. */
export type HandleBatch<T> = (messages: readonly T[], time: TimeLeft) => readonly Promise<void>[];

/**
 * Messages that are not done by then are reported as failed: a slow message does not make SQS repeat the whole batch.
 */
const reserveMs = 1_500;

/**
 * The handler of a queue. `parse` turns a body into a message or throws; `handleBatch` sees the whole batch at once, so
 * that it can read and write for all of it in few calls. A message that fails throws nothing. The response names it:
 * SQS delivers it again, and after `maxReceiveCount` deliveries moves it to the dead-letter queue.
 *
 * @example
 * export const handler = consumer(parseDeliveryBatch, deliver);
 */
export function consumer<T>(parse: (body: string) => T, handleBatch: HandleBatch<T>) {
  return async (event: SQSEvent, context: Context): Promise<SQSBatchResponse> => {
    log.resetKeys();
    log.addContext(context);
    const failed: string[] = [];
    const messages: T[] = [];
    const ids: string[] = [];
    for (const { messageId, body } of event.Records) {
      try {
        messages.push(parse(body));
        ids.push(messageId);
      } catch {
        // The error of the parser is not logged, because it may contain the body.
        log.error('A queue message cannot be read', { messageId });
        failed.push(messageId);
      }
    }

    const finished = new AbortController();
    const timeLeftMs = Math.max(0, context.getRemainingTimeInMillis() - reserveMs);
    const timeIsUp = sleep(timeLeftMs, finished.signal).then(() => {
      throw new Error('The function has no time left for this message');
    });
    timeIsUp.catch(() => {});
    const handling = writingUntil(now() + timeLeftMs, () => handleBatch(messages, context));
    await Promise.all(
      handling.map(async (handled, i) => {
        try {
          await Promise.race([handled, timeIsUp]);
        } catch (error) {
          const messageId = ids[i] ?? '';
          log.error('A queue message could not be handled', { messageId, error });
          failed.push(messageId);
        }
      }),
    );
    finished.abort();
    return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
  };
}
