/**
 * The vocabulary of schemas: every field of every row is one of these. A function's bundle contains only the schemas of
 * its own row, because the build treats calls at the top level of contract/ as free of side effects.
 */
import * as z from 'zod/mini';
import { limits } from './limits.ts';
import { canonicalTimeZone } from './time-zones.ts';

/** The JSON Schema of fields whose zod type does not contain it: query strings that are converted to numbers. */
export const documented = new WeakMap<object, Record<string, unknown>>();

export function described<T extends z.core.$ZodType>(schema: T, jsonSchema: Record<string, unknown>): T {
  documented.set(schema, { ...documented.get(schema), ...jsonSchema });
  return schema;
}

/** A schema with its description, one literal: the documents contain it, and bundles of functions omit it. */
export function field<T extends z.ZodMiniType>(description: string, schema: T): T {
  return schema.check(z.describe(description));
}

/** An object that allows no other fields, with its description. */
export function object<T extends z.core.$ZodLooseShape>(description: string, fields: T) {
  return field(description, z.strictObject(fields));
}

const maxId = Number.MAX_SAFE_INTEGER;

/** An integer that a JavaScript number holds exactly (docs/rules.md#ids). */
export function id() {
  return z.int({ error: 'must be an integer id' }).check(z.positive(), z.maximum(maxId));
}

/** An id in a path. A value that does not match `^[1-9][0-9]{0,15}$` counts as an unknown id (docs/rules.md#ids). */
export function pathId() {
  return described(
    z.pipe(
      z.string().check(z.regex(/^[1-9][0-9]{0,15}$/)),
      z.pipe(
        z.transform((text: string) => Number(text)),
        z.int(),
      ),
    ),
    { type: 'integer', minimum: 1, maximum: maxId, pattern: undefined },
  );
}

/** Text of users: trimmed, with bounds in UTF-16 units. Every text of a request is well-formed Unicode. */
export function text(min: number, max: number) {
  return z.string().check(z.trim(), z.minLength(min), z.maxLength(max));
}

/** Characters that would end the line of a list, a subject or a header that shows the name. */
const endsLine = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const isSeen = /[^\p{Z}\p{C}]/u;

/** A name of a person or thing: one line with at least one visible character. */
export function name() {
  return text(1, limits.nameLength).check(
    z.refine((value: string) => value === '' || (!endsLine.test(value) && isSeen.test(value)), {
      error: 'must be one line with at least one visible character',
    }),
  );
}

/** An object that is used as a map, with a maximum of entries: from names of one shape to values of another. */
export function mapOf<Name extends z.core.$ZodRecordKey, Value extends z.core.$ZodType>(
  name: Name,
  value: Value,
  max: number,
) {
  const isSmall = z.refine<object>((map) => Object.keys(map).length <= max, {
    error: `must have at most ${max} entries`,
  });
  return described(z.record(name, value).check(isSmall), { maxProperties: max });
}

/** An integrator's own strings, by name. */
export function metadata() {
  return mapOf(metadataKey(), text(0, limits.metadataValueLength), limits.metadataEntries);
}

/** An integrator's own strings in a response. */
export function metadataOf() {
  return field('Strings of your own, by name; empty if there are none.', z.record(z.string(), z.string()));
}

/** In a change null removes an entry, and omitted entries stay. */
export function metadataChanges() {
  return mapOf(metadataKey(), z.nullable(text(0, limits.metadataValueLength)), 2 * limits.metadataEntries);
}

function metadataKey() {
  const error = `must be a name of 1 to ${limits.metadataKeyLength} characters without spaces or control characters`;
  return z.string().check(z.maxLength(limits.metadataKeyLength, { error }), z.regex(/^[^\p{C}\p{Z}]+$/u, { error }));
}

export function email() {
  return z.email().check(z.maxLength(254));
}

/**
 * The zero of `+44 (0)20 …`, which is dialled only without the country code. In Italy, 39, the zero is always dialled.
 */
const nationalZero = /^([ ()./-]*(?:\+|00)[0 ()./-]*(?!39)[1-9]\d{0,2}[ ()./-]*)\(0\)/;

/**
 * The digits that identify a phone number. No country code begins with 0, so all leading zeros of an international
 * number (`+`, or `00` for it) are removed. A zero in brackets after the country code is removed, too. A national
 * number keeps its own.
 */
export function phoneDigits(text: string): string {
  const digits = text.replace(nationalZero, '$1').replace(/[^0-9]/g, '');
  const isInternational = text.includes('+') || digits.startsWith('00');
  return isInternational ? digits.replace(/^0+/, '') : digits;
}

/**
 * The number with plain spaces and hyphens. A pasted number often has other ones, or invisible marks of its direction.
 */
export function plainPhone(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/\p{Zs}/gu, ' ')
    .replace(/\p{Pd}/gu, '-')
    .trim();
}

