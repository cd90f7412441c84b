/**
 * A calendar day (docs/rules.md#bookings, #tables): the busy time of one staff member or one resource on one UTC day.
 * The transaction of a booking changes calendar days, so only one of two overlapping bookings can succeed, and the
 * slots of a month need few reads. All functions take values and return new ones; the caller writes them on the
 * condition that the version of the item has not changed.
 */
import { minutesPerDay } from './calendar.ts';
import { type Interval, overlaps } from './intervals.ts';

/** A part of an interval on one UTC day: minutes within 0..1440. */
export interface DayPart extends Interval {
  /** UTC days since the epoch. */
  readonly day: number;
}

/** Minutes of the day that are reserved for a client until `expiresAt`, in epoch milliseconds. */
export interface Hold extends Interval {
  readonly expiresAt: number;
  readonly id: string;
  /** The occurrence of which the hold reserves places. Absent for a hold of a service that is not a class. */
  readonly of?: Occurrence;
}

/**
 * The data of an occurrence, which all bookings with the same service, staff member and start share (`occurrences.ts`).
 * Times are epoch minutes.
 */
export interface Occurrence {
  readonly serviceId: number;
  readonly staffId: number;
  readonly start: number;
  readonly end: number;
  /** The time of the occurrence with the buffers that the service had at the first booking. */
  readonly taken: Interval;
  /** The resource that all bookings of the occurrence share. */
  readonly resource?: { readonly id: number; readonly name: string };
  /** The capacity that the service had at the first booking. */
  readonly capacity: number;
  /** Places that the bookings of the occurrence, or the hold, have taken. */
  readonly places: number;
}

export function staffCalendar(id: number): string {
  return `${id}`;
}

export function resourceCalendar(id: number): string {
  return `R${id}`;
}

export interface CalendarDay {
  /**
   * Little-endian uint16 pairs of start and end: ascending, without overlaps, one pair for each appointment (an
   * occurrence is one). `encodeBusy` returns the stored form.
   */
  readonly busy: Uint8Array;
  readonly holds: readonly Hold[];
  /** Only of a staff member: the booked occurrences that start on this day. */
  readonly occurrences: readonly Occurrence[];
}

export const emptyDay: CalendarDay = { busy: new Uint8Array(0), holds: [], occurrences: [] };

const pairBytes = 4;

/** The first byte of the stored form; pairs of start and end follow. */
const pairsFormat = 1;

export function encodeBusy(busy: Uint8Array): Uint8Array {
  return Uint8Array.of(pairsFormat, ...busy);
}

/** Throws for an unknown format, because busy time must never be read as free. */
export function decodeBusy(stored: Uint8Array): Uint8Array {
  if (stored[0] !== pairsFormat) throw new Error(`Busy time is stored in an unknown format: ${stored[0]}`);
  return stored.subarray(1);
}

/** How many appointments are stored on a day; an occurrence is one. */
export function bookingsOn({ busy }: CalendarDay): number {
  return busy.length / pairBytes;
}

/** Cuts an interval of epoch minutes at the UTC midnights inside it. */
export function daysOf(interval: Interval): DayPart[] {
  const parts: DayPart[] = [];
  for (let start = interval.start; start < interval.end; ) {
    const day = Math.floor(start / minutesPerDay);
    const dayStart = day * minutesPerDay;
    const end = Math.min(interval.end, dayStart + minutesPerDay);
    parts.push({ day, start: start - dayStart, end: end - dayStart });
    start = end;
  }
  return parts;
}

/** `origin` is added to every minute. */
export function unpack(packed: Uint8Array, origin = 0): Interval[] {
  const intervals: Interval[] = [];
  for (let at = 0; at < packed.length; at += pairBytes) {
    intervals.push({ start: origin + uint16(packed, at), end: origin + uint16(packed, at + 2) });
  }
  return intervals;
}

