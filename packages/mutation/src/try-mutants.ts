/** Tries the mutants of some files in worker processes, which are replaced when a mutant never ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { openSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Mutant, mutantsOf, type Texts } from './mutants.ts';
import { countsOf, type FileResult, resultOf, scoreText } from './results.ts';
import { ResultStore, storeResult, withContentHash } from './stored-results.ts';
import type { Unit } from './worker.ts';

export interface Trial {
  /** The root of the vitest project. Files and tests are relative to it. */
  readonly root: string;
  /** The source files that are tried together. */
  readonly files: readonly string[];
  /** Returns the tests that should kill mutants of a file, the most likely first. */
  readonly testsOf: (file: string) => readonly string[];
  /** Selects the mutants to try. */
  readonly choose: (mutants: readonly Mutant[]) => readonly Mutant[];
  /** Whether to try mutants that need a process of their own; without it, they are not counted. */
  readonly inProcesses: boolean;
  /** Classes of caches, which are emptied before each repetition of a test. */
  readonly caches: readonly string[];
  /** Strings that are not changed. */
  readonly texts: Texts;
  /** An existing folder for results and logs. */
  readonly folder: string;
  /** Milliseconds since the epoch. */
  readonly endsAt: number;
  /** Receives a line from time to time. */
  readonly progress: (line: string) => void;
}

/** A worker without a heartbeat for this long runs a mutant that never ends. */
const silenceMs = 90_000;

/**
 * Returns a result for each file; none if time ran out, because most kills happen early: half a run scores too high.
 */
export async function tryMutants(trial: Trial): Promise<FileResult[]> {
  const { root, files, choose, inProcesses, caches, texts, folder, endsAt, progress } = trial;
  const { code, mutants: all } = await mutantsOf(root, files, texts);
  const mutants = choose(all);
  if (mutants.length === 0) return [];
  const name = dirname(files[0] ?? '');
  const path = (extension: string) => resolve(folder, `${name.replaceAll('/', '.')}.${extension}`);
  const guarded = guardedBy(trial, new ResultStore(path('jsonl'), []).kills);
  const unit: Unit = {
    root,
    resultsFile: path('jsonl'),
    heartbeat: path('heartbeat'),
    code,
    mutants: Object.fromEntries(mutants.map(({ id, name }) => [id, name])),
    inProcesses,
    tests: Object.keys(guarded),
    guarded,
    caches,
  };
  writeFileSync(path('json'), JSON.stringify(unit));
  const begun = Date.now();
  const reporting = setInterval(() => {
    const { killed } = new ResultStore(unit.resultsFile, unit.tests);
    const count = mutants.filter((mutant) => killed.has(mutant.name)).length;
    progress(`  ${name}: ${count} of ${mutants.length} killed`);
  }, 20_000);
  let ended = false;
  while (!ended && Date.now() < endsAt) ended = await runWorker(unit, path('json'), path('log'), endsAt);
  clearInterval(reporting);
  const known = new ResultStore(unit.resultsFile, unit.tests);
  const counted = inProcesses ? mutants : mutants.filter(({ name }) => !known.isUndecided(name));
  const results = [...Map.groupBy(counted, ({ file }) => file)].map(([file, its]) => resultOf(file, its, known));
  const seconds = Math.round((Date.now() - begun) / 1_000);
  const counts = countsOf(results);
  const score = ended ? scoreText(counts) : `not finished, ${counts.killed} of ${mutants.length} killed so far`;
  progress(`${name}: ${score}, ${seconds} s`);
  return ended ? results : [];
}

/** Returns the files that each test should guard: the tests with the most kills first, then the nearest. */
function guardedBy({ root, files, testsOf }: Trial, kills: ReadonlyMap<string, number>): Record<string, string[]> {
  const pairs = files.flatMap((file) => testsOf(file).map((test, rank) => ({ file, test, rank })));
  const byTest = [...Map.groupBy(pairs, ({ test }) => test)];
  const best = (of: readonly { readonly rank: number }[]) => Math.min(...of.map(({ rank }) => rank));
  const killsOf = (test: string) => kills.get(test) ?? 0;
  byTest.sort(([one, a], [other, b]) => killsOf(other) - killsOf(one) || best(a) - best(b));
  return Object.fromEntries(
    byTest.map(([test, of]) => [
      withContentHash(test, readFileSync(resolve(root, test), 'utf8')),
      of.map(({ file }) => file),
    ]),
  );
}

/** Returns whether the process ended by itself. A silent process is killed, and its mutant counts as killed. */
async function runWorker(unit: Unit, unitFile: string, log: string, endsAt: number): Promise<boolean> {
  writeFileSync(unit.heartbeat, '{}');
  const output = openSync(log, 'w');
  const worker = fileURLToPath(new URL('./worker.ts', import.meta.url));
  const child = spawn(process.execPath, [worker, unitFile], {
    cwd: unit.root,
    // The worker ends when its stdin ends: the system closes this pipe even if this process is killed.
    stdio: ['pipe', output, output],
    // The worker has its own process group, so that its children end with it.
    detached: true,
  });
  const watch = setInterval(() => {
    const silent = Date.now() - statSync(unit.heartbeat).mtimeMs > silenceMs;
    if (silent) accuse(unit);
    if (silent || Date.now() > endsAt) end(child);
  }, 1_000);
  const stop = () => {
    end(child);
    process.exit(1);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  process.off('SIGINT', stop).off('SIGTERM', stop);
  clearInterval(watch);
  if (code !== null && code !== 0) throw new Error(`The tests of ${unitFile} cannot be run: see ${log}.`);
  return code === 0;
}

function end({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // The process has just ended by itself.
  }
}

function accuse({ heartbeat, resultsFile }: Unit): void {
  const { mutant, test } = JSON.parse(readFileSync(heartbeat, 'utf8'));
  if (mutant) storeResult(resultsFile, { kind: 'killed', mutant, test });
  else if (test) storeResult(resultsFile, { kind: 'unusable', test });
}
