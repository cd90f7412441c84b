/** The bookings of today, by time. */
import type { Answer } from '../../api/call.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { useNow } from '../../format/clock.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf, staffOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { shownToday } from './shown-today.ts';

const texts = strings.overview;
const { columns: names } = strings.bookings;
const shownBookings = 12;

export function Today({ bookings }: { readonly bookings: Answer<'listBookings'>['data'] }) {
  const { time } = useTimes();
  const now = useNow();
  const columns: readonly Column<Booking>[] = [
    // Beside a long name, a time would break before its last digit.
    { name: names.when, cell: ({ startTime }) => <span style={{ whiteSpace: 'nowrap' }}>{time(startTime)}</span> },
    {
      name: names.client,
      cell: (booking) => (
        <BookingLink booking={booking} className="row-link">
          {clientOf(booking)}
        </BookingLink>
      ),
    },
    { name: names.service, visibleFrom: 'sm', cell: serviceOf },
    { name: names.staff, visibleFrom: 'md', cell: staffOf },
    { name: names.status, cell: ({ status }) => <BookingStatus status={status} /> },
  ];
  return (
    <>
      <TableList
        label={texts.today}
        columns={columns}
        entries={shownToday(bookings, now, shownBookings)}
        keyOf={({ id }) => id}
      />
      {bookings.length > shownBookings && <DimmedText>{texts.more}</DimmedText>}
    </>
  );
}