export function phone() {
  const error = `must be a phone number of ${limits.phoneDigitsMin} to ${limits.phoneDigitsMax} digits`;
  return z.string().check(
    z.overwrite(plainPhone),
    z.maxLength(limits.phoneLength),
    z.regex(/^(?:\(?\+)?[ ()./-]*(?:[0-9][ ()./-]*){4,17}$/, { error }),
    z.refine(
      (text: string) => {
        const { length } = phoneDigits(text);
        return length >= limits.phoneDigitsMin && length <= limits.phoneDigitsMax;
      },
      { error },
    ),
  );
}

/**
 * An instant. The input has any offset or `Z`, and may omit the seconds, as Java does if they are 0. A time without an
 * offset is refused (docs/rules.md#times).
 */
export function instant() {
  const words = 'must be an ISO 8601 time with an offset, such as 2026-12-01T10:00:00Z';
  const error = ({ input }: { input?: unknown }) =>
    typeof input === 'string' && /:\d\d(\.\d{1,9})? \d\d:\d\d$/.test(input)
      ? `${words}; a \`+\` in a URL is written %2B`
      : words;
  // The documents contain no maximum, because it does not matter to readers.
  return z.string({ error }).check(
    z.overwrite((text: string) => text.replace(/T\d\d:\d\d(?=[Z+-])/, '$&:00')),
    z.iso.datetime({ offset: true, error, abort: true }),
    z.refine((text: string) => text.length <= limits.instantLength, { error }),
    z.refine(isInFourDigitYear, { error: 'must be in the years 0000 to 9999, also in UTC' }),
  );
}

const [firstMs, lastMs] = [Date.parse('0000-01-01T00:00:00.000Z'), Date.parse('9999-12-31T23:59:59.999Z')];

/** A text with an offset can name a moment that is, in UTC, outside the years that four digits can show. */
function isInFourDigitYear(text: string): boolean {
  const ms = Date.parse(text);
  return ms >= firstMs && ms <= lastMs;
}

export function date() {
  return z.iso.date({ error: 'must be a date, such as 2026-12-01' });
}

/** A time zone by any of its names, in upper or lower case. Parsing returns its canonical name. */
export function timeZone() {
  return z.string().check(
    z.maxLength(64),
    z.overwrite((name: string) => canonicalTimeZone(name) ?? name),
    z.refine((name: string) => canonicalTimeZone(name) !== undefined, {
      error: 'must be an IANA time zone, such as Europe/Riga',
    }),
  );
}

export function currency() {
  return z.string().check(z.regex(/^[A-Z]{3}$/, { error: 'must be an ISO 4217 code, such as EUR' }));
}

/** docs/rules.md#money. */
export const money = object('An amount of money.', {
  amount: field('Minor units: 4500 EUR is 45 euros, 4500 JPY is 4500 yen.', z.int().check(z.nonnegative())),
  currency: field('ISO 4217 code, such as `EUR`.', currency()),
});

/** A time of day, `HH:MM`; `24:00` is the end of a day. */
function clockTime() {
  return z
    .string()
    .check(z.regex(/^(?:[01][0-9]|2[0-3]):[0-5][0-9]$|^24:00$/, { error: 'must be HH:MM', abort: true }));
}

/** Working time on one day, from one time of day to another. */
export function workingInterval() {
  return z.strictObject({
    from: field('Start of the interval, `HH:MM` on the clock of the business.', clockTime()),
    to: field('End of the interval, `HH:MM` on the clock of the business; `24:00` is midnight.', clockTime()),
  });
}

/** An integer in a query string, with the bounds in its error (docs/rules.md#lists: never a silent clamp). */
export function queryInteger(min: number, max: number) {
  const error = `must be an integer from ${min} to ${max}`;
  return described(
    z.pipe(
      z.string().check(z.regex(/^(?:0|[1-9][0-9]{0,15})$/, { error })),
      z.pipe(
        z.transform((digits: string) => Number(digits)),
        z.int({ error }).check(z.minimum(min, { error }), z.maximum(max, { error })),
      ),
    ),
    { type: 'integer', minimum: min, maximum: max, pattern: undefined },
  );
}

export function queryId() {
  return queryInteger(1, maxId);
}

/** `page` and `limit` of bounded lists. The code that selects the page applies the defaults, from the same limits. */
export function pageQuery() {
  return {
    page: field('Page to read, from 1. Default: 1.', z.optional(queryInteger(1, 1_000_000_000))),
    limit: limitQuery(),
  };
}

export function limitQuery() {
  return field(
    `Entries per page, 1 to ${limits.pageSizeMax}. Default: ${limits.pageSizeDefault}.`,
    z.optional(queryInteger(1, limits.pageSizeMax)),
  );
}

/** A position in an unbounded list, which is opaque to clients. */
export function cursorQuery(maxLength = 1_024) {
  return field(
    '`nextCursor` of the previous page, with the same filters. Default: the first page.',
    z.optional(z.string().check(z.minLength(1), z.maxLength(maxLength))),
  );
}

/** `{ data, total }`: a bounded list. */
export function pageOf<T extends z.core.$ZodType>(item: T) {
  return object('One page of a list.', {
    data: field('The entries of this page.', z.array(item)),
    total: field('Number of entries on all pages.', z.int().check(z.nonnegative())),
  });
}

/** A page of a list that can be sorted by change. In that order, every page has a cursor. */
export function changesPageOf<T extends z.core.$ZodType>(item: T) {
  return object('One page of a list.', {
    data: field('The entries of this page.', z.array(item)),
    nextCursor: field(
      'Cursor of the next page: send this value as `cursor`. Null on the last page; never null with `sort`, where it leads to later changes.',
      z.nullable(z.string()),
    ),
    hasMore: field(
      'Only with `sort`: whether more changes can be read now, even if this page is short or empty.',
      z.optional(z.boolean()),
    ),
  });
}

/** `{ data, nextCursor }`: an unbounded list. */
export function cursorPageOf<T extends z.core.$ZodType>(item: T) {
  return object('One page of a list.', {
    data: field('The entries of this page.', z.array(item)),
    nextCursor: field(
      'Cursor of the next page: send this value as `cursor`. Null on the last page.',
      z.nullable(z.string()),
    ),
  });
}
