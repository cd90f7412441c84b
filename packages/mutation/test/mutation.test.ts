/** What the package reports of each mutant, and how long a result is kept. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { mutantsOf } from '../src/mutants.ts';
import { countsOf, scoreText } from '../src/results.ts';
import { ResultStore, storeResult, withContentHash } from '../src/stored-results.ts';
import { testsNear } from '../src/tests-near.ts';
import { type Trial, tryMutants } from '../src/try-mutants.ts';
import type { Unit } from '../src/worker.ts';

const root = fileURLToPath(new URL('./fixture', import.meta.url));

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

function trial(change: Partial<Trial> = {}): Trial {
  return {
    root,
    files: ['library.ts'],
    testsOf: () => ['library.test.ts'],
    choose: (mutants) => mutants,
    inProcesses: true,
    caches: ['Map'],
    texts: { properties: ['message'], arguments: { Error: 0, problem: 1 } },
    folder: temporaryFolder(),
    endsAt: Date.now() + 540_000,
    progress: () => undefined,
    ...change,
  };
}

test('A mutation run lists killed and surviving mutants separately, and no mutant affects the result of the next mutant', async () => {
  const tried: string[] = [];
  const choose: Trial['choose'] = (mutants) => {
    tried.push(...mutants.map(({ after }) => after));
    return mutants;
  };
  const lines: string[] = [];
  const results = await tryMutants(trial({ choose, progress: (line) => lines.push(line) }));
  const survivors = results.flatMap((one) => one.survivors.map(({ after }) => after));
  expect(survivors).toEqual([
    // No test borrows a book that is lent, or is eighteen years old.
    'if (false) return false;',
    'if (lent.has(book)) return true;',
    // The next test of the same process would fail, but a new process has no state.
    'export function giveBack(book: string): void {}',
    ';',
    'return age <= 18 ? daysFor.novel * 2 : daysFor.novel;',
  ]);
  // Code that runs once, when the file is loaded, and an endless loop.
  expect(tried).toContain('const daysFor = {};');
  expect(tried).toContain("for (let i = 0; i < count; i--) printed += '*';");
  expect(countsOf(results)).toEqual({ killed: tried.length - survivors.length, survived: survivors.length });
  expect(lines.at(-1)).toContain(scoreText(countsOf(results)));
});

test('A mutation run without time left tries no mutant, and reports no results but how many mutants earlier runs have killed', async () => {
  const folder = temporaryFolder();
  const tests = withContentHash('library.test.ts', readFileSync(join(root, 'library.test.ts'), 'utf8'));
  const choose: Trial['choose'] = ([first, second]) => {
    if (!first || !second) throw new Error('The fixture has too few mutants.');
    storeResult(join(folder, '..jsonl'), { kind: 'killed', mutant: first.name, test: `${tests} > fails` });
    return [first, second];
  };
  const lines: string[] = [];
  const late = trial({ folder, choose, endsAt: Date.now() - 1, progress: (line) => lines.push(line) });
  expect(await tryMutants(late)).toEqual([]);
  expect(lines).toEqual([expect.stringContaining('not finished, 1 of 2 killed so far')]);
});

test.skipIf(process.platform === 'win32')('The workers of a mutation run end when the run is killed', async () => {
  const file = join(temporaryFolder(), 'unit.json');
  const unit: Partial<Unit> = { root, mutants: {}, inProcesses: false, tests: [], caches: [] };
  writeFileSync(file, JSON.stringify(unit));
  const worker = fileURLToPath(new URL('../src/worker.ts', import.meta.url));
  const child = spawn(process.execPath, [worker, file], { stdio: 'pipe', detached: true });
  // The system closes this pipe when the run is killed.
  child.stdin.end();
  expect(await once(child, 'exit')).toEqual([null, 'SIGKILL']);
});

test('A mutation run changes error codes and field names, but not the text of messages', async () => {
  const { root, texts } = trial({ root: temporaryFolder() });
  writeFileSync(join(root, 'age.ts'), "throw problem('age', 'is negative', { code: 'low', message: `Try again.` });");
  const { mutants } = await mutantsOf(root, ['age.ts'], texts);
  expect(mutants.map(({ after }) => after)).toEqual([
    `throw problem("", 'is negative', { code: 'low', message: \`Try again.\` });`,
    "throw problem('age', 'is negative', {});",
    `throw problem('age', 'is negative', { code: "", message: \`Try again.\` });`,
  ]);
});

test('The result of a mutation run is reused until the source file or its tests change', () => {
  const resultsFile = join(temporaryFolder(), 'resultsFile.jsonl');
  // A result of an earlier version of the runner is ignored.
  writeFileSync(resultsFile, `${JSON.stringify({ kind: 'covered', asked: [], left: [], inTests: [], atLoad: [] })}\n`);
  const [mutant, file] = [`${withContentHash('core/a.ts', 'code')}#1`, withContentHash('test/a.test.ts', 'test')];
  storeResult(resultsFile, { kind: 'killed', mutant, test: `${file} > fails` });
  expect(new ResultStore(resultsFile, [file]).killed.has(mutant)).toBe(true);
  expect(new ResultStore(resultsFile, [file]).killed.has(`${withContentHash('core/a.ts', 'other code')}#1`)).toBe(
    false,
  );
  expect(new ResultStore(resultsFile, [withContentHash('test/a.test.ts', 'other test')]).killed.has(mutant)).toBe(
    false,
  );
});

test('A mutation run tries a test that imports the mutated file before a test that only shares a word with its path', () => {
  const byImport = 'library.test.ts';
  expect(readFileSync(join(root, byImport), 'utf8')).toContain("'./library.ts'");
  expect(testsNear(root, ['library.ts'], ['shop.test.ts', 'library-cards.test.ts', byImport])).toEqual([
    byImport,
    'library-cards.test.ts',
  ]);
});

test('For a mutant of core/loans/borrower.ts, a mutation run tries test/core/loans before test/core/borrowers', () => {
  const tests = ['test/core/borrowers/late.test.ts', 'test/core/loans/late.test.ts'];
  expect(testsNear(root, ['core/loans/borrower.ts'], tests)).toEqual(tests.toReversed());
});
