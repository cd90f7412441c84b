/**
 * A booking site: one page with the booking element, and a session for each visitor. The API key stays on the server.
 * `KEY=bk_… API=https://…/v1/integration node server.ts`
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const { KEY, API, PORT = '3000' } = process.env;
if (!KEY || !API || !URL.canParse(API)) {
  console.error('Set KEY to an API key and API to the base URL: KEY=bk_… API=https://…/v1/integration node server.ts');
  process.exit(1);
}
const page = readFileSync(new URL('index.html', import.meta.url), 'utf8').replace('API_URL', API);
const script = new URL('booking-slots.js', import.meta.url);
if (!existsSync(script)) {
  console.error('Download booking-slots.js into this folder first: see README.md');
  process.exit(1);
}
const element = readFileSync(script);
const policy = [
  `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src ${new URL(API).origin}`,
  // No other site may show this page in a frame, where visitors could be tricked into clicks.
  "img-src data:; frame-ancestors 'none'; form-action 'none'; base-uri 'none'",
].join('; ');

/** Creates the session that a browser uses instead of the key: it books once, and only in pages of this site. */
async function openSession(origin: string): Promise<string> {
  const answer = await fetch(`${API}/sessions`, {
    method: 'POST',
    headers: { 'X-API-Key': `${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ kind: 'booker', origin }),
    signal: AbortSignal.timeout(10_000),
  });
  if (!answer.ok) throw new Error(`No session: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { token: string }).token;
}

const server = createServer(async ({ method, url }, response) => {
  const send = (status: number, type: string, body: string | Buffer) =>
    response
      .writeHead(status, {
        'Content-Type': `${type}; charset=utf-8`,
        'Content-Security-Policy': policy,
        'Cache-Control': 'no-store',
        'Referrer-Policy': 'no-referrer',
        'X-Content-Type-Options': 'nosniff',
      })
      .end(body);
  if (method !== 'GET') return send(405, 'text/plain', 'Only GET');
  if (url === '/booking-slots.js') return send(200, 'text/javascript', element);
  // Mails and other sites add a query to links.
  if (url?.split('?')[0] !== '/') return send(404, 'text/plain', 'Not found');
  try {
    const token = await openSession(origin);
    send(200, 'text/html', page.replace('SESSION_TOKEN', token));
  } catch (error) {
    console.error(error);
    send(503, 'text/plain', 'Booking is not possible at the moment. Please try again in a minute, or call us.');
  }
});
let origin = process.env.ORIGIN ?? '';
server.on('error', ({ message }) => {
  console.error(message);
  process.exit(1);
});
server.listen(Number(PORT), '127.0.0.1', () => {
  origin ||= `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  console.log(`Open ${origin}/`);
});
