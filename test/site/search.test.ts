/** The search of the site: the content of its index, and the order of results. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { events } from '../../contract/events.ts';
import { find } from '../../site/browser/find.ts';
import { buildSite } from '../../site/build.ts';
import { guides } from '../../site/pages.ts';
import type { Section } from '../../site/search-index.ts';
import { temporaryFolder } from '../support/synthesised.ts';

let text = '';
let sections: readonly Section[] = [];
beforeAll(async () => {
  const folder = temporaryFolder('search');
  await buildSite(folder);
  const assets = join(folder, 'docs/assets');
  text = readFileSync(join(assets, readdirSync(assets).find((name) => /^search-.*\.json$/.test(name)) ?? ''), 'utf8');
  sections = JSON.parse(text) as readonly Section[];
});
const urls = (search: string) => find(sections, search).map(({ url }) => url);

test('The search of the site finds every guide, every error code and every event', () => {
  const known = new Set(sections.map(({ url }) => url));
  for (const { path } of guides) expect(known, path).toContain(path);
  for (const code of Object.keys(errors)) expect(known, code).toContain(`/docs/errors/#${code}`);
  const titles = new Set(sections.map(({ title }) => title));
  for (const name of Object.keys(events)) expect(titles, name).toContain(name);
});

test('The search index of the site is at most 48 KB compressed', () => {
  expect(gzipSync(text).length).toBeLessThan(48 * 1_024);
});

test.each([
  ['verify signature', '/docs/receiving-webhooks/#verify-a-message-before-you-use-it'],
  ['how do I get a test key', '/docs/quickstart/#1-get-a-test-key'],
  ['slot_unavailable', '/docs/errors/#slot_unavailable'],
  ['rate limit', '/docs/errors/#rate_limit_exceeded'],
  ['python', '/docs/languages/'],
  ['test mode', '/docs/test-mode/'],
  ['booking.no_show', '/docs/#tag/events/webhook/POST/booking.no-show'],
  ['create service', '/docs/account/#tag/services/POST/services'],
  ['cancelling a booking', '/docs/#tag/bookings/POST/bookings/{id}/cancel'],
  ['erase a client', '/docs/account/#tag/clients/POST/clients/{id}/erase'],
])('A search of the site for "%s" has %s among its first two results', (search, url) => {
  expect(urls(search).slice(0, 2)).toContain(url);
});

test('A search of the site for a word that no page contains finds nothing', () => {
  expect(urls('xyzzy')).toEqual([]);
  expect(urls('   ')).toEqual([]);
});
