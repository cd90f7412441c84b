/** Splits work that is too large for one call. */

/** The items in order, `size` at a time. */
export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}

/**
 * Calls `call` for one chunk after the other, even if it rejects for some. Returns each item with the promise of its
 * chunk.
 */
export function oneAfterAnother<T, R>(
  items: readonly T[],
  size: number,
  call: (chunk: readonly T[]) => Promise<R>,
): readonly (readonly [T, Promise<R>])[] {
  let before: Promise<unknown> = Promise.resolve();
  return chunksOf(items, size).flatMap((chunk) => {
    const done = before.then(() => call(chunk));
    before = Promise.allSettled([done]);
    return chunk.map((item) => [item, done] as const);
  });
}

/** How many calls run at once, so that the memory need not hold all requests and responses of a large batch. */
const callsTogether = 10;

/** Runs `call` for every item, a limited number concurrently. Rejects with the first rejection. */
export async function forEachConcurrently<T>(items: readonly T[], call: (item: T) => Promise<void>): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: Math.min(callsTogether, items.length) }, async () => {
      for (const item of left) await call(item);
    }),
  );
}
