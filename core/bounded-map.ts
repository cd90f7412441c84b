/**
 * A map that, when it is full, removes the entry that was written longest ago, so that it cannot fill a container's
 * memory.
 */
export class BoundedMap<K, V> {
  readonly #entries = new Map<K, V>();
  readonly #capacity: number;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, value);
    if (this.#entries.size > this.#capacity) {
      for (const oldest of this.#entries.keys()) {
        this.#entries.delete(oldest);
        break;
      }
    }
  }

  /** Yields the entry that was written longest ago first. */
  values(): IterableIterator<V> {
    return this.#entries.values();
  }
}
