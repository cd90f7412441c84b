/** Combines the items of several concurrent callers into few calls. */
import { sleep } from '../clock.ts';

/** Takes a promise of an item, and resolves when the call that contains the item has handled it. */
type Coalesced<T, R> = (coming: Promise<T>) => Promise<R>;

/**
 * `run` is called once when the items of all callers are known: normally one call. A slow item delays the others by at
 * most `windowMs`: then `run` is called with the known items, and later with the others. An item that rejects is left
 * out, and its caller gets the rejection.
 *
 * `run` returns one promise for each item, in order, so that one item can fail alone.
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
      resolve(results[i] ?? Promise.reject(new Error('A coalesced run returned too few promises')));
    });
  }

  function openWindow(): void {
    const opened = new AbortController();
    window = opened;
    // The call of this window has already begun.
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
