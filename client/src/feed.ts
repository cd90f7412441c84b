/** The feed of a webhook as an endless list of verified events. */
import { sleep } from './bounded.ts';
import type { CallOptions } from './call.ts';
import { ApiError } from './errors.ts';
import type { IntegrationClient } from './generated/operations.ts';
import type { ReadFeedResponse } from './generated/types.ts';
import { type VerifyOptions, verifyWebhook, type WebhookEvent } from './verify-webhook.ts';

export interface FeedOptions extends Pick<VerifyOptions, 'toleranceSeconds'> {
  /** The number of the last event that you handled. Default: 0, the beginning. */
  readonly after?: number | undefined;
  /** The webhook's, `whsec_…`; the old and the new one while a rotation is under way. */
  readonly secret: string | readonly string[];
  /** Seconds that a request waits for an event, 0 to 10. With 0 the list ends where nothing is left. Default 10. */
  readonly wait?: number | undefined;
  /** Ends the list; it rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
}

export interface FeedEvent {
  /** Keep it once you have handled the event, and go on after it. */
  readonly number: number;
  readonly event: WebhookEvent;
  /** As a push would have sent them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

type Read = IntegrationClient['readFeed'];

/**
 * Milliseconds. An answer may take its wait longer than this, whatever time the client has for others. While another request
 * waits, a look without waiting; while nothing answers, a pause.
 */
const answerMs = 20_000;
const busyPauseMs = 2_000;
const lostPauseMs = 1_000;

/**
 * Events in the order of their numbers. What can pass is sat out: lost connections, 5xx, limits, another reader. Anything
 * else rejects: an `ApiError`, of which `feed_expired` says where to go on, or a `WebhookVerificationError`.
 */
export async function* readEvents(read: Read, id: number, options: FeedOptions): AsyncGenerator<FeedEvent, void> {
  const { secret, signal, wait = 10, toleranceSeconds } = options;
  const own: CallOptions = { signal, timeoutMs: answerMs + 1_000 * wait };
  let after = options.after ?? 0;
  let isBusy = false;
  for (;;) {
    let page: ReadFeedResponse;
    try {
      page = await read({ id, after, wait: isBusy ? 0 : wait }, own);
    } catch (error) {
      if (!(error instanceof ApiError && mayPass(error))) throw error;
      isBusy = error.code === 'feed_busy';
      if (!isBusy) await sleep(lostPauseMs + 1_000 * (error.retryAfter ?? 0), signal);
      continue;
    }
    // At once: a caller who takes long with one event must not find the next one's signature too old.
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
    if (isBusy) await sleep(busyPauseMs, signal);
    isBusy = false;
  }
}

const mayPass = ({ code, status }: ApiError) =>
  code === 'feed_busy' || status === 429 || (status === undefined ? code !== 'unexpected_response' : status >= 500);
