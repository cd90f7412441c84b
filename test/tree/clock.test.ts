/** The console has one clock: all its screens advance with the time, and use the fake clock of a test. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { ts } from '@ts-morph/common';
import { expect, test } from 'vitest';

const clock = 'console/src/format/clock.ts';
const root = new URL('../../', import.meta.url);
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard', '--deduplicate', 'console/src'], {
  cwd: root,
  encoding: 'utf8',
})
  .split('\n')
  .filter((file) => /\.tsx?$/.test(file));

/** `Date.now`, `new Date()` and `Date()`; a date with arguments does not read the time. */
function readsTheTime(code: string): boolean {
  const isDate = (node: ts.Node) => ts.isIdentifier(node) && node.text === 'Date';
  const looks = (node: ts.Node): boolean =>
    (ts.isPropertyAccessExpression(node) && isDate(node.expression) && node.name.text === 'now') ||
    (ts.isNewExpression(node) && isDate(node.expression) && !node.arguments?.length) ||
    (ts.isCallExpression(node) && isDate(node.expression)) ||
    (ts.forEachChild(node, looks) ?? false);
  return looks(ts.createSourceFile('code.tsx', code, ts.ScriptTarget.Latest));
}

test('Only one file of the console reads the system clock', () => {
  expect(files.filter((file) => readsTheTime(readFileSync(new URL(file, root), 'utf8')))).toEqual([clock]);
});

test('Negative control: the check for reads of the system clock reports `Date.now()` and `new Date()`', () => {
  const found = ['const at = Date.now();', 'useState(Date.now)', 'f(new Date().getTime())', 'new Date', 'Date()'];
  for (const code of found) expect(readsTheTime(code), code).toBe(true);
  for (const code of ['new Date(0)', 'Date.parse(text)', 'now()']) expect(readsTheTime(code), code).toBe(false);
});
