import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';

const folder = new URL('../../docs/decisions/', import.meta.url);

test('The index of decisions lists every decision page once, under its own title', async () => {
  const pages = (await readdir(folder)).filter((name) => name !== 'README.md').sort();
  const index = await readFile(new URL('README.md', folder), 'utf8');
  const listed = [...index.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(([, title, page]) => ({ page, title }));
  const titled = pages.map(async (page) => ({
    page,
    title: /^# (.+)/.exec(await readFile(new URL(page, folder), 'utf8'))?.[1],
  }));
  expect(listed.sort((a, b) => String(a.page).localeCompare(String(b.page)))).toEqual(await Promise.all(titled));
});
