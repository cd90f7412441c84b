/** How things are timed side by side: in one process, taking turns, so that what disturbs one disturbs all. */

/** `full` is what is reported; `tiny` shows that a benchmark still runs. */
export type Size = 'full' | 'tiny';

export interface Contestant {
  readonly name: string;
  /** What a turn needs and what is not timed. */
  readonly prepare?: () => Promise<void>;
  readonly run: () => unknown;
}

/** What turns took, in milliseconds, round by round. */
export interface Times {
  readonly wall: ReadonlyMap<string, readonly number[]>;
  /** Of the processors, by this process alone: what a busy machine disturbs least. */
  readonly processor: ReadonlyMap<string, readonly number[]>;
}

/** The first round warms up and does not count. */
export async function takeTurns(contestants: readonly Contestant[], rounds: number): Promise<Times> {
  const wall = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  const processor = new Map(contestants.map(({ name }) => [name, [] as number[]]));
  for (let round = 0; round <= rounds; round++) {
    for (const { name, prepare, run } of contestants) {
      await prepare?.();
      const began = performance.now();
      const used = process.cpuUsage();
      await run();
      const wallMs = performance.now() - began;
      const { user, system } = process.cpuUsage(used);
      if (round === 0) continue;
      wall.get(name)?.push(wallMs);
      processor.get(name)?.push((user + system) / 1_000);
    }
  }
  return { wall, processor };
}

export function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** The median of what `other` took in a round relative to what `one` took in the same round. */
export function ratioOf(times: ReadonlyMap<string, readonly number[]>, other: string, one: string): number {
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
