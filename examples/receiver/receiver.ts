/**
 * Receives webhooks in the right order: verify, store, answer, and only then work. See README.md.
 * `SECRET=whsec_… node receiver.ts`
 */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
// In your own project: from 'booking-integration-client'.
import { createClient, verifyWebhook, type WebhookEvent, WebhookVerificationError } from '../../client/src/index.ts';
import { openInbox } from './inbox.ts';

const { KEY, SECRET, API, INBOX = '.data/inbox.ndjson' } = process.env;
const longestBody = 256 * 1_024;

/** What your program does with an event. It may be called twice after an interruption: make it safe to repeat. */
async function work(event: WebhookEvent): Promise<void> {
  // The ids of a test message do not exist.
  if (event.test) return console.log(`${event.event}: test message ${event.id}`);
  switch (event.event) {
    case 'booking.created':
    case 'booking.rescheduled':
    case 'booking.cancelled':
      return console.log(`${event.event}: booking ${event.data.bookingId}, ${event.data.startTime}`);
    default: // Events that this program does not know may come at any time.
      return console.log(`${event.event}: ${event.id}`);
  }
}

const inbox = await openInbox<WebhookEvent>(INBOX, work);
let secret = SECRET;

async function receive(request: IncomingMessage): Promise<number> {
  if (request.method !== 'POST' || request.url !== '/hooks') return 404;
  const body = await bodyOf(request);
  if (!body) return 413;
  if (!secret) return 503;
  let event: WebhookEvent;
  try {
    event = await verifyWebhook(secret, request.headers, body);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    console.error(`Refused: ${error.code}`);
    return 401;
  }
  // Stored before the response, because a message with a 2xx response is normally not sent again.
  const isNew = await inbox.take(event);
  console.log(`${event.id} ${isNew ? 'taken' : 'seen before'}`);
  return 200;
}

/** Returns the bytes as received: a body that was parsed and serialised again has another signature. */
async function bodyOf(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of request) {
    length += chunk.length;
    if (length > longestBody) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer((request, response) => {
  receive(request)
    .catch((error: unknown) => {
      console.error(error);
      return 500; // It will be sent again.
    })
    .then((status) => response.writeHead(status).end());
});
server.on('error', quit);
server.listen(Number(process.env.PORT ?? 9_100), '127.0.0.1', async () => {
  const targetUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`;
  if (!secret) await register(targetUrl).catch(quit);
  console.log(`Receiving at ${targetUrl}`);
  if (SECRET) console.log('SECRET is set: no webhook is created, and messages are verified with this secret.');
});

/** The port is in use, or the API returned an error. */
function quit({ message }: Error): never {
  console.error(message);
  process.exit(1);
}

/** For a first try: a webhook that is deleted when the program stops. Otherwise set `SECRET`. */
async function register(targetUrl: string): Promise<void> {
  if (!KEY || !API) {
    throw new Error('Set SECRET to the secret of your webhook, or KEY and API to register one while this runs.');
  }
  const api = createClient({ baseUrl: API, apiKey: KEY });
  const webhook = await api.createWebhook({
    targetUrl,
    events: ['booking.created', 'booking.rescheduled', 'booking.cancelled'],
    description: 'The example receiver',
  });
  secret = webhook.secret;
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, async () => {
      await api.deleteWebhook({ id: webhook.id }).catch((error: unknown) => console.error(error));
      process.exit(0);
    });
  }
}
