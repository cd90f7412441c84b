/** Who comes when: a day or a week, of everyone or of one staff member. It asks for the days shown. */
import '@mantine/schedule/styles.layer.css';
import './calendar.css';
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DayView, ResourcesDayView, type ScheduleEventData, WeekView } from '@mantine/schedule';
import { getRouteApi } from '@tanstack/react-router';
import { CalendarOff, CalendarPlus, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { useApi, useApiList, useApiMutation } from '../../api/hooks.ts';
import { useMay, useOwnStaffId } from '../../app/role.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { now } from '../../format/clock.ts';
import { addDays, daysOf, mondayOf, periodOf } from '../../format/days.ts';
import { language } from '../../format/language.ts';
import { useTimes, useToday, wholeDay } from '../../format/times.ts';
import { blockedOn, hoursOn, hoursShown, intervalOf, offHours } from '../../format/working-hours.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen, type Segment } from '../bookings/booking.ts';
import { BookingDrawer } from '../bookings/booking-drawer.tsx';
import { type Move, MoveBooking } from '../bookings/move-booking.tsx';
import { useMoveNotice } from '../bookings/use-move-notice.ts';
import { type Block, BlockTime } from './block-time.tsx';
import { type Card, cardsOf, clock } from './cards.ts';
import { ClassDrawer } from './class-drawer.tsx';
import { EventBody } from './event-body.tsx';
import { blockedBlock, busyBlock, cardOf, eventOf, offBlock } from './events.ts';
import { NamedSlots } from './named-slots.tsx';
import { NewBooking, type NewBookingAt } from './new-booking.tsx';
import { useSchedules } from './schedules.ts';
import type { CalendarSearch } from './search.ts';
import { TeamWeek } from './team-week.tsx';
import { Toolbar } from './toolbar.tsx';

const route = getRouteApi('/calendar');
const texts = strings.calendar;
/** The calendar scrolls here, or to the first booking. */
const seenFrom = '08:00';
const dragStepMinutes = 15;
/** New bookings appear within five seconds, the answer included. */
const refetchMs = 4_000;
const wholeWidth = {
  resourcesDayViewRoot: 'calendar-all',
  resourcesDayViewInner: 'calendar-row',
  resourcesDayViewRowSlots: 'calendar-slots',
  resourcesDayViewRowSlot: 'calendar-slot',
  resourcesDayViewTimeLabel: 'calendar-slot',
};

export function CalendarScreen() {
  const { zone } = useTimes();
  const may = useMay();
  const mayBook = may('desk');
  const ownStaffId = useOwnStaffId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const canDrag = useMediaQuery('(hover: hover) and (pointer: fine)') ?? true;
  const [withCancelled, setWithCancelled] = useState(false);
  const [adding, setAdding] = useState<NewBookingAt>();
  const [blocking, setBlocking] = useState<Block>();
  const [moving, setMoving] = useState<Move>();
  const staffList = useApi('listStaff', { limit: 100 });
  const serviceList = useApi('listServices', { limit: 100 });
  const reschedule = useApiMutation('rescheduleBooking');
  const notifyMoved = useMoveNotice();

  const today = useToday();
  const { view = 'day', day = today } = search;
  const staff = staffList.data?.data.filter(({ active, id }) => active && (ownStaffId ?? id) === id) ?? [];
  // A narrow screen has room for one column.
  const chosen = search.staff ?? (isNarrow ? staff[0]?.id : undefined);
  const staffId = chosen === 'all' ? undefined : chosen;
  const isKnown = search.staff !== undefined || !staffList.isPending || !isNarrow;
  const first = view === 'week' ? mondayOf(day) : day;
  const last = view === 'week' ? addDays(first, 6) : day;
  const days = daysOf({ from: first, to: last });
  const bookings = useApiList(
    'listBookings',
    { ...periodOf({ from: first, to: last }, zone), staffId, limit: 100 },
    { pagesAtOnce: Number.POSITIVE_INFINITY, enabled: isKnown, refetchInterval: refetchMs },
  );
  const schedules = useSchedules(staffId === undefined ? staff.map(({ id }) => id) : [staffId], days, zone);

  const go = (change: CalendarSearch) =>
    void navigate({ search: (before) => ({ ...before, ...change }), resetScroll: false });
  const mayBlock = may('owner');
  // By the address once there is what can be booked.
  const isAsked = search.add && mayBook && staff.length > 0 && serviceList.data !== undefined;
  const added = adding ?? (isAsked ? { start: `${day} 09:00:00`, staffId } : undefined);

  const entries = (bookings.data?.entries ?? []).filter(({ status }) => withCancelled || status !== 'cancelled');
  const services = serviceList.data?.data ?? [];
  const capacityOf = (serviceId: number) => services.find(({ id }) => id === serviceId)?.capacity;
  const all = cardsOf(entries, zone, capacityOf);
  // The filter finds whole bookings: of a visit, also what others do of it.
  const cards = staffId === undefined ? all : all.filter(({ segment }) => segment.staffId === staffId);
  const open = ({ id, booking, class: shared }: Card) =>
    go(shared ? { class: id, booking: undefined } : { booking: booking.id, class: undefined });
  const openedClass = cards.find(({ id, class: shared }) => shared && id === search.class);
  // Staff who no longer work here still have their bookings.
  const former = cards.map(({ segment }) => segment).filter(({ staffId: id }) => staff.every((one) => one.id !== id));
  const rows = [
    ...staff.map(({ id, name }) => ({ id, label: name })),
    ...new Map(former.map(({ staffId: id, staffName }) => [id, { id, label: staffName }])).values(),
  ];
  const working = (date: string, ids: readonly number[]) =>
    ids.flatMap((id) => {
      const schedule = schedules.byStaff.get(id);
      return schedule ? hoursOn(schedule, date) : [];
    });
  const known = [...schedules.byStaff.keys()];
  const shown = hoursShown([
    ...days.flatMap((date) => working(date, known)),
    ...cards.map(({ start, end }) => intervalOf(start, end)),
  ]);
  const firstSeen = [seenFrom, ...cards.map(({ start, end }) => intervalOf(start, end).from)].sort()[0];
  const isByRow = view === 'day' && staffId === undefined;
  const isOfTeam = view === 'week' && staffId === undefined;
  const off = days.flatMap((date) =>
    (isByRow ? known.map((id) => [id]) : [known]).flatMap((ids) =>
      schedules.byStaff.size === 0
        ? []
        : offHours(working(date, ids), shown).map((part) => offBlock(date, part, isByRow ? ids[0] : undefined)),
    ),
  );
  const busy = [...schedules.busy].flatMap(([id, some]) => some.map((time) => busyBlock(time, id)));

  const blocked = [...schedules.byStaff].flatMap(([id, schedule]) =>
    days.flatMap((date) => blockedOn(schedule, date).map((time) => blockedBlock(date, time, id))),
  );

  const nameOf = (member: number) => rows.find(({ id }) => id === member)?.label ?? '';
  /** Moves what is dropped. A refusal opens the form, which says why. */
  const move = ({ booking, segment }: Card, start: string, member: number) => {
    // The whole booking moves by as much as the card, and in the row of another member is theirs.
    const staysWith = member === segment.staffId;
    const by = Date.parse(instantOf(start, zone)) - Date.parse(segment.startTime);
    const startTime = new Date(Date.parse(booking.startTime) + by).toISOString();
    if (by === 0 && staysWith) return;
    const isUnable = ({ serviceId }: Segment) =>
      services.some(({ id, staffIds }) => id === serviceId && !staffIds.includes(member));
    const unable = staysWith ? undefined : booking.segments.find(isUnable);
    if (unable) {
      notify(texts.cannotDo(nameOf(member), unable.serviceName));
      return;
    }
    const to = staysWith ? undefined : member;
    reschedule.mutate(
      { id: booking.id, startTime, staffId: to },
      {
        onSuccess: (moved) => notifyMoved(booking, moved),
        onError: (refused) => setMoving({ booking, startTime, staffId: to, refused }),
      },
    );
  };
  const block = (start: string, end: string, member: number | undefined) => {
    const to = end.startsWith(start.slice(0, 10)) ? clock(end) : '24:00';
    setBlocking({ staffId: member, day: start.slice(0, 10), time: { from: clock(start), to: lastMinute(to) } });
  };

  const shared = {
    date: day,
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
      resources: texts.staff,
      resourceSlot: `${texts.freeTime},`,
      timeSlot: [texts.freeTime, staffId !== undefined && nameOf(staffId)].filter(Boolean).join(', '),
    },
    renderEventBody: (event: ScheduleEventData) => {
      const card = cardOf(event);
      if (card) return <EventBody card={card} />;
      if (event.color === 'dark') return <span className="calendar-blocked">{event.title}</span>;
      return event.color === 'gray' ? undefined : event.title;
    },
    events: [...off, ...blocked, ...busy, ...cards.map(eventOf)],
    withEventsDragAndDrop: true,
    eventDragInterval: dragStepMinutes,
    canDragEvent: (event: ScheduleEventData) => {
      const card = cardOf(event);
      return mayBook && card !== undefined && isMovable(card);
    },
    onEventDrop: ({ event, newStart, resourceId }: Dropped) => {
      const card = cardOf(event);
      if (card) move(card, newStart, resourceId === undefined ? card.segment.staffId : Number(resourceId));
    },
    onEventClick: (event: ScheduleEventData) => {
      const card = cardOf(event);
      if (card) open(card);
    },
    withDragSlotSelect: mayBlock && canDrag,
    ...(mayBook && {
      onTimeSlotClick: ({ slotStart, resourceId }: { slotStart: string; resourceId?: string | number }) =>
        setAdding({ start: slotStart, staffId: resourceId === undefined ? staffId : Number(resourceId) }),
    }),
  };

  return (
    <Page
      title={strings.screens.calendar}
      description={[
        canDrag && mayBook && texts.dragHint,
        canDrag && mayBlock && !isOfTeam && texts.dragBlockHint,
        strings.app.inZone(zone),
      ]
        .filter(Boolean)
        .join(' ')}
      actions={
        <>
          {mayBlock && (
            <Button
              variant="default"
              leftSection={<CalendarOff size={18} />}
              onClick={() => setBlocking({ staffId, day, time: { from: '12:00', to: '13:00' } })}
              disabled={staff.length === 0}
            >
              {texts.block}
            </Button>
          )}
          {mayBook && (
            <Button
              leftSection={<CalendarPlus size={18} />}
              onClick={() => setAdding({ start: `${day} 09:00:00`, staffId })}
              disabled={staff.length === 0}
            >
              {texts.newBooking}
            </Button>
          )}
        </>
      }
    >
      <Toolbar {...{ view, day, staffId, staff, withCancelled, setWithCancelled, go }} />
      <Text fw={600} aria-live="polite">
        {view === 'week' ? `${wholeDay(first)} – ${wholeDay(last)}` : wholeDay(day)}
      </Text>
      <QueryState
        query={staffList}
        isEmpty={({ data }) => data.every(({ active }) => !active)}
        empty={
          <EmptyState title={texts.noStaff} hint={texts.noStaffHint} icon={UserRoundCog}>
            <ButtonLink to="/staff">{texts.toStaff}</ButtonLink>
          </EmptyState>
        }
      >
        {() => (
          <QueryState query={bookings} loading={<Loading lines={8} />}>
            {() => {
              if (schedules.isPending) return <Loading lines={8} />;
              if (isOfTeam)
                return (
                  <TeamWeek
                    staff={rows}
                    days={days}
                    today={today}
                    cards={cards}
                    hoursOf={(id, date) => (schedules.byStaff.has(id) ? working(date, [id]) : undefined)}
                    canChange={mayBook}
                    busy={schedules.busy}
                    shown={shown}
                    open={open}
                    add={(id, date) => setAdding({ start: `${date} 09:00:00`, staffId: id })}
                    drop={(card, id, date) => move(card, `${date}${card.start.slice(10)}`, id)}
                  />
                );
              const onSlotDragEnd = (start: string, end: string) => block(start, end, staffId);
              if (view === 'week')
                return (
                  <NamedSlots>
                    <WeekView
                      {...shared}
                      withAllDaySlots={false}
                      weekendDays={[]}
                      highlightToday
                      onSlotDragEnd={onSlotDragEnd}
                    />
                  </NamedSlots>
                );
              if (staffId !== undefined)
                return (
                  <NamedSlots>
                    <DayView {...shared} withAllDaySlot={false} onSlotDragEnd={onSlotDragEnd} />
                  </NamedSlots>
                );
              return (
                <NamedSlots>
                  <ResourcesDayView
                    {...shared}
                    resources={rows}
                    onSlotDragEnd={({ rangeStart, rangeEnd, resourceId }) =>
                      block(rangeStart, rangeEnd, Number(resourceId))
                    }
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
                </NamedSlots>
              );
            }}
          </QueryState>
        )}
      </QueryState>
      {added && (
        <NewBooking
          {...added}
          staff={staff}
          services={services.filter(({ active }) => active)}
          onClose={() => {
            setAdding(undefined);
            if (search.add) go({ add: undefined });
          }}
        />
      )}
      {blocking && <BlockTime block={blocking} staff={staff} onClose={() => setBlocking(undefined)} />}
      {openedClass && (
        <ClassDrawer
          card={openedClass}
          add={() =>
            setAdding({
              start: openedClass.start,
              staffId: openedClass.segment.staffId,
              serviceId: openedClass.segment.serviceId,
            })
          }
          onClose={() => go({ class: undefined })}
        />
      )}
      {moving && <MoveBooking move={moving} onClose={() => setMoving(undefined)} />}
      {search.booking !== undefined && <BookingDrawer id={search.booking} onClose={() => go({ booking: undefined })} />}
    </Page>
  );
}

/** Those of a class move one by one. */
const isMovable = ({ booking, class: shared }: Card) => isOpen(booking) && !shared;

/** A day ends at 23:59 where its end is typed. */
const lastMinute = (to: string) => (to === '24:00' ? '23:59' : to);

interface Dropped {
  readonly event: ScheduleEventData;
  readonly newStart: string;
  readonly resourceId?: string | number;
}
