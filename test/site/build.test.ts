/** The files of the site, and the order of results of its search: guarantees that need no browser. */
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { events } from '../../contract/events.ts';
import { limits } from '../../contract/limits.ts';
import { placeholders } from '../../site/addresses.ts';
import { find } from '../../site/browser/find.ts';
import { buildSite } from '../../site/build.ts';
import { renderMarkdown } from '../../site/markdown.ts';
import { clientPackage, customerPages, guides, markdownOf, publishedPaths, references } from '../../site/pages.ts';
import type { Section } from '../../site/search-index.ts';
import { temporaryFolder } from '../support/synthesised.ts';

/** Texts by path, with `index.html` under the path of its folder. */
let files: ReadonlyMap<string, string> = new Map();
beforeAll(async () => {
  const folder = temporaryFolder('site');
  await buildSite(folder);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const isFile = (name: string) => statSync(join(folder, name)).isFile();
  files = new Map(
    names
      .filter(isFile)
      .map((name) => [`/${name}`.replace(/\/index\.html$/, '/'), readFileSync(join(folder, name), 'utf8')]),
  );
});

const pages = () => [...files].filter(([path]) => path.endsWith('/'));
const linksOf = (html: string) => [...html.matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);

test('The documentation site has a page for every guide and for the reference of each API', () => {
  for (const { path } of [...guides, ...references]) expect(files.has(path), path).toBe(true);
});

test('The documentation and the booking page have their colours in older browsers, such as Chrome 109 and Safari 17.4', () => {
  const sheets = [...files].filter(([path]) => path.endsWith('.css'));
  expect(sheets.length).toBeGreaterThanOrEqual(2);
  expect(sheets.filter(([, css]) => css.includes('light-dark(')).map(([path]) => path)).toEqual([]);
});

test('Every page of the documentation site is also published as Markdown', () => {
  const read = pages().filter(([path]) => !(path in customerPages));
  const without = read.filter(([path]) => !files.get(markdownOf(path))?.startsWith('# '));
  expect(without.map(([path]) => path)).toEqual([]);
});

test('For AI agents, the documentation site has an llms.txt of at most 40 lines and an OpenAPI document of at most 60 KB', () => {
  expect(files.get('/llms.txt')?.split('\n').length).toBeLessThanOrEqual(40);
  expect(Buffer.byteLength(files.get('/openapi-small.json') ?? '')).toBeLessThanOrEqual(60 * 1_024);
  expect(JSON.parse(files.get('/openapi-small.json') ?? '{}')).toMatchObject({ openapi: '3.1.0' });
});

test('The client library can be downloaded from the address that its README names', () => {
  expect(files.get('/client/README.md')).toContain(`npm install ${placeholders.site}${clientPackage}`);
  expect(files.has(clientPackage)).toBe(true);
});

/** Returns the links that lead to no page of the site, or to no heading of that page. */
const deadLinks = (of: readonly (readonly [path: string, html: string])[]) =>
  of.flatMap(([from, html]) =>
    linksOf(html)
      // The console is at `/` and `/sign-in`, and Scalar draws the targets of its own anchors.
      .filter((link) => !/^https?:|^\/$|^\/sign-in\?|^#(?:tag|description)\//.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site${from}`);
        const target = files.get(pathname);
        return target === undefined || (hash && !target.includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      })
      .map((link) => `${from} → ${link}`),
  );

test('Every link on the documentation site leads to an existing page and heading', () => {
  expect(pages().length).toBeGreaterThan(guides.length);
  expect(deadLinks(pages())).toEqual([]);
  // Negative control: links to a missing page and to a missing heading are found.
  const wrong = '<a href="/docs/wehbook/">Webhook</a> <a href="/docs/errors/#wrong">Errors</a>';
  expect(deadLinks([['/', wrong]])).toEqual(['/ → /docs/wehbook/', '/ → /docs/errors/#wrong']);
});

