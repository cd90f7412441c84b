/** Values as the document client accepts and returns them. */

export type Item = Record<string, unknown>;

/** Returns a deep copy without `undefined`, as it is stored. Throws for values that no table can contain. */
export function stored<T extends object>(item: T): T {
  return copied(item) as T;
}

/**
 * Returns a shallow copy for a reader. Nested values are shared and frozen, because copying them for every read would
 * cost more than everything else.
 */
export function shown<T extends object>(item: T): T {
  return { ...item };
}

function copied(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(frozen);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('An instance of a class in an item');
  const result: Item = {};
  for (const name in value) {
    const one = (value as Item)[name];
    if (one !== undefined) result[name] = frozen(one);
  }
  return result;
}

/** Values that are already frozen need no copy. */
function frozen(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return scalar(value);
  if (Object.isFrozen(value)) return value;
  const copy = copied(value);
  return copy instanceof Uint8Array ? copy : Object.freeze(copy);
}

function scalar(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no number of DynamoDB`);
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`A ${typeof value} in an item`);
  return value;
}

export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one as Item, other as Item];
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && equal(a[name], b[name]));
}

/** Whether the number is an integer that JavaScript may have rounded. */
export function isRounded(number: number): boolean {
  return Number.isInteger(number) && !Number.isSafeInteger(number);
}

/** Returns a negative number, zero or a positive number for two numbers or texts, and undefined for other values. */
export function order(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  return undefined;
}
