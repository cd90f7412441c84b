/** The bookings of today, by time. */
import { Box, Table } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf, serviceOf, staffOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';

const texts = strings.overview;
const { columns } = strings.bookings;
const shownBookings = 12;

export function Today({ bookings }: { readonly bookings: Answer<'listBookings'>['data'] }) {
  const { time } = useTimes();
  return (
    <>
      <Table horizontalSpacing="xs" className="flush">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{columns.when}</Table.Th>
            <Table.Th>{columns.client}</Table.Th>
            <Table.Th visibleFrom="sm">{columns.service}</Table.Th>
            <Table.Th visibleFrom="md">{columns.staff}</Table.Th>
            <Table.Th visibleFrom="xs">{columns.status}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {bookings.slice(0, shownBookings).map((booking) => (
            <Table.Tr key={booking.id} className="row-link-row">
              <Table.Td fw={600} style={{ whiteSpace: 'nowrap' }}>
                {time(booking.startTime)}
              </Table.Td>
              <Table.Td>
                <BookingLink booking={booking} className="row-link">
                  {clientOf(booking)}
                </BookingLink>
                <Box hiddenFrom="xs">
                  <BookingStatus status={booking.status} />
                </Box>
              </Table.Td>
              <Table.Td visibleFrom="sm">{serviceOf(booking)}</Table.Td>
              <Table.Td visibleFrom="md">{staffOf(booking)}</Table.Td>
              <Table.Td visibleFrom="xs">
                <BookingStatus status={booking.status} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {bookings.length > shownBookings && <DimmedText>{texts.more}</DimmedText>}
    </>
  );
}
