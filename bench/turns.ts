/** Times contestants side by side in one process, in turns, so that a disturbance affects all. */

/** `full` is for the reported results; `tiny` shows that a benchmark still runs. */
export type Size = 'full' | 'tiny';

interface Contestant {
  readonly name: string;
  /** Prepares a turn; its time is not measured. */
  readonly prepare?: () => Promise<void>;
  readonly run: () => unknown;
}

/** The milliseconds of the turns, round by round. */
type Times = ReadonlyMap<string, readonly number[]>;

/** Runs the rounds. The first one warms up and does not count. */
export async function takeTurns(contestants: readonly Contestant[], rounds: number): Promise<Times> {
  const times = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, prepare, run } of contestants) {
      await prepare?.();
      const began = performance.now();
      await run();
      if (round > 0) times.get(name)?.push(performance.now() - began);
    }
  }
  return times;
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median, over all rounds, of the time of `other` relative to the time of `one`. */
export function ratioOf(times: Times, other: string, one: string): number {
  const ones = times.get(one) ?? [];
  return median((times.get(other) ?? []).map((time, round) => time / (ones[round] ?? Number.NaN)));
}

/** Runs all tasks, at most `width` concurrently, and returns their results in order. */
export async function together<T, R>(tasks: readonly T[], width: number, run: (task: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = tasks.entries();
  const worker = async () => {
    for (const [i, task] of queue) results[i] = await run(task);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
