/** Which test files reach a file by their imports, the likeliest to notice a change in it first. */
import { readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';

/** A way from test to file that goes through no more imports says something of it. */
const farthest = 5;

export function testsNear(root: string, files: readonly string[], tests: readonly string[]): string[] {
  const imports = new Map<string, readonly string[]>();
  const importsOf = (file: string): readonly string[] => {
    const known = imports.get(file) ?? readImports(root, file);
    imports.set(file, known);
    return known;
  };
  const wanted = new Set(files);
  /** How many imports lie between a test and the nearest of the files. */
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
  const homes = new Set(files.map((file) => `test/${dirname(file)}`));
  const rank = (test: string) => [named.has(test), homes.has(dirname(test)), true].indexOf(true);
  return tests
    .map((test) => ({ test, rank: rank(test), steps: distance(test) }))
    .filter(({ steps }) => steps <= farthest)
    .sort((a, b) => a.rank - b.rank || a.steps - b.steps || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test);
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
