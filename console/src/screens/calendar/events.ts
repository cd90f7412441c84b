/** What the calendar's views draw: cards, and the times behind them. */
import type { ScheduleEventData } from '@mantine/schedule';
import { colorOfStatus } from '../../components/booking-status.tsx';
import type { Interval } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { type Card, titleOf } from './cards.ts';
import type { BusyTime } from './schedules.ts';

export function eventOf(card: Card): ScheduleEventData<Card> {
  const { id, start, end, booking, segment } = card;
  const waiting = card.class?.bookings.find(({ status }) => status === 'pending');
  return {
    id,
    title: titleOf(card),
    start,
    end,
    color: colorOfStatus((waiting ?? booking).status),
    resourceId: segment.staffId,
    payload: card,
  };
}

/** A block behind the bookings: hours in which no one works. */
export function offBlock(day: string, time: Interval, staffId: number | undefined): ScheduleEventData {
  return background(`off-${staffId}-${day}-${time.from}`, day, time, {
    title: strings.calendar.off,
    color: 'gray',
    resourceId: staffId,
  });
}

/** Time that is taken out of the usual hours of a day. */
export function blockedBlock(day: string, time: Interval, staffId: number): ScheduleEventData {
  return background(`blocked-${staffId}-${day}-${time.from}`, day, time, {
    title: strings.calendar.blockedTime,
    color: 'dark',
    resourceId: staffId,
  });
}

/** Time that another calendar takes. */
export function busyBlock({ source, day, time }: BusyTime, staffId: number): ScheduleEventData {
  return background(`busy-${staffId}-${source}-${day}-${time.from}`, day, time, {
    title: strings.calendar.busy(source),
    color: 'violet',
    resourceId: staffId,
  });
}

function background(
  id: string,
  day: string,
  { from, to }: Interval,
  shown: Pick<ScheduleEventData, 'title' | 'color' | 'resourceId'>,
): ScheduleEventData {
  const end = to === '24:00' ? `${day} 23:59:59` : `${day} ${to}:00`;
  return { id, start: `${day} ${from}:00`, end, display: 'background', ...shown };
}

/** Undefined for blocks without a booking. */
export const cardOf = ({ payload }: ScheduleEventData) => payload as Card | undefined;
