/** When the demo business is free, for the booking line that is printed to be pasted. */
import type { Booking } from '../contract/resources.ts';
import { dateOf, minutesPerDay } from '../core/availability/calendar.ts';
import { freeStarts, takenBy } from '../core/availability/free-starts.ts';
import type { Interval } from '../core/availability/intervals.ts';
import { isoOf, localToEpoch, offsetAt, type Zone, zoneOf } from '../core/availability/zone.ts';
import type { Tenant } from './demo.ts';

const minuteMs = 60_000;

/**
 * The first start of the service from tomorrow on at which one of its staff members is free, as ISO 8601 with the
 * business's offset; undefined when nobody is. It asks the function that decides bookings, so the API accepts it.
 */
export function firstFreeStart(
  tenant: Tenant,
  serviceId: number,
  bookings: readonly Booking[],
  now: number,
): string | undefined {
  const { timeZone, bookingRules } = tenant.business;
  const service = tenant.services.find(({ id }) => id === serviceId);
  if (!service) return undefined;
  const zone = zoneOf(timeZone);
  const tomorrow = endOfToday(zone, now);
  const starts = tenant.staff
    .filter(({ id, active }) => active && service.staffIds.includes(id))
    .flatMap(({ id, schedule }) =>
      freeStarts({
        service,
        rules: bookingRules,
        timeZone,
        schedule,
        busy: busyOf(id, bookings, tenant),
        now,
        range: { start: tomorrow, end: tomorrow + bookingRules.maxAdvanceDays * minutesPerDay },
      }).slice(0, 1),
    );
  return starts.length > 0 ? isoOf(zone, Math.min(...starts)) : undefined;
}

/** Epoch minutes that a staff member's bookings take. All but cancelled ones hold their time (decisions §5). */
function busyOf(staffId: number, bookings: readonly Booking[], tenant: Tenant): Interval[] {
  const unbuffered = { bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  return bookings
    .filter((booking) => booking.staffId === staffId && booking.status !== 'cancelled')
    .map(({ serviceId, startTime, endTime }) => {
      const start = Date.parse(startTime) / minuteMs;
      const durationMinutes = Date.parse(endTime) / minuteMs - start;
      const buffers = tenant.services.find(({ id }) => id === serviceId) ?? unbuffered;
      return takenBy({ ...buffers, durationMinutes }, start);
    });
}

function endOfToday(zone: Zone, now: number): number {
  const minute = Math.floor(now / minuteMs);
  const today = dateOf(Math.floor((minute + offsetAt(zone, minute)) / minutesPerDay));
  return localToEpoch(zone, today, minutesPerDay);
}
