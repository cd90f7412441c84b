/**
 * Parses the request by its row (docs/rules.md#requests, #errors): the body as JSON within its limits, and path, query
 * and body with the schemas of the row. After this step every value has its declared type.
 */
import * as z from 'zod/mini';
import type { Endpoint, Schema } from '../../contract/define.ts';
import { limits } from '../../contract/limits.ts';
import { fail, invalid, invalidAll, type Problem } from '../errors.ts';
import { shorten } from '../shorten.ts';
import type { HttpEvent, Middleware, RequestState } from './context.ts';
import { validationMessage } from './validation-messages.ts';

/**
 * If the row has no body, a body is ignored, because many clients send `{}` with every POST; only its size is checked.
 * Errors: 400 `invalid_json`, 400 `validation_failed` (nests too deep), 413 `payload_too_large`, 415.
 */
export function readBody({ body, bodyOptional }: Endpoint): Middleware {
  return {
    before: ({ event }) => {
      const bytes = bodyBytes(event);
      if (bytes.length > limits.bodyBytes) throw fail('payload_too_large');
      if (body === undefined) return;
      if (bytes.length > 0) event.state.body = parseJson(bytes, event.state.headers);
      else if (bodyOptional) event.state.body = {};
      else throw fail('invalid_json', 'This endpoint needs a JSON body.');
    },
  };
}

/** The gateway passes text unchanged, and everything else as base64. */
function bodyBytes({ body = '', isBase64Encoded }: HttpEvent): Buffer {
  return Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
}

function parseJson(bytes: Buffer, headers: RequestState['headers']): unknown {
  if (!isJson(headers['content-type'])) throw fail('unsupported_media_type');
  if (!/^(?:identity)?$/i.test(headers['content-encoding']?.trim() ?? '')) {
    throw fail('unsupported_media_type', 'Send the body without a Content-Encoding.');
  }
  const text = decode(bytes);
  if (nestsDeeperThan(limits.bodyDepth, text)) {
    throw invalid('', `must not nest deeper than ${limits.bodyDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw fail('invalid_json');
  }
}

/** `application/json`, without a charset or with UTF-8: JSON allows no other (RFC 8259). */
function isJson(contentType = ''): boolean {
  const [type, ...parameters] = contentType.split(';').map((part) => part.trim().toLowerCase());
  return (
    type === 'application/json' &&
    parameters.every((parameter) => !/^charset\s*=/.test(parameter) || /^charset="?utf-?8"?$/.test(parameter))
  );
}

function decode(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw fail('invalid_json', 'The request body is not valid UTF-8.');
  }
}

/**
 * Whether JSON text has more than `max` nested levels, counted without recursion: `[` ten thousand times can be parsed,
 * but overflows the stack of code that walks through the result.
 */
export function nestsDeeperThan(max: number, json: string): boolean {
  let depth = 0;
  let inString = false;
  for (let i = 0; i < json.length; i++) {
    const character = json[i];
    if (inString) {
      if (character === '\\') i++;
      else if (character === '"') inString = false;
    } else if (character === '"') inString = true;
    else if (character === '{' || character === '[') {
      if (++depth > max) return true;
    } else if (character === '}' || character === ']') depth--;
  }
  return false;
}

type Parsed = { readonly value: unknown; readonly problems: readonly Problem[] };

const noParameters = z.strictObject({});

const unknownField = 'is not a known field or parameter';

/**
 * A path that does not match its schema gets 404 like an unknown id; all problems of query and body are listed
 * together in one 400 `validation_failed`.
 */
export function validateRequest(route: Endpoint): Middleware {
  // Zod/mini has no messages of its own, and zod's messages are like "Too small: expected string to have >=1
  // characters".
  z.config({ localeError: validationMessage });
  return {
    before: ({ event }) => {
      const { state } = event;
      const { problems: known = [] } = state;
      if (route.params) {
        const params = z.safeParse(route.params, event.pathParameters ?? {});
        if (!params.success && known.length === 0) throw fail('not_found');
        state.params = params.data;
      }

      const { parameters, ...query } = parseQuery(route.query ?? noParameters, event.rawQueryString);
      const body = route.body ? parse(route.body, state.body) : undefined;
      const texts = [...badTexts(parameters), ...badTexts(body && state.body)];
      const problems = distinct([...known, ...texts, ...query.problems, ...(body?.problems ?? [])]);
      if (problems.length > 0) throw invalidAll(problems);
      state.query = route.query && query.value;
      state.body = body?.value;
    },
  };
}

/** A parameter that is given twice is refused, because its meaning is unclear. */
function parseQuery(schema: Schema, rawQueryString: string): Parsed & { readonly parameters: object } {
  const searchParams = new URLSearchParams(rawQueryString);
  const repeated = [...new Set(searchParams.keys())].filter((name) => searchParams.getAll(name).length > 1);
  const parameters = Object.fromEntries(searchParams);
  const { value, problems } = parse(schema, parameters);
  return {
    parameters,
    value,
    problems: [...repeated.map((path) => ({ path, message: 'must not be given more than once' })), ...problems],
  };
}

function parse(schema: Schema, input: unknown): Parsed {
  const { data, error } = z.safeParse(schema, input);
  if (!error) return { value: data, problems: [] };
  const { issues } = error;
  const ofWrongType = new Set(issues.flatMap(({ code, path }) => (code === 'invalid_type' ? [path.join('.')] : [])));
  // Zod also checks the length of a text that is sent in place of a list.
  const hasReason = ({ code, path }: z.core.$ZodIssue) => !code.startsWith('too_') || !ofWrongType.has(path.join('.'));
  return { value: undefined, problems: issues.filter(hasReason).flatMap((issue) => toProblems(issue, input)) };
}

/**
 * Finds texts and field names with half of a surrogate pair or U+0000, which stores and receivers treat differently,
 * and fields named `__proto__`, which a JavaScript object cannot contain. The depth of the body is already limited.
 */
function badTexts(value: unknown, path: readonly string[] = []): Problem[] {
  if (typeof value === 'string') {
    const isGood = value.isWellFormed() && !value.includes('\u0000');
    return isGood ? [] : [{ path: pathOf(path), message: 'must be well-formed Unicode without U+0000' }];
  }
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => [
    ...(name === '__proto__' ? [{ path: pathOf([...path, name]), message: unknownField }] : []),
    ...[name, one].flatMap((text) => badTexts(text, [...path, name])),
  ]);
}

/** Long names are cut: thousands of problems below a name as long as the body would be hundreds of megabytes. */
function pathOf(names: readonly string[]): string {
  return names.map((name) => shorten(name, limits.fieldNameShown)).join('.');
}

/** Two checks of a field may find the same problem, and so may query and body: each is listed once. */
function distinct(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [`${problem.path} ${problem.message}`, problem])).values()];
}

function toProblems(issue: z.core.$ZodIssue, input: unknown): Problem[] {
  const path = issue.path.map(String);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...path, key]), message: unknownField }));
  }
  const missing = issue.code.startsWith('invalid_') && valueAt(input, path) === undefined;
  return [{ path: pathOf(path), message: missing ? 'is required' : issue.message }];
}

function valueAt(input: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], input);
}
