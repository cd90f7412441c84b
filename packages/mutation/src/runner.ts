/**
 * A vitest runner that repeats each test with every mutant it reaches, one at a time, in the same process. The code
 * contains all mutants, and a switch selects the active one. A failure counts if the test passes again without the
 * mutant. Otherwise this process can prove nothing more, and a new one continues.
 */
import { writeFileSync } from 'node:fs';
import { inject, type RunnerTestCase, type RunnerTestFile, TestRunner, type TestTryOptions } from 'vitest';
import {
  fileOf,
  type MutantName,
  ResultStore,
  type StoredResult,
  storeResult,
  type TestName,
} from './stored-results.ts';

declare module 'vitest' {
  interface ProvidedContext {
    mutation: Job;
  }
}

/** One run of one test file. */
export interface Job {
  /** The test file with its hash: `test/cursor.test.ts@hash`. */
  readonly file: string;
  readonly resultsFile: string;
  /** All test files of the unit. */
  readonly tests: readonly string[];
  /** A file that is written before each repetition: its time shows progress, its content the mutant and the test. */
  readonly heartbeat: string;
  /** The mutants by their number in the instrumented code. */
  readonly mutants: Readonly<Record<string, MutantName>>;
  /** Tests that take longer are left to another job. */
  readonly slowestMs: number;
  /** Restricts the run to this mutant and this test. */
  readonly only?: { readonly mutant: MutantName; readonly test: TestName };
  /** A mutant that is active from the first import to the end of the file. */
  readonly throughout?: MutantName;
}

/** The values that the instrumented code reads; the names are Stryker's. */
interface Switchboard {
  activeMutant?: string | undefined;
  currentTestId?: string | undefined;
  mutantCoverage?: {
    readonly static: Record<string, number>;
    readonly perTest: Record<string, Record<string, number>>;
  };
  hitCount?: number;
  hitLimit?: number;
}

const space = globalThis as { __stryker__?: Switchboard; __caches__?: (() => void)[] };
space.__stryker__ ??= {};
const board = space.__stryker__;
const elsewhere = 'elsewhere';
/** The real timers, because a test may replace the global ones. */
const { setTimeout: later, clearTimeout: cancel, setImmediate: soon } = globalThis;

/** Whether an error was not handled since the end of the last repetition. */
let hasUnhandledError = false;
for (const event of ['uncaughtException', 'unhandledRejection']) {
  process.on(event, () => {
    hasUnhandledError = true;
  });
}

/** How much longer a test may take with a mutant. */
const timeLimit = { times: 5, ms: 1_500 };
/** A process in which a test has slowed down by this much is replaced. */
const slower = { times: 3, ms: 300 };

/** A mutant that has survived tests with this much processor time is not tried with more of them. */
const survivesMs = 20_000;

/** The maximum of hits of a mutant in a whole file. */
const hitsOfAFile = 10_000_000;

type Trials = Generator<string | undefined, void, boolean>;

export default class MutatingRunner extends TestRunner {
  readonly #job = inject('mutation');
  readonly #known = new ResultStore(this.#job.resultsFile, this.#job.tests);
  readonly #inTests = new Set<MutantName>();
  readonly #left = new Set<MutantName>();
  #trials: Trials | undefined;
  #active: string | undefined;
  #usualMs = 0;
  #began = 0;
  #lastMs = 0;
  /** The processor time of this process when the test began. */
  #processorAtStart = process.cpuUsage();
  /** Whether a test that timed out is still running. */
  #dangles = false;
  /** Whether an error was not handled in the last repetition; an earlier mutant may have caused it. */
  #hadUnhandledError = false;
  /** The number of mutants that have been active in this process. */
  #tried = 0;
  #over = false;

