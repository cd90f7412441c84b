/** The events that the calendar's views draw: cards, and background times. */
import type { ScheduleEventData } from '@mantine/schedule';
import { colorOfStatus } from '../../components/booking-status.tsx';
import { blockedOn, type Interval, offHours } from '../../format/working-hours.ts';
import { strings } from '../../strings/strings.ts';
import { type Card, drawnEnd, titleOf } from './cards.ts';
import { type Schedules, workingOn } from './schedules.ts';

export function eventOf(card: Card): ScheduleEventData<Card> {
  const { id, start, booking, segment } = card;
  const waiting = card.class?.bookings.find(({ status }) => status === 'pending');
  return {
    id,
    title: titleOf(card),
    start,
    end: drawnEnd(card),
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
      offHours(workingOn(schedules, day, ids), shown).map((time) =>
        background('off', byRow ? ids[0] : undefined, day, time),
      ),
    ),
  );
  const blocked = [...schedules.byStaff].flatMap(([id, schedule]) =>
    days.flatMap((day) => blockedOn(schedule, day).map((time) => background('blocked', id, day, time))),
  );
  const busy = [...schedules.busy].flatMap(([id, times]) =>
    times.map(({ source, day, time }) => background('busy', id, day, time, source)),
  );
  return [...off, ...blocked, ...busy];
}

const colors = { off: 'gray', blocked: 'dark', busy: 'violet' } as const;

/** Hours off, time that an exception removes from the usual hours, or time that is busy in another calendar. */
function background(
  kind: keyof typeof colors,
  resourceId: number | undefined,
  day: string,
  { from, to }: Interval,
  source = '',
): ScheduleEventData {
  const { off, blockedTime, busy } = strings.calendar;
  return {
    id: [kind, resourceId, source, day, from].join('-'),
    title: { off, blocked: blockedTime, busy: busy(source) }[kind],
    color: colors[kind],
    resourceId,
    start: `${day} ${from}:00`,
    end: to === '24:00' ? `${day} 23:59:59` : `${day} ${to}:00`,
    display: 'background',
  };
}

/** Undefined for blocks without a booking. */
export const cardOf = ({ payload }: ScheduleEventData) => payload as Card | undefined;
