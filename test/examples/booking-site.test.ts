/** The server of the example booking site, without a browser: its responses to pages, and its requests to the API. */
import { copyFileSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { command } from '../support/command.ts';
import { commandDuringTest } from '../support/during-test.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';
import { temporaryFolder } from '../support/synthesised.ts';

const token = `bs_test_${'a'.repeat(36)}`;
/** A copy of the example, as its reader downloads it. */
function downloaded(): string {
  const copy = temporaryFolder('booking-site');
  for (const name of ['server.ts', 'index.html'])
    copyFileSync(fileURLToPath(new URL(`../../examples/booking-site/${name}`, import.meta.url)), join(copy, name));
  return copy;
}

let folder = '';
beforeAll(() => {
  folder = downloaded();
  writeFileSync(join(folder, 'booking-slots.js'), 'customElements;');
});

interface SiteRequest {
  readonly path: string | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: unknown;
}

/** The site with an API that responds to every request with this status. */
async function openSite(status: number): Promise<{ origin: string; requests: SiteRequest[] }> {
  const requests: SiteRequest[] = [];
  const API = await serveDuringTest(async (request, response) => {
    requests.push({ path: request.url, headers: request.headers, body: JSON.parse(await text(request)) });
    response.writeHead(status).end(JSON.stringify(status === 201 ? { token } : { message: 'of the API' }));
  });
  const server = commandDuringTest(join(folder, 'server.ts'), [], { env: { KEY: 'bk_test_1', API, PORT: '0' } });
  const [, origin = ''] = await server.waitForOutput('stdout', /Open (.*)\/\n/);
  return { origin, requests };
}

test('The example booking site does not start without the file booking-slots.js, and explains where to get it', async () => {
  const server = join(downloaded(), 'server.ts');
  const { code, stderr } = await command(server, [], { env: { KEY: 'bk_test_1', API: 'http://127.0.0.1:1' } }).ended;
  expect([code, stderr]).toEqual([1, 'Download booking-slots.js into this folder first: see README.md\n']);
});

test('The example booking site gives each visitor a session token for this site alone, and never shows the API key', async () => {
  const { origin, requests } = await openSite(201);
  const pages = await Promise.all([fetch(origin), fetch(origin)]);
  for (const answer of pages) {
    const page = await answer.text();
    expect(page).toContain(`token="${token}"`);
    expect(page + JSON.stringify([...answer.headers])).not.toContain('bk_test_1');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  }
  expect(requests).toMatchObject(
    pages.map(() => ({ path: '/sessions', headers: { 'x-api-key': 'bk_test_1' }, body: { kind: 'booker', origin } })),
  );
});

test('The content security policy of the example booking site forbids frames, form submission and a changed base URL', async () => {
  const { origin } = await openSite(201);
  const { headers } = await fetch(origin);
  expect(headers.get('content-security-policy')?.split('; ')).toEqual(
    expect.arrayContaining(["default-src 'none'", "frame-ancestors 'none'", "form-action 'none'", "base-uri 'none'"]),
  );
});

test("If the API refuses a session, the example booking site asks the visitor to try again, and hides the API's error", async () => {
  const { origin } = await openSite(429);
  const answer = await fetch(origin);
  expect(answer.status).toBe(503);
  const body = await answer.text();
  expect(body).toContain('try again in a minute');
  expect(body).not.toContain('of the API');
});

test('The example booking site creates a session token only for GET requests to its booking page', async () => {
  const { origin, requests } = await openSite(201);
  for (const path of ['/booking-slots.js', '/server.ts', '/..%2fserver.ts', '/%', '/index.html', '/favicon.ico'])
    expect((await fetch(origin + path)).status, path).toBe(path === '/booking-slots.js' ? 200 : 404);
  expect((await fetch(origin, { method: 'POST' })).status).toBe(405);
  expect(requests).toEqual([]);
});

test('The example booking site ends with a one-sentence error if its port is in use', async () => {
  const { origin } = await openSite(201);
  const env = { KEY: 'bk_test_1', API: origin, PORT: new URL(origin).port };
  const { code, stderr } = await command(join(folder, 'server.ts'), [], { env }).ended;
  expect([code, stderr]).toEqual([1, `listen EADDRINUSE: address already in use 127.0.0.1:${env.PORT}\n`]);
});
