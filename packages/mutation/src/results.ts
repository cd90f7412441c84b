/** The results of the mutants of a file, and the score. */
import type { Mutant } from './mutants.ts';
import type { ResultStore } from './stored-results.ts';

export interface FileResult {
  readonly file: string;
  readonly killed: number;
  readonly survivors: readonly Mutant[];
}

export function resultOf(file: string, mutants: readonly Mutant[], known: ResultStore): FileResult {
  const survivors = mutants.filter(({ name }) => !known.killed.has(name));
  return { file, killed: mutants.length - survivors.length, survivors };
}

export interface Counts {
  readonly killed: number;
  readonly survived: number;
}

export function countsOf(results: readonly FileResult[]): Counts {
  const total = (of: (one: FileResult) => number) => results.reduce((sum, one) => sum + of(one), 0);
  return { killed: total(({ killed }) => killed), survived: total(({ survivors }) => survivors.length) };
}

/** The score is 100 % without mutants. */
export function scoreText({ killed, survived }: Counts): string {
  const score = killed + survived === 0 ? 100 : (killed / (killed + survived)) * 100;
  return `${killed} killed, ${survived} survived: ${score.toFixed(1)} %`;
}
