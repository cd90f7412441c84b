/** The server of the example booking site, without a browser: what it sends to pages, and what it answers to hostile requests. */
import { request } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { command, type RunningCommand } from '../support/command.ts';

let server: RunningCommand;
let origin = '';
beforeAll(async () => {
  // No API answers there: every call that reaches it is a 503.
  const env = { KEY: 'bk_test_1', API: 'http://127.0.0.1:9', PORT: '0' };
  server = command('examples/booking-site/server.ts', [], { env });
  [, origin = ''] = await server.said('stdout', /Open (.*)\/\n/);
});
afterAll(async () => {
  server.process.kill('SIGKILL');
  await server.ended;
});

/** The status of a request whose target is sent as it is. */
function statusOf(path: string, method = 'GET', body?: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const headers = { 'content-type': 'application/json' };
    const outgoing = request({ hostname, port, path, method, headers }, (incoming) => {
      incoming.resume();
      resolve(incoming.statusCode ?? 0);
    });
    outgoing.on('error', reject).end(body);
  });
}

test('No other site can show the booking page in a frame, change its base or receive its forms', async () => {
  const { status, headers } = await fetch(origin);
  expect(status).toBe(200);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(
    expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]),
  );
});

test.each(['//', '//evil.example/', '/%', '/..', '/%2e%2e/calls.ts', '/constructor', '/?%'])(
  'The booking site answers GET %s with a status below 500',
  async (path) => {
    expect(await statusOf(path)).toBeLessThan(500);
  },
);

test.each(['..', '../bookings', '', 7, null, undefined, ['hld_1'], {}])(
  'The booking site refuses to release the malformed hold id %j without a call to the API',
  async (holdId) => {
    expect(await statusOf('/api/release', 'POST', JSON.stringify({ holdId }))).toBe(400);
  },
);

test('The booking site asks the API to release a hold with a well-formed id', async () => {
  expect(await statusOf('/api/release', 'POST', JSON.stringify({ holdId: 'hld_1' }))).toBe(503);
});
