/**
 * Occurrences (docs/rules.md#occurrences): what bookings of one service, staff member and start share while places are
 * left. The first takes the time, the last who leaves frees it. An occurrence is an entry of the staff-day item of its
 * start, so that a place is taken under that item's version, like any time. Live holds count as places.
 */
import { type FreeStartsQuery, freeStarts } from './free-starts.ts';
import type { Interval } from './intervals.ts';
import {
  type DayPart,
  daysOf,
  type Hold,
  insertBooking,
  insertHold,
  isLive,
  type Occurrence,
  releaseBooking,
  type StaffDay,
  withHold,
} from './staff-day.ts';
import { changeTime, type StaffTime } from './staff-time.ts';

/** What a booking or a hold takes of one staff member. */
export interface Taking {
  readonly serviceId: number;
  /** Epoch minutes: of the appointment, and with its buffers. */
  readonly start: number;
  readonly end: number;
  readonly taken: Interval;
  readonly places: number;
  /** Of the occurrence that it takes places of; a booking that shares its time with no other has none. */
  readonly capacity?: number | undefined;
}

/** An occurrence as it is at a moment. */
export interface OpenOccurrence extends Omit<Occurrence, 'places'> {
  /** Places that neither a booking nor a live hold has. */
  readonly remaining: number;
}

type Days = ReadonlyMap<number, StaffDay>;

const dayAt = (minute: number) => daysOf({ start: minute, end: minute + 1 })[0]?.day ?? 0;

const isSame = (a: { serviceId: number; start: number }, b: { serviceId: number; start: number }) =>
  a.serviceId === b.serviceId && a.start === b.start;

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
      const known = found.get(of.start) ?? { ...occurrence, remaining: occurrence.capacity };
      found.set(of.start, { ...known, remaining: known.remaining - places });
    }
  }
  return found;
}

/** Takes time, or places of an occurrence that stands. */
export function take(time: StaffTime, taking: Taking, now: number): StaffTime | 'overlap' {
  const of = occurrenceOf(taking);
  const taken =
    of && standing(time, of)
      ? time
      : changeTime(time, taking.taken, (day, part) => insertBooking(day, part, now, of && sharesWith(of)));
  if (typeof taken === 'string' || !of) return taken;
  return changeOccurrence(taken, of, (before) => ({ ...of, ...before, places: (before?.places ?? 0) + of.places }));
}

/** Gives back what `take` took. The last who leaves an occurrence frees its time. */
export function leave(time: StaffTime, taking: Taking): StaffTime | 'absent' {
  const of = occurrenceOf(taking);
  if (!of) return changeTime(time, taking.taken, releaseBooking);
  const before = standing(time, of);
  if (!before || before.places < of.places) return 'absent';
  const places = before.places - of.places;
  if (places > 0) return changeOccurrence(time, of, () => ({ ...before, places }));
  const gone = changeOccurrence(time, of, () => undefined);
  return changeTime(gone, before.taken, releaseBooking);
}

/** Takes time, or places of an occurrence, until the hold expires. */
export function takeForHold(
  time: StaffTime,
  taking: Taking,
  { id, expiresAt }: Pick<Hold, 'id' | 'expiresAt'>,
  now: number,
): StaffTime | 'overlap' {
  const of = occurrenceOf(taking);
  const isStanding = of && standing(time, of) !== undefined;
  return changeTime(time, taking.taken, (day, { start, end }) => {
    const hold = { start, end, id, expiresAt, ...(of && { of }) };
    return isStanding ? withHold(day, hold, now) : insertHold(day, hold, now, of && sharesWith(of));
  });
}

/** Whether it takes places of an occurrence that has a booking. */
export function isStanding(days: Days, { serviceId, start }: Taking): boolean {
  return days.get(dayAt(start))?.occurrences.some((one) => isSame(one, { serviceId, start })) ?? false;
}

/** The booked occurrence that it takes places of. */
function standing({ days }: StaffTime, of: Occurrence): Occurrence | undefined {
  return days.get(dayAt(of.start))?.occurrences.find((one) => isSame(one, of));
}

function occurrenceOf({ serviceId, start, end, taken, capacity, places }: Taking): Occurrence | undefined {
  return capacity === undefined ? undefined : { serviceId, start, end, taken, capacity, places };
}

/** Holds of the same occurrence do not stand in its way. */
function sharesWith(of: Occurrence) {
  return (hold: Hold) => hold.of !== undefined && isSame(hold.of, of);
}

function changeOccurrence(
  time: StaffTime,
  { serviceId, start }: Occurrence,
  change: (before: Occurrence | undefined) => Occurrence | undefined,
): StaffTime {
  const onStart = (day: StaffDay, _part: DayPart): StaffDay => {
    const isIt = (one: Occurrence) => isSame(one, { serviceId, start });
    const after = change(day.occurrences.find(isIt));
    return { ...day, occurrences: [...day.occurrences.filter((one) => !isIt(one)), ...(after ? [after] : [])] };
  };
  return changeTime<never>(time, { start, end: start + 1 }, onStart);
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
): readonly number[] {
  const free = places > capacity ? [] : freeStarts(query);
  if (occurrences.size === 0) return free;
  const joined = freeStarts({ ...query, busy: [] }).filter((start) => {
    const occurrence = occurrences.get(start);
    return occurrence && occurrence.remaining >= places && occurrence.end - occurrence.start === durationMinutes;
  });
  return [...free.filter((start) => !occurrences.has(start)), ...joined].sort((a, b) => a - b);
}
