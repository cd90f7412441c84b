/** Values for requests: some match a schema, some match none. */
import * as fc from 'fast-check';
import type { JsonSchema } from './published.ts';

/** Values that the fuzzer has learned, by field, or by the format of dates and times. `undefined` if it has none. */
export type Known = (field: string, choice: number) => unknown;

interface Context {
  readonly resolve: (schema: JsonSchema) => JsonSchema;
  readonly known: Known;
}

/** Texts with bytes that some parsers misinterpret. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  { weight: 2, arbitrary: fc.string({ unit: 'grapheme', maxLength: 30 }) },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      ...['', ' ', '\u0000', '\ud800', '\ufeff', '\u202e', '\u2028', 'İ', 'ﬃ', '🧑‍🤝‍🧑'],
      ...['..', '../../etc/passwd', '%', '%00', '%zz'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'],
      ...['null', 'undefined', 'NaN', 'true', '[object Object]'],
      ...['0', '-0', '-1', '1e999', '1e-999', '0x10', '1_000', '١٢٣', '9007199254740993', '99999999999999999999'],
      ...["' OR 1=1 --", '#{7*7}', '{{7*7}}', '<script>alert(1)</script>', '\r\nX-Injected: 1', '$(id)'],
      ...['#', ':pk', 'a#b#c'],
      ...['2026-02-30', '2026-12-01T25:00:00Z', '0000-00-00', '+275760-09-13T00:00:00Z'],
      ...['2026-12-01T10:00:00', '2016-12-31T23:59:60Z'],
      ...['Europe/Atlantis', 'Etc/GMT+99', '../Riga', 'UTC', 'EUR', 'eur', 'a@b', 'a@b.c'.padStart(300, 'x')],
      ...['http://169.254.169.254/', 'https://127.0.0.1/', 'https://[::ffff:127.0.0.1]/', 'https://0x7f000001/'],
      ...['https://@localhost/', 'javascript:alert(1)', 'https://', 'https://localhost:22/', 'https://a b/'],
      ...['file:///etc/passwd', 'https://\u0000/'],
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 100, max: 4_000 }).map((length) => 'x'.repeat(length)) },
);

/** Any JSON value, and values of JSON texts only: numbers beyond a double, names that are special to JavaScript. */
export const anyJson: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 3, arbitrary: anyText },
  { weight: 2, arbitrary: fc.jsonValue() },
  {
    weight: 3,
    arbitrary: fc.constantFrom<unknown>(
      ...[null, true, false, 0, -0, -1, 0.5, 1e21, 1e308, Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER + 1],
      ...[[], [[]], [null], {}, { __proto__: null }, { length: 3 }, { toString: 1 }],
    ),
  },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: 300 }).map((count) => Array.from({ length: count }, (_, i) => i)) },
);

const choice = fc.nat();

/** Formats whose values are learned by format rather than by field. */
const times: ReadonlySet<string> = new Set(['date', 'date-time']);

/** A value that the schema allows. Fields with learned names get values of the business, so that requests succeed. */
export function fitting(schema: JsonSchema, context: Context, field = ''): fc.Arbitrary<unknown> {
  const resolved = context.resolve(schema);
  const plain = plainly(resolved, context, field);
  const { format = '' } = resolved;
  const name = times.has(format) ? format : field;
  if (!/Id$|^(?:cursor|targetUrl|date|date-time)$/.test(name)) return plain;
  return fc
    .tuple(plain, choice)
    .map(([value, picked]) => (picked % 8 === 0 ? value : (context.known(name, picked) ?? value)));
}

function plainly(schema: JsonSchema, context: Context, field: string): fc.Arbitrary<unknown> {
  if ('const' in schema) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return fc.oneof(...options.map((one) => fitting(one, context, field)));
  if (schema.type === undefined) return fc.jsonValue({ maxDepth: 2 });
  const make = byType[String(schema.type)];
  if (!make) throw new Error(`The fuzzer does not know the type ${String(schema.type)} of ${field}.`);
  return make(schema, context, field);
}

