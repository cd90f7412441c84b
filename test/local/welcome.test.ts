import { execFile } from 'node:child_process';
import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createBooking, createWebhook } from '../../contract/integration/routes.ts';
import { demoTenant } from '../../local/demo.ts';
import { firstSteps, siteConfig, welcome } from '../../local/welcome.ts';
import { configPath } from '../../site/config.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';

const demo = {
  tenant: demoTenant(Date.UTC(2026, 10, 21)),
  apiKey: 'bk_live_x',
  testKey: 'bk_test_x',
  free: { serviceId: 1_002, startTime: '2026-11-23T09:00:00+02:00' },
};

test('The commands that `npm start` prints work when pasted into a shell, and send requests that the API accepts', async () => {
  const seen: { request: IncomingMessage; body: string }[] = [];
  const baseUrl = await serveDuringTest(async (request, response) => {
    seen.push({ request, body: await text(request) });
    const config = siteConfig({ run: { owners: undefined, baseUrl }, demo, ownerToken: 'owner.token' });
    response.end(JSON.stringify(request.url === configPath ? config : {}));
  });
  const steps = firstSteps({ baseUrl }, demo);
  const paste = (line: string) => promisify(execFile)('sh', ['-c', line]);
  await paste(steps.listServices);
  await paste(steps.createWebhook.replace('npm run -s listen -- --secret -', 'cat'));
  await paste(steps.createBooking ?? 'false');
  await paste(steps.listApiKeys);

  expect(seen.map(({ request }) => `${request.method} ${request.url} ${request.headers['x-api-key']}`)).toEqual([
    'GET /v1/integration/services bk_live_x',
    'POST /v1/integration/webhooks bk_live_x',
    'POST /v1/integration/bookings bk_live_x',
    'GET /config.json undefined',
    'GET /v1/account/api-keys undefined',
  ]);
  expect(seen.map(({ request }) => request.headers['content-type'])).toEqual([
    undefined,
    'application/json',
    'application/json',
    undefined,
    undefined,
  ]);
  expect(seen[4]?.request.headers.authorization).toBe('Bearer owner.token');
  expect(z.safeParse(createWebhook.body, JSON.parse(seen[1]?.body ?? '')).error).toBeUndefined();
  expect(z.safeParse(createBooking.body, JSON.parse(seen[2]?.body ?? '')).error).toBeUndefined();
});

test('`npm start` prints the API address, the API keys, names and ids of the demo, and the commands to try', () => {
  const run = { owners: undefined, baseUrl: 'http://127.0.0.1:8787' };
  const shown = welcome({ run, demo, ownerToken: 'owner.token', dataDir: undefined, timeScale: 60 });
  for (const line of Object.values(firstSteps(run, demo))) expect(shown).toContain(line);
  // The token has 700 characters.
  expect(shown).not.toContain('owner.token');
  for (const word of [
    run.baseUrl,
    demo.apiKey,
    demo.testKey,
    'Haircut (1002)',
    'Anna (1005)',
    '60 times faster',
    'in memory',
  ]) {
    expect(shown).toContain(word);
  }
});
