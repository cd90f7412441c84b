/** What a value must be, as a message for people (docs/rules.md#errors), where a field has no message of its own. */
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

/** How much of something there may be: characters of a text, items of a list, a number itself. */
function amount(origin: string, bound: number | bigint): string {
  const unit = { string: 'character', array: 'item' }[origin];
  return unit ? `${bound} ${unit}${Number(bound) === 1 ? '' : 's'}` : String(bound);
}

const messages: Messages = {
  invalid_type: ({ expected }) => `must be ${nouns[expected] ?? expected}`,
  invalid_value: ({ values }) => `must be ${values.length === 1 ? '' : 'one of: '}${values.map(String).join(', ')}`,
  invalid_format: ({ format }) => formats[format] ?? 'must have the right format',
  // Of a map: what is wrong with the name.
  invalid_key: ({ issues }) => issues[0]?.message ?? 'must have another name',
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
  return messageOf?.(issue) ?? 'must be something else';
}
