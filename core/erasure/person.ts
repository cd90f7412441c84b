/** The fields with personal data, and their values after an erasure. Pure. */
import { isDeepStrictEqual } from 'node:util';

/** The fields of an erased client. */
export const noPerson = { name: '', phone: null, email: null } as const;

/** The same field names mean personal data in items, events, messages and stored responses. */
const blank: Readonly<Record<string, unknown>> = {
  ...noPerson,
  client: noPerson,
  comment: null,
  metadata: {},
  cancelReason: null,
  reason: null,
  text: '',
  authorName: '',
  reply: null,
};

export type Fields = Readonly<Record<string, unknown>>;

/** The same fields in the same order without personal data, or nothing if there is none. */
export function withoutPerson<T extends Fields>(fields: T): T | undefined {
  const erased = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Object.hasOwn(blank, name) ? blank[name] : value]),
  );
  return isDeepStrictEqual(erased, fields) ? undefined : (erased as T);
}
