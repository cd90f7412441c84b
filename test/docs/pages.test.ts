/** Documents agree with each other: what they and comments cite exists, and copies are equal. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const project = fileURLToPath(new URL('../..', import.meta.url));

interface Line {
  readonly path: string;
  readonly at: number;
  readonly line: string;
}

/** Every line of code and prose in git, except this file. */
async function cited(): Promise<Line[]> {
  const { stdout } = await promisify(execFile)('git', ['ls-files', '-z', '*.ts', '*.mjs', '*.md'], { cwd: project });
  const paths = stdout.split('\0').filter((path) => path && !path.endsWith('pages.test.ts'));
  const texts = await Promise.all(
    paths.filter((path) => existsSync(join(project, path))).map(async (path) => ({ path, text: await read(path) })),
  );
  return texts.flatMap(({ path, text }) => text.split('\n').map((line, i) => ({ path, at: i + 1, line })));
}

const read = (path: string) => readFile(join(project, path), 'utf8');

/** The anchors that GitHub creates: lower case, no punctuation, hyphens for spaces. */
function anchorsOf(markdown: string): Set<string> {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => heading);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}

/** `docs/rules.md#limits, #errors` in a comment names two headings of one page. */
function inComment(line: string): [page: string, anchor: string][] {
  return [...line.matchAll(/\b(docs\/[\w/-]+\.md)((?:,? ?#[\w-]+)+)/g)].flatMap(([, page = '', anchors = '']) =>
    [...anchors.matchAll(/#([\w-]+)/g)].map(([, anchor = '']): [string, string] => [page, anchor]),
  );
}

/** `[text](../rules.md#limits)` in a page, relative to it. */
function inPage(path: string, line: string): [page: string, anchor: string][] {
  return [...line.matchAll(/\]\(([^)#:\s]*)#([\w-]+)\)/g)].map(([, page, anchor = '']) => [
    page ? normalize(join(dirname(path), page)) : path,
    anchor,
  ]);
}

test('Every heading to which the code or a documentation page refers exists', async () => {
  const known = new Map<string, Set<string>>();
  const missing: string[] = [];
  let citations = 0;
  for (const { path, at, line } of await cited()) {
    for (const [page, anchor] of path.endsWith('.md') ? inPage(path, line) : inComment(line)) {
      citations += 1;
      if (!known.has(page)) known.set(page, existsSync(join(project, page)) ? anchorsOf(await read(page)) : new Set());
      if (!known.get(page)?.has(anchor)) missing.push(`${path}:${at} cites ${page}#${anchor}`);
    }
  }
  expect(citations).toBeGreaterThan(0);
  expect(missing).toEqual([]);
});

test('Every link of a documentation page leads to an existing file', async () => {
  const dead = (await cited()).flatMap(({ path, at, line }) =>
    (path.endsWith('.md') ? [...line.matchAll(/\]\(([^)#:\s]+)(?:#[\w-]+)?\)/g)] : [])
      .filter(([, target = '']) => !existsSync(join(project, dirname(path), target)))
      .map(([, target]) => `${path}:${at} links to ${target}`),
  );
  expect(dead).toEqual([]);
});

test('The index docs/decisions/README.md lists every decision page once, under its own title', async () => {
  const pages = (await readdir(join(project, 'docs/decisions'))).filter((name) => name !== 'README.md').sort();
  const index = await read('docs/decisions/README.md');
  const listed = [...index.matchAll(/^\| \[(.+?)\]\((.+?)\)/gm)].map(([, title, page]) => ({ page, title }));
  const titled = pages.map(async (page) => ({
    page,
    title: /^# (.+)/.exec(await read(`docs/decisions/${page}`))?.[1],
  }));
  expect(listed.sort((a, b) => String(a.page).localeCompare(String(b.page)))).toEqual(await Promise.all(titled));
});

test('The guide to receiving webhooks shows exactly the verification code that the demo receiver runs', async () => {
  const guide = await read('docs/receiving-webhooks.md');
  const shown = /<!-- The next block is docs\/examples\/verify-webhook\.ts.*-->\n```ts\n([\s\S]*?)```\n/.exec(
    guide,
  )?.[1];
  expect(shown).toBe(await read('docs/examples/verify-webhook.ts'));
});

test('Every npm script that the README names exists', async () => {
  const { scripts } = JSON.parse(await read('package.json')) as { scripts: Record<string, string> };
  const named = (await read('README.md')).matchAll(/npm (?:run (?:-s )?)?(start|test|[a-z-]+)/g);
  const known = new Set([...Object.keys(scripts), 'ci', 'run']);
  expect([...named].map(([, name = '']) => name).filter((name) => !known.has(name))).toEqual([]);
});
