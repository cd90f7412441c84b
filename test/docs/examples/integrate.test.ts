/** The example integration in four languages, run as its readers run it, with a server that responds as documented. */
import { spawnSync } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { examples } from '../../../contract/examples.ts';
import { command } from '../../support/command.ts';
import { serveDuringTest } from '../../support/faulty-proxy.ts';
import { exampleSecret, otherSecret, signedHeaders } from '../../support/signed-message.ts';

const folder = fileURLToPath(new URL('../../../docs/examples/', import.meta.url));
const programs = {
  Python: ['python3', 'integrate.py', '--version'],
  PHP: ['php', 'integrate.php', '--version'],
  Go: ['go', 'integrate.go', 'version'],
  Ruby: ['ruby', 'integrate.rb', '--version'],
} as const;
type Language = keyof typeof programs;

const isHere = (language: Language) => spawnSync(programs[language][0], [programs[language][2]]).status === 0;
const absent = (Object.keys(programs) as Language[]).filter((language) => !isHere(language));
if (absent.length > 0)
  process.stdout.write(`Examples skipped because their interpreter is not installed: ${absent.join(', ')}\n`);

const booking = examples.operations.createBooking?.answer as { id: number };

function message(number: number, key = exampleSecret) {
  const body = JSON.stringify({ event: 'booking.created', data: {} });
  return { number, headers: signedHeaders(`dlv_${number}`, body, { key }), body };
}

/**
 * A server that makes one booking per key, at the third request. It has a feed of two pages; the last message first has
 * a wrong signature.
 */
async function openApi() {
  const bookings = new Map<string, string>();
  const waits: number[] = [];
  const refusals = [409, 429];
  let refusedAt = 0;
  const url = await serveDuringTest(async (request, response) => {
    const body = await text(request);
    const answer = (status: number, value: unknown, headers = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(value));
    if (request.headers['x-api-key'] !== 'bk_test_1') return answer(401, { code: 'api_key_invalid' });
    if (request.method === 'POST') {
      if (refusedAt > 0) waits.push(performance.now() - refusedAt);
      const status = refusals.pop();
      refusedAt = status ? performance.now() : 0;
      if (status) return answer(status, { retryAfter: 1 }, { 'Retry-After': '1' });
      bookings.set(String(request.headers['idempotency-key']), body);
      return answer(201, booking);
    }
    const pages = new Map([
      ['0', { data: [message(1)], next: 2, hasMore: true, oldest: 1, withheld: 1 }],
      ['2', { data: [message(3), message(4, otherSecret)], next: 4, hasMore: false, oldest: 1, withheld: 0 }],
      ['3', { data: [message(4)], next: 4, hasMore: false, oldest: 1, withheld: 0 }],
    ]);
    return answer(200, pages.get(request.url?.split('=')[1] ?? ''));
  });
  return { url, bookings, waits };
}

for (const language of Object.keys(programs) as Language[]) {
  test.skipIf(absent.includes(language))(
    `The integration example in ${language} waits before a retry, books once, stops at a message with a wrong signature, can continue there, and reports a page of HTML`,
    async () => {
      const [interpreter, file] = programs[language];
      const api = await openApi();
      const sent = { serviceId: 1002, startTime: '2026-12-02T10:00:00+02:00', client: { name: 'Jānis' } };
      const BOOKING = JSON.stringify(sent);
      const env = { API: api.url, KEY: 'bk_test_1', WEBHOOK: '5', SECRET: exampleSecret, ONCE: 'one', BOOKING };
      const run = async (after: { AFTER?: string; API?: string } = {}) => {
        const [first, ...rest] = language === 'Go' ? ['run', folder + file] : [folder + file];
        const { code, stdout, stderr } = await command(first, rest, { interpreter, env: { ...env, ...after } }).ended;
        return { lines: stdout.split('\n'), complaint: stderr, succeeded: code === 0 };
      };
      const booked = `booked ${booking.id}`;
      expect(await run()).toEqual({
        lines: [booked, 'booking.created 1', 'booking.created 3', ''],
        complaint: expect.stringContaining('AFTER=3.'),
        succeeded: false,
      });
      const lines = [booked, 'booking.created 4', 'next 4', ''];
      expect(await run({ AFTER: '3' })).toEqual({ lines, complaint: '', succeeded: true });
      expect([...api.bookings].map(([key, body]) => [key, JSON.parse(body)])).toEqual([['one', sent]]);
      expect(Math.min(...api.waits)).toBeGreaterThanOrEqual(950);
      const portal = await serveDuringTest((_, response) => response.end('<p>Sign in to this network.</p>'));
      const complaint = expect.stringContaining('The response is not JSON.');
      expect(await run({ API: portal })).toEqual({ lines: [''], complaint, succeeded: false });
    },
  );
}
