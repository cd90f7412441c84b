/**
 * Stores results between runs, one line of JSON each. The names of mutants and tests contain a hash of their file, so
 * that results of a changed file are ignored.
 */
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** The name of the nth mutant of a file: `file@hash#n`. */
export type MutantName = string;
/** The name of a test, `file@hash > name`, or of all tests of a file, `file@hash > *`. */
export type TestName = string;

export type StoredResult =
  /** The test passed with the mutant, or failed with it and passed without; `ms` is the processor time of the test. */
  | { readonly kind: 'passed' | 'killed'; readonly mutant: MutantName; readonly test: TestName; readonly ms?: number }
  /** The test failed with the mutant, and afterwards without it: the mutant must be tried alone in a new process. */
  | { readonly kind: 'suspect'; readonly mutant: MutantName; readonly test: TestName }
  /** The test passed without reaching the mutant: a cache held what it would have changed. */
  | { readonly kind: 'idle'; readonly mutant: MutantName; readonly test: TestName }
  /** The test passed without a mutant. It reaches some of the source files that it should guard. */
  | {
      readonly kind: 'ran';
      readonly test: TestName;
      readonly ms: number;
      readonly guarded: readonly string[];
      readonly reached: readonly string[];
    }
  /** The test fails without any mutant, so it proves nothing. */
  | { readonly kind: 'unusable'; readonly test: TestName }
  /** The test passes once in a process and fails when it is repeated. */
  | { readonly kind: 'once'; readonly test: TestName }
  /** All tests of a file have run. A mutant that is reached while the file loads cannot be activated for one test. */
  | {
      readonly kind: 'tried';
      readonly file: string;
      /** The mutants that were tried, and the duration up to which tests were repeated. */
      readonly tried: readonly MutantName[];
      readonly slowestMs: number;
      /** Mutants that slower tests reach. */
      readonly left: readonly MutantName[];
      readonly inTests: readonly MutantName[];
      readonly atLoad: readonly MutantName[];
    };

/** Returns the file name with a hash of its content: `file@hash`. */
export function withContentHash(file: string, content: string): string {
  return `${file}@${createHash('sha256').update(content).digest('hex').slice(0, 10)}`;
}

export function storeResult(path: string, result: StoredResult): void {
  appendFileSync(path, `${JSON.stringify(result)}\n`);
}

export class ResultStore {
  readonly #tests: readonly string[];
  /** The number of mutants that each test file killed, in former versions, too. */
  readonly kills = new Map<string, number>();
  /** The processor time of the tests that a mutant has survived. */
  readonly survivedMs = new Map<MutantName, number>();
  readonly ran = new Map<TestName, StoredResult & { readonly kind: 'ran' }>();
  readonly killed = new Set<MutantName>();
  readonly #passed = new Set<string>();
  readonly #suspect = new Map<string, { readonly mutant: MutantName; readonly test: TestName }>();
  readonly unusable = new Set<TestName>();
  readonly once = new Set<TestName>();
  readonly #idle = new Set<string>();
  readonly #inTests = new Set<string>();
  readonly #atLoad = new Set<string>();
  /** The duration up to which tests were repeated with a mutant. */
  readonly #tried = new Map<string, number>();
  readonly #left = new Set<string>();

  /** A kill counts if one of these test files, as `file@hash`, did it. */
  constructor(path: string, tests: readonly string[]) {
    this.#tests = tests;
    if (!existsSync(path)) mkdirSync(dirname(path), { recursive: true });
    else for (const line of readFileSync(path, 'utf8').split('\n')) if (line.endsWith('}')) this.take(JSON.parse(line));
  }

  take(result: StoredResult): void {
    switch (result.kind) {
      case 'killed': {
        const file = fileOf(result.test);
        this.kills.set(file, (this.kills.get(file) ?? 0) + 1);
        if (this.#tests.some((file) => result.test.startsWith(`${file} > `))) this.killed.add(result.mutant);
        break;
      }
      case 'passed':
        this.#passed.add(pair(result));
        this.survivedMs.set(result.mutant, (this.survivedMs.get(result.mutant) ?? 0) + (result.ms ?? 0));
        break;
      case 'ran':
        this.ran.set(result.test, result);
        break;
      case 'idle':
        this.#passed.add(pair(result));
        this.#idle.add(pair({ mutant: result.mutant, test: result.test.replace(/ > .*/s, '') }));
        break;
      case 'suspect':
        this.#suspect.set(pair(result), result);
        break;
      case 'unusable':
        this.unusable.add(result.test);
        break;
      case 'once':
        this.once.add(result.test);
        break;
      case 'tried':
        for (const mutant of result.tried) {
          const key = pair({ mutant, test: result.file });
          this.#tried.set(key, Math.max(result.slowestMs, this.#tried.get(key) ?? 0));
        }
        for (const mutant of result.left) this.#left.add(pair({ mutant, test: result.file }));
        for (const mutant of result.inTests) this.#inTests.add(pair({ mutant, test: result.file }));
        for (const mutant of result.atLoad) this.#atLoad.add(pair({ mutant, test: result.file }));
        break;
    }
  }

  isOpen(mutant: MutantName, test: TestName): boolean {
    return !this.killed.has(mutant) && !this.#passed.has(pair({ mutant, test }));
  }

  /** Returns whether all tests of a file up to a duration have been tried with a mutant. */
  isDone(mutant: MutantName, file: string, slowestMs: number): boolean {
    const at = pair({ mutant, test: file });
    const triedUpToMs = this.#tried.get(at);
    return triedUpToMs !== undefined && (triedUpToMs >= slowestMs || !this.#left.has(at));
  }

  /** Returns whether a test of the file reaches the mutant, but not in each repetition. */
  needsProcess(mutant: MutantName, file: string): boolean {
    const at = pair({ mutant, test: file });
    const isNotRepeated = this.#inTests.has(at) && [...this.once].some((test) => test.startsWith(`${file} > `));
    return this.#idle.has(at) || this.#atLoad.has(at) || isNotRepeated;
  }

  /** Returns whether the mutant is alive and only a process of its own can show that it survives. */
  isUndecided(mutant: MutantName): boolean {
    return !this.killed.has(mutant) && this.#tests.some((file) => this.needsProcess(mutant, file));
  }

  suspects(): { readonly mutant: MutantName; readonly test: TestName }[] {
    return [...this.#suspect.values()].filter(({ mutant, test }) => this.isOpen(mutant, test));
  }
}

/** Returns the file of a mutant or test, without its hash. */
export function fileOf(name: MutantName | TestName): string {
  return name.replace(/@.*/s, '');
}

function pair({ mutant, test }: { readonly mutant: MutantName; readonly test: TestName }): string {
  return `${mutant} by ${test}`;
}
