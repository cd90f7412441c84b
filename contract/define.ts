/** The type of a row of the route table, and the functions that create one. */
import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Role } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { SessionRight } from './sessions.ts';
import type { Needs } from './system/needs.ts';

export type Schema = z.core.$ZodType;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint, from which gateway, handler, policy, documentation and tests are derived. */
export interface Endpoint {
  readonly method: Method;
  /** The path below the prefix of its API; `:name` marks a path parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** Whether the body may be omitted; it is then `{}`. */
  readonly bodyOptional?: true;
  /** In a row 204 for `DELETE`, and otherwise 200, unless the row has another. */
  readonly status: 200 | 201 | 202 | 204;
  readonly output?: Schema;
  /** The response, with 200, to a body with `dryRun: true`, if it differs. */
  readonly preview?: Schema;
  /** Responses of other statuses with a different schema, by status: a description and the body, if any. */
  readonly otherResponses?: Readonly<Record<number, { readonly description: string; readonly output?: Schema }>>;
  /** `Location` of the created resource, below the prefix of its API; `:id` is taken from the response. */
  readonly location?: string;
  /** Whether it returns `ETag` and supports `If-None-Match` (docs/rules.md#catalog). */
  readonly etag?: true;
  /** Whether it accepts `Idempotency-Key` (docs/rules.md#idempotency). */
  readonly idempotent?: true;
  /** Whether its changes are not worth an audit entry (docs/rules.md#audit). */
  readonly unaudited?: true;
  /** Errors beyond `commonErrors` and those implied by `params`, `query` and `body`. */
  readonly errors?: readonly ErrorCode[];
  /** What the function may do in addition to authentication. Its policy and its environment are derived from this. */
  readonly needs: Needs;
  readonly timeoutSeconds?: number;
  /** Whether its requests may wait for an event, many of them concurrently. */
  readonly waits?: true;
  /** Makes the row a tool for agents, at `POST /mcp`, with its schemas and scope. */
  readonly tool?: Tool;
  /** Whether it queries foreign name servers, and so has the rate limit of routes that wait for a receiver. */
  readonly waitsForNames?: true;
  /** The request that the documents show. `npm run docs` records the response. */
  readonly example?: ExampleRequest;
}

/** The information for agents about a row beyond its fields (docs/rules.md#agents). */
export interface Tool {
  readonly name: string;
  /** The purpose of the tool, and which tool comes before or after it. */
  readonly description: string;
  /** Fields that an agent must send, although they are optional at the endpoint. */
  readonly required?: readonly string[];
  /** Whether it removes something that no other call restores. */
  readonly destructive?: true;
  /** Whether a second call with the same arguments changes nothing more. Rows that only read need not set it. */
  readonly repeatable?: true;
}

/**
 * The example has the ids of the demo: business 1001, service 1002, staff 1005; the day is 2026-12-02. An omitted `:id`
 * is that of the resource at the start of the path.
 */
export interface ExampleRequest {
  readonly params?: Readonly<Record<string, number | string>>;
  readonly query?: Readonly<Record<string, number | string>>;
  readonly body?: unknown;
}

/** Whether calls are recorded in the audit log (docs/rules.md#audit). */
export function isAudited({ method, unaudited }: Endpoint): boolean {
  return method !== 'GET' && !unaudited;
}

/** An endpoint of the integration API: the caller is an API key with scopes. */
export interface Route extends Endpoint {
  /** Null accepts any key, and the function checks its scopes itself. */
  readonly scope: Scope | null;
  /** The right with which a session may also call it (docs/rules.md#sessions). */
  readonly session?: SessionRight;
}

/** An endpoint of the account API: the caller is signed in and has a role in the business. */
export interface AccountRoute extends Endpoint {
  /** The lowest role that may call it (docs/rules.md#roles). Without it only owners may. */
  readonly role?: Role;
}

type Rest = Omit<Endpoint, 'method' | 'path' | 'status'> &
  Partial<Pick<Endpoint, 'status'> & Pick<Route, 'scope' | 'session'> & Pick<AccountRoute, 'role'>>;
/** A row with a misspelled field does not compile. */
type NoOtherField<R extends Rest> = R & Record<Exclude<keyof R, keyof Rest | keyof Endpoint>, never>;
type StatusOf<R extends Rest, Usual> = R extends { status: infer Status } ? Status : Usual;
type Row<M extends Method, P extends string, S, R extends Rest> = { method: M; path: P; status: StatusOf<R, S> } & R;

/** Creates rows of a method, with the status of rows that name no other. */
function rowsOf<const M extends Method, const S extends Endpoint['status']>(method: M, status: S) {
  return <const P extends string, const R extends Rest>(path: P, rest: NoOtherField<R>) =>
    ({ method, path, status, ...(rest as R) }) as Row<M, P, S, R>;
}

export const get = rowsOf('GET', 200);
export const post = rowsOf('POST', 200);
export const put = rowsOf('PUT', 200);
export const patch = rowsOf('PATCH', 200);
export const del = rowsOf('DELETE', 204);

export type OutputOf<R extends Endpoint> = R extends { output: infer S extends Schema } ? z.core.output<S> : undefined;
export type InputOf<R extends Endpoint, Part extends 'params' | 'query' | 'body'> = R extends {
  [K in Part]: infer S extends Schema;
}
  ? z.core.output<S>
  : undefined;
