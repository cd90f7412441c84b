/** Turns what several callers want done, each in its own time, into few calls. */
import { sleep } from '../clock.ts';

/** Hands in an item that is still to come, and resolves when the run that took it has done it. */
type Coalesced<T, R> = (coming: Promise<T>) => Promise<R>;

/**
 * `run` is called once when the items of all who handed one in are there: where all is well that is one call. A slow item
 * holds up the others for `windowMs` at most: what is there by then runs, and the rest runs later. An item that rejects is
 * no longer waited for, and its caller gets the rejection.
 *
 * `run` returns one promise an item, in order, so that one item's failure is not another's.
 */
export function coalesce<T, R>(windowMs: number, run: (items: readonly T[]) => readonly Promise<R>[]): Coalesced<T, R> {
  let awaited = 0;
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
      resolve(results[i] ?? Promise.reject(new Error('A coalesced run returns one promise an item')));
    });
  }

  function openWindow(): void {
    const opened = new AbortController();
    window = opened;
    // A window that was overtaken closes nothing.
    void sleep(windowMs, opened.signal).then(() => window === opened && flush());
  }

  function arrived(): void {
    awaited -= 1;
    if (awaited === 0) flush();
    else if (waiting.length > 0 && !window) openWindow();
  }

  return (coming) => {
    awaited += 1;
    return coming.then(
      (item) =>
        new Promise<R>((resolve) => {
          waiting.push({ item, resolve });
          arrived();
        }),
      (error) => {
        arrived();
        throw error;
      },
    );
  };
}
