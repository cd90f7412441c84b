/**
 * Raises an event for every API key that expires in 14 and in 3 days (docs/rules.md#notices). For each day, it reads
 * the keys that expire on it, page by page. One transaction writes the events of a page and the progress. So each event
 * is raised once, even if a run is interrupted, and a later run continues with days that were missed.
 */
import { expiryNotices } from '../../contract/notice-kinds.ts';
import { dayMs, now, timestamp } from '../clock.ts';
import { type OperationalEvent, outboxPut, raiseOperational } from '../events/event.ts';
import { isLive } from '../keys/api-key.ts';
import type { ExpiryEntry } from '../keys/expiry-entry.ts';
import type { StoredKey } from '../keys/stored-key.ts';
import { modeOf } from '../mode.ts';
import { getItem, getRecords, inPartition, pages } from '../store/read.ts';
import { asRead, type Revised } from '../store/revised.ts';
import { transact } from '../store/transact.ts';
import { put, putNew } from '../store/write.ts';
import { records } from '../table-keys.ts';

/** A transaction has at most a hundred writes: one for each event, and one for the progress. */
const keysPerPage = 90;
/** Expiries that are longer ago are not reported any more. */
const daysMadeUp = 3;

type ExpiryNotice = (typeof expiryNotices)[number];

/** The progress: a day, with a kind of event and an entry; a day alone is finished. */
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
    ...inPartition(pk),
    ...(after !== undefined && { ExclusiveStartKey: { pk, sk: after } }),
    Limit: keysPerPage,
    ConsistentRead: true,
  });
  for await (const { items } of found) if (items.length > 0) yield items;
}

/** The keys that are active and really expire on that day: others were revoked, or got another expiry. */
async function eventsOf(
  page: readonly ExpiryEntry[],
  { kind, days }: ExpiryNotice,
  day: number,
): Promise<readonly OperationalEvent[]> {
  const at = now();
  const keys = await getRecords<StoredKey>(page.map(({ tenantId, keyId }) => records.key(tenantId, keyId)));
  return keys.flatMap((key) => {
    if (!key?.expiresAt || !isLive(key, at) || Math.floor(key.expiresAt / dayMs) !== day + days) return [];
    const data = { apiKeyId: key.id, mode: modeOf(key.tenantId), expiresAt: timestamp(key.expiresAt) };
    return [raiseOperational(key.tenantId, kind, data, at)];
  });
}

/** Returns the stored progress. Throws if another run was faster, which then continues. */
async function announce(
  events: readonly OperationalEvent[],
  next: Omit<Announced, 'revision'>,
  before: Announced | undefined,
): Promise<Announced> {
  const item = { ...records.expiryAnnounced, ...next, revision: (before?.revision ?? 0) + 1 };
  const progress = before ? put('records', item, asRead(before)) : putNew('records', item);
  if ((await transact([progress, ...events.map(outboxPut)])) !== 'committed') {
    throw new Error('Another run is announcing the API keys that expire');
  }
  return item;
}