const byType: Readonly<Record<string, (schema: JsonSchema, context: Context, field: string) => fc.Arbitrary<unknown>>> =
  {
    null: () => fc.constant(null),
    boolean: () => fc.boolean(),
    integer: ({ minimum = 0, maximum = Number.MAX_SAFE_INTEGER }) =>
      fc.oneof(
        fc.integer({ min: minimum, max: Math.min(maximum, minimum + 40) }),
        fc.maxSafeInteger().map((any) => minimum + (Math.abs(any) % (maximum - minimum + 1 || 1))),
      ),
    number: () => fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true, noDefaultInfinity: true })),
    string: textOf,
    array: ({ items = {}, minItems = 0, maxItems = 20 }, context, field) =>
      fc.array(fitting(items, context, field.replace(/s$/, '')), {
        minLength: minItems,
        maxLength: Math.min(maxItems, 4),
      }),
    object: ({ properties = {}, required = [], additionalProperties, propertyNames = { type: 'string' } }, context) =>
      typeof additionalProperties === 'object'
        ? fc.dictionary(textOf(propertyNames) as fc.Arbitrary<string>, fitting(additionalProperties, context), {
            maxKeys: 4,
          })
        : fc.record(
            Object.fromEntries(
              Object.entries(properties).map(([name, inner]) => [name, fitting(inner, context, name)]),
            ),
            { requiredKeys: [...required], noNullPrototype: true },
          ),
  };

const instants = fc
  .date({ min: new Date('2026-01-01'), max: new Date('2028-01-01'), noInvalidDate: true })
  .map((date) => date.toISOString());

const byFormat: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'date-time': instants,
  date: instants.map((text) => text.slice(0, 10)),
  email: fc.nat(50).map((n) => `guest-${n}@example.com`),
};

/** A cache, because each arbitrary builds a table of all characters, and few patterns occur in many schemas. */
const byPattern = new Map<string, fc.Arbitrary<string>>();

function matching(pattern: string): fc.Arbitrary<string> {
  const arbitrary = byPattern.get(pattern) ?? textMatching(new RegExp(pattern, 'u'));
  byPattern.set(pattern, arbitrary);
  return arbitrary;
}

/** Where the pattern allows it, one text in five is a name that every JavaScript object has, such as `constructor`. */
function textMatching(pattern: RegExp): fc.Arbitrary<string> {
  const any = fc.stringMatching(pattern);
  const inherited = Object.getOwnPropertyNames(Object.prototype).filter((name) => pattern.test(name));
  if (inherited.length === 0) return any;
  return fc.oneof({ weight: 4, arbitrary: any }, { weight: 1, arbitrary: fc.constantFrom(...inherited) });
}

function textOf({ format = '', pattern, minLength = 0, maxLength = 40 }: JsonSchema): fc.Arbitrary<string> {
  const formatted = byFormat[format];
  if (formatted) return formatted;
  if (pattern !== undefined) return matching(pattern).map((text) => text.slice(0, maxLength));
  return fc.string({ minLength, maxLength: Math.max(minLength, Math.min(maxLength, 40)) });
}

/** Replaces one value inside a JSON value, deletes it, or adds an unknown one. */
export function broken(value: unknown, place: number, by: unknown): unknown {
  const places = positionsIn(value);
  const path = places[place % places.length] ?? [];
  const last = path.at(-1);
  if (last === undefined) return by;
  const copy = structuredClone(value);
  const parent = path.slice(0, -1).reduce<unknown>((inner, name) => (inner as Record<string, unknown>)[name], copy);
  const target = parent as Record<string, unknown>;
  if (place % 7 === 0 && !Array.isArray(parent)) delete target[last];
  else if (place % 11 === 0 && !Array.isArray(parent)) define(target, JSON.stringify(by).slice(0, 50), by);
  else define(target, last, by);
  return copy;
}

/** `__proto__` is an ordinary field in JSON. */
function define(target: object, name: string, value: unknown): void {
  Object.defineProperty(target, name, { value, enumerable: true, configurable: true, writable: true });
}

function positionsIn(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([name, inner]) => positionsIn(inner, [...path, name]))];
}
