/** Pages and headings that comments and documents cite exist. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
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
  const paths = stdout.split('\0').filter((path) => path && !path.endsWith('citations.test.ts'));
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

test('Every heading that the code or a documentation page cites exists', async () => {
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
