/** `createClient` creates a client with one method for each operation of the OpenAPI document. */
import { parseResponse } from './answer.ts';
import { withRetries } from './attempts.ts';
import type { CallOptions, CreateOptions, Operation } from './call.ts';
import { type EnsuredWebhook, ensureWebhook, type WantedWebhook } from './ensure-webhook.ts';
import { type FeedEvent, type FeedOptions, readEvents } from './feed.ts';
import { type IntegrationClient, operations, version } from './generated/operations.ts';
import { list } from './pages.ts';
import { type Input, target } from './request.ts';

export interface ClientOptions {
  /** The URL of the API with its prefix: `https://…/v1/integration`. */
  readonly baseUrl: string;
  /** `bk_live_…` or `bk_test_…`. A secret: keep it on your server. */
  readonly apiKey: string;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch | undefined;
  /** Milliseconds for one attempt, including the response body. Default 30 000, the longest that the API takes. */
  readonly timeoutMs?: number | undefined;
  /**
   * Milliseconds for a call with all its attempts and waits. Default 90 000, which is longer than the rate limit of a
   * minute. A wait that would end later is not started; the call fails at once.
   */
  readonly deadlineMs?: number | undefined;
  /** Attempts after the first one. Default 4. */
  readonly maxRetries?: number | undefined;
  /** Milliseconds. The maximum wait before the first retry, doubled for each further one. Default 250. */
  readonly backoffMs?: number | undefined;
}

/** Every operation of the API, and methods that combine several. */
export interface BookingClient extends IntegrationClient {
  /** Returns the verified events of a webhook with `delivery: "poll"`, in order and without an end. */
  feed(webhookId: number, options: FeedOptions): AsyncGenerator<FeedEvent, void>;
  /** Finds the webhook with this description, and updates and reactivates it; creates it if there is none. */
  ensureWebhook(wanted: WantedWebhook): Promise<EnsuredWebhook>;
}

/** For these methods, sending a request twice has the effect of sending it once (RFC 9110). */
const idempotentMethods: ReadonlySet<string> = new Set(['GET', 'PUT', 'DELETE']);

/** A custom `User-Agent` causes a CORS preflight in browsers, so they send their own. */
const inBrowser = () => 'document' in globalThis || 'importScripts' in globalThis;

/** Throws a `TypeError` if `baseUrl` is not a URL or `apiKey` cannot be a header. */
export function createClient(options: ClientOptions): BookingClient {
  const { apiKey, timeoutMs = 30_000, deadlineMs = 90_000, maxRetries = 4, backoffMs = 250 } = options;
  const send: typeof fetch = options.fetch ?? ((input, init) => fetch(input, init));
  if (!URL.canParse(options.baseUrl)) throw new TypeError('baseUrl must be a URL such as https://…/v1/integration.');
  const baseUrl = new URL(options.baseUrl).href.replace(/\/+$/, '');
  // The error of `Headers` would contain the key.
  if (!/^[\t\n\r ]*[!-~]+[\t\n\r ]*$/.test(apiKey ?? '')) throw new TypeError('apiKey must be an API key.');
  const common = new Headers({ accept: 'application/json', 'x-api-key': apiKey });
  if (!inBrowser()) common.set('user-agent', `booking-integration-client/${version}`);

  const call = async (operation: Operation, input: Input = {}, own: CreateOptions = {}): Promise<unknown> => {
    const { method, keyed = false } = operation;
    const { url, body } = target(baseUrl, operation, input);
    const headers = new Headers(common);
    if (body !== undefined) headers.set('content-type', 'application/json');
    // All attempts have the same key, so that a later one finds the booking that an earlier one created.
    if (keyed) headers.set('idempotency-key', own.idempotencyKey ?? crypto.randomUUID());
    const request = { method, headers, redirect: 'manual', ...(body !== undefined && { body }) } as const;

    return withRetries(async (signal) => parseResponse(await send(url, { ...request, signal })), {
      // A second cancellation changes nothing.
      repeatable: keyed || idempotentMethods.has(method) || operation === operations.cancelBooking,
      deletes: method === 'DELETE',
      signal: own.signal,
      timeoutMs: own.timeoutMs ?? timeoutMs,
      deadlineMs: own.deadlineMs ?? deadlineMs,
      maxRetries: own.maxRetries ?? maxRetries,
      backoffMs,
    });
  };

  const methods = Object.entries<Operation>(operations).map(([name, operation]) => {
    const { pages, bare } = operation;
    if (bare) return [name, (own?: CallOptions) => call(operation, {}, own)];
    if (!pages) return [name, (input?: Input, own?: CallOptions) => call(operation, input, own)];
    return [name, (input: Input = {}, own?: CallOptions) => list(pages, input, (at) => call(operation, at, own))];
  });
  const api = Object.fromEntries(methods) as IntegrationClient;
  return {
    ...api,
    feed: (webhookId, own) => readEvents(api.readFeed, webhookId, own),
    ensureWebhook: (wanted) => ensureWebhook(api, wanted),
  };
}
