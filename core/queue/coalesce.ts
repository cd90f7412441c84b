/** Turns what the members of a batch want done, each in its own time, into few calls. */
import { sleep } from '../clock.ts';

export interface Gathering<T, R> {
  /** Hands in a member's item. Resolves when the run that took it has done it. */
  add(item: T): Promise<R>;
  /** A member that has nothing to hand in says so, and the others no longer wait for it. */
  leave(): void;
}

/**
 * Runs once when every member has added or left: where all is well that is one run. A slow member holds up the others for
 * `windowMs` at most: what has gathered by then runs, and the rest runs later.
 *
 * `run` returns one promise an item, in order, so that one item's failure is not another's.
 */
export function gather<T, R>(
  members: number,
  windowMs: number,
  run: (items: readonly T[]) => readonly Promise<R>[],
): Gathering<T, R> {
  let awaited = members;
  let waiting: { item: T; resolve: (result: Promise<R>) => void }[] = [];
  let window: AbortController | undefined;

  function flush(): void {
    window?.abort();
    window = undefined;
    const taken = waiting;
    waiting = [];
    if (taken.length === 0) return;
    const results = run(taken.map(({ item }) => item));
    taken.forEach(({ resolve }, i) => {
      resolve(results[i] ?? Promise.reject(new Error('A gathered run returns one promise an item')));
    });
  }

  function openWindow(): void {
    window = new AbortController();
    // One that was overtaken finds nothing that waits: whoever comes after the last member runs at once.
    void sleep(windowMs, window.signal).then(flush);
  }

  function arrived(): void {
    awaited -= 1;
    if (awaited <= 0) flush();
  }

  return {
    add: (item) =>
      new Promise((resolve) => {
        waiting.push({ item, resolve });
        if (!window) openWindow();
        arrived();
      }),
    leave: arrived,
  };
}
