/**
 * An answer is what its row's schema lists, in the schema's order. So nothing that is stored beside it can slip out, and
 * the same state always has the same bytes, whatever the order in which the store returned a map's fields: ETags and
 * replayed answers rest on that.
 */
import type { Schema } from '../../contract/define.ts';

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
}

export function project(schema: Schema, value: unknown): unknown {
  const { type, shape, element, innerType } = schema._zod.def as Definition;
  if (value === null || typeof value !== 'object') return value;
  if (innerType) return project(innerType, value);
  if (element && Array.isArray(value)) return value.map((one) => project(element, one));
  if (type !== 'object' || !shape) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const projected: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (fields[name] !== undefined) projected[name] = project(field, fields[name]);
  }
  return projected;
}
