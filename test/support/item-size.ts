/** How large an item is as DynamoDB counts it. */

/** Amazon DynamoDB developer guide, "DynamoDB item sizes and formats": names and values, numbers by their digits. */
export function itemSize(item: object): number {
  return Object.entries(item).reduce((total, [name, value]) => total + Buffer.byteLength(name) + valueSize(value), 0);
}

function valueSize(value: unknown): number {
  if (typeof value === 'string') return Buffer.byteLength(value);
  if (typeof value === 'number') return Math.ceil(String(Math.abs(value)).length / 2) + 1;
  if (value instanceof Uint8Array) return value.byteLength;
  // A list has three bytes of its own, and one for each of its elements.
  if (Array.isArray(value)) return value.reduce((total: number, one: unknown) => total + 1 + valueSize(one), 3);
  return 1;
}
