/** The bookings of a client: upcoming ones first, then past ones, newest first. */
import { Text } from '@mantine/core';
import { useState } from 'react';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DateTime } from '../../components/date-time.tsx';
import { Section } from '../../components/section.tsx';
import type { Column } from '../../components/table-list.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { now } from '../../format/clock.ts';
import { money } from '../../format/money.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, serviceOf, staffOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { BookingList, instant, periodsBefore } from '../bookings/booking-list.tsx';

const texts = strings.clients;
/** Where the periods of past bookings end, in days before now. Earlier bookings are one more period. */
const periodsOfDays = [0, 90, 365];

export function ClientHistory({ clientId }: { readonly clientId: number }) {
  // The time is constant, so that the query does not change with each render.
  const [opened] = useState(now);
  const year = periodsBefore(opened, periodsOfDays);
  const sections = [
    { title: texts.upcoming, none: texts.noUpcoming, input: { clientId, from: instant(opened) } },
    { title: texts.past, none: texts.noPast, input: { clientId }, periods: [...year, { to: year.at(-1)?.from }] },
  ];
  return (
    <>
      {sections.map(({ title, none, ...list }) => (
        <Section key={title} title={title} isPlain>
          <BookingList label={title} columns={columns} empty={<Text c="dimmed">{none}</Text>} {...list} />
        </Section>
      ))}
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
