/**
 * Finds bookings that are not over: they prevent the deletion of staff and resources, and a change of the time zone.
 */
import { minutesPerDay } from '../availability/calendar.ts';
import { daysOf, unpack } from '../availability/calendar-day.ts';
import { calendarDayItem, parseDayKey, type StoredDay, type TakenTime } from '../availability/calendar-time.ts';
import { fail } from '../errors.ts';
import { queryAll } from '../store/read.ts';
import { records } from '../table-keys.ts';
import type { BookingItem, SegmentItem } from './booking.ts';
import { isOpen } from './state.ts';

/** In days, longer than any booking with its buffers: a booking that is not over began at most that long ago. */
const longestDays = 7;

/**
 * How many bookings of a business, or of one of its calendars, are not over at `at` (epoch milliseconds).
 *
 * The result 0 is exact: it comes from a consistent read of the calendar days, which every booking changes. Any other
 * number comes from the index by start, which is updated some moments later.
 */
export async function countUnfinishedBookings(tenantId: number, at: number, calendar?: string): Promise<number> {
  const minute = Math.floor(at / 60_000);
  const { taken, places } = await takenAfter(tenantId, minute, calendar);
  if (taken.size === 0) return 0;
  const bookings = await bookingsFrom(tenantId, minute - longestDays * minutesPerDay);
  const isOf = (one: TakenTime) => calendar === undefined || one.calendar === calendar;
  const current = bookings.filter(({ taken }) => taken.some((one) => one.end > minute && isOf(one)));
  const done = Map.groupBy(current.filter(isDone), ({ start, segments }) => appointmentOf(start, segments[0]));
  for (const [appointment, own] of done) {
    // The time of a booking that was completed early stays taken. The booking still counts as over, unless its
    // occurrence has other bookings.
    if (own.reduce((sum, one) => sum + one.places, 0) < (places.get(appointment) ?? 0)) continue;
    for (const part of own.flatMap(partsOf)) taken.delete(part);
  }
  if (taken.size === 0) return 0;
  return Math.max(1, current.filter(isOpen).length);
}

/** 409 `future_bookings` with the number of bookings that are not over. `sentence` is what stands before the number. */
export async function assertNoUnfinishedBookings(
  tenantId: number,
  at: number,
  sentence: string,
  calendar?: string,
): Promise<void> {
  const bookings = await countUnfinishedBookings(tenantId, at, calendar);
  if (bookings > 0) throw fail('future_bookings', { message: `${sentence}: ${bookings}.`, details: { bookings } });
}

function isDone({ status }: BookingItem): boolean {
  return status === 'completed' || status === 'no_show';
}

/** The same value for all bookings of one occurrence, and only for these. */
function appointmentOf(start: number, { serviceId, staffId }: Pick<SegmentItem, 'serviceId' | 'staffId'>): string {
  return `${start}.${serviceId}.${staffId}`;
}

function partsOf({ taken }: BookingItem): string[] {
  return taken.flatMap(({ calendar, ...time }) =>
    daysOf(time).map(({ day, start, end }) => label(day, calendar, start, end)),
  );
}

function label(day: number, calendar: string, start: number, end: number): string {
  return `${day}#${calendar}#${start}-${end}`;
}

/** The busy parts of days that end after a minute, and how many places of each occurrence have a booking. */
async function takenAfter(tenantId: number, minute: number, only?: string) {
  // An occurrence is stored on the day of its start, which may be over.
  const from = Math.floor(minute / minutesPerDay) - longestDays;
  const items = await queryAll<StoredDay & { sk: string }>('records', {
    KeyConditionExpression: 'pk = :pk AND sk >= :from',
    ExpressionAttributeValues: { ':pk': records.calendarDays(tenantId), ':from': `${from}#` },
    ConsistentRead: true,
  });
  const taken = new Set<string>();
  const places = new Map<string, number>();
  for (const item of items) {
    const { calendar, day } = parseDayKey(item);
    const { busy, occurrences } = calendarDayItem(item);
    for (const one of occurrences) places.set(appointmentOf(one.start, one), one.places);
    if (only !== undefined && calendar !== only) continue;
    for (const { start, end } of unpack(busy)) {
      if (day * minutesPerDay + end > minute) taken.add(label(day, calendar, start, end));
    }
  }
  return { taken, places };
}

function bookingsFrom(tenantId: number, minute: number): Promise<BookingItem[]> {
  const from = records.bookingByStart(tenantId, Math.max(0, minute), 0);
  return queryAll<BookingItem>('records', {
    IndexName: 'byStart',
    KeyConditionExpression: 'byStartPk = :pk AND byStartSk >= :from',
    ExpressionAttributeValues: { ':pk': from.byStartPk, ':from': from.byStartSk },
  });
}