/** Adds an interval. It may touch other intervals; if it shares a minute with one, the result is `'overlap'`. */
export function insert(packed: Uint8Array, interval: Interval): Uint8Array | 'overlap' {
  assertInDay(interval);
  const others = unpack(packed);
  if (others.some((other) => overlaps(other, interval))) return 'overlap';
  const { start, end } = interval;
  const at = others.filter((other) => other.start < start).length * pairBytes;
  const inserted = new Uint8Array(packed.length + pairBytes);
  inserted.set(packed.subarray(0, at));
  inserted.set([start & 0xff, start >> 8, end & 0xff, end >> 8], at);
  inserted.set(packed.subarray(at), at + pairBytes);
  return inserted;
}

/** Removes exactly this interval; `'absent'` when no pair is equal to it. */
function release(packed: Uint8Array, interval: Interval): Uint8Array | 'absent' {
  const found = unpack(packed).findIndex(({ start, end }) => start === interval.start && end === interval.end);
  if (found < 0) return 'absent';
  const at = found * pairBytes;
  const released = new Uint8Array(packed.length - pairBytes);
  released.set(packed.subarray(0, at));
  released.set(packed.subarray(at + pairBytes), at);
  return released;
}

/** A hold counts until the millisecond it expires. */
export function isLive({ expiresAt }: Pick<Hold, 'expiresAt'>, now: number): boolean {
  return now < expiresAt;
}

/**
 * The busy time at `now`, in epoch minutes: bookings in their order, then holds that have not expired. The hold
 * `exceptHold` is left out, for the caller who is about to use it.
 */
export function busyAt(day: number, calendarDay: CalendarDay, now: number, exceptHold?: string): Interval[] {
  const dayStart = day * minutesPerDay;
  const holds = calendarDay.holds.filter((hold) => hold.id !== exceptHold && isLive(hold, now));
  const held = holds.map(({ start, end }) => ({ start: dayStart + start, end: dayStart + end }));
  return [...unpack(calendarDay.busy, dayStart), ...held];
}

/**
 * Adds the minutes of a booking, and removes expired holds. Holds of the same occurrence do not prevent the booking.
 */
export function insertBooking(
  calendarDay: CalendarDay,
  interval: Interval,
  now: number,
  shares?: (hold: Hold) => boolean,
): CalendarDay | 'overlap' {
  const holds = calendarDay.holds.filter((hold) => isLive(hold, now));
  if (holds.some((hold) => overlaps(hold, interval) && !shares?.(hold))) return 'overlap';
  const busy = insert(calendarDay.busy, interval);
  return busy === 'overlap' ? busy : { ...calendarDay, busy, holds };
}

export function releaseBooking(calendarDay: CalendarDay, interval: Interval): CalendarDay | 'absent' {
  const busy = release(calendarDay.busy, interval);
  return busy === 'absent' ? busy : { ...calendarDay, busy };
}

/** Adds the minutes of a hold until it expires, and removes expired holds. */
export function insertHold(
  calendarDay: CalendarDay,
  hold: Hold,
  now: number,
  shares?: (hold: Hold) => boolean,
): CalendarDay | 'overlap' {
  const taken = insertBooking(calendarDay, hold, now, shares);
  return taken === 'overlap' ? taken : withHold(calendarDay, hold, now);
}

/** Adds a hold whose minutes are known to be those of its occurrence. */
export function withHold(calendarDay: CalendarDay, hold: Hold, now: number): CalendarDay {
  return { ...calendarDay, holds: [...calendarDay.holds.filter((one) => isLive(one, now)), hold] };
}

/** Removes a hold, if it exists. */
export function withoutHold(calendarDay: CalendarDay, id: string): CalendarDay {
  return { ...calendarDay, holds: calendarDay.holds.filter((hold) => hold.id !== id) };
}

/** Reads bytes instead of a typed-array view, because stored bytes need not be aligned. */
function uint16(packed: Uint8Array, at: number): number {
  return (packed[at] ?? 0) | ((packed[at + 1] ?? 0) << 8);
}

function assertInDay({ start, end }: Interval): void {
  const whole = Number.isInteger(start) && Number.isInteger(end);
  if (!whole || start < 0 || start >= end || end > minutesPerDay) {
    throw new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
  }
}
