/**
 * `GET /requests` of a key, and for owners of all keys (docs/rules.md#request-log): newest first. An item contains
 * requests of up to an hour, and the items of several containers overlap in time. So a request is listed only when no
 * item that was not read yet can contain a newer one.
 */
import type * as z from 'zod/mini';
import type { listRequests as row } from '../../contract/account/routes.ts';
import { errorAdvice } from '../../contract/error-advice.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import type { LoggedRequest } from '../../contract/integration/resources.ts';
import { limits, requestLogLimits } from '../../contract/limits.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import { dayMs, hourMs, now, timestamp } from '../clock.ts';
import { badCursor, readCursor, writeCursor } from '../cursor.ts';
import { type Period, periodOf } from '../period.ts';
import { keyIdOf, type Principal } from '../principal.ts';
import type { CursorPage } from '../store/list.ts';
import { pages } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type RequestBatch, type RequestEntry, unpackEntries } from './entry.ts';

/** Only for owners: a key sees its own requests, whatever `apiKeyId` is. */
type RequestsQuery = z.output<(typeof row)['query']>;
type Filter = Omit<RequestsQuery, 'limit' | 'cursor'>;

interface Logged extends RequestEntry {
  readonly keyId: number;
}

/** The position: all earlier entries of the list were returned. */
type Position = Pick<RequestEntry, 'at' | 'requestId'>;

const batchMs = requestLogLimits.batchHours * hourMs;
const writesPerRead = 50;

/**
 * A page may be shorter than `limit`, or empty, although more follow, because it reads a limited number of items.
 * Errors: 400 `validation_failed` for a cursor of other filters, and for a period that ends before it begins.
 */
export async function listRequests(
  principal: Principal,
  { limit = limits.pageSizeDefault, cursor, ...filter }: RequestsQuery,
): Promise<CursorPage<LoggedRequest>> {
  const { tenantId, actor } = principal;
  const keyId = actor.kind === 'owner' ? filter.apiKeyId : keyIdOf(principal);
  const scope = { tenantId, list: 'requests', ...filter, keyId };
  const { fromMs, toMs } = withinRetention(periodOf(filter));
  const after = cursor === undefined ? undefined : positionIn(readCursor(scope, cursor));
  const matches = matcher({ ...filter, apiKeyId: keyId }, fromMs, toMs, after);
  const page = (data: readonly Logged[], next?: Position) => ({
    data: data.map(toRequest),
    nextCursor: next ? writeCursor(scope, `${next.at}#${next.requestId}`) : null,
  });

  const endMs = Math.min(toMs, after?.at ?? toMs);
  if (endMs < fromMs) return page([]);
  const listed: Logged[] = [];
  let waiting: Logged[] = [];
  let read = 0;
  for await (const { items, isLast } of writesOf(tenantId, fromMs, endMs + batchMs)) {
    read += items.length;
    const found = items.flatMap((batch) => unpackEntries(batch.entries).map((one) => ({ ...one, keyId: batch.keyId })));
    waiting = [...waiting, ...found.filter(matches)].sort(newestFirst);
    const bound = isLast ? Number.NEGATIVE_INFINITY : timeOf(items.at(-1));
    const due = waiting.findIndex(({ at }) => at <= bound);
    listed.push(...waiting.splice(0, due < 0 ? waiting.length : due));
    const last = listed[limit - 1];
    if (last && listed.length > limit) return page(listed.slice(0, limit), last);
    // A page ends only after it has read an item that no earlier page read, so that each page makes progress.
    const isEnough = read >= requestLogLimits.writesPerPage && bound < endMs;
    if (isEnough && !isLast) return page(listed, { at: bound, requestId: latest });
  }
  return page(listed);
}

function writesOf(tenantId: number, fromMs: number, toMs: number) {
  const { pk, sk: first } = records.requests(tenantId, fromMs, '');
  const query = {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :first AND :last',
    ExpressionAttributeValues: { ':pk': pk, ':first': first, ':last': records.requests(tenantId, toMs, latest).sk },
    ScanIndexForward: false,
    Limit: writesPerRead,
  };
  return pages<RequestBatch>('records', query);
}

/** Sorts after every id of a request. */
const latest = '~';

function timeOf(batch: RequestBatch | undefined): number {
  return batch ? records.timeOfRequests(batch.sk) : Number.NEGATIVE_INFINITY;
}

function newestFirst(a: Position, b: Position): number {
  return b.at - a.at || Number(a.requestId < b.requestId) - Number(a.requestId > b.requestId);
}

function positionIn(text: string): Position {
  const [, at, requestId] = /^(\d+)#(.*)$/.exec(text) ?? [];
  if (at === undefined || requestId === undefined) throw badCursor();
  return { at: Number(at), requestId };
}

/** The part of a period that the log contains. */
function withinRetention({ fromMs, toMs }: Period): Period {
  return {
    fromMs: Math.max(fromMs, now() - requestLogLimits.days * dayMs),
    // Includes items that a container with a fast clock has written.
    toMs: Math.min(toMs, now() + batchMs),
  };
}

function matcher(
  { apiKeyId, statusClass, code, requestId }: Filter,
  fromMs: number,
  toMs: number,
  after: Position | undefined,
): (one: Logged) => boolean {
  return (one) =>
    one.at >= fromMs &&
    one.at < toMs &&
    (after === undefined || newestFirst(after, one) < 0) &&
    (apiKeyId === undefined || one.keyId === apiKeyId) &&
    (statusClass === undefined || `${Math.floor(one.status / 100)}xx` === statusClass) &&
    (code === undefined || one.code === code) &&
    (requestId === undefined || one.requestId === requestId);
}

function toRequest({ at, requestId, status, code, durationMs, bySession = false, operation, keyId }: Logged) {
  const [method = '', path] = operation.split(' ');
  const known = code !== undefined && code in errors ? (code as ErrorCode) : undefined;
  return {
    requestId,
    at: timestamp(at),
    method,
    path: path === undefined ? null : path.startsWith('/v1/') ? path : integrationPrefix + path,
    status,
    code: code ?? null,
    durationMs,
    apiKeyId: keyId === 0 ? null : keyId,
    bySession,
    meaning: known ? errors[known].message : null,
    nextStep: known ? withoutLinks(errorAdvice[known]) : null,
  };
}

/** The advice is a cell of docs/errors.md. */
function withoutLinks(markdown: string): string {
  const [first = '', ...linked] = markdown.split('](');
  return [first, ...linked.map((rest) => rest.slice(rest.indexOf(')') + 1))].join('').replaceAll('[', '');
}
