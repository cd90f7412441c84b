/**
 * Cursors of the unbounded lists (docs/rules.md#lists). A cursor says where in the tenant's own list the next page
 * begins, and carries a check over tenant, filter and place: one that was changed, or that belongs to another filter,
 * is refused. It needs no secret, because all it can lead to is another place of the list that the caller may read
 * anyway.
 */
import { createHash } from 'node:crypto';
import { type ApiError, fail } from './errors.ts';

/** Everything that decides what the list contains. */
export type CursorScope = Readonly<Record<string, unknown>>;

export function writeCursor(scope: CursorScope, place: string): string {
  return Buffer.from(`${check(scope, place)}${place}`).toString('base64url');
}

/** The place, or 400 `validation_failed`. Only the exact text that was given out is taken. */
export function readCursor(scope: CursorScope, cursor: string): string {
  const place = Buffer.from(cursor, 'base64url').toString().slice(checkLength);
  if (cursor !== writeCursor(scope, place)) throw badCursor();
  return place;
}

/** 400 for a cursor that leads nowhere in the list. */
export function badCursor(): ApiError {
  return fail('validation_failed', {
    details: [{ path: 'cursor', message: 'must be the nextCursor of an answer to the same filters' }],
  });
}

const checkLength = 16;

function check(scope: CursorScope, place: string): string {
  const fields = Object.entries(scope)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([fields, place]))
    .digest('hex')
    .slice(0, checkLength);
}
