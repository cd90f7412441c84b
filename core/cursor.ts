/**
 * Cursors of the unbounded lists (docs/rules.md#lists). A cursor contains the position in the tenant's own list at which the next
 * page begins, and carries a check over tenant, filter and position: one that was changed, or that belongs to another filter,
 * is refused. It needs no secret, because all it can lead to is another position of a list that the caller may
 * read anyway.
 */
import { createHash } from 'node:crypto';
import { type ApiError, invalid } from './errors.ts';

/** Everything that decides what the list contains. */
export type CursorScope = Readonly<Record<string, unknown>>;

export function writeCursor(scope: CursorScope, position: string): string {
  return Buffer.from(`${check(scope, position)}${position}`).toString('base64url');
}

/** The position, or 400 `validation_failed`. Only the exact text that was given out is taken. */
export function readCursor(scope: CursorScope, cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString().slice(checkLength);
  if (cursor !== writeCursor(scope, position)) throw badCursor();
  return position;
}

/** 400 for a cursor that leads nowhere in the list. */
export function badCursor(): ApiError {
  return invalid('cursor', 'must be the nextCursor of an answer to the same filters');
}

const checkLength = 16;

function check(scope: CursorScope, position: string): string {
  const fields = Object.entries(scope)
    .filter(([, value]) => value !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return createHash('sha256')
    .update(JSON.stringify([fields, position]))
    .digest('hex')
    .slice(0, checkLength);
}
