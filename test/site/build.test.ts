/** The site as files: what its pages promise without a browser. */
import { rm } from 'node:fs/promises';
import { beforeAll, describe, expect, test } from 'vitest';
import { readSite, type SiteFile } from '../../local/cloud/static-site.ts';
import { buildSite } from '../../site/build.ts';
import { siteHeaders } from '../../site/headers.ts';
import { renderMarkdown } from '../../site/markdown.ts';
import { guides, references } from '../../site/pages.ts';
import { temporaryFolder } from '../support/synthesised.ts';

let files: ReadonlyMap<string, SiteFile> = new Map();
beforeAll(async () => {
  const folder = temporaryFolder('site');
  await buildSite(folder);
  files = await readSite(folder);
  await rm(folder, { recursive: true });
});

const pages = () => [...files].filter(([, { type }]) => type.startsWith('text/html'));
const linksOf = ({ body }: SiteFile) =>
  [...body.toString().matchAll(/ (?:href|src)="([^"]+)"/g)].map(([, link = '']) => link);

test('every guide and every reference is a page', () => {
  for (const { path } of [...guides, ...references]) expect(files.has(path), path).toBe(true);
});

test('every link leads to a file of the site, and to a heading of it', () => {
  const dead = pages().flatMap(([from, file]) =>
    linksOf(file)
      .filter((link) => !/^https?:/.test(link))
      .filter((link) => {
        const { pathname, hash } = new URL(link, `http://site${from}`);
        const target = files.get(pathname);
        return !target || (hash && !target.body.toString().includes(`id="${decodeURIComponent(hash.slice(1))}"`));
      })
      .map((link) => `${from} → ${link}`),
  );
  expect(pages().length).toBeGreaterThan(guides.length);
  expect(dead).toEqual([]);
});

test('a page loads nothing from elsewhere, and has no script or style in itself', () => {
  for (const [path, { body }] of pages()) {
    expect(body.toString(), path).not.toMatch(/<script(?![^>]* src="\/assets\/)|<style| style=| on\w+="|src="https?:/);
    expect(siteHeaders(path)['content-security-policy'], path).toContain("default-src 'none'; script-src 'self';");
  }
});

test('only files whose name tells their content are kept for good by browsers', () => {
  for (const path of files.keys()) {
    const isForGood = siteHeaders(path)['cache-control']?.includes('immutable') ?? false;
    expect(isForGood, path).toBe(/^\/assets\/[a-z]+-[0-9a-f]{10}\.[a-z]+$/.test(path));
  }
});

describe('a guide', () => {
  const render = (text: string) => renderMarkdown('docs/calling-the-api.md', text).html;

  test('links to what is published where it is published', () => {
    expect(render('# A\n\n[b](../client/README.md#lists) [c](../openapi.json) [d](#e)')).toContain(
      '<a href="/docs/client/#lists">b</a> <a href="/openapi.json">c</a> <a href="#e">d</a>',
    );
  });

  test('that links to what is not published is refused', () => {
    expect(() => render('# A\n\n[b](decisions/README.md)')).toThrow('docs/calling-the-api.md links to docs/decisions/');
  });

  test('has no comments, and code as it was written', () => {
    const html = render('# A\n\n<!-- hidden -->\n\n```json\n{ "a": "<b>" }\n```\n\n```\n<c>&\n```');
    expect(html).not.toContain('hidden');
    expect(html).toContain('&lt;b&gt;');
    expect(html).toContain('<code>&lt;c&gt;&amp;</code>');
  });
});
