/** Every list, map and text in a request has a maximum. */

import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accountRoutes } from '../../contract/account/api.ts';
import type { Schema } from '../../contract/define.ts';
import { documented } from '../../contract/fields.ts';
import { allRoutes } from '../../contract/integration/api.ts';

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly in?: Schema;
  readonly keyType?: Schema;
  readonly valueType?: Schema;
  readonly options?: readonly Schema[];
  readonly checks?: readonly { readonly _zod: { readonly def: Check } }[];
}

/** A check of a length or a format; a schema that is a format contains its own. */
interface Check {
  readonly check?: string;
  readonly format?: string;
  readonly pattern?: RegExp;
}

/** Whether the expression limits the length of everything that it matches. */
function endsByItself(pattern: RegExp): boolean {
  const outsideSets = pattern.source.replace(/\\./g, '.').replace(/\[[^\]]*\]/g, '.');
  return outsideSets.startsWith('^') && !/[*+]|\{\d+,\}/.test(outsideSets);
}

/** A time in a format that has no limit of its own. */
const longTime = `2026-12-01T10:00:00.${'0'.repeat(100)}Z`;

function isShortTime(schema: Schema, checks: readonly Check[]): boolean {
  return checks.some(({ format }) => format === 'datetime') && !z.safeParse(schema, longTime).success;
}

/** The paths where a schema has no limit: `body.client.name`. */
function unbounded(schema: Schema, path: string): string[] {
  const definition = schema._zod.def as Definition & Check;
  const { type, shape, element, innerType, keyType, valueType, options } = definition;
  const checks: readonly Check[] = [definition, ...(definition.checks ?? []).map(({ _zod }) => _zod.def)];
  const hasMaximum = checks.some(({ check }) => check === 'max_length');
  const patterns = checks.flatMap(({ pattern }) => pattern ?? []);
  const inner = [
    ...Object.entries(shape ?? {}).flatMap(([name, field]) => unbounded(field, `${path}.${name}`)),
    ...[element, valueType].flatMap((one) => (one ? unbounded(one, `${path}[]`) : [])),
    ...[innerType, definition.in, ...(options ?? [])].flatMap((one) => (one ? unbounded(one, path) : [])),
    ...(keyType ? unbounded(keyType, `${path}{}`) : []),
  ];
  const isBounded = {
    array: hasMaximum,
    record: documented.get(schema)?.maxProperties !== undefined,
    string: hasMaximum || patterns.some(endsByItself) || isShortTime(schema, checks),
  }[type];
  return isBounded === false ? [path, ...inner] : inner;
}

const parts = [...allRoutes, ...accountRoutes].flatMap(({ operation, path, params, query, body }) =>
  Object.entries({ params, query, body }).flatMap(([part, schema]) =>
    schema
      ? [{ name: `the ${part === 'params' ? 'path parameters' : part} of ${operation} (${path})`, schema, part }]
      : [],
  ),
);

test.each(parts)('Every list, map and text in $name has a maximum size', ({ schema, part }) => {
  expect(unbounded(schema, part)).toEqual([]);
});

test('Negative control: the check of maximum sizes reports each request field without a maximum size', () => {
  const schema = z.strictObject({
    list: z.optional(z.array(z.string().check(z.maxLength(3)))),
    map: z.record(z.string().check(z.regex(/^a{2}$/)), z.int()),
    deep: z.strictObject({ text: z.nullable(z.string().check(z.regex(/^a+$/))) }),
  });
  expect(unbounded(schema, 'body')).toEqual(['body.list', 'body.map', 'body.deep.text']);
});
