/** Who comes when: a day or a week, of everybody whom there is room for, or of one staff member. It asks for the days shown. */
import '@mantine/schedule/styles.layer.css';
import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Select, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DayView, ResourcesDayView, type ScheduleEventData, WeekView, type WeekViewProps } from '@mantine/schedule';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarPlus, ChevronLeft, ChevronRight, UserRoundCog } from 'lucide-react';
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
import { contains, hoursOn, hoursShown, intervalOf, offHours } from '../../format/working-hours.ts';
import { dayAfter, instantOf, mondayOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, isOpen } from '../bookings/booking.ts';
import { BookingDrawer } from '../bookings/booking-drawer.tsx';
import { type Move, MoveBooking } from '../bookings/move-booking.tsx';
import { useMoveNotice } from '../bookings/use-move-notice.ts';
import { bookingOf, eventOf, offBlock, useBookings } from './bookings.ts';
import { EventBody } from './event-body.tsx';
import { NewBooking } from './new-booking.tsx';
import { useSchedules } from './schedules.ts';
import type { CalendarSearch } from './search.ts';

const route = getRouteApi('/calendar');
const texts = strings.calendar;
/** The calendar scrolls here, or to the first booking. */
const seenFrom = '08:00';
const dragStepMinutes = 15;
/** So many bookings at one time leave each other room for their names in a week. */
const besideEachOther = 4;
/** Of the staff, in a week of everyone. */
const staffColors = ['teal', 'blue', 'grape', 'orange', 'cyan', 'pink', 'lime', 'indigo'] as const;

interface NewAt {
  readonly start: string;
  readonly staffId: number | undefined;
}

