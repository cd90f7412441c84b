/**
 * An answer is what its row's schema lists, in the schema's order. So nothing that is stored beside it can slip out, and
 * the same state always has the same bytes, whatever the order in which the store returned a map's fields: ETags and
 * replayed answers rest on that. And who may not see people sees of them what they sent themselves
 * (docs/rules.md#privacy).
 */
import type { Schema } from '../../contract/define.ts';
import { personalMark } from '../../contract/personal-data.ts';

interface Definition {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
}

/** The body of the request, where all that its caller may see of people is what it brought. */
export type Brought = Readonly<Record<string, unknown>>;

export function project(schema: Schema, value: unknown, brought?: Brought): unknown {
  const { shape, element, innerType } = schema._zod.def as Definition;
  if (value === null || typeof value !== 'object') return value;
  if (innerType) return project(innerType, value, brought);
  if (element) return (value as readonly unknown[]).map((one) => project(element, one, brought));
  if (!shape) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const projected: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (fields[name] === undefined) continue;
    projected[name] = isHidden(field, fields[name], brought) ? null : project(field, fields[name], brought);
  }
  return projected;
}

function isHidden(field: Schema, value: unknown, brought: Brought | undefined): boolean {
  const mark = brought && personalMark(field);
  if (!mark) return false;
  return mark.field === undefined || !isSame(value, brought[mark.field]);
}

/** Whether a stored value is what was sent: what is left out of a request is stored as null. */
function isSame(stored: unknown, sent: unknown): boolean {
  if (typeof stored !== 'object' || stored === null) return stored === sent;
  if (typeof sent !== 'object' || sent === null) return false;
  const given = sent as Brought;
  return Object.entries(stored).every(([name, value]) => value === (given[name] ?? null));
}
