/** The feed of a webhook as an endless list of verified events. */

import type { CallOptions } from './call.ts';
import { ApiError } from './errors.ts';
import type { IntegrationClient } from './generated/operations.ts';
import type { ReadFeedResponse, WebhookEvent } from './generated/types.ts';
import { sleep } from './timeout.ts';
import { type VerifyOptions, verifyWebhook } from './verify-webhook.ts';

export interface FeedOptions extends Pick<VerifyOptions, 'toleranceSeconds'> {
  /** The number of the last event that you handled. Default: 0, the beginning. */
  readonly after?: number | undefined;
  /** The secret of the webhook, `whsec_…`; the old and the new one during a rotation. */
  readonly secret: string | readonly string[];
  /** Seconds that a request waits for an event, 0 to 10. With 0 the list ends after the last event. Default 10. */
  readonly wait?: number | undefined;
  /** Ends the list; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface FeedEvent {
  /** Store it once you have handled the event, and continue after it. */
  readonly number: number;
  readonly event: WebhookEvent;
  /** The headers that a push would have sent. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Read = IntegrationClient['readFeed'];

/**
 * Milliseconds. The first is the time for a response in addition to its wait, whatever the client's limits are; the
 * second is the pause after a failure, in addition to its `Retry-After`. The third is the pause while another program
 * waits for the feed, because each request counts against the limits of the key.
 */
const answerMs = 20_000;
const pauseMs = 1_000;
const busyPauseMs = 30_000;

/**
 * Yields events in the order of their numbers. It retries after lost connections, 5xx, rate limits and `feed_busy`.
 * Other errors reject: an `ApiError` (`feed_expired` contains the next position) or a `WebhookVerificationError`.
 */
export async function* readEvents(read: Read, id: number, options: FeedOptions): AsyncGenerator<FeedEvent, void> {
  const { secret, signal, wait = 10, toleranceSeconds } = options;
  const timeoutMs = answerMs + 1_000 * wait;
  const own: CallOptions = { signal, timeoutMs, deadlineMs: timeoutMs };
  let after = options.after ?? 0;
  let isBusy = false;
  for (;;) {
    let page: ReadFeedResponse;
    try {
      page = await read({ id, after, wait }, own);
    } catch (error) {
      if (!(error instanceof ApiError && mayPass(error))) throw error;
      const wasBusy = isBusy;
      isBusy = error.code === 'feed_busy';
      await sleep((isBusy && wasBusy ? busyPauseMs : pauseMs) + 1_000 * (error.retryAfter ?? 0), signal);
      continue;
    }
    // All are verified at once, because the signatures may be too old after a slow caller has handled an event.
    const events = await Promise.all(
      page.data.map(async ({ number, headers, body }): Promise<FeedEvent> => {
        return { number, headers, body, event: await verifyWebhook(secret, headers, body, { toleranceSeconds }) };
      }),
    );
    for (const event of events) {
      signal?.throwIfAborted();
      yield event;
    }
    after = page.next;
    if (page.hasMore || events.length > 0) continue;
    if (wait === 0) return;
    isBusy = false;
  }
}

const mayPass = ({ code, status }: ApiError) =>
  code === 'feed_busy' || status === 429 || (status === undefined ? code !== 'unexpected_response' : status >= 500);
