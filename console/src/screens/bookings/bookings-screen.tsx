/** The list of bookings: upcoming, unconfirmed, past or cancelled. */
import { Group, SegmentedControl, Select } from '@mantine/core';
import { CalendarDays, CalendarPlus } from 'lucide-react';
import { useState } from 'react';
import type { Input } from '../../api/call.ts';
import { useWholeList } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { bookingLists } from '../../app/search.ts';
import { useScreenSearch } from '../../app/use-screen-search.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { choicesOf, isSearched } from '../../components/choices.ts';
import { DateTime } from '../../components/date-time.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { type Beside, ExportCsv } from '../../components/export-csv.tsx';
import { ButtonLink, RowLink } from '../../components/link.tsx';
import { Page } from '../../components/page.tsx';
import type { Column } from '../../components/table-list.tsx';
import { now, useNow } from '../../format/clock.ts';
import { startOfDay } from '../../format/days.ts';
import { money, plainMoney } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf, staffOf } from './booking.ts';
import { BookingDrawer } from './booking-drawer.tsx';
import { BookingList, dayMs, instant, type Period, periodsBefore } from './booking-list.tsx';
import { BookingSearch } from './booking-search.tsx';

const texts = strings.bookings;
/** The age of the oldest booking in a list with the newest first, in days. */
const oldestDays = 90;
const hourMs = 3_600_000;
/** Where the periods of such a list end, in days before now. */
const periodsOfDays = [0, 2, 8, 30, oldestDays];

interface List {
  readonly filters: NonNullable<Input<'listBookings'>>;
  readonly newestFirst: boolean;
}

/** The request of each list. `at` is the current time, `today` the start of the day, as in the count of the overview. */
const lists = {
  upcoming: (at) => ({ filters: { from: instant(at) }, newestFirst: false }),
  pending: (_, today) => ({ filters: { from: today, status: 'pending' }, newestFirst: false }),
  past: (at) => ({ filters: { from: instant(at - oldestDays * dayMs), to: instant(at) }, newestFirst: true }),
  cancelled: (at) => ({ filters: { from: instant(at - oldestDays * dayMs), status: 'cancelled' }, newestFirst: true }),
} as const satisfies Record<(typeof bookingLists)[number], (at: number, today: string) => List>;

/** The newest period of a list without an end has none either. */
function periodsOf({ to }: List['filters'], at: number): readonly Period[] {
  return periodsBefore(at, periodsOfDays).map((period, i) => (i === 0 ? { from: period.from, to } : period));
}

const csvColumns = {
  id: ({ id }: Booking) => id,
  startTime: ({ startTime }: Booking, { time }: Beside) => time(startTime),
  endTime: ({ endTime }: Booking, { time }: Beside) => time(endTime),
  status: ({ status }: Booking) => status,
  client: clientOf,
  service: serviceOf,
  staff: staffOf,
  price: ({ price }: Booking) => plainMoney(price),
  currency: ({ price }: Booking) => price.currency,
};

export function BookingsScreen() {
  const { zone, day } = useTimes();
  const [{ show = 'upcoming', staff: staffId, client, booking: opened }, set] = useScreenSearch('/bookings');
  const may = useMay();
  const staff = useWholeList('listStaff');
  // The time when the list was chosen, renewed each hour: the query must not change each minute.
  const since = `${show} ${Math.floor(useNow() / hourMs)}`;
  const [chosen, setChosen] = useState({ since, at: now() });
  if (chosen.since !== since) setChosen({ since, at: now() });
  const { at } = chosen;
  const { filters, newestFirst }: List = lists[show](at, startOfDay(day(at), zone));
  // Cancelled bookings have their own list and are not upcoming.
  const isShown = (booking: Booking) => show !== 'upcoming' || booking.status !== 'cancelled';
  const query = { ...filters, staffId, clientId: client };
  const isFiltered = staffId !== undefined || client !== undefined;
  return (
    <Page
      title={strings.screens.bookings}
      description={strings.app.inZone(zone)}
      actions={
        <>
          <ExportCsv
            list="listBookings"
            input={query}
            fileName={`bookings-${show}`}
            isShown={isShown}
            columns={csvColumns}
          />
          {may('desk') && (
            <ButtonLink to="/calendar" search={{ add: true }} leftSection={<CalendarPlus size={18} />}>
              {strings.calendar.newBooking}
            </ButtonLink>
          )}
        </>
      }
    >
      <Group gap="sm" align="flex-end">
        <SegmentedControl
          aria-label={texts.list}
          data={bookingLists.map((value) => ({ value, label: texts.lists[value] }))}
          value={show}
          onChange={(value) => set({ show: bookingLists.find((one) => one === value) })}
        />
        {/* A member sees only their own bookings. */}
        {may('desk') && (
          <Select
            w={180}
            aria-label={texts.columns.staff}
            placeholder={texts.anyStaff}
            clearable
            data={choicesOf(staff.data?.data)}
            searchable={isSearched(staff.data?.data)}
            value={staffId === undefined ? null : String(staffId)}
            onChange={(value) => set({ staff: value === null ? undefined : Number(value) })}
          />
        )}
        <BookingSearch
          client={client}
          onClient={(id) => set({ client: id })}
          onBooking={(id) => set({ booking: id })}
        />
      </Group>
      <BookingList
        key={show}
        label={strings.screens.bookings}
        input={query}
        periods={newestFirst ? periodsOf(filters, at) : undefined}
        isShown={isShown}
        isFiltered={isFiltered}
        columns={columns}
        empty={
          <EmptyState
            icon={CalendarDays}
            title={texts.empty[show]}
            hint={isFiltered ? texts.filteredHint : texts.emptyHint}
          >
            <ButtonLink to="/calendar">{texts.toCalendar}</ButtonLink>
          </EmptyState>
        }
      />
      {opened !== undefined && <BookingDrawer id={opened} onClose={() => set({ booking: undefined })} />}
    </Page>
  );
}

const columns: readonly Column<Booking>[] = [
  {
    name: texts.columns.when,
    cell: ({ id, startTime }) => (
      <RowLink from="/bookings" to="/bookings" search={(old) => ({ ...old, booking: id })} resetScroll={false}>
        <DateTime at={startTime} withWeekday />
      </RowLink>
    ),
  },
  { name: texts.columns.client, visibleFrom: 'sm', isFolded: true, cell: clientOf },
  { name: texts.columns.service, visibleFrom: 'sm', isFolded: true, cell: serviceOf },
  { name: texts.columns.staff, visibleFrom: 'md', cell: staffOf },
  { name: texts.columns.price, visibleFrom: 'lg', isNumeric: true, cell: ({ price }) => money(price) },
  { name: texts.columns.status, cell: ({ status }) => <BookingStatus status={status} /> },
];
