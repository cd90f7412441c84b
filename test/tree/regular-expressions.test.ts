/** No external text, however long, blocks a function: matching takes time in proportion to its length. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ts } from '@ts-morph/common';
import { isSafe } from 'redos-detector';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { projectFolder } from '../../lib/project-folder.ts';

/** Expressions that are linear for a reason that the detector does not find. */
const reasoned = new Map([
  [
    String.raw`/b[ks]_(?:live|test)_[0-9A-Za-z]+|whsec_[0-9A-Za-z+/=]+|\bBearer\s+[^\s"']+/gi`,
    'A run of spaces belongs to one Bearer, and is read once.',
  ],
  ['/"[^"]*"/g', 'Of all quotes only the last can be without its partner.'],
  [
    String.raw`/^(?:([a-z][a-z0-9+.-]*):\/\/)?(\*\.)?([^\s/:@*]+|\[[0-9a-f:.]+\])(?::([0-9]{1,5}))?$/i`,
    'Begins at one place, and takes each of its two ways once.',
  ],
  [String(z.regexes.email), 'Begins at one place; a dot and an @ end each of its runs, and stand in none.'],
]);

/** One for each step that matching can take back; quadratic or worse has no bound. */
const backtracksMax = 100;
const isLinear = (pattern: RegExp) => isSafe(pattern, { maxScore: backtracksMax }).safe;

function literalsOf(folder: string): [where: string, literal: string][] {
  const found: [string, string][] = [];
  for (const file of readdirSync(join(projectFolder, folder), { recursive: true, encoding: 'utf8' })) {
    if (!file.endsWith('.ts')) continue;
    const code = readFileSync(join(projectFolder, folder, file), 'utf8');
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) found.push([`${folder}/${file}`, node.text]);
      ts.forEachChild(node, visit);
    };
    visit(ts.createSourceFile(file, code, ts.ScriptTarget.Latest));
  }
  return found;
}

const parse = (literal: string) => {
  const end = literal.lastIndexOf('/');
  return new RegExp(literal.slice(1, end), literal.slice(end + 1));
};

const ofTheLibrary = [z.regexes.email, z.regexes.date, z.regexes.datetime({ offset: true })];
const expressions = [
  // contract/openapi/ only matches our own rows.
  ...['contract', 'core', 'functions'].flatMap(literalsOf).filter(([file]) => !file.startsWith('contract/openapi/')),
  ...ofTheLibrary.map((pattern) => ['the library zod', String(pattern)] as const),
];

test.each([...Map.groupBy(expressions, ([where]) => where)])(
  'Every regular expression in %s runs in linear time',
  (_, found) => {
    const slow = found.filter(([, literal]) => !reasoned.has(literal) && !isLinear(parse(literal)));
    expect(slow).toEqual([]);
  },
);

test('Every regular expression that is exempt from the check of linear time exists in the code and needs the exemption', () => {
  const written = new Set(expressions.map(([, literal]) => literal));
  for (const literal of reasoned.keys()) {
    expect(written).toContain(literal);
    expect(isLinear(parse(literal)), literal).toBe(false);
  }
});

test('Negative control: the check of regular expressions reports expressions that do not run in linear time', () => {
  for (const slow of [/^Bearer\s+(.*)$/, /^(?:\w+\s?)*$/, /\s+$/]) expect(isLinear(slow)).toBe(false);
});
