/** Which test files reach a file by their imports, the likeliest to notice a change in it first. */
import { readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';

/** Tests that no import leads to, or not soon: of a file before those that are near it, of a folder after them. */
const guards: Readonly<Record<string, readonly string[]>> = {
  'core/deliveries/attempt/writes.ts': ['test/core/deliveries/attempt/operational-events.test.ts'],
  'core/deliveries/plan/planning.ts': ['test/core/deliveries/attempt/operational-events.test.ts'],
  'core/availability/staff-time.ts': ['test/core/account/interference.test.ts'],
  'core/http/people.ts': ['test/core/bookings/privacy.test.ts'],
  'core/http/project.ts': ['test/core/bookings/privacy.test.ts'],
  'core/http': ['test/contract/access.test.ts', 'test/contract/account.test.ts'],
};

/** The rest of the tests is too far away to be what guards a rule. */
const most = 6;

/** The tests that are to notice changes of a file. */
export function guardsOf(root: string, file: string, tests: readonly string[]): string[] {
  const [its, ofFolder] = [guards[file] ?? [], guards[dirname(file)] ?? []];
  const near = testsNear(root, [file], tests).slice(0, most - its.length);
  return [...new Set([...its, ...near, ...ofFolder])];
}

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
  const strange = (test: string) => Number(!named.has(test));
  const away = (test: string) => Number(!homes.has(dirname(test)));
  return tests
    .map((test) => ({ test, steps: distance(test) }))
    .filter(({ steps }) => steps <= farthest)
    .map((found) => ({ ...found, rank: [strange(found.test), found.steps, away(found.test)] }))
    .sort((a, b) => ascending(a.rank, b.rank) || (a.test < b.test ? -1 : 1))
    .map(({ test }) => test);
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
