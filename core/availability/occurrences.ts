/**
 * Occurrences (docs/rules.md#occurrences): what bookings of one service, staff member and start share while places are
 * left. The first takes the time, the last who leaves frees it. An occurrence is an entry of the staff member's day of its
 * start, so that a place is taken under that item's version, like any time. Live holds count as places.
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
import { type FreeStartsQuery, freeStarts, hoursOf } from './free-starts.ts';

/** What a booking or a hold takes: times of calendars, which an occurrence takes for all who have places of it. */
export interface Taking {
  readonly taken: readonly TakenTime[];
  /** With the places that are taken of it. What shares its time with no other has none. */
  readonly of?: Occurrence | undefined;
}

/** An occurrence as it is at a moment. */
export interface OpenOccurrence extends Omit<Occurrence, 'places'> {
  /** Places that neither a booking nor a live hold has. */
  readonly remaining: number;
  /** Holds alone have made it: it has no booking yet. */
  readonly isHeld?: true;
}

type Days = ReadonlyMap<number, CalendarDay>;
type Identity = Pick<Occurrence, 'serviceId' | 'staffId' | 'start'>;

const dayAt = (minute: number) => Math.floor(minute / minutesPerDay);

const isSame = (a: Identity, b: Identity) =>
  a.serviceId === b.serviceId && a.staffId === b.staffId && a.start === b.start;

/** The occurrences of a service at `now` (epoch milliseconds), by their start. The hold `exceptHold` counts for nothing. */
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
      // A hold over midnight is on two days, and has its places on that of its start.
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

/** Takes time, or places of an occurrence that stands. */
export function take(calendars: Calendars, { taken, of }: Taking, now: number): Calendars | 'overlap' {
  const after =
    of && standing(calendars, of)
      ? calendars
      : changeTime(calendars, taken, (day, part) => insertBooking(day, part, now, of && sharesWith(of)));
  if (typeof after === 'string' || !of) return after;
  return changeOccurrence(after, of, (before) => ({ ...of, ...before, places: (before?.places ?? 0) + of.places }));
}

/** Gives back what `take` took. The last who leaves an occurrence frees its time. */
export function leave(calendars: Calendars, { taken, of }: Taking): Calendars | 'absent' {
  if (!of) return changeTime(calendars, taken, releaseBooking);
  const before = standing(calendars, of);
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
  const isStanding = of && standing(calendars, of) !== undefined;
  return changeTime(calendars, taken, (day, { start, end }) => {
    const hold = { start, end, id, expiresAt, ...(of && { of }) };
    return isStanding ? withHold(day, hold, now) : insertHold(day, hold, now, of && sharesWith(of));
  });
}

/** The booked occurrence that places are taken of. */
function standing(calendars: Calendars, of: Identity): Occurrence | undefined {
  const days = daysOfCalendar(calendars, staffCalendar(of.staffId));
  return days.get(dayAt(of.start))?.occurrences.find((one) => isSame(one, of));
}

/** Holds of the same occurrence do not stand in its way. */
function sharesWith(of: Occurrence) {
  return (hold: Hold) => hold.of !== undefined && isSame(hold.of, of);
}

function changeOccurrence(
  calendars: Calendars,
  of: Identity,
  change: (before: Occurrence | undefined) => Occurrence | undefined,
): Calendars {
  const isIt = (one: Occurrence) => isSame(one, of);
  const onStart = (day: CalendarDay): CalendarDay => {
    const after = change(day.occurrences.find(isIt));
    return { ...day, occurrences: [...day.occurrences.filter((one) => !isIt(one)), ...(after ? [after] : [])] };
  };
  const time = { calendar: staffCalendar(of.staffId), start: of.start, end: of.start + 1 };
  return changeTime<never>(calendars, [time], onStart);
}

/**
 * The starts of a query that so many places can be had at: the free ones, each of which opens an occurrence where the
 * service has room for more than one, and those of occurrences with places left, for which notice, horizon, hours and
 * grid hold as for any start. An occurrence that was made when the service took another time is not joined.
 */
export function admittedStarts(
  query: FreeStartsQuery,
  { capacity = 1, durationMinutes }: { readonly capacity?: number; readonly durationMinutes: number },
  places: number,
  occurrences: ReadonlyMap<number, OpenOccurrence>,
  hours = hoursOf(query),
): readonly number[] {
  const free = places > capacity ? [] : freeStarts(query, hours);
  if (occurrences.size === 0) return free;
  // It has its time, and its room.
  const joined = freeStarts({ ...query, busy: [], within: undefined }, hours).filter((start) => {
    const occurrence = occurrences.get(start);
    return occurrence && occurrence.remaining >= places && occurrence.end - occurrence.start === durationMinutes;
  });
  return [...free.filter((start) => !occurrences.has(start)), ...joined].sort((a, b) => a - b);
}
