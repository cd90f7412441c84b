/** Which test files reach a file by their imports or are named like it, the likeliest to notice a change in it first. */
import { readFileSync } from 'node:fs';
import { dirname, posix, resolve } from 'node:path';

/** Tests that no import leads to, or not soon: of a file before those that are near it, of a folder after them. */
const guards: Readonly<Record<string, readonly string[]>> = {
  'core/deliveries/attempt/writes.ts': ['test/core/deliveries/attempt/operational-events.test.ts'],
  'core/deliveries/plan/planning.ts': ['test/core/deliveries/attempt/operational-events.test.ts'],
  'core/availability/staff-time.ts': ['test/core/account/interference.test.ts'],
  'core/http/people.ts': ['test/core/bookings/privacy.test.ts'],
  'core/http/project.ts': ['test/core/bookings/privacy.test.ts'],
  'core/deliveries/attempt/deliver.ts': [
    'test/core/deliveries/attempt/deliver-steps.test.ts',
    'test/core/deliveries/attempt/redrive.test.ts',
  ],
  'core/deliveries/model/delivery-record.ts': [
    'test/core/deliveries/log/redeliver.test.ts',
    'test/core/deliveries/plan/plan.test.ts',
  ],
  'core/webhooks/registry': ['test/core/webhooks/registry/races.test.ts'],
  'core/webhooks/sender': [
    'test/core/webhooks/sender/sender-hostile.test.ts',
    'test/core/webhooks/sender/sender-ssrf.test.ts',
  ],
  'core/bookings/list-moves.ts': ['test/core/account/catalog.test.ts'],
  'core/catalog/read.ts': ['test/core/bookings/client-history.test.ts'],
  'core/reviews': ['test/core/erasure/erase.test.ts'],
  'core/idempotency': ['test/core/bookings/faults.test.ts'],
  'core/setup': ['test/core/account/catalog.test.ts'],
  'core/payments': ['test/core/account/lists.test.ts', 'test/core/account/statistics.test.ts'],
  'core/http': ['test/contract/access.test.ts', 'test/contract/account.test.ts'],
};

/** The rest of the tests is too far away to be what guards a rule. */
const most = 8;

/** The tests that are to notice changes of a file. */
export function guardsOf(root: string, file: string, tests: readonly string[]): string[] {
  const [its, ofFolder] = [guards[file] ?? [], guards[dirname(file)] ?? []];
  const near = testsNear(root, [file], tests).slice(0, most - its.length);
  return [...new Set([...its, ...near, ...ofFolder])];
}

const everyPath: readonly string[] = ['core', 'local', 'cloud', 'test', 'ts'];

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
  const words = new Set(files.flatMap(wordsOf));
  const strange = (test: string) => Number(!named.has(test));
  const unlike = (test: string) => -[...new Set(wordsOf(test))].filter((word) => words.has(word)).length;
  return (
    tests
      .map((test) => ({ test, steps: distance(test) }))
      .map((found) => ({ ...found, rank: [strange(found.test), unlike(found.test), found.steps] }))
      // What is loaded by its name, as handlers are, no import leads to.
      .filter(({ test, steps }) => steps <= farthest || unlike(test) < 0)
      .sort((a, b) => ascending(a.rank, b.rank) || (a.test < b.test ? -1 : 1))
      .map(({ test }) => test)
  );
}

/** Of a path, as far as words of one family are alike: `idempotently.ts` is what `idempotency.test.ts` is about. */
function wordsOf(path: string): string[] {
  return path
    .split(/[/.-]/)
    .filter((word) => !everyPath.includes(word))
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
