/** Which fields are about a person, and what they become when the person is erased. Pure. */
import { isDeepStrictEqual } from 'node:util';

/** What a client's item says instead of who they were. */
export const noPerson = { name: '', phone: null, email: null } as const;

/** By the name of a field, wherever it is: in items, in events and so in messages, in remembered answers. */
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

/** The same fields in the same order without the person, or nothing when none is about a person. */
export function withoutPerson<T extends Fields>(fields: T): T | undefined {
  const erased = Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, Object.hasOwn(blank, name) ? blank[name] : value]),
  );
  return isDeepStrictEqual(erased, fields) ? undefined : (erased as T);
}
