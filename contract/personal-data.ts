/**
 * The fields with personal data. To see personal data, a key needs the scope `bookings:read`. For any other key, such a
 * field of a response contains the value that the request itself sent, or null. The request bodies of such a key cannot
 * name a client by id.
 */
import type { Schema } from './define.ts';
import type { Scope } from './scopes.ts';

export const personalDataScope = 'bookings:read' satisfies Scope;

/** The field of the body that may have contained the value, by schema. */
const sentAs = new WeakMap<object, { readonly field: string | undefined }>();

/**
 * Marks a field of a response as personal data. Other callers get it only if their request sent the same value in the
 * field `field` of its body. Without `field`, they neither get nor may send it. The mark is on this exact schema, so it
 * comes last.
 */
export function personal<T extends Schema>(schema: T, field?: string): T {
  sentAs.set(schema, { field });
  return schema;
}

/** The mark of a field with personal data. */
export function personalMark(schema: Schema): { readonly field: string | undefined } | undefined {
  return sentAs.get(schema);
}

/** The key that wraps a text of a client in the result of a tool: `{ "clientText": … }` (docs/rules.md#agents). */
export const clientTextField = 'clientText';

/** Whether clients may have written the field: it contains personal data that is not only a number. */
export function holdsClientText(schema: Schema): boolean {
  const { type, innerType } = schema._zod.def as { readonly type: string; readonly innerType?: Schema };
  if (!personalMark(schema)) return false;
  const { type: inner } = innerType?._zod.def ?? { type };
  return inner !== 'number' && inner !== 'int';
}
