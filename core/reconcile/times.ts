/**
 * The days of calendars, made again from the bookings that take their time. A booking decides, since it is what its client
 * was answered with; a day is what is derived from it.
 */
import { occurrencesOf, take } from '../availability/occurrences.ts';
import { insertBooking, isLive, type StaffDay } from '../availability/staff-day.ts';
import {
  type StaffDayItem,
  type StaffTime,
  type StoredDay,
  staffDayItem,
  timeWrites,
} from '../availability/staff-time.ts';
import type { BookingItem } from '../bookings/booking.ts';
import type { Key } from '../store/key.ts';
import type { Write } from '../store/write.ts';

export type DayOfCalendar = StoredDay & Required<Key>;

export interface Times {
  /** The writes of the days that are not what their bookings take. */
  readonly writes: readonly Write[];
  /** Bookings whose time a later one has: a change that freed it did not arrive. */
  readonly displaced: readonly BookingItem[];
}

/**
 * `bookings` are all that take time of the days from `firstDay` on, `stored` those days; `now` in epoch milliseconds. Of two
 * bookings that overlap, the one that took its time later did so after the other had left.
 */
export function timesOf(
  tenantId: number,
  bookings: readonly BookingItem[],
  stored: readonly DayOfCalendar[],
  firstDay: number,
  now: number,
): Times {
  const before = new Map<number, Map<number, StaffDayItem>>();
  for (const one of stored) {
    const [day = 0, staffId = 0] = one.sk.split('#').map(Number);
    before.set(staffId, (before.get(staffId) ?? new Map()).set(day, staffDayItem(one)));
  }
  const displaced: BookingItem[] = [];
  const newestFirst = bookings
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((a, b) => tookAt(b) - tookAt(a) || b.id - a.id);
  const byCalendar = Map.groupBy(newestFirst, ({ staffId }) => staffId);
  const writes = [...new Set([...before.keys(), ...byCalendar.keys()])].flatMap((staffId) => {
    const known = before.get(staffId) ?? new Map<number, StaffDayItem>();
    let time: StaffTime = { tenantId, staffId, days: new Map([...known].map(([day, item]) => [day, emptied(item)])) };
    for (const booking of byCalendar.get(staffId) ?? []) {
      const taken = take(time, booking, now);
      if (typeof taken === 'string' || isOverfull(taken, booking, now)) displaced.push(booking);
      else time = taken;
    }
    const days = [...time.days]
      .filter(([day]) => day >= firstDay)
      .map(([day, item]) => [day, withHolds(item, known.get(day), now)] as const)
      .filter(([day, item]) => !isSame(item, known.get(day)));
    return timeWrites({ ...time, days: new Map(days.map(([day, item]) => [day, { ...item, changed: true }])) });
  });
  return { writes, displaced };
}

/** Whether more places are taken than its occurrence has. */
function isOverfull({ days }: StaffTime, { serviceId, start, capacity }: BookingItem, now: number): boolean {
  return capacity !== undefined && (occurrencesOf(days, serviceId, now).get(start)?.remaining ?? 0) < 0;
}

/** When it took the time that it has. */
function tookAt({ createdAt, moved }: BookingItem): number {
  return moved?.at ?? Date.parse(createdAt);
}

function emptied({ version }: StaffDayItem): StaffDayItem {
  return { busy: new Uint8Array(0), holds: [], occurrences: [], version };
}

/** A hold that lives stays, unless a booking has its time. */
function withHolds(item: StaffDayItem, before: StaffDayItem | undefined, now: number): StaffDayItem {
  const holds = (before?.holds ?? []).filter((hold) => isLive(hold, now) && isFree(item, hold));
  return { ...item, holds };
}

function isFree(item: StaffDay, hold: StaffDay['holds'][number]): boolean {
  return hold.of !== undefined || insertBooking(item, hold, 0) !== 'overlap';
}

function isSame(item: StaffDayItem, before: StaffDayItem | undefined): boolean {
  const shown = ({ busy, holds, occurrences }: StaffDay) => {
    const byStart = occurrences.toSorted((a, b) => a.start - b.start || a.serviceId - b.serviceId);
    return JSON.stringify([
      [...busy],
      holds.map(({ id }) => id),
      byStart.map(({ serviceId, start, places }) => [serviceId, start, places]),
    ]);
  };
  return shown(item) === shown(before ?? emptied(item));
}
