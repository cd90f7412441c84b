/** A table of deliveries with their subject, newest attempt and current state. */
import { Paper, Table, Text } from '@mantine/core';
import type { Answer } from '../../api/call.ts';
import { useByIds } from '../../api/hooks.ts';
import { nameOf } from '../../components/client-name.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { RowLink } from '../../components/link.tsx';
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
  return (
    <Paper p={0} style={{ overflowX: 'auto' }}>
      <Table highlightOnHover>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{texts.columns.event}</Table.Th>
            {targets && <Table.Th visibleFrom="lg">{texts.columns.webhook}</Table.Th>}
            <Table.Th visibleFrom="sm">{texts.columns.answer}</Table.Th>
            <Table.Th>{texts.columns.status}</Table.Th>
            <Table.Th visibleFrom="sm">{texts.columns.when}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {deliveries.map((delivery) => (
            <Table.Tr key={delivery.deliveryId} className="row-link-row">
              <Table.Td>
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
              </Table.Td>
              {targets && (
                <Table.Td visibleFrom="lg" maw={240}>
                  <Target url={targets.get(delivery.webhookId)} id={delivery.webhookId} />
                </Table.Td>
              )}
              <Table.Td visibleFrom="sm">{answerOf(delivery)}</Table.Td>
              <Table.Td>
                <Outcome status={delivery.deliveryStatus} nextAttemptAt={delivery.nextAttemptAt} />
              </Table.Td>
              <Table.Td visibleFrom="sm" style={{ whiteSpace: 'nowrap' }}>
                {exact(delivery.plannedAt ?? delivery.createdAt)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Paper>
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
    <>
      <Text size="sm" truncate>
        {host}
      </Text>
      <DimmedText size="xs" truncate>
        {pathname === '/' ? search : pathname + search}
      </DimmedText>
    </>
  );
}