test('The list of paths that CloudFront serves contains exactly the pages and files of the documentation site', () => {
  const built = [...files.keys()].filter(
    (path) => /^\/(?:docs|book|manage)\//.test(path) && !path.includes('/assets/'),
  );
  expect(built.sort()).toEqual(Object.keys(publishedPaths).sort());
});

test('Every link in llms.txt and in a published Markdown guide leads to a published file', () => {
  const texts = [...files].filter(([path]) => /\.(?:md|txt)$/.test(path));
  expect(texts.length).toBeGreaterThan(guides.length);
  const dead = texts.flatMap(([from, text]) =>
    [...text.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)]
      .map(([, link = '']) => link)
      .filter((link) => !/^https?:/.test(link) && !files.has(new URL(link, `http://site${from}`).pathname))
      .map((link) => `${from} → ${link}`),
  );
  expect(dead).toEqual([]);
});

/** Content that only the repository has, or only its operator understands. */
const unpublished = [
  /npm (?:start|run|pack|test)\b/,
  /npx (?:cdk|node)\b/,
  /docs\/decisions/,
  /DynamoDB|(?:read|write) units/,
  /127\.0\.0\.1:8787|\/client\/src\//,
];
const textOf = (html: string) => html.replaceAll(/<\/t[dh]>/g, ' ').replaceAll(/<[^>]*>/g, '');
const mentionsIn = (path: string, file: string) => {
  const text = textOf(file);
  return unpublished.flatMap((mention) => (mention.test(text) ? [`${path} mentions ${mention.exec(text)?.[0]}`] : []));
};

test('No published guide or example program mentions a file that exists only in the repository', () => {
  const published = [...files].filter(([path]) => /\/$|\.(?:md|txt|ts|py|php)$/.test(path));
  expect(published.length).toBeGreaterThan(2 * guides.length);
  expect(published.flatMap(([path, file]) => mentionsIn(path, file))).toEqual([]);
});

test.each([
  'Start it with <code>npm start</code>.',
  '<code>npm <span>run</span> trigger</code>',
  'npm pack ./client',
  'npx cdk deploy',
  'see docs/decisions/0007.md',
  'It costs 21 read units.',
  'curl http://127.0.0.1:8787/v1',
])('Negative control: “%s” in a published page is reported, because it only makes sense in the repository', (html) => {
  expect(mentionsIn('/', html)).toHaveLength(1);
});

test('The documentation page of errors has a row with its own link for every error code', () => {
  const page = files.get('/docs/errors/') ?? '';
  for (const code of Object.keys(errors)) expect(page, code).toContain(`<tr id="${code}"><td><code>${code}</code>`);
});

test('The documentation page of limits shows the numbers that the code uses', () => {
  const page = textOf(files.get('/docs/limits/') ?? '').replaceAll(/\s+/g, ' ');
  const { perMinute, perDay } = limits.requests.key;
  for (const words of [
    `${perMinute} requests a minute and ${perDay.toLocaleString('en').replace(',', ' ')} a day`,
    `Body of a request ${limits.bodyBytes / 1_024} KiB`,
    `${limits.slotRangeDays} days, and ${limits.slotsPerAnswer.toLocaleString('en').replace(',', ' ')} slots`,
    `${limits.pageSizeMax} entries, ${limits.pageSizeDefault} by default`,
    `${limits.holdMinutesMax} minutes, ${limits.holdMinutesDefault} by default`,
    `Holds of a key at the same time ${limits.holdsPerKey}`,
    `Holds of a session at the same time ${limits.holdsPerSession}`,
    `made with one key ${limits.upcomingBookingsPerContact}, and`,
    `Active webhooks of a key ${limits.activeWebhooksPerKey}`,
    `within ${limits.deliveryTimeoutMs / 1_000} seconds`,
    `Records of deliveries ${limits.deliveryRetentionDays} days`,
    `${limits.idempotencyKeyLength} printable ASCII characters, kept for ${limits.idempotencyHours} hours`,
  ])
    expect(page).toContain(words);
});

