/** Slices of what is too much for one call. */

/** The items in order, `size` at a time. */
export function chunksOf<T>(items: readonly T[], size: number): (readonly T[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size));
}
