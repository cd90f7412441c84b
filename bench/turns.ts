/** How things are timed side by side: in one process, taking turns, so that what disturbs one disturbs all. */

/** `full` is what is reported; `tiny` shows that a benchmark still runs. */
export type Size = 'full' | 'tiny';

interface Contestant {
  readonly name: string;
  /** What a turn needs and what is not timed. */
  readonly prepare?: () => Promise<void>;
  readonly run: () => unknown;
}

/** What turns took, in milliseconds, round by round. */
type Times = ReadonlyMap<string, readonly number[]>;

/** The first round warms up and does not count. */
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

/** The median of what `other` took in a round relative to what `one` took in the same round. */
export function ratioOf(times: Times, other: string, one: string): number {
  const ones = times.get(one) ?? [];
  return median((times.get(other) ?? []).map((time, round) => time / (ones[round] ?? Number.NaN)));
}

/** Does all tasks, `width` of them at a time, and returns their results in order. */
export async function together<T, R>(tasks: readonly T[], width: number, run: (task: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const queue = tasks.entries();
  const worker = async () => {
    for (const [i, task] of queue) results[i] = await run(task);
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
