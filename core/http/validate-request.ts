/**
 * Parses path, query and body by the row's schemas: behind this line everything is what its type says. A path that
 * does not parse is an unknown id; the problems of query and body are listed all at once (docs/rules.md#requests,
 * #errors).
 */
import * as z from 'zod/mini';
import type { Endpoint, Schema } from '../../contract/define.ts';
import { limits } from '../../contract/limits.ts';
import { fail } from '../errors.ts';
import type { Middleware } from './exchange.ts';
import { problemWords } from './problem-words.ts';

// zod/mini comes without words, and its English says "Too small: expected string to have >=1 characters".
z.config({ localeError: problemWords });

export interface Problem {
  /** `client.email`, `events.0`; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

type Parsed = { readonly value: unknown; readonly problems: readonly Problem[] };

const noParameters = z.strictObject({});

export function validateRequest(route: Endpoint): Middleware {
  return {
    before: ({ event }) => {
      const { exchange } = event;
      if (route.params) {
        const params = z.safeParse(route.params, event.pathParameters ?? {});
        if (!params.success) throw fail('not_found');
        exchange.params = params.data;
      }

      const query = parseQuery(route.query ?? noParameters, event.rawQueryString);
      const body = route.body ? parse(route.body, exchange.body) : undefined;
      const problems = distinct([...query.problems, ...(body?.problems ?? [])]);
      if (problems.length > 0) throw fail('validation_failed', { details: told(problems) });
      exchange.query = route.query && query.value;
      exchange.body = body?.value;
    },
  };
}

/** A parameter that is given twice has no one meaning, so it is refused rather than guessed. */
function parseQuery(schema: Schema, rawQueryString: string): Parsed {
  const parameters = new URLSearchParams(rawQueryString);
  const repeated = [...new Set(parameters.keys())].filter((name) => parameters.getAll(name).length > 1);
  const { value, problems } = parse(schema, Object.fromEntries(parameters));
  return {
    value,
    problems: [...repeated.map((path) => ({ path, message: 'must not be given more than once' })), ...problems],
  };
}

function parse(schema: Schema, input: unknown): Parsed {
  const result = z.safeParse(schema, input);
  return result.success
    ? { value: result.data, problems: [] }
    : { value: undefined, problems: result.error.issues.flatMap((issue) => toProblems(issue, input)) };
}

/** A small request can have very many problems, and their list must not be large: the rest is a number. */
function told(problems: readonly Problem[]): readonly Problem[] {
  if (problems.length <= limits.problemsTold) return problems;
  const rest = { path: '', message: `has ${problems.length} problems; these are the first ${limits.problemsTold}` };
  return [...problems.slice(0, limits.problemsTold), rest];
}

/** Two checks of one field may say the same of a value, and so may query and body. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

function toProblems(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: [...path, key].join('.'), message: 'is not known here' }));
  }
  const missing = issue.code.startsWith('invalid_') && valueAt(input, path) === undefined;
  return [{ path: path.join('.'), message: missing ? 'is required' : issue.message }];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], input);
}
