/**
 * Messages that describe the allowed values of a field (docs/rules.md#errors), for fields without a message of their
 * own.
 */
import type * as z from 'zod/mini';

type Issue = z.core.$ZodRawIssue;
type Messages = { readonly [Code in Issue['code']]?: (issue: Extract<Issue, { code: Code }>) => string };

const nouns: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
  null: 'null',
};

const formats: Readonly<Record<string, string>> = { email: 'must be an email address' };

/** The allowed size: characters of a text, items of a list, or a number itself. */
function amount(origin: string, bound: number | bigint): string {
  const unit = { string: 'character', array: 'item' }[origin];
  return unit ? `${bound} ${unit}${Number(bound) === 1 ? '' : 's'}` : String(bound);
}

const messages: Messages = {
  invalid_type: ({ expected }) => `must be ${nouns[expected] ?? expected}`,
  invalid_value: ({ values }) => `must be ${values.length === 1 ? '' : 'one of: '}${values.map(String).join(', ')}`,
  invalid_format: ({ format }) => formats[format] ?? 'must have the documented format',
  // In a map, the problem of a field's name.
  invalid_key: ({ issues }) => issues[0]?.message ?? 'must have an allowed name',
  too_small: ({ origin, minimum, inclusive }) => {
    if (origin !== 'string' && origin !== 'array') return `must be ${inclusive ? 'at least' : 'above'} ${minimum}`;
    return Number(minimum) === 1 ? 'must not be empty' : `must have at least ${amount(origin, minimum)}`;
  },
  too_big: ({ origin, maximum, inclusive }) =>
    origin === 'string' || origin === 'array'
      ? `must have at most ${amount(origin, maximum)}`
      : `must be ${inclusive ? 'at most' : 'below'} ${maximum}`,
};

/** Zod's `localeError`. */
export function validationMessage(issue: Issue): string {
  const messageOf = messages[issue.code as keyof Messages] as ((issue: Issue) => string) | undefined;
  return messageOf?.(issue) ?? 'must have one of the allowed forms';
}
