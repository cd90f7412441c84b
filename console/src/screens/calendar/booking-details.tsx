/** A booking that is open: what it is, and what can become of it. */
import { Anchor, Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useApi, useChange } from '../../api/hooks.ts';
import { useNow } from '../../format/clock.ts';
import { money } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { BookingStatus } from '../../parts/booking-status.tsx';
import { ErrorNotice } from '../../parts/error-notice.tsx';
import { FactList, type FactListProps } from '../../parts/fact-list.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, isOpen } from './bookings.ts';

export interface BookingDetailsProps {
  readonly id: number;
  move(booking: Booking): void;
  onClose(): void;
}

export function BookingDetails({ id, move, onClose }: BookingDetailsProps) {
  const booking = useApi('getBooking', { id });
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      title={booking.data ? clientOf(booking.data) : strings.screens.calendar}
    >
      <QueryState query={booking}>{(found) => <Details booking={found} move={move} />}</QueryState>
    </Drawer>
  );
}

function Details({ booking, move }: { readonly booking: Booking; move(booking: Booking): void }) {
  const times = useTimes();
  const words = strings.calendar;
  const confirm = useChange('confirmBooking');
  const complete = useChange('completeBooking');
  const noShow = useChange('markNoShow');
  const cancel = useChange('cancelBooking');
  const [isCancelling, setCancelling] = useState(false);
  const [reason, setReason] = useState('');
  const { id } = booking;
  const changes = [confirm, complete, noShow, cancel];
  const error: ApiError | null = changes.find((change) => change.error)?.error ?? null;
  const isBusy = changes.some(({ isPending }) => isPending);
  const hasBegun = Date.parse(booking.startTime) <= useNow();
  const facts: FactListProps['facts'] = [
    [words.service, booking.serviceName],
    [words.staff, booking.staffName],
    [words.start, `${times.date(booking.startTime)}, ${times.time(booking.startTime)}–${times.time(booking.endTime)}`],
    [
      words.client,
      <Anchor
        key="client"
        renderRoot={(props) => (
          <Link to="/clients/$clientId" params={{ clientId: String(booking.clientId) }} {...props} />
        )}
      >
        {clientOf(booking)}
      </Anchor>,
    ],
    [words.phone, booking.client.phone],
    [words.email, booking.client.email],
    [words.price, money(booking.price)],
    [words.comment, booking.comment],
    [words.source, `${words.sources[booking.source]}, ${times.dateTime(booking.createdAt)}`],
    [words.reason, booking.cancelReason],
  ];
  return (
    <Stack>
      <BookingStatus status={booking.status} />
      <FactList facts={facts} />
      <Text size="xs" c="dimmed">
        {strings.app.inZone(times.zone)}
      </Text>
      <ErrorNotice error={error} />
      {isOpen(booking) && !isCancelling && (
        <Group gap="sm">
          {booking.status === 'pending' && (
            <Button onClick={() => confirm.mutate({ id })} loading={confirm.isPending} disabled={isBusy}>
              {words.confirm}
            </Button>
          )}
          {booking.status === 'confirmed' && hasBegun && (
            <>
              <Button onClick={() => complete.mutate({ id })} loading={complete.isPending} disabled={isBusy}>
                {words.complete}
              </Button>
              <Button
                variant="light"
                onClick={() => noShow.mutate({ id })}
                loading={noShow.isPending}
                disabled={isBusy}
              >
                {words.noShow}
              </Button>
            </>
          )}
          <Button variant="default" onClick={() => move(booking)}>
            {words.move}
          </Button>
          <Button variant="subtle" color="red" onClick={() => setCancelling(true)}>
            {words.cancelBooking}
          </Button>
        </Group>
      )}
      {isOpen(booking) && isCancelling && (
        <Stack gap="sm">
          <Text>{words.cancelAbout(booking.client.name)}</Text>
          <TextInput
            label={words.reason}
            value={reason}
            onChange={({ currentTarget }) => setReason(currentTarget.value)}
            autoFocus
          />
          <Group>
            <Button
              color="red"
              loading={cancel.isPending}
              onClick={() => cancel.mutate({ id, ...(reason && { reason }) })}
            >
              {words.cancelBooking}
            </Button>
            <Button variant="default" onClick={() => setCancelling(false)}>
              {words.keep}
            </Button>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
