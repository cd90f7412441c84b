/** Which bookings are not over yet: what keeps a staff member from being deleted and a time zone from changing. */
import { minutesPerDay } from '../availability/calendar.ts';
import { daysOf, unpack } from '../availability/staff-day.ts';
import { type StoredDay, staffDayItem } from '../availability/staff-time.ts';
import { queryAll } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { BookingItem } from './booking.ts';
import { isOpen } from './state.ts';

/** Longer than any booking with its buffers, in days: a booking that is not over began after that long ago. */
const longestDays = 3;

/**
 * How many bookings of a business, or of one of its staff, are not over at `at` (epoch milliseconds).
 *
 * 0 is certain: it is read consistently off the staff-day items, which every booking changes. Any other number comes
 * from the index by start, which lags by moments, so it may be off while bookings are being made.
 */
export async function bookingsNotOver(tenantId: number, at: number, staffId?: number): Promise<number> {
  const minute = Math.floor(at / 60_000);
  const taken = await takenAfter(tenantId, minute, staffId);
  if (taken.size === 0) return 0;
  const bookings = await bookingsFrom(tenantId, minute - longestDays * minutesPerDay, staffId);
  const current = bookings.filter((booking) => booking.taken.end > minute);
  const ahead = current.filter(isOpen);
  const shared = new Set(ahead.flatMap(partsOf));
  for (const booking of current) {
    // Completed early: its time stays taken, but the visit is over, unless others have places of the same occurrence.
    if (isDone(booking)) for (const part of partsOf(booking)) if (!shared.has(part)) taken.delete(part);
  }
  if (taken.size === 0) return 0;
  return Math.max(1, ahead.length);
}

function isDone({ status }: BookingItem): boolean {
  return status === 'completed' || status === 'no_show';
}

function partsOf({ staffId, taken }: BookingItem): string[] {
  return daysOf(taken).map(({ day, start, end }) => label(day, staffId, start, end));
}

function label(day: number, staffId: number, start: number, end: number): string {
  return `${day}#${staffId}#${start}-${end}`;
}

/** The taken parts of staff days that end after a minute. */
async function takenAfter(tenantId: number, minute: number, onlyStaffId?: number): Promise<Set<string>> {
  const today = Math.floor(minute / minutesPerDay);
  const items = await queryAll<StoredDay & { sk: string }>('records', {
    KeyConditionExpression: 'pk = :pk AND sk >= :today',
    ExpressionAttributeValues: { ':pk': records.staffDay(tenantId, 0, 0).pk, ':today': `${today}#` },
    ConsistentRead: true,
  });
  const found = new Set<string>();
  for (const item of items) {
    const [day = 0, staffId = 0] = item.sk.split('#').map(Number);
    if (onlyStaffId !== undefined && staffId !== onlyStaffId) continue;
    for (const { start, end } of unpack(staffDayItem(item).busy)) {
      if (day * minutesPerDay + end > minute) found.add(label(day, staffId, start, end));
    }
  }
  return found;
}

async function bookingsFrom(tenantId: number, minute: number, staffId?: number): Promise<BookingItem[]> {
  const from = records.bookingByStart(tenantId, Math.max(0, minute), 0);
  const items = await queryAll<BookingItem>('records', {
    IndexName: 'byStart',
    KeyConditionExpression: 'byStartPk = :pk AND byStartSk >= :from',
    ExpressionAttributeValues: { ':pk': from.byStartPk, ':from': from.byStartSk },
  });
  return staffId === undefined ? items : items.filter((item) => item.staffId === staffId);
}
