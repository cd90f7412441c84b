/** The bookings of the days shown, and their cards in the calendar. */
import type { ScheduleEventData } from '@mantine/schedule';
import { useApiList } from '../../api/hooks.ts';
import { colorOfStatus } from '../../components/booking-status.tsx';
import type { Interval } from '../../format/working-hours.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, type Segment, segmentsOf } from '../bookings/booking.ts';

/** New bookings appear within five seconds, the answer included. */
const refetchMs = 4_000;

/** All bookings from the start of the first day to the start of the day `after`. */
export function useBookings(first: string, after: string, zone: string, staffId: number | undefined, enabled: boolean) {
  return useApiList(
    'listBookings',
    {
      from: instantOf(`${first} 00:00:00`, zone),
      to: instantOf(`${after} 00:00:00`, zone),
      limit: 100,
      ...(staffId !== undefined && { staffId }),
    },
    { pagesAtOnce: Number.POSITIVE_INFINITY, enabled, refetchInterval: refetchMs },
  );
}

/** A segment of a booking. A booking has one card for each. */
export interface Card {
  readonly id: string;
  readonly booking: Booking;
  readonly segment: Segment;
  /** Local time of the business: `2026-11-24 14:30:00`. */
  readonly start: string;
  readonly end: string;
}

export function cardsOf(booking: Booking, zone: string): readonly Card[] {
  return segmentsOf(booking).map((segment, at) => ({
    id: `${booking.id}-${at}`,
    booking,
    segment,
    start: wallClock(segment.startTime, zone),
    end: wallClock(segment.endTime, zone),
  }));
}

export const clock = (local: string) => local.slice(11, 16);

/** All that a card says, also to those who do not see it: "10:00–10:45, Jane Doe, Haircut, Anna, Confirmed". */
export function titleOf({ booking, segment, start, end }: Card): string {
  const times = `${clock(start)}–${clock(end)}`;
  return [
    times,
    clientOf(booking),
    segment.serviceName,
    segment.staffName,
    strings.business.statuses[booking.status],
  ].join(', ');
}

export function eventOf(card: Card): ScheduleEventData<Card> {
  const { id, start, end, booking, segment } = card;
  return {
    id,
    title: titleOf(card),
    start,
    end,
    color: colorOfStatus(booking.status),
    resourceId: segment.staffId,
    payload: card,
  };
}

/** A block behind the bookings: hours in which no one works. */
export function offBlock(day: string, { from, to }: Interval, staffId: number | undefined): ScheduleEventData {
  return {
    id: `off-${staffId}-${day}-${from}`,
    title: strings.calendar.off,
    start: `${day} ${from}:00`,
    end: to === '24:00' ? `${day} 23:59:59` : `${day} ${to}:00`,
    color: 'gray',
    display: 'background',
    resourceId: staffId,
  };
}

/** Undefined for blocks without a booking. */
export const cardOf = ({ payload }: ScheduleEventData) => payload as Card | undefined;
