/** Keeps items in the order of their keys, in a table and its indexes. */
import { maxItemBytes, storedSize } from './capacity.ts';
import { inapplicable, invalid } from './refusals.ts';
import { equal, type Item } from './value.ts';

export interface TableShape {
  /** The names of the partition key and the optional sort key. */
  readonly key: readonly [string] | readonly [string, string];
  readonly indexes?: Readonly<Record<string, readonly [string, string]>>;
}

/** The items of one partition. Stored items are never changed, only replaced. */
class Partition {
  readonly sorted: string[] = [];
  readonly items = new Map<string, Item>();

  put(sort: string, item: Item): void {
    if (!this.items.has(sort)) {
      const last = this.sorted.at(-1);
      if (last === undefined || last < sort) this.sorted.push(sort);
      else this.sorted.splice(this.indexOf(sort), 0, sort);
    }
    this.items.set(sort, item);
  }

  delete(sort: string): void {
    if (this.items.delete(sort)) this.sorted.splice(this.indexOf(sort), 1);
  }

  /** Returns the index of the first key that is not before `sort`. */
  indexOf(sort: string): number {
    let [low, high] = [0, this.sorted.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.sorted[middle] ?? '') < sort) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

class Ordered {
  readonly #partitions = new Map<string, Partition>();

  get(partition: string): Partition | undefined {
    return this.#partitions.get(partition);
  }

  put(partition: string, sort: string, item: Item): void {
    let found = this.#partitions.get(partition);
    if (!found) {
      found = new Partition();
      this.#partitions.set(partition, found);
    }
    found.put(sort, item);
  }

  delete(partition: string, sort: string): void {
    const found = this.#partitions.get(partition);
    found?.delete(sort);
    if (found?.items.size === 0) this.#partitions.delete(partition);
  }

  *all(): Generator<Item> {
    for (const partition of this.#partitions.values()) yield* partition.items.values();
  }
}

/** The change of one item by a commit. An observer must not modify either state. */
export interface Change {
  readonly table: string;
  readonly before?: Item | undefined;
  readonly after?: Item | undefined;
}

export class Table {
  readonly shape: TableShape;
  readonly #items = new Ordered();
  readonly #indexes = new Map<string, Ordered>();

  constructor(shape: TableShape) {
    this.shape = shape;
    for (const name of Object.keys(shape.indexes ?? {})) this.#indexes.set(name, new Ordered());
  }

  keyOf(item: Item): readonly [string, string] {
    const [partition, sort] = this.shape.key;
    return [textOf(item, partition, maxKeyBytes[0]), sort === undefined ? '' : textOf(item, sort, maxKeyBytes[1])];
  }

  /** Returns why the table cannot store the item, or undefined. */
  defectOf(item: Item): string | undefined {
    if (storedSize(item) > maxItemBytes) return 'The item is larger than 400 KB';
    for (const names of Object.values(this.shape.indexes ?? {})) {
      for (const [i, name] of names.entries()) {
        const value = item[name];
        if (value !== undefined && !isKey(value, maxKeyBytes[i])) return `The index key ${name} ${keyRule}`;
      }
    }
    return undefined;
  }

  get(key: Item): Item | undefined {
    const names: readonly string[] = this.shape.key;
    for (const name in key) {
      if (key[name] !== undefined && !names.includes(name))
        throw inapplicable(`The key has the other attribute ${name}`);
    }
    return this.storedFor(key);
  }

  storedFor(item: Item): Item | undefined {
    const [partition, sort] = this.keyOf(item);
    return this.#items.get(partition)?.items.get(sort);
  }

  put(item: Item): void {
    const [partition, sort] = this.keyOf(item);
    const old = this.#indexes.size > 0 ? this.#items.get(partition)?.items.get(sort) : undefined;
    this.#items.put(partition, sort, item);
    for (const [name, index] of this.#indexes) {
      const [before, key] = [old && this.#indexKeyOf(name, old), this.#indexKeyOf(name, item)];
      if (before) index.delete(...before);
      if (key) index.put(...key, item);
    }
  }

  delete(item: Item): void {
    const [partition, sort] = this.keyOf(item);
    const old = this.#items.get(partition)?.items.get(sort);
    if (!old) return;
    this.#items.delete(partition, sort);
    for (const [name, index] of this.#indexes) {
      const indexKey = this.#indexKeyOf(name, old);
      if (indexKey) index.delete(...indexKey);
    }
  }

  /** Returns the index writes of a change: the states before and after each write. */
  writesOfIndexes(before: Item | undefined, after: Item | undefined): (Item | undefined)[][] {
    return [...this.#indexes.keys()].flatMap((name) => {
      const [from, to] = [before && this.#indexKeyOf(name, before), after && this.#indexKeyOf(name, after)];
      if (from && to && from.join() === to.join()) return equal(before, after) ? [] : [[before, after]];
      return [...(from ? [[before]] : []), ...(to ? [[after]] : [])];
    });
  }

  /** Items of an index may share a sort key; then their own keys distinguish them. */
  #indexKeyOf(index: string, item: Item): readonly [string, string] | undefined {
    const names = this.shape.indexes?.[index];
    if (!names) throw invalid(`The table has no index ${index}`);
    const [partition, sort] = [item[names[0]], item[names[1]]];
    if (typeof partition !== 'string' || typeof sort !== 'string') return undefined;
    return [partition, [sort, ...this.keyOf(item)].join('\0')];
  }

  all(): Iterable<Item> {
    return this.#items.all();
  }

  /**
   * Yields the items of a partition of the table or an index in the order of their sort keys, from a sort key on or
   * after an item.
   */
  *walk(
    index: string | undefined,
    partition: string,
    { backwards = false, after, from, to }: Walk = {},
  ): Generator<Item> {
    const ordered = index === undefined ? this.#items : this.#indexes.get(index);
    if (!ordered) throw invalid(`The table has no index ${index}`);
    const found = ordered.get(partition);
    if (!found) return;
    const sort = after && (index === undefined ? this.keyOf(after)[1] : this.#indexKeyOf(index, after)?.[1]);
    const [first, end] = [
      from === undefined ? 0 : found.indexOf(from),
      to === undefined ? found.sorted.length : found.indexOf(to),
    ];
    let at = backwards ? end - 1 : first;
    if (sort !== undefined) at = found.indexOf(sort) + (backwards ? -1 : found.items.has(sort) ? 1 : 0);
    for (; at >= first && at < end; at += backwards ? -1 : 1) {
      const item = found.items.get(found.sorted[at] ?? '');
      if (item) yield item;
    }
  }
}

export interface Walk {
  readonly backwards?: boolean;
  readonly after?: Item | undefined;
  /** The first sort key, inclusive. */
  readonly from?: string | undefined;
  /** The end of the sort keys, exclusive. */
  readonly to?: string | undefined;
}

/** The largest partition key and the largest sort key. */
const maxKeyBytes = [2_048, 1_024] as const;
const keyRule = 'must be text that is not empty and not too long';

const isKey = (value: unknown, maxBytes = 0): value is string =>
  typeof value === 'string' && value !== '' && Buffer.byteLength(value) <= maxBytes;

function textOf(item: Item, name: string, maxBytes: number): string {
  const value = item[name];
  if (!isKey(value, maxBytes)) throw invalid(`The key ${name} ${keyRule}`);
  return value;
}
