/** `POST /sessions` and `DELETE /sessions/:id` (docs/rules.md#sessions), and an owner's links to manage a booking. */
import type * as z from 'zod/mini';
import type { createManageLink as linkRow } from '../../contract/account/routes.ts';
import type { deleteSession as deletionRow, createSession as row } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';
import { bookingRights, type SessionRight } from '../../contract/sessions.ts';
import { newId, now, timestamp } from '../clock.ts';
import { pagesOrigin } from '../env.ts';
import { fail } from '../errors.ts';
import { createKeyValue } from '../keys/key-value.ts';
import { isSandbox } from '../mode.ts';
import { type KeyActor, keyIdOf, type OwnerActor, type Principal } from '../principal.ts';
import type { LinkItem, SessionFacts, SessionRecord } from '../sessions/session.ts';
import { hashOf } from '../store/key.ts';
import { getItem, inPartition, pages } from '../store/read.ts';
import { commitWithRetry, type Transaction } from '../store/transact.ts';
import { putNew, remove, type Write } from '../store/write.ts';
import { keys, records } from '../table-keys.ts';
import { isReachedBy, loadBooking } from './change.ts';

/** A transaction has at most a hundred writes: three for each session, and one for the audit log. */
const linksPerTransaction = 30;

export type NewSession = z.output<(typeof row)['body']>;
type NewManageLink = z.output<(typeof linkRow)['body']>;
type Session = z.output<(typeof row)['output']>;

/** 404 `not_found` for a booking that the principal may not change. */
export function createSession(principal: Principal, body: NewSession): Promise<Session> {
  return commitWithRetry(() => newSession(principal, body));
}

async function newSession(principal: Principal, body: NewSession): Promise<Transaction<Session>> {
  const { tenantId } = principal;
  if (body.bookingId !== undefined && !isReachedBy(principal, await loadBooking(principal, body.bookingId))) {
    throw fail('not_found');
  }
  const token = createKeyValue({ test: isSandbox(tenantId), isSession: true });
  const hash = hashOf(token);
  const expiresAt = now() + (body.expiresInSeconds ?? limits.sessionSecondsDefault) * 1_000;
  // The item is deleted a day after the expiry, so that an expired token is not mistaken for an unknown one.
  const expiresAtSeconds = Math.ceil(expiresAt / 1_000) + 86_400;
  const { serviceIds, staffIds, bookingId, origin } = body;
  const ids = { id: newId(), keyId: keyIdOf(principal) };
  const facts: SessionFacts = {
    ...ids,
    tenantId,
    rights: rightsOf(body),
    ...(serviceIds && { serviceIds }),
    ...(staffIds && { staffIds }),
    ...(bookingId !== undefined && { bookingId }),
    ...(origin !== undefined && { origin }),
    expiresAt,
  };
  const record: SessionRecord = {
    ...ids,
    hash,
    bookingsLeft: body.kind === 'booker' ? (body.bookings ?? 1) : 0,
    ...(body.externalId !== undefined && { externalId: body.externalId }),
    ...(bookingId !== undefined && { bookingId }),
  };
  const writes = [
    putNew('keys', { ...keys.apiKey(hash), ...facts, expiresAtSeconds }),
    putNew('records', { ...records.session(tenantId, ids.id), ...record, expiresAtSeconds }),
    ...(bookingId === undefined
      ? []
      : [putNew('records', { ...records.link(tenantId, bookingId, ids.id), id: ids.id, hash, expiresAtSeconds })]),
  ];
  return { writes, result: { id: ids.id, token, url: urlOf(body, token), expiresAt: timestamp(expiresAt) } };
}

/** Opens a session for one booking for an owner: the link does not depend on a key. 404 `not_found`. */
export async function createManageLink(
  principal: Principal<OwnerActor>,
  { id }: { readonly id: number },
  body: NewManageLink,
): Promise<Session> {
  return createSession(principal, { kind: 'booking', bookingId: id, ...body });
}

/** A session that may move a booking may also see free times. */
function rightsOf({ kind, may = [...bookingRights] }: NewSession): readonly SessionRight[] {
  if (kind === 'booker') return ['browse', 'book', ...bookingRights];
  return may.includes('move') ? ['browse', ...may] : may;
}

/** The token is in the fragment, which browsers send neither to a server nor in `Referer`. */
function urlOf({ kind, origin, bookings = 1, bookingId, may = [...bookingRights] }: NewSession, token: string) {
  const pages = pagesOrigin();
  // The page of a link shows the booking.
  if (pages === undefined || origin !== undefined || !may.includes('read')) return null;
  if (kind === 'booking') return `${pages}/manage/#${token}&booking=${bookingId}&may=${may.join('.')}`;
  return `${pages}/book/#${token}${bookings > 1 ? `&bookings=${bookings}` : ''}`;
}

/** Deletes all items of a session in one transaction. 404 `not_found` for a session of another key. */
export function deleteSession(
  { tenantId, actor }: Principal<KeyActor>,
  { id }: z.output<(typeof deletionRow)['params']>,
): Promise<void> {
  const key = records.session(tenantId, id);
  return commitWithRetry(async () => {
    const record = await getItem<SessionRecord>('records', key);
    if (record?.keyId !== actor.id) throw fail('not_found');
    return { writes: removal(tenantId, record), result: undefined };
  });
}

/** Ends all sessions for one booking, including those that API keys opened. 404 `not_found`. */
export async function endManageLinks(principal: Principal<OwnerActor>, { id }: { readonly id: number }): Promise<void> {
  const { tenantId } = principal;
  if (!isReachedBy(principal, await loadBooking(principal, id))) throw fail('not_found');
  const links = pages<LinkItem>('records', {
    ...inPartition(records.tenant(tenantId), records.linksOfBooking(id)),
    ConsistentRead: true,
    Limit: linksPerTransaction,
  });
  for await (const { items } of links) {
    const writes = items.flatMap((link) => removal(tenantId, { ...link, bookingId: id }));
    await commitWithRetry(async () => ({ writes, result: undefined }));
  }
}

function removal(
  tenantId: number,
  { id, hash, bookingId }: Pick<SessionRecord, 'id' | 'hash' | 'bookingId'>,
): readonly Write[] {
  return [
    remove('keys', keys.apiKey(hash)),
    remove('records', records.session(tenantId, id)),
    ...(bookingId === undefined ? [] : [remove('records', records.link(tenantId, bookingId, id))]),
  ];
}
