/** The views of the calendar: a day by staff member, a day or a week of one staff member, or a week of all. */
import '@mantine/schedule/styles.layer.css';
import './calendar.css';
import { Text } from '@mantine/core';
import { DayView, ResourcesDayView, type ScheduleEventData, WeekView } from '@mantine/schedule';
import { useEffect } from 'react';
import { useMay } from '../../app/role.ts';
import { now } from '../../format/clock.ts';
import { language } from '../../format/language.ts';
import { useTimes } from '../../format/times.ts';
import { hoursShown, intervalOf } from '../../format/working-hours.ts';
import { wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen } from '../bookings/booking.ts';
import type { Block } from './block-time.tsx';
import { type Card, clock } from './cards.ts';
import { EventBody } from './event-body.tsx';
import { backgroundsOf, cardOf, eventOf } from './events.ts';
import { NamedSlots } from './named-slots.tsx';
import type { NewBookingAt } from './new-booking.tsx';
import { type Schedules, workingOn } from './schedules.ts';
import { type Row, TeamWeek } from './team-week.tsx';

const texts = strings.calendar;
/** The calendar scrolls here, or to the first booking. */
const seenFrom = '08:00';
const dragStepMinutes = 15;
const wholeWidth = {
  resourcesDayViewRoot: 'calendar-all',
  resourcesDayViewInner: 'calendar-row',
  resourcesDayViewRowSlots: 'calendar-slots',
  resourcesDayViewRowSlot: 'calendar-slot',
  resourcesDayViewTimeLabel: 'calendar-slot',
};

interface CalendarViewProps {
  readonly view: 'day' | 'week';
  /** The chosen day, one of `days`. */
  readonly day: string;
  readonly days: readonly string[];
  /** Undefined means all staff. */
  readonly staffId: number | undefined;
  readonly rows: readonly Row[];
  readonly cards: readonly Card[];
  readonly schedules: Schedules;
  /** Whether a drag across free time blocks it. */
  readonly canBlock: boolean;
  open(card: Card): void;
  add(at: NewBookingAt): void;
  /** Moves the card to the local time `2026-11-24 14:30:00` and to this staff member. */
  move(card: Card, start: string, staffId: number): void;
  block(time: Block): void;
}

export function CalendarView(props: CalendarViewProps) {
  const { view, day, days, staffId, rows, cards, schedules, canBlock, open, add, move } = props;
  const { zone } = useTimes();
  const canChange = useMay()('desk');
  const at = days.indexOf(day);
  // On a phone, not all days of a week fit.
  useEffect(() => {
    const scroll = () => {
      const frame = document.querySelector(staffId === undefined ? '.team-week' : 'main .mantine-ScrollArea-viewport');
      if (view === 'week' && frame) frame.scrollLeft = (at / 6) * (frame.scrollWidth - frame.clientWidth);
    };
    // After a navigation to a loaded view, the router restores former scroll positions after this effect.
    const later = requestAnimationFrame(scroll);
    return () => cancelAnimationFrame(later);
  }, [view, at, staffId]);
  const known = [...schedules.byStaff.keys()];
  const shown = hoursShown([
    ...days.flatMap((date) => workingOn(schedules, date, known)),
    ...cards.map(({ start, end }) => intervalOf(start, end)),
  ]);
  if (view === 'week' && staffId === undefined) {
    return (
      <TeamWeek
        staff={rows}
        {...{ days, cards, schedules, shown, canChange, open }}
        add={(id, date) => add({ start: `${date} 09:00:00`, staffId: id })}
        drop={(card, id, date) => move(card, `${date}${card.start.slice(10)}`, id)}
      />
    );
  }
  const firstSeen = [seenFrom, ...cards.map(({ start, end }) => intervalOf(start, end).from)].sort()[0];
  const member = rows.find(({ id }) => id === staffId);
  const block = (start: string, end: string, id: number | undefined) => {
    const to = end.startsWith(start.slice(0, 10)) ? clock(end) : '24:00';
    props.block({ staffId: id, day: start.slice(0, 10), time: { from: clock(start), to: lastMinute(to) } });
  };
  const blockOwn = (start: string, end: string) => block(start, end, staffId);
  const shared = {
    date: days[0] ?? '',
    bg: 'var(--surface)',
    bdrs: 'md',
    withHeader: false,
    startTime: `${shown.from}:00`,
    endTime: shown.to === '24:00' ? '23:59:59' : `${shown.to}:00`,
    intervalMinutes: 30,
    startScrollTime: `${firstSeen}:00`,
    getCurrentTime: () => wallClock(now(), zone),
    locale: language(),
    labels: {
      ...texts.views,
      moreLabel: texts.more,
      resources: strings.screens.staff,
      resourceSlot: `${texts.freeTime},`,
      timeSlot: [texts.freeTime, member?.label].filter(Boolean).join(', '),
    },
    renderEventBody: (event: ScheduleEventData) => {
      const card = cardOf(event);
      if (card) return <EventBody card={card} />;
      if (event.color === 'dark') return <span className="calendar-blocked">{event.title}</span>;
      return event.color === 'gray' ? undefined : event.title;
    },
    events: [...backgroundsOf(schedules, days, shown, staffId === undefined), ...cards.map(eventOf)],
    withEventsDragAndDrop: true,
    eventDragInterval: dragStepMinutes,
    canDragEvent: (event: ScheduleEventData) => {
      const card = cardOf(event);
      return canChange && card !== undefined && isMovable(card);
    },
    onEventDrop: ({ event, newStart, resourceId }: Dropped) => {
      const card = cardOf(event);
      if (card) move(card, newStart, resourceId === undefined ? card.segment.staffId : Number(resourceId));
    },
    onEventClick: (event: ScheduleEventData) => {
      const card = cardOf(event);
      if (card) open(card);
    },
    withDragSlotSelect: canBlock,
    ...(canChange && {
      onTimeSlotClick: ({ slotStart, resourceId }: { slotStart: string; resourceId?: string | number }) =>
        add({ start: slotStart, staffId: resourceId === undefined ? staffId : Number(resourceId) }),
    }),
  };
  const isWeek = view === 'week';
  return (
    <NamedSlots>
      {isWeek && (
        <WeekView {...shared} withAllDaySlots={false} weekendDays={[]} highlightToday onSlotDragEnd={blockOwn} />
      )}
      {!isWeek && staffId !== undefined && <DayView {...shared} withAllDaySlot={false} onSlotDragEnd={blockOwn} />}
      {!isWeek && staffId === undefined && (
        <ResourcesDayView
          {...shared}
          resources={[...rows]}
          onSlotDragEnd={({ rangeStart, rangeEnd, resourceId }) => block(rangeStart, rangeEnd, Number(resourceId))}
          renderResourceLabel={({ label }) => (
            <Text inherit lineClamp={3} title={String(label)} style={{ overflowWrap: 'anywhere' }}>
              {label}
            </Text>
          )}
          classNames={wholeWidth}
          intervalMinutes={60}
          slotWidth={96}
          rowHeight={76}
          maxEventsPerTimeSlot={4}
        />
      )}
    </NamedSlots>
  );
}

/** Bookings of a class are moved one by one. */
const isMovable = ({ booking, class: shared }: Card) => isOpen(booking) && !shared;

/** Where its end is typed, a day ends at 23:59. */
const lastMinute = (to: string) => (to === '24:00' ? '23:59' : to);

interface Dropped {
  readonly event: ScheduleEventData;
  readonly newStart: string;
  readonly resourceId?: string | number;
}
