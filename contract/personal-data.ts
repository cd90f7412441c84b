/**
 * Which fields hold personal data. To see it a key needs the scope `bookings:read`. To any other key such a field of an
 * answer shows what its own request contained, or null, and in a body it cannot use one that names a client by id.
 */
import type { Schema } from './define.ts';
import type { Scope } from './scopes.ts';

export const personalDataScope = 'bookings:read' satisfies Scope;

/** By schema: the field of the body that may have contained the value. */
const sentAs = new WeakMap<object, { readonly field: string | undefined }>();

/**
 * Marks a field of an answer, whose value may have come as `field` of the request's body; or, without one, a field that
 * only those who may see personal data are shown, or may send. The mark is on this very schema, so it comes after every check.
 */
export function personal<T extends Schema>(schema: T, field?: string): T {
  sentAs.set(schema, { field });
  return schema;
}

/** The mark of a field, if it holds personal data. */
export function personalMark(schema: Schema): { readonly field: string | undefined } | undefined {
  return sentAs.get(schema);
}

/** What holds a text of a client in the result of a tool: `{ "clientText": … }` (docs/rules.md#agents). */
export const clientTextField = 'clientText';

/** Whether people may have written into the field: it holds personal data, and is more than a number. */
export function holdsClientText(schema: Schema): boolean {
  const { type, innerType } = schema._zod.def as { readonly type: string; readonly innerType?: Schema };
  if (!personalMark(schema)) return false;
  const { type: inner } = innerType?._zod.def ?? { type };
  return inner !== 'number' && inner !== 'int';
}
