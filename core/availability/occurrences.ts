/**
 * Occurrences of classes (docs/rules.md#occurrences): bookings with one service, staff member and start share an
 * occurrence while places are left. The first booking takes the time, and the cancellation of the last frees it. An
 * occurrence is an entry in the calendar day of its start, so a place is taken on the condition of that item's version,
 * like any time. Holds that have not expired count as places.
 */
import { minutesPerDay } from './calendar.ts';
import {
  type CalendarDay,
  type Hold,
  insertBooking,
  insertHold,
  isLive,
  type Occurrence,
  releaseBooking,
  staffCalendar,
  withHold,
} from './calendar-day.ts';
import { type Calendars, changeTime, daysOfCalendar, type TakenTime } from './calendar-time.ts';
import { type FreeStartsQuery, freeStarts } from './free-starts.ts';
import type { WorkingInterval } from './working-time.ts';

/**
 * The times of calendars that a booking or a hold takes. For an occurrence they are taken once for all its bookings.
 */
export interface Taking {
  readonly taken: readonly TakenTime[];
  /** The occurrence, with the number of places that are taken. Absent for a service that is not a class. */
  readonly of?: Occurrence | undefined;
}

/** The state of an occurrence at one moment. */
export interface OpenOccurrence extends Omit<Occurrence, 'places'> {
  /** Places that no booking and no hold has taken. */
  readonly remaining: number;
  /** Whether the occurrence has only holds and no booking yet. */
  readonly isHeld?: true;
}

type Days = ReadonlyMap<number, CalendarDay>;
type Identity = Pick<Occurrence, 'serviceId' | 'staffId' | 'start'>;

const dayAt = (minute: number) => Math.floor(minute / minutesPerDay);

const isSame = (a: Identity, b: Identity) =>
  a.serviceId === b.serviceId && a.staffId === b.staffId && a.start === b.start;

/** The occurrences of a service at `now` (epoch milliseconds), by their start. The hold `exceptHold` is ignored. */
export function occurrencesOf(
  days: Days,
  serviceId: number,
  now: number,
  exceptHold?: string,
): Map<number, OpenOccurrence> {
  const found = new Map<number, OpenOccurrence>();
  for (const [day, { occurrences, holds }] of days) {
    for (const { places, ...occurrence } of occurrences) {
      if (occurrence.serviceId !== serviceId) continue;
      found.set(occurrence.start, { ...occurrence, remaining: occurrence.capacity - places });
    }
    for (const { id, expiresAt, of } of holds) {
      // A hold over midnight is stored on two days, and counts its places on the day of its start.
      if (of?.serviceId !== serviceId || dayAt(of.start) !== day || id === exceptHold || !isLive({ expiresAt }, now)) {
        continue;
      }
      const { places, ...occurrence } = of;
      const known = found.get(of.start) ?? { ...occurrence, remaining: occurrence.capacity, isHeld: true };
      found.set(of.start, { ...known, remaining: known.remaining - places });
    }
  }
  return found;
}

/** Takes time, or places of an existing occurrence. */
export function take(calendars: Calendars, { taken, of }: Taking, now: number): Calendars | 'overlap' {
  const after =
    of && bookedOccurrence(calendars, of)
      ? calendars
      : changeTime(calendars, taken, (day, part) => insertBooking(day, part, now, of && sharesWith(of)));
  if (typeof after === 'string' || !of) return after;
  return changeOccurrence(after, of, (before) => ({ ...of, ...before, places: (before?.places ?? 0) + of.places }));
}

/** Releases the time or places that `take` has taken. When the last booking leaves an occurrence, its time is free. */
export function leave(calendars: Calendars, { taken, of }: Taking): Calendars | 'absent' {
  if (!of) return changeTime(calendars, taken, releaseBooking);
  const before = bookedOccurrence(calendars, of);
  if (!before || before.places < of.places) return 'absent';
  const places = before.places - of.places;
  if (places > 0) return changeOccurrence(calendars, of, () => ({ ...before, places }));
  return changeTime(
    changeOccurrence(calendars, of, () => undefined),
    taken,
    releaseBooking,
  );
}

/** Takes time, or places of an occurrence, until the hold expires. */
export function takeForHold(
  calendars: Calendars,
  { taken, of }: Taking,
  { id, expiresAt }: Pick<Hold, 'id' | 'expiresAt'>,
  now: number,
): Calendars | 'overlap' {
  const isBooked = of && bookedOccurrence(calendars, of) !== undefined;
  return changeTime(calendars, taken, (day, { start, end }) => {
    const hold = { start, end, id, expiresAt, ...(of && { of }) };
    return isBooked ? withHold(day, hold, now) : insertHold(day, hold, now, of && sharesWith(of));
  });
}

/** The booked occurrence whose places are to be taken. */
function bookedOccurrence(calendars: Calendars, of: Identity): Occurrence | undefined {
  const days = daysOfCalendar(calendars, staffCalendar(of.staffId));
  return days.get(dayAt(of.start))?.occurrences.find((one) => isSame(one, of));
}

/** Holds of the same occurrence do not prevent a booking. */
function sharesWith(of: Occurrence) {
  return (hold: Hold) => hold.of !== undefined && isSame(hold.of, of);
}

function changeOccurrence(
  calendars: Calendars,
  of: Identity,
  change: (before: Occurrence | undefined) => Occurrence | undefined,
): Calendars {
  const isOccurrence = (one: Occurrence) => isSame(one, of);
  const onStart = (day: CalendarDay): CalendarDay => {
    const after = change(day.occurrences.find(isOccurrence));
    return { ...day, occurrences: [...day.occurrences.filter((one) => !isOccurrence(one)), ...(after ? [after] : [])] };
  };
  const time = { calendar: staffCalendar(of.staffId), start: of.start, end: of.start + 1 };
  return changeTime<never>(calendars, [time], onStart);
}

/**
 * The starts of a query with this many places left: free starts, at which a new occurrence begins, and starts of
 * existing occurrences. The rules of notice, horizon, hours and grid apply to both. An occurrence cannot be joined if
 * the duration of the service has changed.
 */
export function admittedStarts(
  query: FreeStartsQuery,
  { capacity = 1, durationMinutes }: { readonly capacity?: number; readonly durationMinutes: number },
  places: number,
  occurrences: ReadonlyMap<number, OpenOccurrence>,
  hours: readonly WorkingInterval[],
): readonly number[] {
  const free = places > capacity ? [] : freeStarts(query, hours);
  if (occurrences.size === 0) return free;
  // The occurrence already has its time and its resource.
  const joined = freeStarts({ ...query, busy: [], within: undefined }, hours).filter((start) => {
    const occurrence = occurrences.get(start);
    return occurrence && occurrence.remaining >= places && occurrence.end - occurrence.start === durationMinutes;
  });
  return [...free, ...joined].sort((a, b) => a - b);
}
