/** Who comes when: a day or a week, of everybody whom there is room for, or of one staff member. It asks for the days shown. */
import '@mantine/dates/styles.layer.css';
import '@mantine/schedule/styles.layer.css';
import { ActionIcon, Button, Checkbox, Group, SegmentedControl, Select, Text, TextInput } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { DayView, ResourcesDayView, type ScheduleEventData, WeekView, type WeekViewProps } from '@mantine/schedule';
import { getRouteApi, Link } from '@tanstack/react-router';
import { CalendarPlus, ChevronLeft, ChevronRight, UserRoundCog } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ApiError } from '../../api/errors.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { notify } from '../../components/notify.ts';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { now } from '../../format/clock.ts';
import { useTimes, useToday } from '../../format/times.ts';
import { dayAfter, instantOf, mondayOf, wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { BookingDetails } from './booking-details.tsx';
import { bookingOf, clientOf, eventOf, isOpen, useBookings } from './bookings.ts';
import { EventBody } from './event-body.tsx';
import { type Move, MoveBooking } from './move-booking.tsx';
import { NewBooking } from './new-booking.tsx';
import type { CalendarSearch } from './search.ts';

const route = getRouteApi('/calendar');
const texts = strings.calendar;
/** What is seen without scrolling begins here. */
const firstSeen = '08:00:00';
const [opens, closes] = ['07:00:00', '21:00:00'];
const dragStepMinutes = 15;
/** So many bookings at one time leave each other room for their names in a week. */
const besideEachOther = 4;

interface NewAt {
  readonly start: string;
  readonly staffId: number | undefined;
}

export function CalendarScreen() {
  const times = useTimes();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const [withCancelled, setWithCancelled] = useState(false);
  const [adding, setAdding] = useState<NewAt>();
  const [moving, setMoving] = useState<Move>();
  const staffList = useApi('listStaff', { limit: 100 });
  const serviceList = useApi('listServices', { limit: 100 });
  const reschedule = useApiMutation('rescheduleBooking');

  const today = useToday();
  const { view = 'day', day = today } = search;
  const staff = staffList.data?.data.filter(({ active }) => active) ?? [];
  // A narrow screen has room for one column, and a day of a week for few bookings beside each other.
  const isOfOne = view === 'week' ? staff.length > besideEachOther : isNarrow;
  const staffId = search.staff ?? (isOfOne ? staff[0]?.id : undefined);
  const isKnown = search.staff !== undefined || !staffList.isPending || (view === 'day' && !isNarrow);
  const first = view === 'week' ? mondayOf(day) : day;
  const after = dayAfter(first, view === 'week' ? 7 : 1);
  const bookings = useBookings(first, after, times.zone, staffId, isKnown);

  const go = (change: Partial<Record<keyof CalendarSearch, unknown>>) =>
    void navigate({ search: (before) => ({ ...before, ...change }) as CalendarSearch, resetScroll: false });
  const step = view === 'week' ? 7 : 1;

  const drop = ({ event, newStart, resourceId }: Dropped) => {
    const booking = bookingOf(event);
    const move = {
      booking,
      startTime: instantOf(newStart, times.zone),
      staffId: resourceId === undefined ? booking.staffId : Number(resourceId),
    };
    reschedule.mutate(
      { id: booking.id, startTime: move.startTime, staffId: move.staffId },
      {
        onSuccess: () =>
          notify(texts.moved(clientOf(booking), `${times.date(move.startTime)}, ${times.time(move.startTime)}`)),
        onError: (error) => setMoving({ ...move, ...(error instanceof ApiError && { refused: error }) }),
      },
    );
  };

  const shared = {
    date: day,
    bg: 'var(--surface)',
    bdrs: 'md',
    withHeader: false,
    startTime: opens,
    endTime: closes,
    intervalMinutes: 30,
    startScrollTime: firstSeen,
    getCurrentTime: () => wallClock(now(), times.zone),
    renderEventBody: (event: ScheduleEventData) => <EventBody booking={bookingOf(event)} />,
    withEventsDragAndDrop: true,
    eventDragInterval: dragStepMinutes,
    canDragEvent: (event: ScheduleEventData) => isOpen(bookingOf(event)),
    onEventDrop: drop,
    onEventClick: ({ id }: ScheduleEventData) => go({ booking: Number(id) }),
    onTimeSlotClick: ({ slotStart, resourceId }: { slotStart: string; resourceId?: string | number }) =>
      setAdding({ start: slotStart, staffId: resourceId === undefined ? staffId : Number(resourceId) }),
  };

  return (
    <Page
      title={strings.screens.calendar}
      description={`${texts.dragHint} ${strings.app.inZone(times.zone)}`}
      actions={
        <Button
          leftSection={<CalendarPlus size={18} />}
          onClick={() => setAdding({ start: `${day} 09:00:00`, staffId })}
          disabled={staff.length === 0}
        >
          {texts.newBooking}
        </Button>
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
        <TextInput
          type="date"
          aria-label={texts.date}
          value={day}
          onChange={({ currentTarget: { value } }) => value && go({ day: value })}
        />
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
          placeholder={texts.everyone}
          w={180}
          data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
          value={staffId === undefined ? null : String(staffId)}
          onChange={(value) => go({ staff: value === null ? undefined : Number(value) })}
          clearable={search.staff !== undefined}
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
          <QueryState query={bookings}>
            {({ entries }) => {
              const events = entries
                .filter(({ status }) => withCancelled || status !== 'cancelled')
                .map((booking) => eventOf(booking, times.zone));
              if (view === 'week') return <Week {...shared} events={events} />;
              if (staffId !== undefined) return <DayView {...shared} events={events} withAllDaySlot={false} />;
              return (
                <ResourcesDayView
                  {...shared}
                  events={events}
                  resources={staff.map(({ id, name }) => ({ id, label: name }))}
                  labels={{ resources: texts.staff }}
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
      {moving && <MoveBooking move={moving} staff={staff} onClose={() => setMoving(undefined)} />}
      {search.booking !== undefined && (
        <BookingDetails
          id={search.booking}
          move={(booking) => setMoving({ booking, startTime: booking.startTime, staffId: booking.staffId })}
          onClose={() => go({ booking: undefined })}
        />
      )}
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
