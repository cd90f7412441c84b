/** A small webhook receiver, which handles messages like an integrator's server and shows them. */
import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { isSigned, isSignedAndFresh } from '../docs/examples/verify-webhook.ts';

/** More than any message has; a receiver that reads without a limit can run out of memory. */
const bodyBytesMax = 1_048_576;

/** The time that an unfinished request may delay the end. */
const closeGraceMs = 500;

/** `unchecked`: the receiver has no secret. `absent`: the message has no Standard Webhooks headers. */
type Verdict = 'valid' | 'invalid' | 'unchecked' | 'absent';

export interface ReceivedDelivery {
  readonly path: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly event: string;
  /** `X-Webhook-Delivery`: the same for every attempt of one delivery. */
  readonly deliveryId: string;
  /** How many times this delivery id has arrived here, including this time. */
  readonly attempt: number;
  /** The result for `X-Webhook-Signature` (docs/rules.md#signatures). */
  readonly signature: Verdict;
  /** The result for the Standard Webhooks headers (docs/rules.md#signatures). */
  readonly standardWebhooks: Verdict;
  /**
   * The status of the response: 200; 401 to an invalid signature (docs/rules.md#attempts); 500 while it is set to fail.
   */
  readonly responseStatus: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawBody: Buffer;
}

interface ReceiverOptions {
  /** The port on 127.0.0.1. 0 selects a free port. */
  readonly port: number;
  /** The webhook's secret. Without it signatures are not checked. */
  readonly secret?: string | undefined;
  /** The number of requests that get 500 before the receiver responds normally. */
  readonly fail?: number;
  readonly onDelivery: (delivery: ReceivedDelivery) => void;
}

interface Receiver {
  /** `http://127.0.0.1:port`. */
  readonly url: string;
  /** Checks later messages with this secret. */
  trust(secret: string): void;
  close(): Promise<void>;
}

/** Listens, or throws the error of `listen` (`code: 'EADDRINUSE'` when the port is taken). */
export async function openReceiver(options: ReceiverOptions): Promise<Receiver> {
  let secret = options.secret;
  let failuresLeft = options.fail ?? 0;
  const attempts = new Map<string, number>();

  const verdict = (check: (secret: string) => boolean): Verdict => {
    if (secret === undefined) return 'unchecked';
    return check(secret) ? 'valid' : 'invalid';
  };

  async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST') return answer(response, 405, { Allow: 'POST' });
    const rawBody = await readBody(request);
    if (!rawBody) return answer(response, 413, { Connection: 'close' });

    const { headers } = request;
    const receivedAt = Date.now();
    const signature = verdict((known) => isSigned(known, headers, rawBody));
    const standardWebhooks =
      headers['webhook-signature'] === undefined
        ? 'absent'
        : verdict((known) => isSignedAndFresh(known, headers, rawBody, receivedAt));
    const deliveryId = String(headers['x-webhook-delivery'] ?? '');
    const attempt = (attempts.get(deliveryId) ?? 0) + 1;
    attempts.set(deliveryId, attempt);

    let responseStatus = signature === 'invalid' || standardWebhooks === 'invalid' ? 401 : 200;
    if (failuresLeft > 0) {
      failuresLeft -= 1;
      responseStatus = 500;
    }
    answer(response, responseStatus);
    options.onDelivery({
      path: request.url ?? '/',
      receivedAt,
      event: String(headers['x-webhook-event'] ?? ''),
      deliveryId,
      attempt,
      signature,
      standardWebhooks,
      responseStatus,
      headers,
      rawBody,
    });
  }

  const server = createServer((request, response) => {
    receive(request, response).catch(() => response.destroy());
  });
  server.listen(options.port, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  return {
    url: `http://127.0.0.1:${port}`,
    trust: (known) => {
      secret = known;
    },
    close: () =>
      new Promise((resolve) => {
        const impatience = setTimeout(() => server.closeAllConnections(), closeGraceMs);
        server.close(() => {
          clearTimeout(impatience);
          resolve();
        });
      }),
  };
}

function answer(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}

/** The exact bytes of the body, or undefined if it is too large. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > bodyBytesMax) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
