/** The drawer of a booking: its details and actions. */
import { Button, Group, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { ErrorNotice } from '../../components/error-notice.tsx';
import { FactList, type FactListProps } from '../../components/fact-list.tsx';
import { FormDrawer, FormFrame, useWait } from '../../components/form-frame.tsx';
import { AnchorLink } from '../../components/link.tsx';
import { QueryState } from '../../components/query-state.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { ZoneNote } from '../../components/zone-note.tsx';
import { useNow } from '../../format/clock.ts';
import { money } from '../../format/money.ts';
import { useTimes } from '../../format/times.ts';
import { periodLabel } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, isOpen, type Segment, serviceOf, staffOf } from './booking.ts';
import { ManageLink } from './manage-link.tsx';
import { MoveBooking } from './move-booking.tsx';

const texts = strings.calendar;

interface BookingDrawerProps {
  readonly id: number;
  onClose(): void;
}

/** The search may open another booking, which must not get the reason, the error or the form of this one. */
export const BookingDrawer = (props: BookingDrawerProps) => <OpenDrawer key={props.id} {...props} />;

function OpenDrawer({ id, onClose }: BookingDrawerProps) {
  const booking = useApi('getBooking', { id });
  const [moving, setMoving] = useState<Booking>();
  return (
    <FormDrawer
      opened
      onClose={onClose}
      isForm={moving !== undefined}
      size="md"
      title={booking.data ? clientOf(booking.data) : strings.bookings.one}
    >
      <QueryState query={booking}>{(found) => <Details booking={found} move={setMoving} />}</QueryState>
      {moving && (
        <MoveBooking move={{ booking: moving, startTime: moving.startTime }} onClose={() => setMoving(undefined)} />
      )}
    </FormDrawer>
  );
}

interface DetailsProps {
  readonly booking: Booking;
  move(booking: Booking): void;
}

function Details({ booking, move }: DetailsProps) {
  const times = useTimes();
  const may = useMay();
  const { id, segments } = booking;
  const isVisit = segments.length > 1;
  const rooms = [...new Set(segments.flatMap(({ resourceName }) => resourceName ?? []))].join(', ');
  const metadata = Object.entries(booking.metadata);
  const facts: FactListProps['facts'] = [
    [texts.service, !isVisit && serviceOf(booking)],
    [texts.member, !isVisit && staffOf(booking)],
    [texts.room, !isVisit && rooms],
    [texts.visit, isVisit && <Segments key="visit" of={segments} />],
    [
      strings.bookings.columns.when,
      `${times.date(booking.startTime)}, ${periodLabel(booking.startTime, booking.endTime, times.zone)}`,
    ],
    [
      strings.clients.one,
      may('desk') ? (
        <AnchorLink key="client" to="/clients/$clientId" params={{ clientId: String(booking.clientId) }}>
          {clientOf(booking)}
        </AnchorLink>
      ) : (
        clientOf(booking)
      ),
    ],
    [strings.clients.phone, booking.client.phone],
    [strings.clients.email, booking.client.email],
    [strings.bookings.columns.price, money(booking.price)],
    [
      strings.screens.payments,
      may('desk') && (
        // The payments of one client are found at once, however many the business has.
        <AnchorLink key="payments" to="/payments" search={{ client: booking.clientId, booking: id }}>
          {strings.clients.toPayments}
        </AnchorLink>
      ),
    ],
    [texts.comment, booking.comment],
    [texts.source, `${texts.sources[booking.source]}, ${times.dateTime(booking.createdAt)}`],
    [texts.reason, booking.cancelReason],
    [strings.bookings.number, id],
    [strings.bookings.externalId, booking.externalId],
    [strings.bookings.metadata, metadata.length > 0 && <Metadata key="metadata" of={metadata} />],
  ];
  return (
    <Stack>
      <div role="status">
        <BookingStatus status={booking.status} />
      </div>
      <FactList facts={facts} />
      {may('owner') && (
        <AnchorLink size="sm" w="fit-content" to="/deliveries" search={{ bookingId: id }}>
          {strings.bookings.messages}
        </AnchorLink>
      )}
      <ZoneNote />
      <Actions booking={booking} move={move} />
    </Stack>
  );
}

/** The actions of a booking. A completed, missed or cancelled booking has none. */
function Actions({ booking, move }: DetailsProps) {
  const may = useMay();
  const confirm = useApiMutation('confirmBooking');
  const complete = useApiMutation('completeBooking');
  const noShow = useApiMutation('markNoShow');
  // Undefined until the form has been open once.
  const [isCancelling, setCancelling] = useState<boolean>();
  const hasBegun = Date.parse(booking.startTime) <= useNow();
  const { id } = booking;
  const changes = [confirm, complete, noShow];
  const isBusy = changes.some(({ isPending }) => isPending);
  useWait(() => changes.some(({ isSending }) => isSending()));
  const last = changes.reduce((one, other) => (other.submittedAt > one.submittedAt ? other : one));
  return (
    <>
      <ErrorNotice error={last.error} />
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
          <Button variant="subtle" color="red" autoFocus={isCancelling === false} onClick={() => setCancelling(true)}>
            {texts.cancelBooking}
          </Button>
        </Group>
      )}
      {isOpen(booking) && !isCancelling && may('desk') && <ManageLink booking={booking} hasBegun={hasBegun} />}
      {isOpen(booking) && isCancelling && <CancelForm booking={booking} onClose={() => setCancelling(false)} />}
    </>
  );
}

function CancelForm({ booking: { id, client }, onClose }: { readonly booking: Booking; onClose(): void }) {
  const api = useApiForm({
    operation: 'cancelBooking',
    initialValues: { reason: '' },
    toInput: ({ reason }) => ({ id, ...(reason && { reason }) }),
    onDone: onClose,
  });
  return (
    <FormFrame api={api} verb={texts.cancelBooking} back={texts.keep} isDangerous onClose={onClose}>
      <Text>{texts.cancelText(client.name)}</Text>
      <TextInput label={texts.reason} autoFocus {...api.form.getInputProps('reason')} />
    </FormFrame>
  );
}

/** The metadata that integrations store with the booking, by name. */
function Metadata({ of: entries }: { readonly of: readonly (readonly [name: string, value: string])[] }) {
  return entries.map(([name, value]) => (
    <Text key={name} inherit style={{ overflowWrap: 'anywhere' }}>
      <Text span inherit c="dimmed">{`${name}: `}</Text>
      {value}
    </Text>
  ));
}

/** The services of a visit, each with its time, member and room. */
function Segments({ of: segments }: { readonly of: readonly Segment[] }) {
  const { zone } = useTimes();
  return (
    <Stack gap={6}>
      {segments.map(({ serviceName, staffName, resourceName, startTime, endTime }) => (
        <div key={startTime}>
          <Text inherit fw={600}>
            {`${periodLabel(startTime, endTime, zone)} ${serviceName}`}
          </Text>
          <DimmedText>{[staffName, resourceName].filter(Boolean).join(', ')}</DimmedText>
        </div>
      ))}
    </Stack>
  );
}
