/** Simulates a mirror of all bookings that requests the changes once a minute (docs/keep-a-mirror.md). */
import { deepStrictEqual } from 'node:assert/strict';
import { type BookingItem, successorOf } from '../../core/bookings/booking.ts';
import { bookingWrites } from '../../core/bookings/change.ts';
import { now, setRuntime, timestamp } from '../../core/clock.ts';
import { getItem } from '../../core/store/read.ts';
import { transact } from '../../core/store/transact.ts';
import { records } from '../../core/table-keys.ts';

const minuteMs = 60_000;
const minutesOfDay = 1_440;
/** Changes of a busy day, a fifth of which an import writes within a minute. */
const changesOfDay = 2_500;
const importedChanges = 500;
const importMinute = 180;

/** One request of `GET /bookings` with this query. */
export type AskBookings = (
  query: Readonly<Record<string, string>>,
) => Promise<{
  readonly data: readonly { readonly id: number; readonly revision: number }[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}>;

/** Reads like the mirror: to the end of the list, and the next time from there on. */
export function mirrorOf(ask: AskBookings, updatedFrom: string) {
  const revisions = new Map<number, number>();
  let cursor: string | undefined;
  let requests = 0;
  const poll = async () => {
    let hasMore = true;
    while (hasMore) {
      const page = await ask({ sort: 'updatedAt', limit: '100', updatedFrom, ...(cursor && { cursor }) });
      requests += 1;
      for (const { id, revision } of page.data) revisions.set(id, Math.max(revision, revisions.get(id) ?? 0));
      ({ nextCursor: cursor, hasMore } = page);
    }
  };
  return { poll, revisions, requests: () => requests };
}

/** The number of requests in a day of polls. Throws unless the mirror has every change at the end. */
export async function requestsOfDay(ask: AskBookings, tenantId: number, ids: readonly number[]): Promise<number> {
  const began = now();
  const mirror = mirrorOf(ask, timestamp(began));
  const expected = new Map<number, number>();
  try {
    for (let minute = 0; minute < minutesOfDay; minute++) {
      setRuntime({ now: () => began + minute * minuteMs });
      const spread = changesOfDay - importedChanges;
      const due = (until: number) => Math.floor((spread * until) / minutesOfDay);
      const changes = due(minute + 1) - due(minute) + (minute === importMinute ? importedChanges : 0);
      for (let i = 0; i < changes; i++) {
        const id = ids[(minute * 7_919 + i * 104_729) % ids.length] ?? 0;
        expected.set(id, await change(tenantId, id));
      }
      await mirror.poll();
    }
    setRuntime({ now: () => began + (minutesOfDay + 1) * minuteMs });
    await mirror.poll();
  } finally {
    setRuntime();
  }
  const inOrder = (all: ReadonlyMap<number, number>) => [...all].sort(([a], [b]) => a - b);
  deepStrictEqual(inOrder(mirror.revisions), inOrder(expected));
  return mirror.requests();
}

async function change(tenantId: number, id: number): Promise<number> {
  const before = await getItem<BookingItem>('records', records.booking(tenantId, id));
  if (!before) throw new Error('A booking of the grown business is there.');
  const after = successorOf(before, {}, now());
  deepStrictEqual(await transact(bookingWrites(tenantId, after, before)), 'committed');
  return after.revision;
}
