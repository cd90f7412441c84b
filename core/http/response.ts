/**
 * Makes the response from the result of a function by the row of the endpoint (status, body, `Location`, `ETag`), and
 * adds the headers of every response (docs/rules.md#limits, #errors).
 */
import { createHash } from 'node:crypto';
import type { Endpoint, Schema } from '../../contract/define.ts';
import { replacedKeyHeader, replayedHeader, requestIdHeader } from '../../contract/headers.ts';
import { personalMark } from '../../contract/personal-data.ts';
import { timestamp } from '../clock.ts';
import type { IdempotentResult } from '../idempotency/idempotently.ts';
import { type SentByCaller, visiblePersonalData } from './access/scope.ts';
import type { HttpResult, Middleware, RequestState } from './context.ts';

export function isDryRun({ body }: RequestState): boolean {
  return (body as { readonly dryRun?: boolean } | undefined)?.dryRun === true;
}

export function responseTo(prefix: string, route: Endpoint, result: unknown, state: RequestState): HttpResult {
  const { value, replayed } = route.idempotent
    ? (result as IdempotentResult<unknown>)
    : { value: result, replayed: false };
  if (route.status === 204) return { statusCode: 204, headers: {} };

  const { status, output, location } =
    route.preview && isDryRun(state) ? { status: 200, output: route.preview, location: undefined } : route;
  const body = JSON.stringify(output ? project(output, value, visiblePersonalData(state)) : value);
  const headers: Record<string, string> = {
    'Content-Type': 'application/json',
    ...(location && { Location: prefix + pathOf(location, value) }),
    ...(replayed && replayedHeader),
  };
  if (!route.etag) return { statusCode: status, headers, body };

  // The response depends on the key, so shared caches may not store it; a private cache must ask each time.
  const revalidated = { ETag: etagOf(body), 'Cache-Control': 'private, no-cache' };
  if (noneMatchNames(revalidated.ETag, state.headers['if-none-match'])) {
    return { statusCode: 304, headers: revalidated };
  }
  return { statusCode: route.status, headers: { ...headers, ...revalidated }, body };
}

/** `/webhooks/:id` and `{ id: 7 }` → `/webhooks/7`. */
function pathOf(pattern: string, value: unknown): string {
  const fields = value as Readonly<Record<string, unknown>>;
  return pattern.replace(/:([A-Za-z]+)/g, (_, name) => encodeURIComponent(String(fields[name])));
}

interface Definition {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
}

/**
 * Projects a result onto the schema of the row, in the order of the schema. So no other stored field is returned. The
 * store returns fields in any order, but equal data always gives equal bytes: `ETag` and repeated responses need this.
 * For a caller who may not see personal data, only what the request itself contained is kept (docs/rules.md#privacy).
 */
export function project(schema: Schema, value: unknown, sent?: SentByCaller): unknown {
  const { shape, element, innerType } = schema._zod.def as Definition;
  if (value === null || typeof value !== 'object') return value;
  if (innerType) return project(innerType, value, sent);
  if (element) return (value as readonly unknown[]).map((one) => project(element, one, sent));
  if (!shape) return value;
  const fields = value as Readonly<Record<string, unknown>>;
  const projected: Record<string, unknown> = {};
  for (const [name, field] of Object.entries(shape)) {
    if (fields[name] === undefined) continue;
    projected[name] = project(field, visible(field, fields[name], sent), sent);
  }
  return projected;
}

/**
 * The value, or, for a caller who may not see personal data, only what the request itself contained, or null. A map
 * contains only the entries that were sent: the response does not show whether there are others. An omitted field is
 * stored as null.
 */
function visible(field: Schema, value: unknown, sent: SentByCaller | undefined): unknown {
  const personal = sent && personalMark(field);
  if (!personal) return value;
  const own = personal.field === undefined ? undefined : sent[personal.field];
  if (typeof value !== 'object' || value === null) return value === own ? value : null;
  if (typeof own !== 'object' || own === null) return null;
  const all = Object.entries(value);
  const same = all.filter(([name, one]) => one === ((own as SentByCaller)[name] ?? null));
  if (isMap(field)) return Object.fromEntries(same);
  return same.length === all.length ? value : null;
}

function isMap(field: Schema): boolean {
  const { innerType = field } = field._zod.def as Definition;
  return innerType._zod.def.type === 'record';
}

/** A strong entity tag (RFC 9110 §8.8.3) for exactly these bytes. */
function etagOf(body: string): string {
  return `"${createHash('sha256').update(body).digest('base64url')}"`;
}

/**
 * Whether `If-None-Match` (RFC 9110 §13.1.2), a list or `*`, contains the tag. The comparison is weak, so `W/` is
 * ignored.
 */
function noneMatchNames(tag: string, header: string | undefined): boolean {
  if (header === undefined) return false;
  if (header.trim() === '*') return true;
  const named: readonly string[] = header.match(/"[^"]*"/g) ?? [];
  return named.includes(tag);
}

export function responseHeaders(): Middleware {
  return {
    after: ({ event, response }) => addHeaders(event.state, response),
    onError: ({ event, response }) => addHeaders(event.state, response),
  };
}

function addHeaders(state: RequestState, response: HttpResult | null | undefined): void {
  if (!response) return;
  response.headers = {
    'Cache-Control': 'no-store',
    Vary: 'Origin',
    'X-Content-Type-Options': 'nosniff',
    ...state.corsHeaders,
    ...response.headers,
    ...limitHeaders(state),
    ...(state.keyWorksUntil !== undefined && { [replacedKeyHeader]: timestamp(state.keyWorksUntil) }),
    [requestIdHeader]: state.requestId,
  };
}

function limitHeaders({ usage }: RequestState): Record<string, string> {
  return {
    'X-RateLimit-Limit': String(usage.limits.perMinute),
    'X-RateLimit-Remaining': String(usage.remaining),
    'X-RateLimit-Reset': String(usage.resetsMs / 1_000),
    'X-RateLimit-Limit-Day': String(usage.limits.perDay),
    'X-RateLimit-Remaining-Day': String(usage.dayRemaining),
    'X-RateLimit-Reset-Day': String(usage.dayResetsMs / 1_000),
  };
}