  override importFile(filepath: string, source: 'collect' | 'setup'): unknown {
    const { throughout } = this.#job;
    if (throughout) this.#switch(this.#idOf(throughout), hitsOfAFile);
    return super.importFile(filepath, source);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    const { only, throughout } = this.#job;
    const skips = only ? only.test !== this.#nameOf(test) : !throughout && !this.#mayKill(test);
    if (this.#over || skips) test.mode = 'skip';
    await super.onBeforeRunTask(test);
    if (test.mode === 'skip') return;
    this.#trials = throughout ? this.#throughout(test) : this.#oneByOne(test);
    // The runner reads the value before each repetition.
    test.repeats = { valueOf: () => (this.#trials ? Number.POSITIVE_INFINITY : 0) } as unknown as number;
    this.#next(true);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    writeFileSync(this.#job.heartbeat, JSON.stringify({ test: this.#nameOf(test), mutant: this.#mutantActive() }));
    for (const clear of space.__caches__ ?? []) clear();
    this.#began = performance.now();
    this.#processorAtStart = process.cpuUsage();
    super.onBeforeTryTask(test, options);
  }

  async runTask(test: RunnerTestCase): Promise<void> {
    const running = Promise.resolve(TestRunner.getTestFn(test)());
    if (this.#active === undefined || this.#usualMs === 0) return await running;
    const limitMs = this.#usualMs * timeLimit.times + timeLimit.ms;
    if (await endsWithin(limitMs, running)) return await running;
    // Without the mutant the code terminates.
    board.activeMutant = undefined;
    this.#dangles = !(await endsWithin(limitMs, running));
    throw new Error('The test takes too long.');
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    this.#lastMs = performance.now() - this.#began;
    const result = test.result;
    // Node.js reports an unhandled rejection before the next macrotask.
    await new Promise((resolve) => soon(resolve));
    this.#hadUnhandledError = hasUnhandledError;
    hasUnhandledError = false;
    const passed = result?.state !== 'fail' && !this.#hadUnhandledError;
    if (result) {
      result.state = 'pass';
      delete result.errors;
      result.attempts?.splice(0);
    }
    this.#next(passed);
  }

  override onAfterRunFiles(files: RunnerTestFile[]): void {
    const { file, mutants, only, slowestMs, throughout } = this.#job;
    if (!this.#over && !only && !throughout) {
      const atLoad = Object.keys(board.mutantCoverage?.static ?? {}).flatMap((id) => mutants[id] ?? []);
      const tried = Object.values(mutants);
      this.#store({
        kind: 'tried',
        file,
        tried,
        slowestMs,
        left: [...this.#left],
        inTests: [...this.#inTests],
        atLoad,
      });
    }
    super.onAfterRunFiles(files);
  }

  /** Yields the mutant of the next run, and receives whether the test passed. */
  *#oneByOne(test: RunnerTestCase): Trials {
    const { mutants, slowestMs, only } = this.#job;
    const name = this.#nameOf(test);
    board.currentTestId = test.id;
    const passes = yield undefined;
    board.currentTestId = elsewhere;
    if (!passes && this.#tried > 0) return this.#giveUp();
    if (!passes) return this.#store({ kind: 'unusable', test: name });
    this.#usualMs = this.#lastMs;
    const hits = board.mutantCoverage?.perTest[test.id] ?? {};
    const reached = Object.keys(hits).filter((id) => mutants[id] !== undefined);
    this.#store({
      kind: 'ran',
      test: name,
      ms: Math.round(this.#usualMs),
      guarded: [...new Set(Object.values(mutants).map(fileOf))],
      reached: [...new Set(reached.map((id) => fileOf(mutants[id] ?? '')))],
    });
    for (const id of reached) this.#inTests.add(mutants[id] ?? '');

    if (only) {
      const id = this.#idOf(only.mutant);
      const passed = yield this.#switch(id, limitOf(hits[id]));
      return this.#store({ ...only, kind: passed ? 'passed' : 'killed' });
    }
    const open = reached.filter((id) => this.#isOpen(mutants[id] ?? '', name));
    if (open.length === 0 || this.#known.once.has(name)) return;
    if (this.#usualMs > slowestMs) {
      for (const id of open) this.#left.add(mutants[id] ?? '');
      return;
    }
    if (!(yield this.#switch(undefined))) {
      this.#store({ kind: 'once', test: name });
      return this.#giveUp();
    }
    for (const id of open) {
      const mutant = mutants[id] ?? '';
      const passed = yield this.#switch(id, limitOf(hits[id]));
      this.#tried++;
      const tried = { mutant, test: name, ms: this.#processorMs() };
      if (passed) {
        this.#store({ kind: board.hitCount === 0 ? 'idle' : 'passed', ...tried });
        continue;
      }
      const isSound = !this.#dangles && !this.#hadUnhandledError && (yield this.#switch(undefined));
      this.#store({ kind: isSound || this.#tried === 1 ? 'killed' : 'suspect', ...tried });
      if (!isSound || this.#lastMs > this.#usualMs * slower.times + slower.ms) return this.#giveUp();
    }
    this.#switch(undefined);
  }

  #isOpen(mutant: MutantName, test: TestName): boolean {
    return this.#known.isOpen(mutant, test) && (this.#known.survivedMs.get(mutant) ?? 0) < survivesMs;
  }

  /** Returns whether a test may reach a mutant that is open, judging by its last run, and is fast enough. */
  #mayKill(test: RunnerTestCase): boolean {
    const name = this.#nameOf(test);
    const ran = this.#known.ran.get(name);
    if (!ran) return true;
    const open = Object.values(this.#job.mutants).filter((mutant) => {
      const file = fileOf(mutant);
      return this.#isOpen(mutant, name) && (ran.reached.includes(file) || !ran.guarded.includes(file));
    });
    if (ran.ms <= this.#job.slowestMs) return open.length > 0;
    for (const mutant of open) this.#left.add(mutant);
    return false;
  }

  *#throughout(test: RunnerTestCase): Trials {
    const mutant = this.#job.throughout ?? '';
    const name = this.#nameOf(test);
    if ((yield this.#active) || this.#known.unusable.has(name)) return;
    this.#store({ kind: 'killed', mutant, test: name });
    this.#over = true;
  }

  #next(passed: boolean): void {
    const step = this.#trials?.next(passed);
    if (!step?.done) return;
    this.#trials = undefined;
    this.#usualMs = 0;
    if (!this.#job.throughout) this.#switch(undefined);
    board.currentTestId = undefined;
  }

  #switch(id: string | undefined, limit = 0): string | undefined {
    this.#active = id;
    board.activeMutant = id;
    board.hitCount = 0;
    board.hitLimit = limit;
    return id;
  }

  /** The rest of the file needs a new process. */
  #giveUp(): void {
    this.#over = true;
  }

  #store(result: StoredResult): void {
    this.#known.take(result);
    storeResult(this.#job.resultsFile, result);
  }

  #nameOf(test: RunnerTestCase): TestName {
    return `${this.#job.file} > ${test.fullTestName}`;
  }

  /** Unlike the duration, it is the same when other programs use the processors. */
  #processorMs(): number {
    const { user, system } = process.cpuUsage(this.#processorAtStart);
    return Math.round((user + system) / 1_000);
  }

  #mutantActive(): MutantName | undefined {
    return this.#active === undefined ? undefined : this.#job.mutants[this.#active];
  }

  #idOf(mutant: MutantName): string {
    const [id] = Object.entries(this.#job.mutants).find(([, name]) => name === mutant) ?? [];
    if (id === undefined) throw new Error(`There is no mutant ${mutant}.`);
    return id;
  }
}

/** Returns whether a promise settles within a time. */
async function endsWithin(ms: number, running: Promise<unknown>): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = later(() => resolve(false), ms);
  });
  const ended = running.then(
    () => true,
    () => true,
  );
  try {
    return await Promise.race([ended, tooLong]);
  } finally {
    cancel(timer);
  }
}

/** The maximum of hits of a mutant before its test counts as endless. */
function limitOf(hits = 0): number {
  return hits * 100 + 10_000;
}
