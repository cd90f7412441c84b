/** Capacity as DynamoDB charges it: the size of items, its limits, and the units that a request consumes. */

/** The size in bytes (DynamoDB developer guide, "DynamoDB item sizes and formats"): numbers count by their digits. */
export function itemSize(item: object): number {
  return Object.entries(item).reduce((total, [name, value]) => total + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  if (typeof value !== 'object' || value === null) return 1;
  // A list or map has three bytes of overhead, and one for each element.
  const elements = Object.values(value);
  const inside = elements.reduce((total: number, one: unknown) => total + 1 + valueSize(one), 3);
  return Array.isArray(value)
    ? inside
    : Object.keys(value).reduce((sum, name) => sum + Buffer.byteLength(name), inside);
}

/** The largest item, and the largest sum of the items of one transaction. */
export const maxItemBytes = 400 * 1_024;
export const maxTransactionBytes = 4 * 1_024 * 1_024;

const sizes = new WeakMap<object, number>();

/** Stored items never change, so the size of each is computed once. */
export function storedSize(item: object | undefined): number {
  if (!item) return 0;
  const size = sizes.get(item) ?? itemSize(item);
  sizes.set(item, size);
  return size;
}

/** The units of one request, by table. */
export class Meter {
  readonly #units = new Map<string, number>();

  /** A unit is 4 KB; half for an eventually consistent read, two in a transaction. Missing items are charged, too. */
  read(table: string, items: readonly (object | undefined)[], times: number): void {
    const bytes = items.reduce((sum, item) => sum + storedSize(item), 0);
    this.#add(table, Math.max(1, Math.ceil(bytes / 4_096)) * times);
  }

  /** A unit is 1 KB of the larger of both states, two in a transaction. */
  write(table: string, states: readonly (object | undefined)[], times: number): void {
    const bytes = Math.max(...states.map((item) => storedSize(item)));
    this.#add(table, Math.max(1, Math.ceil(bytes / 1_024)) * times);
  }

  get consumed(): { TableName: string; CapacityUnits: number }[] {
    return [...this.#units].map(([TableName, CapacityUnits]) => ({ TableName, CapacityUnits }));
  }

  #add(table: string, units: number): void {
    this.#units.set(table, (this.#units.get(table) ?? 0) + units);
  }
}

/** Returns the units of a read relative to a strongly consistent one: an eventually consistent one costs half. */
export function readCostFactor(isConsistent: boolean | undefined): number {
  return isConsistent ? 1 : 0.5;
}