export function CalendarScreen() {
  const times = useTimes();
  const mayBook = useMay()('desk');
  const ownStaffId = useOwnStaffId();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const canDrag = useMediaQuery('(hover: hover) and (pointer: fine)') ?? true;
  const [withCancelled, setWithCancelled] = useState(false);
  const [adding, setAdding] = useState<NewAt>();
  const [moving, setMoving] = useState<Move>();
  const staffList = useApi('listStaff', { limit: 100 });
  const serviceList = useApi('listServices', { limit: 100 });
  const reschedule = useApiMutation('rescheduleBooking');
  const notifyMoved = useMoveNotice();

  const today = useToday();
  const { view = 'day', day = today } = search;
  const staff = staffList.data?.data.filter(({ active, id }) => active && (ownStaffId ?? id) === id) ?? [];
  // A narrow screen has room for one column, and a day of a week for few bookings beside each other.
  const isOfOne = view === 'week' ? staff.length > besideEachOther : isNarrow;
  const chosen = search.staff ?? (isOfOne ? staff[0]?.id : undefined);
  const staffId = chosen === 'all' ? undefined : chosen;
  const isKnown = search.staff !== undefined || !staffList.isPending || (view === 'day' && !isNarrow);
  const days = Array.from({ length: view === 'week' ? 7 : 1 }, (_, at) =>
    dayAfter(view === 'week' ? mondayOf(day) : day, at),
  );
  const [first = day] = days;
  const bookings = useBookings(first, dayAfter(first, days.length), times.zone, staffId, isKnown);
  const schedules = useSchedules(staffId === undefined ? staff.map(({ id }) => id) : [staffId]);

  const go = (change: Partial<Record<keyof CalendarSearch, unknown>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as CalendarSearch, resetScroll: false });
  const step = days.length;

  const entries = (bookings.data?.entries ?? []).filter(({ status }) => withCancelled || status !== 'cancelled');
  // Staff who no longer work here still have their bookings.
  const former = entries.filter(({ staffId: id }) => staff.every((member) => member.id !== id));
  const rows = [
    ...staff.map(({ id, name }) => ({ id, label: name })),
    ...new Map(former.map(({ staffId: id, staffName }) => [id, { id, label: staffName }])).values(),
  ];
  const withStaff = view === 'week' && staffId === undefined;
  const colors = new Map(rows.map(({ id }, at) => [id, staffColors[at % staffColors.length] ?? 'teal']));
  const blocks = entries.map((booking) =>
    eventOf(booking, times.zone, withStaff ? colors.get(booking.staffId) : undefined),
  );
  const working = (date: string, ids: readonly number[]) =>
    ids.flatMap((id) => {
      const schedule = schedules.byStaff.get(id);
      return schedule ? hoursOn(schedule, date) : [];
    });
  const known = [...schedules.byStaff.keys()];
  const shown = hoursShown([
    ...days.flatMap((date) => working(date, known)),
    ...blocks.map(({ start, end }) => intervalOf(String(start), String(end))),
  ]);
  const firstSeen = [
    seenFrom,
    ...blocks.map(({ start, end }) => intervalOf(String(start), String(end)).from),
  ].sort()[0];
  const isByRow = view === 'day' && staffId === undefined;
  const off = days.flatMap((date) =>
    (isByRow ? known.map((id) => [id]) : [known]).flatMap((ids) =>
      schedules.byStaff.size === 0
        ? []
        : offHours(working(date, ids), shown).map((part) => offBlock(date, part, isByRow ? ids[0] : undefined)),
    ),
  );

  const nameOf = (member: number) => rows.find(({ id }) => id === member)?.label ?? '';
  /** Why a booking cannot have this time, as far as the screen knows. */
  const reasonAgainst = (booking: Booking, start: string, member: number): string | undefined => {
    const name = nameOf(member);
    const length = Date.parse(booking.endTime) - Date.parse(booking.startTime);
    const [begins, ends] = [Date.parse(start), Date.parse(start) + length];
    const wanted = intervalOf(wallClock(begins, times.zone), wallClock(ends, times.zone));
    const schedule = schedules.byStaff.get(member);
    if (schedule && !contains(hoursOn(schedule, times.day(begins)), wanted)) return texts.notWorking(name);
    const isOccupied = entries.some(
      (other) =>
        other.id !== booking.id &&
        other.staffId === member &&
        isOpen(other) &&
        Date.parse(other.startTime) < ends &&
        begins < Date.parse(other.endTime),
    );
    return isOccupied ? texts.occupied(name) : undefined;
  };

  const drop = ({ event, newStart, resourceId }: Dropped) => {
    const booking = bookingOf(event);
    if (!booking) return;
    const startTime = instantOf(newStart, times.zone);
    const member = resourceId === undefined ? booking.staffId : Number(resourceId);
    const service = serviceList.data?.data.find(({ id }) => id === booking.serviceId);
    if (service && !service.staffIds.includes(member)) {
      notify(texts.cannotDo(nameOf(member), booking.serviceName));
      return;
    }
    const reason = reasonAgainst(booking, startTime, member);
    reschedule.mutate(
      { id: booking.id, startTime, staffId: member },
      {
        onSuccess: (moved) => notifyMoved(booking, moved),
        onError: (refused) => setMoving({ booking, startTime, staffId: member, refused, reason }),
      },
    );
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
      const booking = bookingOf(event);
      return booking && <EventBody booking={booking} withStaff={withStaff} />;
    },
    events: [...off, ...blocks],
    withEventsDragAndDrop: true,
    eventDragInterval: dragStepMinutes,
    canDragEvent: (event: ScheduleEventData) => {
      const booking = bookingOf(event);
      return mayBook && booking !== undefined && isOpen(booking);
    },
    onEventDrop: drop,
    onEventClick: ({ id }: ScheduleEventData) => go({ booking: Number(id) }),
    ...(mayBook && {
      onTimeSlotClick: ({ slotStart, resourceId }: { slotStart: string; resourceId?: string | number }) =>
        setAdding({ start: slotStart, staffId: resourceId === undefined ? staffId : Number(resourceId) }),
    }),
  };

  return (
    <Page
      title={strings.screens.calendar}
      description={`${canDrag && mayBook ? `${texts.dragHint} ` : ''}${strings.app.inZone(times.zone)}`}
      actions={
        mayBook && (
          <Button
            leftSection={<CalendarPlus size={18} />}
            onClick={() => setAdding({ start: `${day} 09:00:00`, staffId })}
            disabled={staff.length === 0}
          >
            {texts.newBooking}
          </Button>
        )
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
              if (view === 'week') return <Week {...shared} />;
              if (staffId !== undefined) return <DayView {...shared} withAllDaySlot={false} />;
              return (
                <ResourcesDayView
                  {...shared}
                  resources={rows}
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

interface Dropped {
  readonly event: ScheduleEventData;
  readonly newStart: string;
  readonly resourceId?: string | number;
}
