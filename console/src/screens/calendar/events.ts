/** The events that the calendar's views draw: cards, and background times. */
import type { ScheduleEventData } from '@mantine/schedule';
import { colorOfStatus } from '../../components/booking-status.tsx';
import { blockedOn, type Interval, offHours } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { type Card, titleOf } from './cards.ts';
import { type BusyTime, type Schedules, workingOn } from './schedules.ts';

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

/** Returns the background times. With `byRow` each row shows the hours of its staff member, and not those of all. */
export function backgroundsOf(
  schedules: Schedules,
  days: readonly string[],
  shown: Interval,
  byRow: boolean,
): readonly ScheduleEventData[] {
  const known = [...schedules.byStaff.keys()];
  const groups = byRow ? known.map((id) => [id]) : [known].filter(({ length }) => length > 0);
  const off = days.flatMap((day) =>
    groups.flatMap((ids) =>
      offHours(workingOn(schedules, day, ids), shown).map((time) => offBlock(day, time, byRow ? ids[0] : undefined)),
    ),
  );
  const blocked = [...schedules.byStaff].flatMap(([id, schedule]) =>
    days.flatMap((day) => blockedOn(schedule, day).map((time) => blockedBlock(day, time, id))),
  );
  const busy = [...schedules.busy].flatMap(([id, times]) => times.map((time) => busyBlock(time, id)));
  return [...off, ...blocked, ...busy];
}

/** Hours in which no staff member works. */
function offBlock(day: string, time: Interval, staffId: number | undefined): ScheduleEventData {
  return background(`off-${staffId}-${day}-${time.from}`, day, time, {
    title: strings.calendar.off,
    color: 'gray',
    resourceId: staffId,
  });
}

/** Time that an exception removes from the usual hours of a day. */
function blockedBlock(day: string, time: Interval, staffId: number): ScheduleEventData {
  return background(`blocked-${staffId}-${day}-${time.from}`, day, time, {
    title: strings.calendar.blockedTime,
    color: 'dark',
    resourceId: staffId,
  });
}

/** Time that is busy in another calendar. */
function busyBlock({ source, day, time }: BusyTime, staffId: number): ScheduleEventData {
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
