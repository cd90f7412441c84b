/** The drawer of a booking: its details and actions. */
import { Anchor, Button, Drawer, Group, Stack, Text, TextInput } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactList, type FactListProps } from '../../components/fact-list.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { useNow } from '../../format/clock.ts';
import { money } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, isOpen, serviceOf } from './booking.ts';
import { ManageLink } from './manage-link.tsx';
import { MoveBooking } from './move-booking.tsx';

export interface BookingDrawerProps {
  readonly id: number;
  onClose(): void;
}

export function BookingDrawer({ id, onClose }: BookingDrawerProps) {
  const booking = useApi('getBooking', { id });
  const [moving, setMoving] = useState<Booking>();
  return (
    <Drawer
      opened
      onClose={onClose}
      closeOnEscape={moving === undefined}
      title={booking.data ? clientOf(booking.data) : strings.screens.calendar}
    >
      <QueryState query={booking}>{(found) => <Details booking={found} move={setMoving} />}</QueryState>
      {moving && (
        <MoveBooking
          move={{ booking: moving, startTime: moving.startTime, staffId: moving.staffId }}
          onClose={() => setMoving(undefined)}
        />
      )}
    </Drawer>
  );
}

function Details({ booking, move }: { readonly booking: Booking; move(booking: Booking): void }) {
  const times = useTimes();
  const texts = strings.calendar;
  const may = useMay();
  const confirm = useApiMutation('confirmBooking');
  const complete = useApiMutation('completeBooking');
  const noShow = useApiMutation('markNoShow');
  const cancel = useApiMutation('cancelBooking');
  const [isCancelling, setCancelling] = useState(false);
  const [reason, setReason] = useState('');
  const { id } = booking;
  const changes = [confirm, complete, noShow, cancel];
  const error: ApiError | null = changes.find((change) => change.error)?.error ?? null;
  const isBusy = changes.some(({ isPending }) => isPending);
  const hasBegun = Date.parse(booking.startTime) <= useNow();
  const facts: FactListProps['facts'] = [
    [texts.service, serviceOf(booking)],
    [texts.staff, booking.staffName],
    [texts.start, `${times.date(booking.startTime)}, ${times.time(booking.startTime)}–${times.time(booking.endTime)}`],
    [
      texts.client,
      may('desk') ? (
        <Anchor
          key="client"
          renderRoot={(props) => (
            <Link to="/clients/$clientId" params={{ clientId: String(booking.clientId) }} {...props} />
          )}
        >
          {clientOf(booking)}
        </Anchor>
      ) : (
        clientOf(booking)
      ),
    ],
    [texts.phone, booking.client.phone],
    [texts.email, booking.client.email],
    [texts.price, money(booking.price)],
    [texts.comment, booking.comment],
    [texts.source, `${texts.sources[booking.source]}, ${times.dateTime(booking.createdAt)}`],
    [texts.reason, booking.cancelReason],
    [strings.bookings.number, id],
  ];
  return (
    <Stack>
      <BookingStatus status={booking.status} />
      <FactList facts={facts} />
      {may('owner') && (
        <Anchor
          size="sm"
          w="fit-content"
          renderRoot={(props) => <Link to="/deliveries" search={{ bookingId: id }} {...props} />}
        >
          {strings.bookings.messages}
        </Anchor>
      )}
      <Text size="xs" c="dimmed">
        {strings.app.inZone(times.zone)}
      </Text>
      <ErrorNotice error={error} />
      {isOpen(booking) && !isCancelling && (
        <Group gap="sm">
          {booking.status === 'pending' && (
            <Button onClick={() => confirm.mutate({ id })} loading={confirm.isPending} disabled={isBusy}>
              {texts.confirm}
            </Button>
          )}
          {booking.status === 'confirmed' && hasBegun && (
            <>
              <Button onClick={() => complete.mutate({ id })} loading={complete.isPending} disabled={isBusy}>
                {texts.complete}
              </Button>
              <Button
                variant="light"
                onClick={() => noShow.mutate({ id })}
                loading={noShow.isPending}
                disabled={isBusy}
              >
                {texts.noShow}
              </Button>
            </>
          )}
          {may('desk') && (
            <Button variant="default" onClick={() => move(booking)}>
              {texts.move}
            </Button>
          )}
          <Button variant="subtle" color="red" onClick={() => setCancelling(true)}>
            {texts.cancelBooking}
          </Button>
        </Group>
      )}
      {isOpen(booking) && !isCancelling && !hasBegun && may('desk') && <ManageLink booking={booking} />}
      {isOpen(booking) && isCancelling && (
        <Stack gap="sm">
          <Text>{texts.cancelText(booking.client.name)}</Text>
          <TextInput
            label={texts.reason}
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
              {texts.cancelBooking}
            </Button>
            <Button variant="default" onClick={() => setCancelling(false)}>
              {texts.keep}
            </Button>
          </Group>
        </Stack>
      )}
    </Stack>
  );
}
