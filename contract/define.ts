/** What a row of the route table is, and the functions that write one. */
import type * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import type { Role } from './roles.ts';
import type { Scope } from './scopes.ts';
import type { SessionRight } from './sessions.ts';
import type { Needs } from './system/needs.ts';

export type Schema = z.core.$ZodType;
export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** One endpoint: everything that gateway, handler, policy, documentation and tests derive from it. */
export interface Endpoint {
  readonly method: Method;
  /** Below the prefix of its API; `:name` marks a path parameter. */
  readonly path: string;
  readonly summary: string;
  readonly description?: string;
  readonly params?: Schema;
  readonly query?: Schema;
  readonly body?: Schema;
  /** The body may be left out entirely; it is then `{}`. */
  readonly bodyOptional?: true;
  readonly status: 200 | 201 | 202 | 204;
  readonly output?: Schema;
  /** The answer, with 200, to a body with `dryRun: true`, where it differs. */
  readonly preview?: Schema;
  /** Answers of other statuses that have a shape of their own, by status: in words, and with their body, if any. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly output?: Schema }>>;
  /** `Location` of what was created, below the prefix of its API; `:id` is read off the answer. */
  readonly location?: string;
  /** Answers `ETag` and honours `If-None-Match` (docs/rules.md#catalog). */
  readonly etag?: true;
  /** Accepts `Idempotency-Key` (docs/rules.md#idempotency). */
  readonly idempotent?: true;
  /** Changes nothing that is worth an entry of who changed it (docs/rules.md#audit). */
  readonly unaudited?: true;
  /** Errors beyond `commonErrors` and those that follow from `params`, `query` and `body`. */
  readonly errors?: readonly ErrorCode[];
  /** What the function may do beyond the check of who calls. Becomes its policy and its environment. */
  readonly needs: Needs;
  readonly timeoutSeconds?: number;
  /** Its requests may wait for something to happen, and many do at once. */
  readonly waits?: true;
  /** Makes the row a tool for agents, at `POST /mcp`, with its schemas and scope. */
  readonly tool?: Tool;
  /** It asks a stranger's name servers, and so is throttled as what waits for a receiver is. */
  readonly waitsForNames?: true;
  /** What the documents show as asked. The answer is recorded by `npm run docs`. */
  readonly example?: AskedExample;
}

/** What an agent reads about a row beyond its fields (docs/rules.md#agents). */
export interface Tool {
  readonly name: string;
  /** What it is for, and which tool comes before or after it. */
  readonly description: string;
  /** Fields that an agent must send, although the endpoint can do without. */
  readonly required?: readonly string[];
  /** Whether it takes something away that another call does not bring back. */
  readonly destructive?: true;
  /**
   * Whether a second call with the same arguments changes nothing more. Rows that read need not say so.
   */
  readonly repeatable?: true;
}

/**
 * In the values that the documents show, which are those of the demo: business 1001, service 1002, staff 1005; the day is
 * 2026-12-02. An `:id` that is left out is that of the resource the path begins with.
 */
export interface AskedExample {
  readonly params?: Readonly<Record<string, number | string>>;
  readonly query?: Readonly<Record<string, number | string>>;
  readonly body?: unknown;
}

/** Whether it is on record who called it (docs/rules.md#audit). */
export function isAudited({ method, unaudited }: Endpoint): boolean {
  return method !== 'GET' && !unaudited;
}

/** An endpoint of the integration API: the caller is an API key with scopes. */
export interface Route extends Endpoint {
  /** Null: any key, and the function looks at its scopes itself. */
  readonly scope: Scope | null;
  /** A session with this right may call it as well (docs/rules.md#sessions). */
  readonly session?: SessionRight;
}

/** An endpoint of the account API: the caller is signed in, and has a role in the business. */
export interface AccountRoute extends Endpoint {
  /** The least role that may call it (docs/rules.md#roles). Without it owners alone may. */
  readonly role?: Role;
}

type Rest = Omit<Endpoint, 'method' | 'path'> & Partial<Pick<Route, 'scope' | 'session'> & Pick<AccountRoute, 'role'>>;
type Row<M extends Method, P extends string, R extends Rest> = { method: M; path: P } & R;

/** Writes rows of a method. The arrow holds what a row is made of, so that both leave a bundle that reads neither. */
function rowsOf<const M extends Method>(method: M) {
  return <const P extends string, const R extends Rest>(path: P, rest: () => R): Row<M, P, R> => ({
    method,
    path,
    ...rest(),
  });
}

export const get = rowsOf('GET');
export const post = rowsOf('POST');
export const put = rowsOf('PUT');
export const patch = rowsOf('PATCH');
export const del = rowsOf('DELETE');

export type OutputOf<R extends Endpoint> = R extends { output: infer S extends Schema } ? z.core.output<S> : undefined;
export type InputOf<R extends Endpoint, Part extends 'params' | 'query' | 'body'> = R extends {
  [K in Part]: infer S extends Schema;
}
  ? z.core.output<S>
  : undefined;
