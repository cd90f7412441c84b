/** Values as the document client takes and gives them. */

export type Item = Record<string, unknown>;

/** A deep copy without `undefined`, as it would come back from the table. Refuses what no table holds. */
export function copy<T>(value: T): T {
  return copied(value) as T;
}

function copied(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) throw new TypeError(`${value} is no number of DynamoDB`);
  if (typeof value === 'function' || typeof value === 'symbol') throw new TypeError(`A ${typeof value} in an item`);
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.filter((one) => one !== undefined).map(copied);
  if (value instanceof Set) return new Set(value);
  if (value instanceof Uint8Array) return new Uint8Array(value);
  const prototype = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) throw new TypeError('An instance of a class in an item');
  const result: Item = {};
  for (const [name, one] of Object.entries(value)) if (one !== undefined) result[name] = copied(one);
  return result;
}

export function equal(one: unknown, other: unknown): boolean {
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (one instanceof Set && other instanceof Set) return one.size === other.size && [...one].every((x) => other.has(x));
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const [a, b] = [one as Item, other as Item];
  const names = Object.keys(a);
  return names.length === Object.keys(b).length && names.every((name) => name in b && equal(a[name], b[name]));
}

/** Negative, zero or positive for two numbers or two texts, nothing for anything else. */
export function order(one: unknown, other: unknown): number | undefined {
  if (typeof one === 'number' && typeof other === 'number') return one - other;
  if (typeof one === 'string' && typeof other === 'string') return one < other ? -1 : one > other ? 1 : 0;
  return undefined;
}
