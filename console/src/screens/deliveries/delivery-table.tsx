/** A table of deliveries with their subject, newest attempt and current state. */
import { Box, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useByIds } from '../../api/hooks.ts';
import { nameOf } from '../../components/client-name.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { RowLink } from '../../components/link.tsx';
import { type Column, TableList } from '../../components/table-list.tsx';
import { useAgo, useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { answerOf, Outcome } from './outcome.tsx';

const texts = strings.deliveries;

type Delivery = Answer<'listAllDeliveries'>['data'][number];

interface DeliveryTableProps {
  /** The newest deliveries first, from a list by delivery. */
  readonly deliveries: readonly Delivery[];
  /** The URL of each webhook. Without it there is no column of webhooks. */
  readonly targets?: ReadonlyMap<number, string>;
}

export function DeliveryTable({ deliveries, targets }: DeliveryTableProps) {
  const { exact } = useTimes();
  const ago = useAgo();
  const bookings = useByIds(
    'listBookings',
    deliveries.map(({ bookingId }) => bookingId),
  );
  const clients = useByIds(
    'listClients',
    deliveries.map(({ bookingId, clientId }) => (bookingId ? null : clientId)),
  );
  const columns: readonly Column<Delivery>[] = [
    {
      name: texts.columns.event,
      cell: (delivery) => (
        <>
          <RowLink
            to="/deliveries"
            search={(old) => ({
              ...(targets ? old : { webhookId: delivery.webhookId }),
              delivery: delivery.deliveryId,
            })}
            resetScroll={false}
          >
            <EventName name={delivery.event} />
          </RowLink>
          <About delivery={delivery} bookings={bookings} clients={clients} />
          <DimmedText size="xs">
            {texts.attempt(delivery.attemptNumber)}
            <Text span inherit hiddenFrom="sm">{` · ${ago(delivery.plannedAt ?? delivery.createdAt)}`}</Text>
          </DimmedText>
        </>
      ),
    },
    {
      name: texts.columns.webhook,
      visibleFrom: 'lg',
      cell: ({ webhookId: id }) => <Target url={targets?.get(id)} id={id} />,
    },
    { name: texts.columns.answer, visibleFrom: 'sm', cell: answerOf },
    {
      name: texts.columns.status,
      cell: ({ deliveryStatus, nextAttemptAt }) => <Outcome status={deliveryStatus} nextAttemptAt={nextAttemptAt} />,
    },
    {
      name: texts.columns.when,
      visibleFrom: 'sm',
      cell: ({ plannedAt, createdAt }) => <span className="one-line">{exact(plannedAt ?? createdAt)}</span>,
    },
  ];
  return (
    <TableList
      label={strings.screens.deliveries}
      columns={targets ? columns : columns.filter(({ name }) => name !== texts.columns.webhook)}
      entries={deliveries}
      keyOf={({ deliveryId }) => deliveryId}
    />
  );
}

interface AboutProps {
  readonly delivery: Delivery;
  readonly bookings: ReadonlyMap<number, Booking>;
  readonly clients: ReadonlyMap<number, Answer<'getClient'>>;
}

/** Links to the booking, otherwise shows the client. */
function About({ delivery: { bookingId, clientId }, bookings, clients }: AboutProps) {
  const { when } = useTimes();
  const booking = bookings.get(bookingId ?? 0);
  if (booking) {
    return (
      <BookingLink booking={booking} className="above-row-link">
        {`${clientOf(booking)} · ${serviceOf(booking)} · ${when(booking.startTime)}`}
      </BookingLink>
    );
  }
  if (!clientId || bookingId) return null;
  return (
    <Text size="sm" mih="1lh">
      {nameOf(clients.get(clientId))}
    </Text>
  );
}

/** A name that is too long for a phone breaks after the dot. */
function EventName({ name }: { readonly name: string }) {
  const [group, action] = name.split('.');
  return (
    <>
      {group}
      {action && (
        <>
          .<wbr />
          {action}
        </>
      )}
    </>
  );
}

/** Host and path are on separate lines, because URLs often differ only in their path. An unknown URL is shown as id. */
function Target({ url, id }: { readonly url: string | undefined; readonly id: number }) {
  if (url === undefined || !URL.canParse(url))
    return <Text size="sm">{url === undefined ? id : strings.webhooks.addressOf(url)}</Text>;
  const { host, pathname, search } = new URL(url);
  return (
    <Box maw={208}>
      <Text size="sm" truncate>
        {host}
      </Text>
      <DimmedText size="xs" truncate>
        {pathname === '/' ? search : pathname + search}
      </DimmedText>
    </Box>
  );
}
