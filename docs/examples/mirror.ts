import { readFile, rename, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { type ChangedBooking, createClient, verifyWebhook, type WebhookEvent } from 'booking-integration-client';

const { API = '', KEY = '', SECRET = '', PORT = '8080', FILE = 'mirror.json', EVERY_SECONDS = '60' } = process.env;
const api = createClient({ baseUrl: API, apiKey: KEY });

/** Bookings by id, and the cursor from which the next changes are read. */
interface Kept {
  cursor?: string;
  readonly bookings: Record<string, ChangedBooking>;
}
const kept: Kept = await readFile(FILE, 'utf8').then(JSON.parse, () => ({ bookings: {} }));

/** The copy and the cursor are saved together, one save after the other: a stop or a failed save loses nothing. */
let saved = Promise.resolve();
function save(): Promise<void> {
  saved = saved
    .catch(() => {})
    .then(async () => {
      await writeFile(`${FILE}.new`, JSON.stringify(kept));
      await rename(`${FILE}.new`, FILE);
    });
  return saved;
}

/** Of two copies of a booking the one with the higher revision is newer, in whatever order they arrive. */
function keep(booking: ChangedBooking): void {
  if (booking.revision > (kept.bookings[booking.id]?.revision ?? 0)) kept.bookings[booking.id] = booking;
}

/** Reads what changed since the last poll; the first time everything. An erasure is a change like any other. */
async function poll(): Promise<void> {
  for (let hasMore = true; hasMore; ) {
    const cursor = kept.cursor;
    const page = await api.listBookings({ sort: 'updatedAt', limit: 100, ...(cursor !== undefined && { cursor }) });
    page.data.forEach(keep);
    if (page.nextCursor !== null) kept.cursor = page.nextCursor;
    await save();
    hasMore = page.hasMore === true;
  }
}

async function handle({ data }: WebhookEvent): Promise<void> {
  if ('bookingId' in data && 'revision' in data) keep(await api.getBooking({ id: data.bookingId }));
  if (!('erased' in data) || !data.erased) return;
  const client = { name: '', phone: null, email: null };
  const nobody = { client, comment: null, cancelReason: null, metadata: {} };
  for (const [id, booking] of Object.entries(kept.bookings)) {
    if (booking.clientId === data.clientId) kept.bookings[id] = { ...booking, ...nobody };
  }
}

/** A message makes the copy current at once. What is lost on the way, the next poll brings. */
const server = createServer(async (request, response) => {
  const event = await buffer(request)
    .then((body) => verifyWebhook(SECRET, request.headers, body))
    .catch(() => undefined);
  response.writeHead(event ? 200 : 401).end();
  // The ids of a test message do not exist.
  if (!event || event.test) return;
  await handle(event)
    .then(save)
    .catch((error: unknown) => console.error(error));
});
server.listen(Number(PORT), () => console.log('Listening at', server.address()));

const pollAndLog = () => poll().catch((error: unknown) => console.error(error));
for (;;) {
  await pollAndLog();
  await new Promise((resolve) => setTimeout(resolve, Number(EVERY_SECONDS) * 1_000));
}
