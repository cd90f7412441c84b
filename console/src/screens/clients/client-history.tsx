/** The bookings of a client: upcoming ones first, then past ones, newest first. */
import { Button, Center, Stack, Text, Title } from '@mantine/core';
import { getRouteApi } from '@tanstack/react-router';
import { useState } from 'react';
import type { Input } from '../../api/call.ts';
import { useApiList } from '../../api/hooks.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { CursorList } from '../../components/cursor-list.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { now } from '../../format/clock.ts';
import { money } from '../../format/money.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, serviceOf, staffOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';

const texts = strings.clients;
const route = getRouteApi('/clients/$clientId');
const limit = 100;
const yearMs = 365 * 86_400_000;
/** Reads up to 2,000 bookings of a year, so that the newest can come first. */
const pagesAtOnce = 20;

export function ClientHistory({ clientId }: { readonly clientId: number }) {
  const { all } = route.useSearch();
  const navigate = route.useNavigate();
  // The time is constant, so that the query does not change with each render.
  const [opened] = useState(now);
  const past = { to: new Date(opened).toISOString(), ...(!all && { from: new Date(opened - yearMs).toISOString() }) };
  return (
    <>
      <Bookings
        title={texts.upcoming}
        none={texts.noUpcoming}
        input={{ clientId, from: new Date(opened).toISOString(), limit }}
      />
      <Bookings
        title={all ? texts.pastAll : texts.past}
        none={texts.noPast}
        input={{ clientId, ...past, limit }}
        newestFirst
      />
      {!all && (
        <Center>
          <Button
            variant="default"
            onClick={() => void navigate({ search: { all: true }, replace: true, resetScroll: false })}
          >
            {texts.showAll}
          </Button>
        </Center>
      )}
      <ZoneNote />
    </>
  );
}

const { columns: names } = strings.bookings;
const columns: readonly Column<Booking>[] = [
  {
    name: names.when,
    cell: (booking) => (
      <BookingLink booking={booking} className="row-link" fw={600}>
        <DateTime at={booking.startTime} />
      </BookingLink>
    ),
  },
  { name: names.service, visibleFrom: 'sm', isFolded: true, cell: serviceOf },
  { name: names.staff, visibleFrom: 'sm', isFolded: true, cell: staffOf },
  { name: names.price, visibleFrom: 'md', isNumeric: true, cell: ({ price }) => money(price) },
  { name: names.status, cell: ({ status }) => <BookingStatus status={status} /> },
];

interface BookingsProps {
  readonly title: string;
  readonly none: string;
  readonly input: Input<'listBookings'>;
  readonly newestFirst?: boolean;
}

function Bookings({ title, none, input, newestFirst = false }: BookingsProps) {
  const bookings = useApiList('listBookings', input, { pagesAtOnce });
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      <Title order={2}>{title}</Title>
      <CursorList list={bookings} empty={<Text c="dimmed">{none}</Text>}>
        {(entries) => (
          <TableList
            label={title}
            columns={columns}
            entries={newestFirst ? entries.toReversed() : entries}
            keyOf={({ id }) => id}
          />
        )}
      </CursorList>
    </Stack>
  );
}
