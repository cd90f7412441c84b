/** Checks the rules for every response to any request. Returns the violations. */
import * as z from 'zod/mini';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { rateLimitHeaders } from '../../contract/headers.ts';
import { errorBody } from '../../contract/integration/resources.ts';
import { integrationPrefix, redirectedPrefix } from '../../contract/prefixes.ts';
import type { Operation } from './published.ts';
import type { WireAnswer, WireRequest } from './wire.ts';

export interface JudgedRequest extends WireRequest {
  /** Ids that the caller must not see. */
  readonly foreign: ReadonlySet<number>;
}

type Rule = (answer: WireAnswer, context: Context) => string | boolean | undefined;

interface Context {
  readonly request: JudgedRequest;
  readonly path: string;
  readonly operation: Operation | undefined;
  /** The parsed body; undefined if there is none. */
  readonly body: unknown;
  /** `{ message }`: a refusal of the gateway, before any function ran. */
  readonly byGateway: boolean;
}

const gatewayRefusals: ReadonlySet<number> = new Set([400, 401, 413, 431]);
const bodiless: ReadonlySet<number> = new Set([204, 304, 308]);
/** Messages of the schema library. Details are sentences for people, each problem once (docs/rules.md#errors). */
const libraryWords = /^$|^[A-Z]|\bexpected \w+|[Ii]nvalid|[Tt]oo (?:big|small)/;

interface Problem {
  readonly path: string;
  readonly message: string;
}

const rules: Readonly<Record<string, Rule>> = {
  'no 5xx': ({ status }) => status >= 500 || status < 200,
  'an error has the common shape': ({ status, headers }, { request, body, byGateway, operation }) => {
    if (status < 400 || request.method === 'HEAD') return undefined;
    // The tool server may answer with an error of JSON-RPC.
    if (operation?.operationId === 'callMcp' && Object.hasOwn(Object(body), 'jsonrpc')) return undefined;
    if (byGateway) return !gatewayRefusals.has(status);
    const parsed = z.safeParse(errorBody, body);
    if (!parsed.success) return parsed.error.issues.map(({ message }) => message).join();
    const { code, statusCode, requestId } = parsed.data;
    if (errors[code as ErrorCode]?.status !== status || statusCode !== status) return `${code} with status ${status}`;
    return requestId !== headers.get('x-request-id') && 'another request id than in the header';
  },
  'an answer is as documented': ({ status, headers }, { operation, body, byGateway }) =>
    operation && !byGateway && status !== 304 ? operation.fault(status, headers, body) : undefined,
  'a refused request names what is wrong with it': (_, { body }) => {
    const { code, details } = (body ?? {}) as { code?: string; details?: readonly Problem[] };
    if (code !== 'validation_failed') return undefined;
    if (!details?.length) return 'no details';
    const unclear = details.find(({ message }) => libraryWords.test(message));
    if (unclear) return unclear.message || 'no words';
    return new Set(details.map(({ path, message }) => `${path} ${message}`)).size < details.length && 'the same twice';
  },
  'the owed headers are there': ({ status, headers }, { request, path, byGateway }) => {
    const owed = [
      ...(byGateway ? [] : ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options']),
      ...(!byGateway && isIntegration(path) && request.method !== 'OPTIONS' ? rateLimitHeaders : []),
      ...(status === 401 ? ['WWW-Authenticate'] : []),
      ...(status === 405 ? ['Allow'] : []),
      ...(status === 429 || status === 503 ? ['Retry-After'] : []),
      ...(status === 308 ? ['Location'] : []),
    ];
    const missing = owed.filter((name) => !headers.has(name.toLowerCase()));
    return missing.length > 0 && missing.join(', ');
  },
  'numbers in headers are numbers': ({ headers }) =>
    [...rateLimitHeaders, 'Retry-After'].find((name) => !/^[0-9]+$/.test(headers.get(name.toLowerCase()) ?? '0')),
  'no header was smuggled in': ({ headers }) => headers.has('x-injected') || headers.has('set-cookie'),
  'a body is JSON, or there is none': ({ status, headers, text }, { body }) =>
    bodiless.has(status)
      ? text !== ''
      : text !== '' && (body === undefined || headers.get('content-type') !== 'application/json'),
  'no credential and no internal detail is shown': ({ text }, { request }) =>
    /node_modules|\.mjs:\d|ConditionalCheckFailed|ValidationException|dynamodb/i.exec(text)?.[0] ??
    request.headers.find((line) => {
      const [, secret] = /^(?:X-API-Key:|Authorization: Bearer) (\S{20,})$/.exec(line) ?? [];
      return secret !== undefined && text.includes(secret);
    }),
  'nothing of another business is shown': ({ status, text }, { request }) => {
    const sent = status < 300 ? '' : `${request.target} ${request.body}`;
    return [...text.matchAll(/\b[0-9]{12,16}\b/g)]
      .map(([digits]) => digits)
      .find((digits) => request.foreign.has(Number(digits)) && !sent.includes(digits));
  },
};

/** One line for each rule that the response breaks. */
export function violations(request: JudgedRequest, answer: WireAnswer, operations: readonly Operation[]): string[] {
  const path = decoded(request.target);
  const body = parsed(answer.text);
  const context: Context = {
    request,
    path,
    operation: operations
      .filter((one) => one.method === request.method && matches(one.path, path))
      .toSorted((a, b) => a.path.split('{').length - b.path.split('{').length)[0],
    body,
    byGateway:
      request.method === 'HEAD'
        ? gatewayRefusals.has(answer.status) && !answer.headers.has('x-request-id')
        : typeof body === 'object' && body !== null && Object.keys(body).join() === 'message',
  };
  return Object.entries(rules).flatMap(([name, rule]) => {
    const broken = rule(answer, context);
    return broken ? [`${name}: ${broken === true ? answer.status : broken}`] : [];
  });
}

function isIntegration(path: string): boolean {
  return path.startsWith(`${integrationPrefix}/`) && !path.startsWith(redirectedPrefix);
}

function decoded(target: string): string {
  const [path = ''] = target.replace(/^[a-z]+:\/\/[^/]*/i, '').split('?');
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}

function matches(template: string, path: string): boolean {
  const [wanted, found] = [template.split('/'), path.split('/')];
  return (
    wanted.length === found.length &&
    wanted.every((segment, i) => (segment.startsWith('{') ? found[i] !== '' : segment === found[i]))
  );
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