test('The documentation site shows each file of an example program, and the program imports the client library by package name', () => {
  const site = files.get('/docs/examples/booking-site/') ?? '';
  for (const name of ['server.ts', 'index.html']) expect(site).toContain(`<code>${name}</code></a></h2>`);
  expect(files.get('/examples/receiver/receiver.ts')).toContain("from 'booking-integration-client'");
});

test('No page of the documentation site loads anything from another host or has inline scripts or styles', () => {
  for (const [path, html] of pages()) {
    expect(html, path).not.toMatch(
      /<script(?![^>]* src="\/(?:docs\/assets|element)\/)|<style| style=| on\w+="|src="https?:/,
    );
  }
});

test('The name of every file that browsers may cache for ever contains a hash of its content', () => {
  const assets = [...files.keys()].filter((path) => path.startsWith('/docs/assets/'));
  expect(assets.length).toBeGreaterThan(3);
  for (const path of assets) expect(path).toMatch(/^\/docs\/assets\/[a-z]+-[0-9a-f]{10}\.[a-z]+$/);
});

const render = (text: string) => renderMarkdown('docs/calling-the-api.md', text).html;

test('The links of a published guide lead to the published addresses of other pages', () => {
  expect(render('# A\n\n[b](../client/README.md#lists) [c](../openapi.json) [d](#e)')).toContain(
    '<a href="/docs/client/#lists">b</a> <a href="/openapi.json">c</a> <a href="#e">d</a>',
  );
});

test('The build of the documentation site fails if a guide links to a page that is not published', () => {
  expect(() => render('# A\n\n[b](decisions/README.md)')).toThrow('docs/calling-the-api.md links to docs/decisions/');
});

test('In a published guide, consecutive code blocks in several languages become tabs, and a single code block does not', () => {
  const [sh, ts] = ['```sh\na\n```', '```ts\nb\n```'];
  expect(render(`# A\n\n${sh}\n\n${ts}\n\nc`).match(/class="tabs"/g)).toHaveLength(1);
  expect(render(`# A\n\n${sh}\n\nc\n\n${ts}`)).not.toContain('class="tabs"');
});

test('A published guide contains no comments, and its code blocks are unchanged', () => {
  const html = render('# A\n\n<!-- hidden -->\n\n```json\n{ "a": "<b>" }\n```\n\n```\n<c>&\n```');
  expect(html).not.toContain('hidden');
  expect(html).toContain('&lt;b&gt;');
  expect(html).toContain('<code>&lt;c&gt;&amp;</code>');
});

describe('the search of the documentation site', () => {
  let text = '';
  let sections: readonly Section[] = [];
  beforeAll(() => {
    text = [...files].find(([path]) => /^\/docs\/assets\/search-.*\.json$/.test(path))?.[1] ?? '';
    sections = JSON.parse(text) as readonly Section[];
  });
  const urls = (search: string) => find(sections, search).map(({ url }) => url);

  test('The search of the documentation site finds every guide, every error code and every event', () => {
    const known = new Set(sections.map(({ url }) => url));
    for (const { path } of guides) expect(known, path).toContain(path);
    for (const code of Object.keys(errors)) expect(known, code).toContain(`/docs/errors/#${code}`);
    const titles = new Set(sections.map(({ title }) => title));
    for (const name of Object.keys(events)) expect(titles, name).toContain(name);
  });

  test('The search index of the documentation site is at most 48 KB compressed', () => {
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
    ['sort clients', '/docs/#tag/clients/GET/clients'],
  ])('A search of the documentation site for "%s" has %s among its first two results', (search, url) => {
    expect(urls(search).slice(0, 2)).toContain(url);
  });

  test('A search of the documentation site for a word that no page contains finds nothing', () => {
    expect(urls('xyzzy')).toEqual([]);
    expect(urls('   ')).toEqual([]);
  });
});
