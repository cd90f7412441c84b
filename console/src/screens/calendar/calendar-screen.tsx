/** The calendar of a day or a week, for all staff or one staff member. It requests only the days that are shown. */
import { Button, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { CalendarOff, CalendarPlus, UserRoundCog } from 'lucide-react';
import { useState } from 'react';
import { useApiList, useWholeList } from '../../api/hooks.ts';
import { useMay, useOwnStaffId } from '../../app/role.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { EmptyState } from '../../components/empty-state.tsx';
import { ButtonLink } from '../../components/link.tsx';
import { Loading } from '../../components/loading.tsx';
import { Page } from '../../components/page.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { useNow } from '../../format/clock.ts';
import { addDays, daysOf, mondayOf, periodOf } from '../../format/days.ts';
import { useTimes, useToday, wholeDay } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { BookingDrawer } from '../bookings/booking-drawer.tsx';
import { type Move, MoveBooking } from '../bookings/move-booking.tsx';
import { isPerformed } from '../services/performed.ts';
import { type Block, BlockTime } from './block-time.tsx';
import { CalendarView } from './calendar-view.tsx';
import { type Card, cardsOf, staffOfClass } from './cards.ts';
import { ClassDrawer } from './class-drawer.tsx';
import { NewBooking, type NewBookingAt } from './new-booking.tsx';
import { useSchedules } from './schedules.ts';
import { Toolbar } from './toolbar.tsx';
import { useMoveCard } from './use-move-card.ts';

const texts = strings.calendar;
/** New bookings appear within five seconds, including the response time, if the calendar shows at most a hundred. */
const refetchMs = 4_000;

export function CalendarScreen() {
  const { zone } = useTimes();
  const may = useMay();
  const mayBook = may('desk');
  const ownStaffId = useOwnStaffId();
  const [search, go] = useScreenSearch('/calendar');
  const isNarrow = useMediaQuery('(max-width: 48em)') ?? false;
  const canDrag = useMediaQuery('(hover: hover) and (pointer: fine)') ?? true;
  const [withCancelled, setWithCancelled] = useState(false);
  const [adding, setAdding] = useState<NewBookingAt>();
  const [blocking, setBlocking] = useState<Block>();
  const [moving, setMoving] = useState<Move>();
  const staffList = useWholeList('listStaff');
  const serviceList = useWholeList('listServices');

  const now = useNow();
  const today = useToday();
  const { view = 'day', day = today } = search;
  const staff = staffList.data?.data.filter(({ active, id }) => active && (ownStaffId ?? id) === id) ?? [];
  // A narrow screen has room for one column: that of the open class.
  const chosen = search.staff ?? (isNarrow ? (staffOfClass(search.class) ?? staff[0]?.id) : undefined);
  const staffId = chosen === 'all' ? undefined : chosen;
  const isKnown = search.staff !== undefined || !staffList.isPending || !isNarrow;
  const first = view === 'week' ? mondayOf(day) : day;
  const last = view === 'week' ? addDays(first, 6) : day;
  const days = daysOf({ from: first, to: last });
  const bookings = useApiList(
    'listBookings',
    { ...periodOf({ from: first, to: last }, zone), staffId, limit: 100 },
    { loadsWhile: () => true, enabled: isKnown, refetchInterval: refetchMs },
  );
  const schedules = useSchedules(staffId === undefined ? staff.map(({ id }) => id) : [staffId], days, zone);

  const mayBlock = may('owner');
  const isAsked = search.add && mayBook && staff.length > 0 && serviceList.data !== undefined;
  const requested = adding ?? (isAsked ? { start: `${day} 09:00:00`, staffId } : undefined);
  // The form chooses a service when it opens, so the services must be loaded.
  const added = serviceList.isPending ? undefined : requested;

  const entries = (bookings.data?.entries ?? []).filter(({ status }) => withCancelled || status !== 'cancelled');
  const services = serviceList.data?.data ?? [];
  const capacityOf = (serviceId: number) => services.find(({ id }) => id === serviceId)?.capacity;
  const all = cardsOf(entries, zone, capacityOf, now);
  // The API returns whole bookings, so a visit may contain parts of other staff members.
  const cards = staffId === undefined ? all : all.filter(({ segment }) => segment.staffId === staffId);
  const open = ({ id, booking, class: shared }: Card) =>
    go(shared ? { class: id, booking: undefined } : { booking: booking.id, class: undefined });
  const openedClass = cards.find(({ id, class: shared }) => shared && id === search.class);
  // Former staff members still have their bookings.
  const former = cards.map(({ segment }) => segment).filter(({ staffId: id }) => staff.every((one) => one.id !== id));
  const rows = [
    ...staff.map(({ id, name }) => ({ id, label: name })),
    ...new Map(former.map(({ staffId: id, staffName }) => [id, { id, label: staffName }])).values(),
  ];
  const move = useMoveCard(rows, services, setMoving);

  return (
    <Page
      title={strings.screens.calendar}
      description={[
        canDrag && mayBook && texts.dragHint,
        canDrag && mayBlock && !(view === 'week' && staffId === undefined) && texts.dragBlockHint,
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
          <EmptyState title={strings.staff.emptyTitle} hint={texts.noStaffHint} icon={UserRoundCog}>
            {mayBlock && <ButtonLink to="/staff">{texts.toStaff}</ButtonLink>}
          </EmptyState>
        }
      >
        {() => (
          <QueryState query={bookings} loading={<Loading lines={8} />}>
            {() =>
              schedules.isPending ? (
                <Loading lines={8} />
              ) : (
                <CalendarView
                  {...{ view, day, days, staffId, rows, cards, schedules, open, move }}
                  canBlock={mayBlock && canDrag}
                  add={setAdding}
                  block={setBlocking}
                />
              )
            }
          </QueryState>
        )}
      </QueryState>
      {added && (
        <NewBooking
          {...added}
          staff={staff}
          services={services.filter(({ active, staffIds }) => active && isPerformed(staffIds, staffList.data?.data))}
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
