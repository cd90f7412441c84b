/** Creates Stryker's mutants of source files: code with all of them, each behind a switch, and the change of each. */
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Ignorer } from '@stryker-mutator/api/ignore';
import type { Logger } from '@stryker-mutator/api/logging';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { type MutantName, withContentHash } from './stored-results.ts';

export interface Mutant {
  readonly name: MutantName;
  /** The number of the mutant in the instrumented code. */
  readonly id: string;
  readonly file: string;
  readonly line: number;
  /** The changed lines, joined into one, without and with the mutant. */
  readonly before: string;
  readonly after: string;
}

export interface Mutated {
  /** The instrumented code by file. */
  readonly code: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}

/** Where strings of the code are text for people. */
export interface Texts {
  /** Names of properties whose values are text. */
  readonly properties: readonly string[];
  /** Which argument is text, counted from 0, by the name of a function or class. */
  readonly arguments: Readonly<Record<string, number>>;
}

/** `files` are relative to `root`. */
export async function mutantsOf(root: string, files: readonly string[], texts: Texts): Promise<Mutated> {
  const sources = files.map((name) => ({ name, mutate: true, content: readFileSync(resolve(root, name), 'utf8') }));
  const options = { ignorers: [textForReaders(texts)], excludedMutations: [], plugins: null };
  const result = await new Instrumenter(silent).instrument(sources, options);
  const counts = new Map<string, number>();
  const mutants = result.mutants.flatMap(({ id, fileName, location, replacement, status }): Mutant[] => {
    if (status === 'Ignored') return [];
    const content = sources.find(({ name }) => name === fileName)?.content ?? '';
    const nth = (counts.get(fileName) ?? 0) + 1;
    counts.set(fileName, nth);
    return [
      {
        name: `${withContentHash(fileName, content)}#${nth}`,
        id,
        file: fileName,
        line: location.start.line + 1,
        ...change(content, location, replacement),
      },
    ];
  });
  return { code: Object.fromEntries(result.files.map(({ name, content }) => [name, content])), mutants };
}

interface Position {
  readonly line: number;
  readonly column: number;
}

/** The maximum of characters. A longer change is shown by its start and end. */
const longest = 120;

function change(content: string, { start, end }: { start: Position; end: Position }, replacement: string) {
  const lines = content.split('\n');
  const [first = '', last = ''] = [lines[start.line], lines[end.line]];
  const original =
    start.line === end.line
      ? first.slice(start.column, end.column)
      : [first.slice(start.column), ...lines.slice(start.line + 1, end.line), last.slice(0, end.column)].join(' ');
  const around = (text: string) => `${first.slice(0, start.column)}${text}${last.slice(end.column)}`.trim();
  return { before: around(short(original)), after: around(short(replacement)) };
}

function short(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length <= longest ? line : `${line.slice(0, longest - 40)} … ${line.slice(-40)}`;
}

interface Node {
  readonly type: string;
  readonly name?: string;
  readonly callee?: Node;
  readonly object?: Node;
  readonly key?: Node;
  readonly value?: Node;
  readonly arguments?: readonly Node[];
}

/** Skips strings that only people read, because no test should fix their wording. */
function textForReaders(texts: Texts): Ignorer {
  return {
    shouldIgnore(path) {
      const { node, parent } = path as { readonly node: Node; readonly parent?: Node };
      if (node.type !== 'StringLiteral' && node.type !== 'TemplateLiteral') return undefined;
      const { callee, key, value } = parent ?? {};
      const isProperty = value === node && texts.properties.includes(key?.name ?? '');
      const isArgument = parent?.arguments?.indexOf(node) === texts.arguments[callee?.name ?? ''];
      const isLog = callee?.object?.name === 'log';
      return isProperty || (callee && (isArgument || isLog)) ? 'text for readers' : undefined;
    },
  };
}

const silent = new Proxy({} as Logger, { get: () => () => undefined });
