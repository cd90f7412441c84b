/**
 * Cursors of the unbounded lists (docs/rules.md#lists). A cursor contains the position at which the next page begins,
 * and a checksum of tenant, filter and position. So a cursor that was changed, or belongs to another filter, is
 * refused. The checksum needs no secret, because a forged cursor could only lead to another position of a list that the
 * caller may read.
 */
import { createHash } from 'node:crypto';
import { type ApiError, invalid } from './errors.ts';

/** Everything that decides what the list contains. */
export type CursorScope = Readonly<Record<string, unknown>>;

export function writeCursor(scope: CursorScope, position: string): string {
  return Buffer.from(`${check(scope, position)}${position}`).toString('base64url');
}

/** The position of a cursor, or 400 `validation_failed`. Only the exact text of a cursor is accepted. */
export function readCursor(scope: CursorScope, cursor: string): string {
  const position = Buffer.from(cursor, 'base64url').toString().slice(checkLength);
  if (cursor !== writeCursor(scope, position)) throw badCursor();
  return position;
}

/** 400 for a cursor whose position is not in the list. */
export function badCursor(): ApiError {
  return invalid('cursor', 'must be the nextCursor of a response to a request with the same filters');
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
