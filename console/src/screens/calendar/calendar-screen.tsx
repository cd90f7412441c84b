/** Who comes when: a day or a week, of everyone or of one staff member. It asks for the days shown. */
import '@mantine/schedule/styles.layer.css';
import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DayView, ResourcesDayView, type ScheduleEventData, WeekView, type WeekViewProps } from '@mantine/schedule';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarOff, CalendarPlus, ChevronLeft, ChevronRight, UserRoundCog } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { useMay, useOwnStaffId } from '../../app/role.ts';
import { DateField } from '../../components/date-field.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Loading } from '../../components/loading.tsx';
import { notify } from '../../components/notify.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { now } from '../../format/clock.ts';
import { language } from '../../format/language.ts';
import { useTimes, useToday } from '../../format/times.ts';
import { hoursOn, hoursShown, intervalOf, offHours } from '../../format/working-hours.ts';
import { dayAfter, instantOf, mondayOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { isOpen } from '../bookings/booking.ts';
import { BookingDrawer } from '../bookings/booking-drawer.tsx';
import { type Move, MoveBooking } from '../bookings/move-booking.tsx';
import { useMoveNotice } from '../bookings/use-move-notice.ts';
import { type Block, BlockTime } from './block-time.tsx';
import { type Card, cardOf, cardsOf, clock, eventOf, offBlock, useBookings } from './bookings.ts';
import { EventBody } from './event-body.tsx';
import { NewBooking } from './new-booking.tsx';
import { useSchedules } from './schedules.ts';
import type { CalendarSearch } from './search.ts';
import { TeamWeek } from './team-week.tsx';

const route = getRouteApi('/calendar');
const texts = strings.calendar;
/** The calendar scrolls here, or to the first booking. */
const seenFrom = '08:00';
const dragStepMinutes = 15;
interface NewAt {
  readonly start: string;
  readonly staffId: number | undefined;
}

export function CalendarScreen() {
  const times = useTimes();
  const may = useMay();
  const mayBook = may('desk');
  const ownStaffId = useOwnStaffId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const canDrag = useMediaQuery('(hover: hover) and (pointer: fine)') ?? true;
  const [withCancelled, setWithCancelled] = useState(false);
  const [adding, setAdding] = useState<NewAt>();
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
  const days = Array.from({ length: view === 'week' ? 7 : 1 }, (_, at) =>
    dayAfter(view === 'week' ? mondayOf(day) : day, at),
  );
  const [first = day] = days;
  const bookings = useBookings(first, dayAfter(first, days.length), times.zone, staffId, isKnown);
  const schedules = useSchedules(staffId === undefined ? staff.map(({ id }) => id) : [staffId]);

  const go = (change: Partial<Record<keyof CalendarSearch, unknown>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as CalendarSearch, resetScroll: false });
  const step = days.length;
  const mayBlock = may('owner');

  const entries = (bookings.data?.entries ?? []).filter(({ status }) => withCancelled || status !== 'cancelled');
  const cards = entries.flatMap((booking) => cardsOf(booking, times.zone));
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

  const nameOf = (member: number) => rows.find(({ id }) => id === member)?.label ?? '';
  /** Moves what is dropped. A refusal opens the form, which says why. */
  const move = ({ booking, segment }: Card, start: string, member: number) => {
    const service = serviceList.data?.data.find(({ id }) => id === booking.serviceId);
    if (service && !service.staffIds.includes(member)) {
      notify(texts.cannotDo(nameOf(member), booking.serviceName));
      return;
    }
    // The whole booking moves by as much as the card.
    const by = Date.parse(instantOf(start, times.zone)) - Date.parse(segment.startTime);
    const startTime = new Date(Date.parse(booking.startTime) + by).toISOString();
    if (by === 0 && member === segment.staffId) return;
    reschedule.mutate(
      { id: booking.id, startTime, staffId: member },
      {
        onSuccess: (moved) => notifyMoved(booking, moved),
        onError: (refused) => setMoving({ booking, startTime, staffId: member, refused }),
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
    getCurrentTime: () => wallClock(now(), times.zone),
    locale: language(),
    labels: {
      ...texts.views,
      moreLabel: texts.more,
      resources: texts.staff,
      resourceSlot: texts.freeTime,
      timeSlot: texts.freeTime,
    },
    renderEventBody: (event: ScheduleEventData) => {
      const card = cardOf(event);
      return card && <EventBody card={card} />;
    },
    events: [...off, ...cards.map(eventOf)],
    withEventsDragAndDrop: true,
    eventDragInterval: dragStepMinutes,
    canDragEvent: (event: ScheduleEventData) => {
      const card = cardOf(event);
      return mayBook && card !== undefined && isOpen(card.booking);
    },
    onEventDrop: ({ event, newStart, resourceId }: Dropped) => {
      const card = cardOf(event);
      if (card) move(card, newStart, resourceId === undefined ? card.segment.staffId : Number(resourceId));
    },
    onEventClick: (event: ScheduleEventData) => go({ booking: cardOf(event)?.booking.id }),
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
        strings.app.inZone(times.zone),
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
      <Group gap="sm" align="flex-end">
        <Group gap={4}>
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={texts.previous}
            onClick={() => go({ day: dayAfter(day, -step) })}
          >
            <ChevronLeft size={18} />
          </ActionIcon>
          <Button variant="default" onClick={() => go({ day: undefined })}>
            {texts.today}
          </Button>
          <ActionIcon
            variant="default"
            size="input-sm"
            aria-label={texts.next}
            onClick={() => go({ day: dayAfter(day, step) })}
          >
            <ChevronRight size={18} />
          </ActionIcon>
        </Group>
        <DateField w={170} aria-label={texts.date} value={day} onChange={(value) => value && go({ day: value })} />
        <SegmentedControl
          aria-label={texts.viewLabel}
          value={view}
          onChange={(value) => go({ view: value === 'week' ? 'week' : undefined })}
          data={[
            { value: 'day', label: texts.views.day },
            { value: 'week', label: texts.views.week },
          ]}
        />
        <Select
          aria-label={texts.staff}
          w={180}
          data={[
            { value: 'all', label: texts.everyone },
            ...staff.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={String(staffId ?? 'all')}
          onChange={(value) => go({ staff: value === 'all' ? value : Number(value) })}
          allowDeselect={false}
        />
        <Checkbox
          label={texts.withCancelled}
          checked={withCancelled}
          onChange={({ currentTarget }) => setWithCancelled(currentTarget.checked)}
          mb={8}
        />
      </Group>
      <Text fw={600} aria-live="polite">
        {view === 'week'
          ? `${times.date(instantOf(`${first} 12:00:00`, times.zone))} – ${times.date(instantOf(`${dayAfter(first, 6)} 12:00:00`, times.zone))}`
          : times.date(instantOf(`${day} 12:00:00`, times.zone))}
      </Text>
      <QueryState
        query={staffList}
        isEmpty={({ data }) => data.every(({ active }) => !active)}
        empty={
          <EmptyState title={texts.noStaff} hint={texts.noStaffHint} icon={UserRoundCog}>
            <Button renderRoot={(props) => <Link to="/staff" {...props} />}>{texts.toStaff}</Button>
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
                    open={({ booking }) => go({ booking: booking.id })}
                    add={(id, date) => setAdding({ start: `${date} 09:00:00`, staffId: id })}
                    drop={(card, id, date) => move(card, `${date}${card.start.slice(10)}`, id)}
                  />
                );
              if (view === 'week')
                return <Week {...shared} onSlotDragEnd={(start, end) => block(start, end, staffId)} />;
              if (staffId !== undefined)
                return (
                  <DayView
                    {...shared}
                    withAllDaySlot={false}
                    onSlotDragEnd={(start, end) => block(start, end, staffId)}
                  />
                );
              return (
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
                  intervalMinutes={60}
                  slotWidth={96}
                  rowHeight={76}
                  maxEventsPerTimeSlot={4}
                />
              );
            }}
          </QueryState>
        )}
      </QueryState>
      {adding && (
        <NewBooking
          {...adding}
          staff={staff}
          services={serviceList.data?.data.filter(({ active }) => active) ?? []}
          onClose={() => setAdding(undefined)}
        />
      )}
      {blocking && <BlockTime block={blocking} staff={staff} onClose={() => setBlocking(undefined)} />}
      {moving && <MoveBooking move={moving} onClose={() => setMoving(undefined)} />}
      {search.booking !== undefined && <BookingDrawer id={search.booking} onClose={() => go({ booking: undefined })} />}
    </Page>
  );
}

/** The head of a day is called what it shows: `Mon 23`. */
function Week(props: WeekViewProps) {
  const ref = useRef<HTMLDivElement>(null);
  useEffect(() => {
    for (const head of ref.current?.querySelectorAll('[aria-label^="Weekday "]') ?? []) {
      head.removeAttribute('aria-label');
    }
  });
  return <WeekView ref={ref} {...props} withAllDaySlots={false} weekendDays={[]} highlightToday />;
}

/** A day ends at 23:59 where its end is typed. */
const lastMinute = (to: string) => (to === '24:00' ? '23:59' : to);

interface Dropped {
  readonly event: ScheduleEventData;
  readonly newStart: string;
  readonly resourceId?: string | number;
}
