/**
 * Raises an event for every API key that expires in 14 and in 3 days (docs/rules.md#notices): for each day in turn what is
 * noted for it, page by page. The events of a page and how far it got are one transaction, so each is raised once, however
 * often a run breaks off, and days on which nothing ran are made up for.
 */
import { expiryNotices } from '../../contract/notice-kinds.ts';
import { now, timestamp } from '../clock.ts';
import { type OperationalEvent, outboxPut, raiseOperational } from '../events/event.ts';
import { isLive } from '../keys/api-key.ts';
import type { ExpiryEntry } from '../keys/expiry-entry.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { modeOf } from '../mode.ts';
import { getItem, getItems, pages } from '../store/read.ts';
import { asRead, type Revised } from '../store/revised.ts';
import { transact } from '../store/transact.ts';
import { put, putNew } from '../store/write.ts';
import { records } from '../table-keys.ts';

const dayMs = 86_400_000;
/** A transaction holds a hundred writes: an event for each, and how far it got. */
const keysPerPage = 90;
/** What is longer ago is not worth telling any more. */
const daysMadeUp = 3;

type ExpiryNotice = (typeof expiryNotices)[number];

/** How far it got: on a day, with a kind, to an entry; with a day alone, that day is done. */
interface Announced extends Revised {
  readonly day: number;
  readonly kind?: ExpiryNotice['kind'];
  readonly after?: string;
}

export async function announceExpiry(): Promise<void> {
  const today = Math.floor(now() / dayMs);
  let stored = await getItem<Announced>('records', records.expiryAnnounced);
  const begun = stored?.kind !== undefined;
  const first = stored ? stored.day + (begun ? 0 : 1) : today;
  for (let day = Math.max(first, today - daysMadeUp); day <= today; day++) {
    const { kind: reached, after } = stored?.day === day ? stored : {};
    const left = expiryNotices.slice(
      expiryNotices.findIndex(({ kind }) => kind === (reached ?? expiryNotices[0].kind)),
    );
    for (const notice of left) {
      for await (const page of entries(day + notice.days, notice.kind === reached ? after : undefined)) {
        const events = await eventsOf(page, notice, day);
        stored = await announce(events, { day, kind: notice.kind, after: page.at(-1)?.sk ?? '' }, stored);
      }
    }
    stored = await announce([], { day }, stored);
  }
}

async function* entries(day: number, after: string | undefined): AsyncGenerator<readonly ExpiryEntry[]> {
  const pk = records.expiringKeys(day);
  const found = pages<ExpiryEntry>('records', {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    Limit: keysPerPage,
    ConsistentRead: true,
  });
  for await (const { items } of found) if (items.length > 0) yield items;
}

/** Of the keys that are live and expire on that day: others were revoked, or changed to another day. */
async function eventsOf(
  page: readonly ExpiryEntry[],
  { kind, days }: ExpiryNotice,
  day: number,
): Promise<readonly OperationalEvent[]> {
  const at = now();
  const keys = await getItems<StoredKey>(
    'records',
    page.map(({ tenantId, keyId }) => records.key(tenantId, keyId)),
  );
  return keys.flatMap((key) => {
    if (!key?.expiresAt || !isLive(key, at) || Math.floor(key.expiresAt / dayMs) !== day + days) return [];
    const data = { apiKeyId: key.id, mode: modeOf(key.tenantId), expiresAt: timestamp(key.expiresAt) };
    return [raiseOperational(key.tenantId, kind, data, at)];
  });
}

/** Returns how far it is noted to be. Throws when another run was faster: that one goes on. */
async function announce(
  events: readonly OperationalEvent[],
  next: Omit<Announced, 'revision'>,
  before: Announced | undefined,
): Promise<Announced> {
  const item = { ...records.expiryAnnounced, ...next, revision: (before?.revision ?? 0) + 1 };
  const progress = before ? put('records', item, asRead(before)) : putNew('records', item);
  if ((await transact([progress, ...events.map(outboxPut)])) !== 'committed') {
    throw new Error('Another run announces the keys that expire');
  }
  return item;
}
