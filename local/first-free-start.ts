/** Finds a free time of the demo business, for the printed booking command. */
import { dateOf, minutesPerDay } from '../core/availability/calendar.ts';
import { staffCalendar } from '../core/availability/calendar-day.ts';
import { freeStarts } from '../core/availability/free-starts.ts';
import { isoOf, localToEpoch, offsetAt, type Zone, zoneOf } from '../core/availability/zone.ts';
import type { BookingItem } from '../core/bookings/booking.ts';
import type { Tenant } from './demo.ts';

/** The time that a booking takes of staff and resources. */
export type Taken = Pick<BookingItem, 'status' | 'taken'>;

const minuteMs = 60_000;

/**
 * The first free start of the service, with any of its staff members, from tomorrow on. ISO 8601 with the business's
 * offset; undefined if there is none. The function that decides bookings checks it, so the API accepts it.
 */
export function firstFreeStart(
  tenant: Tenant,
  serviceId: number,
  bookings: readonly Taken[],
  now: number,
): string | undefined {
  const { timeZone, bookingRules } = tenant.business;
  const service = tenant.services.find(({ id }) => id === serviceId);
  if (!service) return undefined;
  const zone = zoneOf(timeZone);
  const tomorrow = endOfToday(zone, now);
  // All bookings except cancelled ones keep their time (docs/rules.md#booking-states).
  const held = bookings.filter(({ status }) => status !== 'cancelled');
  const starts = tenant.staff
    .filter(({ id, active }) => active && service.staffIds.includes(id))
    .flatMap(({ id, schedule }) =>
      freeStarts({
        service,
        rules: bookingRules,
        timeZone,
        schedule,
        busy: held.flatMap(({ taken }) => taken.filter(({ calendar }) => calendar === staffCalendar(id))),
        now,
        range: { start: tomorrow, end: tomorrow + bookingRules.maxAdvanceDays * minutesPerDay },
      }).slice(0, 1),
    );
  return starts.length > 0 ? isoOf(zone, Math.min(...starts)) : undefined;
}

function endOfToday(zone: Zone, now: number): number {
  const minute = Math.floor(now / minuteMs);
  const today = dateOf(Math.floor((minute + offsetAt(zone, minute)) / minutesPerDay));
  return localToEpoch(zone, today, minutesPerDay);
}
