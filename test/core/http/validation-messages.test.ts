import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { dayHoursInput } from '../../../contract/account/inputs.ts';
import { instant, metadata } from '../../../contract/fields.ts';
import { validationMessage } from '../../../core/http/validation-messages.ts';

const first = (schema: z.core.$ZodType, value: unknown) =>
  z.safeParse(schema, value, { error: (issue) => validationMessage(issue) }).error?.issues[0]?.message;

test.each<[unknown, string, z.core.$ZodType]>([
  [1, 'must be text', z.string()],
  ['x', 'must be a number', z.int()],
  [1.5, 'must be an integer', z.int()],
  [0, 'must be true or false', z.boolean()],
  [{}, 'must be a list', z.array(z.string())],
  [[], 'must be an object', z.strictObject({})],
  [3, 'must be an object', z.record(z.string(), z.int())],
  ['', 'must not be empty', z.string().check(z.minLength(1))],
  ['a', 'must have at least 2 characters', z.string().check(z.minLength(2))],
  ['ab', 'must have at most 1 character', z.string().check(z.maxLength(1))],
  [[], 'must not be empty', z.array(z.int()).check(z.minLength(1))],
  [[1, 2, 3], 'must have at most 2 items', z.array(z.int()).check(z.maxLength(2))],
  [0, 'must be above 0', z.int().check(z.positive())],
  [4, 'must be at least 5', z.int().check(z.minimum(5))],
  [6, 'must be at most 5', z.int().check(z.maximum(5))],
  [5, 'must be below 5', z.number().check(z.lt(5))],
  ['nobody', 'must be an email address', z.email()],
  ['b', 'must have the documented format', z.string().check(z.regex(/^a/))],
  [{ b: 1 }, 'must have the documented format', z.record(z.string().check(z.regex(/^a/)), z.int())],
  [{ b: 1 }, 'must begin with a', z.record(z.string().check(z.regex(/^a/, { error: 'must begin with a' })), z.int())],
  [{ 'a b': '' }, 'must be a name of 1 to 40 characters without spaces or control characters', metadata()],
  ['c', 'must be one of: a, b', z.enum(['a', 'b'])],
  ['c', 'must be open', z.literal('open')],
  [1, 'must be null', z.null()],
  [true, 'must have one of the allowed forms', z.union([z.string(), z.int()])],
])('A request that contains the invalid value %j gets the message %j', (value, words, schema) => {
  expect(first(schema, value)).toBe(words);
});

const form = 'must be an ISO 8601 time with an offset, such as 2026-12-01T10:00:00Z';
const notTimes = ['2026-12-01', '2026-12-01T10:00:00', '2026-12-01 10:00', '2026-12-01T10:00:00+25:00'];
test.each([
  ...[...notTimes, JSON.parse('{ "toString": 1 }')].map((value) => [value, form]),
  ['2026-12-01T10:00:00 02:00', `${form}; a \`+\` in a URL is written %2B`],
  ['0000-01-01T00:00:00+01:00', 'must be in the years 0000 to 9999, also in UTC'],
])('A request that contains %j as a time gets one message, which explains how to write a time', (text, words) => {
  expect(z.safeParse(instant(), text).error?.issues.map(({ message }) => message)).toEqual([words]);
});

test('Working hours from 9:00, without the leading zero, get one message, and none about the order of intervals', () => {
  const issues = z.safeParse(dayHoursInput, [{ from: '9:00', to: '17:00' }]).error?.issues;
  expect(issues).toMatchObject([{ path: [0, 'from'], message: 'must be HH:MM' }]);
});
