/**
 * Sends one message by `POST` to an address that a stranger chose, with checks against misuse (docs/rules.md#targets).
 */
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import type { SecureContext } from 'node:tls';
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { SendAttempt } from './attempt.ts';
import { type Connector, dial, secure } from './dial.ts';
import { type SendErrorCode, unexpectedFailure } from './failures.ts';
import { exchange } from './post.ts';
import { type Resolver, resolveTarget } from './resolve.ts';
import { responseStart } from './response-start.ts';
import { checkTargetUrl, isLoopbackTarget } from './target-url.ts';

export interface SendRequest {
  /** The webhook's `targetUrl`, checked again for each attempt. */
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Text is sent as its UTF-8 bytes. */
  readonly body: string;
  /** The webhook, whose next message may use the connection. Absent: it is closed. */
  readonly webhookId?: number;
}

/** A `response` has any status: the caller decides whether it is a success (2xx) or the error `http_status`. */
export type SendOutcome =
  | {
      readonly kind: 'response';
      readonly status: number;
      /** The first 1 KiB as text. */
      readonly body: string;
      /** To the end of the response headers. */
      readonly timeMs: number;
    }
  | {
      readonly kind: 'failed';
      readonly errorCode: SendErrorCode;
      /** For the integrator: contains no internals. */
      readonly message: string;
      /** Whether the cause is on our side. Such a failure does not count against the receiver. */
      readonly platformFault: boolean;
      /** For the log alone. */
      readonly cause: unknown;
    };

/** The parts of the sender that tests replace. */
export interface SenderParts {
  readonly resolver?: Resolver;
  readonly connector?: Connector;
  readonly secureContext?: SecureContext;
  readonly allowLoopback?: boolean;
  /** From the start of the attempt to the end of the response headers. */
  readonly timeoutMs?: number;
}

/** How long a response body may take after its headers; the attempt's deadline can end it earlier. */
const bodyTimeoutMs = 1_000;

/** One attempt: never rejects, and settles within `timeoutMs`. */
export async function send(request: SendRequest, parts: SenderParts = {}): Promise<SendOutcome> {
  const startedAt = now();
  const { timeoutMs = limits.deliveryTimeoutMs } = parts;
  const attempt = new SendAttempt(timeoutMs);
  try {
    const response = await attempt.withinDeadline(responseTo(attempt, timeoutMs, request, parts));
    const timeMs = Math.max(0, now() - startedAt);
    const body = await responseStart(response, Math.min(bodyTimeoutMs, Math.max(0, timeoutMs - timeMs)));
    return { kind: 'response', status: response.statusCode ?? 0, body, timeMs };
  } catch (error) {
    const { errorCode, message, platformFault, cause } = unexpectedFailure(error);
    const words = errorCode === 'target_not_allowed' ? `The targetUrl ${message}.` : message;
    return { kind: 'failed', errorCode, message: words, platformFault, cause };
  } finally {
    attempt.end();
  }
}

async function responseTo(
  attempt: SendAttempt,
  timeoutMs: number,
  request: SendRequest,
  { resolver, connector, secureContext, allowLoopback }: SenderParts,
): Promise<IncomingMessage> {
  const url = checkTargetUrl(request.url, allowLoopback);
  const isLoopback = isLoopbackTarget(url);
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const addresses = isLoopback ? loopbackAddresses(host) : await resolveTarget(host, timeoutMs / 2, resolver);
  // In a batch, the previous request is sent first, so that the responses do not arrive all at once.
  await setImmediate();

  // Of the ports below 1024 it is the one that is allowed.
  const port = Number(url.port) || 443;
  const open = async (): Promise<Socket> => {
    let socket = await dial(attempt, { addresses, port, timeoutMs: timeoutMs / 2, connector });
    if (url.protocol === 'https:') socket = await secure(attempt, socket, { host, secureContext });
    attempt.enter('exchange');
    return socket;
  };
  const { webhookId, headers, body } = request;
  const owner = webhookId === undefined ? undefined : `${webhookId} ${url.origin}`;
  return exchange(attempt, { owner, addresses, open }, { url, headers, body: Buffer.from(body) });
}

function loopbackAddresses(host: string): readonly string[] {
  return host === 'localhost' ? ['127.0.0.1', '::1'] : [host];
}
