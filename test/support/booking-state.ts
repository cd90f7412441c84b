/** Checks the invariants of a business's bookings in the tables. */
import { expect } from 'vitest';
import { daysOf, decodeBusy, type Hold, type Occurrence, unpack } from '../../core/availability/calendar-day.ts';
import type { TakenTime } from '../../core/availability/calendar-time.ts';
import type { HoldItem } from '../../core/availability/holds.ts';
import { type Interval, overlaps } from '../../core/availability/intervals.ts';
import type { BookingItem } from '../../core/bookings/booking.ts';
import { records } from '../../core/table-keys.ts';
import { itemsIn } from '../../local/admin.ts';
import type { TestBusinesses } from './test-business.ts';

type Row = Record<string, unknown> & { sk: string };

/** A hold, with the capacity of the class if it holds a place of a class. */
type LiveHold = HoldItem & { readonly capacity: number | undefined };

export interface BookingState {
  readonly bookings: readonly BookingItem[];
  /** All bookings that are not cancelled. */
  readonly live: readonly BookingItem[];
  readonly holds: readonly HoldItem[];
  /** The names of the events in the outbox. */
  readonly events: readonly string[];
}

/**
 * Fails the test unless
 * - no two live bookings or live holds of a staff member or a resource overlap, buffers included;
 * - no occurrence has more places taken than its capacity, and each is stored with the places of its live bookings;
 * - the calendar days contain exactly the live bookings and the live holds, apart from expired holds;
 * - every hold is counted for its key, and no key has more than ten live holds;
 * - there is one `booking.created` for each booking, and one `booking.cancelled` for each that is cancelled;
 * - no phone and no email belongs to two clients, and there is one `client.created` for each.
 */
export async function expectConsistent(fixture: TestBusinesses, tenantId: number, now: number): Promise<BookingState> {
  const [tenant, days, events] = await Promise.all([
    itemsIn(fixture.admin, 'records', records.tenant(tenantId)) as Promise<Row[]>,
    itemsIn(fixture.admin, 'records', records.calendarDays(tenantId)) as Promise<Row[]>,
    fixture.events(tenantId),
  ]);
  const of = <T>(prefix: string) => tenant.filter(({ sk }) => sk.startsWith(prefix)) as unknown as T[];
  const bookings = of<BookingItem>('BOOKING#');
  const live = bookings.filter(({ status }) => status !== 'cancelled');
  const onDays = new Map(days.flatMap(({ holds = [] }) => (holds as Hold[]).map((hold) => [hold.id, hold])));
  const holds = of<HoldItem>('HOLD#')
    .filter(({ expiresAt }) => now < expiresAt)
    .map((hold): LiveHold => ({ ...hold, capacity: onDays.get(hold.id)?.of?.capacity }));

  // Bookings and holds of one occurrence share its time, which counts once.
  const alone = (all: readonly (BookingItem | LiveHold)[]): TakenTime[] =>
    [...new Map(all.map((one) => [one.capacity === undefined ? one : occurrenceOf(one), one])).values()].flatMap(
      ({ taken }) => taken,
    );
  for (const [, taken] of Map.groupBy(alone([...live, ...holds]), ({ calendar }) => calendar)) {
    expect(overlapping(taken)).toEqual([]);
  }

  const storedBusy: string[] = [];
  const storedHolds: string[] = [];
  for (const row of days) {
    for (const { start, end } of row.busy ? unpack(decodeBusy(row.busy as Uint8Array)) : []) {
      storedBusy.push(`${row.sk} ${start}-${end}`);
    }
    for (const { id, start, end, expiresAt } of (row.holds as Hold[] | undefined) ?? []) {
      if (now < expiresAt) storedHolds.push(`${row.sk} ${start}-${end} ${id}`);
    }
  }
  const parts = ({ calendar, ...time }: TakenTime) =>
    daysOf(time).map(({ day, start, end }) => `${day}#${calendar} ${start}-${end}`);
  expect(storedBusy.sort()).toEqual(alone(live).flatMap(parts).sort());
  const shared = live.filter(({ capacity }) => capacity !== undefined);
  const sumOf = (list: readonly { readonly places: number }[]) => list.reduce((sum, { places }) => sum + places, 0);
  const stored = days.flatMap(({ occurrences = [] }) => occurrences as Occurrence[]);
  expect(stored.map((one) => `${nameOf(one)}: ${one.places}`).sort()).toEqual(
    [...Map.groupBy(shared, occurrenceOf)].map(([name, list]) => `${name}: ${sumOf(list)}`).sort(),
  );
  const held = holds.filter(({ capacity }) => capacity !== undefined);
  for (const [, list] of Map.groupBy([...shared, ...held], occurrenceOf)) {
    expect(sumOf(list)).toBeLessThanOrEqual(Math.max(...list.map(({ capacity = 1 }) => capacity)));
    // All bookings of an occurrence have the same time and room.
    expect(
      new Set(list.map(({ taken }) => JSON.stringify(taken.toSorted((a, b) => (a.calendar < b.calendar ? -1 : 1)))))
        .size,
    ).toBe(1);
  }
  expect(storedHolds.sort()).toEqual(
    holds.flatMap(({ id, taken }) => taken.flatMap(parts).map((part) => `${part} ${id}`)).sort(),
  );

  const counted = of<{ holds: Record<string, number> }>('HOLDS#').map((key) =>
    Object.entries(key.holds).flatMap(([id, expiresAt]) => (now < expiresAt ? [id] : [])),
  );
  expect(counted.flat().sort()).toEqual(holds.map(({ id }) => id).sort());
  expect(Math.max(0, ...counted.map((ids) => ids.length))).toBeLessThanOrEqual(10);

  const recorded = (name: string, field: 'bookingId' | 'clientId') =>
    events.flatMap((event) => (event.name === name ? [(event.data as Record<string, unknown>)[field]] : [])).sort();
  const ids = (rows: readonly { id: number }[]) => rows.map(({ id }) => id).sort();
  expect(recorded('booking.created', 'bookingId')).toEqual(ids(bookings));
  expect(recorded('booking.cancelled', 'bookingId')).toEqual(
    ids(bookings.filter(({ status }) => status === 'cancelled')),
  );
  expect(recorded('client.created', 'clientId')).toEqual(ids(of<{ id: number }>('CLIENT#')));
  const claims = of<{ clientId: number }>('CONTACT#').map(({ clientId }) => clientId);
  expect(new Set(claims)).toEqual(new Set(ids(of<{ id: number }>('CLIENT#'))));

  return { bookings, live, holds, events: events.map(({ name }) => name) };
}

function occurrenceOf(one: BookingItem | HoldItem): string {
  const [{ serviceId, staffId } = { serviceId: 0, staffId: 0 }] = 'segments' in one ? one.segments : one.services;
  return nameOf({ serviceId, staffId, start: one.start });
}

function nameOf({ staffId, serviceId, start }: Pick<Occurrence, 'serviceId' | 'staffId' | 'start'>): string {
  return `${staffId} ${serviceId} ${start}`;
}

/** Pairs of consecutive intervals that overlap. */
function overlapping(intervals: readonly Interval[]): (readonly [Interval, Interval])[] {
  const sorted = intervals.toSorted((a, b) => a.start - b.start);
  return sorted.flatMap((one, i) => {
    const next = sorted[i + 1];
    return next && overlaps(one, next) ? [[one, next] as const] : [];
  });
}
