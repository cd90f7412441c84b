/** Counts the days of a business (docs/rules.md#statistics). Pure. Times are epoch minutes, amounts minor units. */
import type { Payment } from '../../contract/integration/resources.ts';
import type { BusinessStatistics } from '../../contract/statistics.ts';
import { dateOf, dayOf } from '../availability/calendar.ts';
import type { Interval } from '../availability/intervals.ts';
import { workingTime } from '../availability/working-time.ts';
import { localToEpoch, type Zone } from '../availability/zone.ts';
import type { BookingItem, SegmentItem } from '../bookings/booking.ts';
import type { StaffItem } from '../catalog/items.ts';

export interface Days {
  readonly zone: Zone;
  readonly dates: readonly string[];
  /** The first minute of each day, and at the end the first minute after the last day. */
  readonly starts: readonly number[];
}

/** The local dates from one to another, both included. */
export function daysBetween(zone: Zone, from: string, to: string): Days {
  const length = dayOf(to) - dayOf(from) + 1;
  const dates = Array.from({ length }, (_, i) => dateOf(dayOf(from) + i));
  const starts = [...dates, dateOf(dayOf(to) + 1)].map((date) => localToEpoch(zone, date, 0));
  return { zone, dates, starts };
}

export function rangeOf({ starts }: Days): Interval {
  return { start: starts[0] ?? 0, end: starts.at(-1) ?? 0 };
}

export interface CountedBooking extends Pick<BookingItem, 'status' | 'start' | 'places' | 'capacity'> {
  readonly segments: readonly Pick<SegmentItem, 'staffId' | 'start' | 'end'>[];
}

interface CountedPayment extends Pick<Payment, 'amount' | 'refundedAmount'> {
  /** When the payment was received. */
  readonly at: number;
}

interface Counted {
  readonly bookings: readonly CountedBooking[];
  readonly payments: readonly CountedPayment[];
  readonly staff: readonly Pick<StaffItem, 'id' | 'schedule'>[];
}

type Counts = BusinessStatistics['summary'];
type Occupancy = Counts['occupancy'];

/** Bookings and payments on other days are left out, and so is the time of everybody who is not in `staff`. */
export function countDays(
  days: Days,
  currency: string,
  { bookings, payments, staff }: Counted,
): Omit<BusinessStatistics, 'timeZone'> {
  const counted = days.dates.map((date) => ({ date, ...noCounts(currency) }));
  const summary = noCounts(currency);
  const byStaff = new Map(staff.map(({ id }) => [id, { ...idle }]));
  const dayAt = (minute: number) => counted[indexAt(days.starts, minute)];

  // Bookings of one occurrence share its minutes, so they count once, and its places.
  const taken = new Set<string>();
  for (const { status, start: begin, segments, places, capacity } of bookings) {
    const day = dayAt(begin);
    if (!day) continue;
    for (const counts of [day, summary]) counts.bookings[status] += 1;
    for (const { staffId, start, end } of status === 'cancelled' ? [] : segments) {
      const member = byStaff.get(staffId);
      if (!member) continue;
      const isFirst = !taken.has(`${staffId} ${start}`);
      taken.add(`${staffId} ${start}`);
      for (const occupancy of [member, day.occupancy, summary.occupancy]) {
        if (isFirst) occupancy.bookedMinutes += end - start;
        if (capacity === undefined) continue;
        occupancy.bookedPlaces += places;
        if (isFirst) occupancy.classPlaces += capacity;
      }
    }
  }
  for (const { at, amount, refundedAmount } of payments) {
    const day = dayAt(at);
    if (!day) continue;
    for (const { revenue } of [day, summary]) {
      revenue.received.amount += amount;
      revenue.refunded.amount += refundedAmount;
    }
  }
  for (const { id, schedule } of staff) {
    for (const { start, gridEnd } of workingTime(schedule, days.zone, rangeOf(days))) {
      for (const [i, minutes] of minutesByDay(days.starts, { start, end: gridEnd })) {
        for (const occupancy of [counted[i]?.occupancy, summary.occupancy, byStaff.get(id)]) {
          if (occupancy) occupancy.workingMinutes += minutes;
        }
      }
    }
  }
  return { data: counted, summary, staff: [...byStaff].map(([staffId, occupancy]) => ({ staffId, ...occupancy })) };
}

const idle: Readonly<Occupancy> = { bookedMinutes: 0, workingMinutes: 0, bookedPlaces: 0, classPlaces: 0 };

function noCounts(currency: string): Counts {
  return {
    bookings: { pending: 0, confirmed: 0, completed: 0, no_show: 0, cancelled: 0 },
    revenue: { received: { amount: 0, currency }, refunded: { amount: 0, currency } },
    occupancy: { ...idle },
  };
}

/**
 * The index of the last day that has begun at a minute; -1 before the first day, and the number of days after the last.
 */
function indexAt(starts: readonly number[], minute: number): number {
  return starts.findLastIndex((start) => start <= minute);
}

/** How many minutes of an interval are in each day, by its index. */
function* minutesByDay(starts: readonly number[], { start, end }: Interval): Generator<readonly [number, number]> {
  for (let i = Math.max(0, indexAt(starts, start)); i + 1 < starts.length; i++) {
    const [from = end, to = end] = [starts[i], starts[i + 1]];
    if (from >= end) return;
    yield [i, Math.min(end, to) - Math.max(start, from)];
  }
}
