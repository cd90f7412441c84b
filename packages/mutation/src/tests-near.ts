/** Orders test files by how likely they are to kill a mutant of some source files first. */
import { readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';

/** Words of a path that do not describe the content of a file. */
const commonWords: readonly string[] = ['core', 'packages', 'src', 'test', 'ts'];

/** The maximum length of an import chain from a test to a file that it relates to. */
const farthest = 5;

/**
 * Returns the tests that reach `files` by at most five imports, or share a word of their path. The order: the test of
 * the same name, tests that import one of `files` directly, tests with the most shared words, tests in the folder of
 * the same name, and tests with the shortest chain of imports. Paths are relative to `root`.
 */
export function testsNear(root: string, files: readonly string[], tests: readonly string[]): string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imports.get(file) ?? readImports(root, file);
    imports.set(file, known);
    return known;
  };
  const wanted = new Set(files);
  const distance = (test: string): number => {
    let edge = [test];
    const seen = new Set(edge);
    for (let steps = 0; steps <= farthest && edge.length > 0; steps++) {
      if (edge.some((file) => wanted.has(file))) return steps;
      edge = edge.flatMap(importsOf).filter((file) => !seen.has(file) && seen.add(file));
    }
    return Number.POSITIVE_INFINITY;
  };
  const named = new Set(files.map((file) => `test/${file.replace(/ts$/, 'test.ts')}`));
  const words = new Set(files.flatMap(wordsOf));
  const folders = new Set(files.map((file) => `test/${dirname(file)}`));
  const otherName = (test: string) => Number(!named.has(test));
  const otherFolder = (test: string) => Number(!folders.has(dirname(test)));
  const unlike = (test: string) => -[...new Set(wordsOf(test))].filter((word) => words.has(word)).length;
  return (
    tests
      .map((test) => ({ test, steps: distance(test) }))
      .map((found) => ({
        ...found,
        rank: [
          otherName(found.test),
          Number(found.steps > 1),
          unlike(found.test),
          otherFolder(found.test),
          found.steps,
        ],
      }))
      // No import leads to files that are loaded by name, such as handlers.
      .filter(({ test, steps }) => steps <= farthest || unlike(test) < 0)
      .sort((a, b) => ascending(a.rank, b.rank) || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test)
  );
}

/** Returns the first five letters of each word of a path: `idempotently.ts` and `idempotency.test.ts` share one. */
function wordsOf(path: string): string[] {
  return path
    .split(/[/.-]/)
    .filter((word) => !commonWords.includes(word))
    .map((word) => word.slice(0, 5));
}

function ascending(a: readonly number[], b: readonly number[]): number {
  return a.map((number, i) => number - (b[i] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

function readImports(root: string, from: string): string[] {
  let text = '';
  try {
    text = readFileSync(resolve(root, from), 'utf8');
  } catch {
    return [];
  }
  return [...text.matchAll(/^(?:import|export)\s(?!type\s)(?:[^'";]*?\sfrom\s)?'(\.[^']+\.ts)'/gm)].map((match) =>
    posix.join(dirname(from), match[1] ?? ''),
  );
}
