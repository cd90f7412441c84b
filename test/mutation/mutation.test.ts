/** `npm run mutate` says of each planted change whether tests notice it, and keeps what it learned. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { equivalent } from './equivalent.ts';
import { mutantsOf } from './mutants.ts';
import { Notebook, stamped, writeNote } from './notes.ts';
import { drawnSection, lostOf, resultOf, survivorsOnRecord, withResults } from './results.ts';
import { testsNear } from './tests-near.ts';
import type { Unit } from './worker.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

function folderOfItsOwn(): string {
  const folder = mkdtempSync(join(tmpdir(), 'mutation-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

test('what tests notice is told from what they do not, and no change is blamed for what another one left behind', async () => {
  const [rules, guard] = ['test/mutation/fixture/library.ts', 'test/mutation/fixture/library.test.ts'];
  const folder = folderOfItsOwn();
  const { code, mutants } = await mutantsOf(root, [rules]);
  const tests = [stamped(guard, readFileSync(join(root, guard), 'utf8'))];
  const unit: Unit = {
    root,
    notes: join(folder, 'notes.jsonl'),
    heartbeat: join(folder, 'heartbeat'),
    code,
    mutants: Object.fromEntries(mutants.map(({ id, name }) => [id, name])),
    inProcesses: true,
    tests,
    guarded: Object.fromEntries(tests.map((test) => [test, [rules]])),
  };
  writeFileSync(join(folder, 'unit.json'), JSON.stringify(unit));
  const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
  const { status, stderr } = spawnSync(process.execPath, [worker, join(folder, 'unit.json')], { encoding: 'utf8' });
  expect(status, stderr).toBe(0);

  const known = new Notebook(unit.notes, tests);
  const [survivors, noticed] = [
    mutants.filter(({ name }) => !known.killed.has(name)).map(({ after }) => after),
    mutants.filter(({ name }) => known.killed.has(name)).map(({ after }) => after),
  ];
  expect(survivors).toEqual([
    // Nobody borrows a book that is lent, or turns eighteen.
    'if (false) return false;',
    'if (lent.has(book)) return true;',
    ';',
    // The next reader would notice, in a process in which there is none.
    'export function giveBack(book: string): void {}',
    ';',
    'return age <= 18 ? daysFor.novel * 2 : daysFor.novel;',
  ]);
  // What is read once, when the file is loaded, and what does not come to an end.
  expect(noticed).toContain('const daysFor = {};');
  expect(noticed).toContain("for (let i = 0; i < count; i--) printed += '*';");
});

test('what is known holds until the file or its test changes', () => {
  const notes = join(folderOfItsOwn(), 'notes.jsonl');
  const [mutant, file] = [`${stamped('core/a.ts', 'code')}#1`, stamped('test/a.test.ts', 'test')];
  writeNote(notes, { kind: 'killed', mutant, test: `${file} > notices` });
  expect(new Notebook(notes, [file]).killed.has(mutant)).toBe(true);
  expect(new Notebook(notes, [file]).killed.has(`${stamped('core/a.ts', 'other code')}#1`)).toBe(false);
  expect(new Notebook(notes, [stamped('test/a.test.ts', 'other test')]).killed.has(mutant)).toBe(false);
});

test('the test of its name comes first, then those with a word of it, then those with the shortest way', () => {
  const [home, far] = ['test/core/store/transact.test.ts', 'test/core/bookings/bookings.test.ts'];
  expect(testsNear(root, ['core/store/transact.ts'], [far, 'test/core/log.test.ts', home])).toEqual([home, far]);
  const [named, near] = ['test/core/bookings/idempotency.test.ts', 'test/core/account/catalog.test.ts'];
  expect(testsNear(root, ['core/idempotency/idempotently.ts'], [near, named])).toEqual([named, near]);
});

test('the report replaces what was tried again, keeps the rest, and forgets files that are gone', async () => {
  const { mutants } = await mutantsOf(root, ['core/chunks.ts']);
  const nothing = new Notebook(join(folderOfItsOwn(), 'notes.jsonl'), []);
  const of = (file: string, some: number) => ({ ...resultOf(file, mutants.slice(0, some), nothing), noticed: 6 });
  const first = withResults('', [of('core/a.ts', 2), of('core/keys/b.ts', 4), of('core/gone.ts', 1)], () => true);
  expect(first).toContain('| all | 18 | 7 | 0 | 72.0 |');
  const second = withResults(first, [of('core/a.ts', 1)], (file) => file !== 'core/gone.ts');
  expect(second).toContain('| all | 12 | 5 | 0 | 70.6 |');
  expect(second).toContain('| core/keys | 6 | 4 | 0 | 60.0 |');
  expect(second).not.toContain('core/gone.ts');
  expect(withResults(second, [], () => true)).toBe(second);
});

test('what was drawn from all is one section of the report, which other results leave alone', async () => {
  const { mutants } = await mutantsOf(root, ['core/chunks.ts']);
  const nothing = new Notebook(join(folderOfItsOwn(), 'notes.jsonl'), []);
  const result = { ...resultOf('core/chunks.ts', mutants.slice(0, 1), nothing), noticed: 3 };
  const drawn = withResults('', [result], () => true, drawnSection([result, result], '--percent 5 --seed 7'));
  expect(drawn).toContain(
    '`npm run mutate -- --percent 5 --seed 7`, from 2 files: 6 noticed, 2 not, 0 equivalent: 75.0 %',
  );
  expect(drawn).toContain('\n- core/chunks.ts: `');
  expect(withResults(drawn, [result], () => true)).toBe(drawn);
  const again = withResults(drawn, [], () => true, drawnSection([result], '--percent 5 --seed 8'));
  expect(again).toContain('--seed 8');
  expect(again).not.toContain('--seed 7');
  expect(again).toContain('| all | 3 | 1 | 0 | 75.0 |');
});

test('a sample misses what was noticed when the report was written, and nothing else', async () => {
  const { mutants } = await mutantsOf(root, ['core/chunks.ts']);
  const nothing = new Notebook(join(folderOfItsOwn(), 'notes.jsonl'), []);
  const file = 'core/chunks.ts';
  const before = withResults('', [resultOf(file, mutants.slice(0, 2), nothing)], () => true);
  const lost = lostOf([resultOf(file, mutants.slice(0, 4), nothing)], survivorsOnRecord(before));
  expect(lost).toEqual(mutants.slice(2, 4));
  expect(lostOf([resultOf('core/new.ts', mutants, nothing)], survivorsOnRecord(before))).toEqual([]);
});

test('each mutant that is said to be equivalent is one that there is', async () => {
  const { mutants } = await mutantsOf(root, Object.keys(equivalent));
  const stale = Object.entries(equivalent).flatMap(([file, rows]) =>
    rows
      .filter(
        (row) => !mutants.some((one) => one.file === file && one.before === row.before && one.after === row.after),
      )
      .map(({ before, after }) => `${file}: ${before} → ${after}`),
  );
  expect(stale).toEqual([]);
});
