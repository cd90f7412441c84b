/**
 * The process that tries the mutants of some files: `node worker.ts <unit.json>`. It ends when nothing is left to try.
 * Results are written at once, so it may be killed and restarted at any moment.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitest } from 'vitest/node';
import type { Job } from './runner.ts';
import { fileOf, type MutantName, ResultStore, storeResult } from './stored-results.ts';

export interface Unit {
  readonly root: string;
  readonly resultsFile: string;
  readonly heartbeat: string;
  /** The instrumented code by file. */
  readonly code: Readonly<Record<string, string>>;
  /** The mutants to try, by their number in the code. */
  readonly mutants: Readonly<Record<string, MutantName>>;
  /** Whether to try mutants that need a process of their own for a whole file. */
  readonly inProcesses: boolean;
  /** The tests as `file@hash`, the most likely to kill a mutant first. */
  readonly tests: readonly string[];
  /** The files whose mutants each test should kill. */
  readonly guarded: Readonly<Record<string, readonly string[]>>;
  /** Classes whose instances at the top level of a module are caches, which are emptied before each repetition. */
  readonly caches: readonly string[];
}

/** Quick tests run first, because they kill most mutants. */
const paces = [100, 1_000, 8_000];
/** The maximum of processes for a file at one pace. */
const processes = 60;

const unit = JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8')) as Unit;
const { root, resultsFile, heartbeat, code, mutants, inProcesses, tests, guarded, caches } = unit;

process.stdin.once('end', () => process.kill(-process.pid, 'SIGKILL')).resume();

const vitest = await createVitest(
  {
    root,
    watch: false,
    runner: fileURLToPath(new URL('./runner.ts', import.meta.url)),
    pool: 'forks',
    // Each run has a new process, because state of a mutant could affect the next run.
    isolate: true,
    maxWorkers: 1,
    fileParallelism: false,
    reporters: [{}],
    onConsoleLog: () => false,
    dangerouslyIgnoreUnhandledErrors: true,
    // The cache would keep the instrumented code for the next ordinary run.
    fsModuleCache: false,
  },
  {
    plugins: [
      {
        name: 'mutants',
        enforce: 'pre',
        load: (id: string) => withoutCaches(code[relative(root, id.replace(/\?.*/, '')).replaceAll(sep, '/')]),
      },
    ],
  },
);

for (const slowestMs of paces) for (const file of tests) await tryAll(file, slowestMs);
if (inProcesses) for (const mutant of Object.values(mutants)) await tryThroughout(mutant);
await vitest.close();
process.exit(0);

/** Empties a module's caches before each repetition: a cached value would hide the mutant. */
function withoutCaches(code: string | undefined): string | undefined {
  return code?.replace(
    new RegExp(`^const (\\w+) = (new (?:${caches.join('|')})\\b.*\\));$`, 'gm'),
    'let $1 = $2; (globalThis.__caches__ ??= []).push(() => { $1 = $2; });',
  );
}

function isGuarded(mutant: MutantName, file: string): boolean {
  return guarded[file]?.includes(fileOf(mutant)) ?? false;
}

async function tryAll(file: string, slowestMs: number): Promise<void> {
  for (let i = 0; i < processes; i++) {
    const known = new ResultStore(resultsFile, tests);
    const its = Object.entries(mutants).filter(([, name]) => isGuarded(name, file));
    if (its.every(([, name]) => known.killed.has(name) || known.isDone(name, file, slowestMs))) return;
    const suspect = known.suspects().find(({ test }) => test.startsWith(`${file} > `));
    if (suspect) {
      await run({ file, mutants, slowestMs, only: suspect });
      // The mutant ended the process or its test.
      if (new ResultStore(resultsFile, tests).isOpen(suspect.mutant, suspect.test)) {
        storeResult(resultsFile, { ...suspect, kind: 'killed' });
      }
    } else {
      await run({ file, mutants: Object.fromEntries(its), slowestMs });
    }
  }
  const tried = Object.values(mutants);
  storeResult(resultsFile, { kind: 'tried', file, tried, slowestMs, left: [], inTests: [], atLoad: [] });
}

/** A mutant that is reached while a file loads, or only once in a process, gets its own process for each file. */
async function tryThroughout(mutant: MutantName): Promise<void> {
  for (const file of tests) {
    const known = new ResultStore(resultsFile, tests);
    if (known.killed.has(mutant)) return;
    const test = `${file} > *`;
    if (!isGuarded(mutant, file)) continue;
    if (!known.needsProcess(mutant, file)) continue;
    if (!known.isOpen(mutant, test)) continue;
    const loaded = await run({ file, mutants, slowestMs: 0, throughout: mutant });
    if (!new ResultStore(resultsFile, tests).killed.has(mutant)) {
      storeResult(resultsFile, loaded ? { kind: 'passed', mutant, test } : { kind: 'killed', mutant, test });
    }
  }
}

/** Returns whether the file could be run at all. */
async function run(job: Omit<Job, 'resultsFile' | 'heartbeat' | 'tests'>): Promise<boolean> {
  const { file, only, throughout } = job;
  writeFileSync(heartbeat, JSON.stringify({ mutant: throughout ?? only?.mutant, test: only?.test ?? `${file} > *` }));
  const project = vitest.getRootProject();
  project.provide('mutation', { ...job, resultsFile, heartbeat, tests });
  const path = resolve(root, job.file.replace(/@\w+$/, ''));
  const { testModules } = await vitest.runTestSpecifications([project.createSpecification(path)]);
  return testModules.every((module) => module.ok());
}
