/**
 * Computes the calendar days from the bookings. The bookings are kept as they are, because clients saw them in
 * responses, and the days are derived from them.
 */
import { type CalendarDay, emptyDay, insertBooking, isLive } from '../availability/calendar-day.ts';
import {
  type CalendarDayItem,
  type Calendars,
  calendarDayItem,
  daysOfCalendar,
  parseDayKey,
  type StoredDay,
  timeWrites,
} from '../availability/calendar-time.ts';
import { take } from '../availability/occurrences.ts';
import { type BookingItem, takingOf } from '../bookings/booking.ts';
import type { Key } from '../store/key.ts';
import type { Write } from '../store/write.ts';

export type DayOfCalendar = StoredDay & Required<Key>;

interface Times {
  /** The writes of the days that differ from the time of their bookings. */
  readonly writes: readonly Write[];
  /** Bookings whose time a later booking has, because the change that freed it did not arrive. */
  readonly displaced: readonly BookingItem[];
}

/**
 * `bookings` are all bookings on the days from `firstDay` on, `stored` the stored days; `now` in epoch milliseconds. If
 * two bookings overlap, the later one could take its time only because the other had been moved or cancelled.
 */
export function timesOf(
  tenantId: number,
  bookings: readonly BookingItem[],
  stored: readonly DayOfCalendar[],
  firstDay: number,
  now: number,
): Times {
  const days = new Map<string, Map<number, CalendarDayItem>>();
  const before = new Map<string, CalendarDayItem>();
  for (const one of stored) {
    const { calendar, day } = parseDayKey(one);
    const item = calendarDayItem(one);
    before.set(`${calendar} ${day}`, item);
    days.set(calendar, (days.get(calendar) ?? new Map()).set(day, { ...emptyDay, version: item.version }));
  }
  const displaced: BookingItem[] = [];
  const newestFirst = bookings
    .filter(({ status }) => status !== 'cancelled')
    .toSorted((a, b) => takenAt(b) - takenAt(a) || b.id - a.id);
  let time: Calendars = { tenantId, days };
  for (const booking of newestFirst) {
    const taken = take(time, takingOf(booking), now);
    if (typeof taken === 'string' || isOverfull(taken, booking)) displaced.push(booking);
    else time = taken;
  }
  const changed = [...time.days].map(([calendar, its]) => {
    const different = [...its].flatMap(([day, item]) => {
      const known = before.get(`${calendar} ${day}`);
      const after = withHolds(item, known, now);
      return day < firstDay || isSame(after, known) ? [] : [[day, { ...after, changed: true as const }] as const];
    });
    return [calendar, new Map(different)] as const;
  });
  return { writes: timeWrites({ tenantId, days: new Map(changed) }), displaced };
}

/** The time at which the booking took its current time. */
function takenAt({ createdAt, moved }: BookingItem): number {
  return moved?.at ?? Date.parse(createdAt);
}

/** Whether an occurrence has more bookings than places. */
function isOverfull(time: Calendars, booking: BookingItem): boolean {
  const { of } = takingOf(booking);
  if (!of) return false;
  const all = [...daysOfCalendar(time, booking.taken[0]?.calendar ?? '').values()].flatMap(
    ({ occurrences }) => occurrences,
  );
  return all.some(
    ({ serviceId, start, places, capacity }) => serviceId === of.serviceId && start === of.start && places > capacity,
  );
}

/** Keeps a hold that has not expired, unless a booking has its time. */
function withHolds(item: CalendarDayItem, before: CalendarDayItem | undefined, now: number): CalendarDayItem {
  const holds = (before?.holds ?? []).filter((hold) => isLive(hold, now) && isFree(item, hold));
  return { ...item, holds };
}

function isFree(item: CalendarDay, hold: CalendarDay['holds'][number]): boolean {
  return hold.of !== undefined || insertBooking(item, hold, 0) !== 'overlap';
}

function isSame(item: CalendarDayItem, before: CalendarDayItem | undefined): boolean {
  const shown = ({ busy, holds, occurrences }: CalendarDay) => {
    const byStart = occurrences.toSorted((a, b) => a.start - b.start || a.serviceId - b.serviceId);
    const places = byStart.map(({ serviceId, start, places }) => [serviceId, start, places]);
    return JSON.stringify([[...busy], holds.map(({ id }) => id), places]);
  };
  return shown(item) === shown(before ?? emptyDay);
}
