/** The form that moves a booking. Also shown after a refused drag. */
import { Select, Text } from '@mantine/core';
import type { ApiError } from '../../api/errors.ts';
import { useApi } from '../../api/hooks.ts';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './booking.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields, startValues } from './start-fields.tsx';
import { useMoveNotice } from './use-move-notice.ts';

const texts = strings.calendar;

export interface Move {
  readonly booking: Booking;
  readonly startTime: string;
  readonly staffId: number;
  /** The error of a refused drag. */
  readonly refused?: ApiError;
  /** Why it was refused, if known. */
  readonly reason?: string | undefined;
}

export interface MoveBookingProps {
  readonly move: Move;
  onClose(): void;
}

/** Lists the staff who offer the service, and the one who has the booking. */
export function MoveBooking({ move, onClose }: MoveBookingProps) {
  const staff = useApi('listStaff', { limit: 100 });
  const services = useApi('listServices', { limit: 100 });
  const notifyMoved = useMoveNotice();
  const { booking, startTime, staffId, refused, reason } = move;
  const { zone } = useTimes();
  const { id, serviceId } = booking;
  const sent = useApiForm({
    operation: 'rescheduleBooking',
    initialValues: { ...startValues(startTime, zone), staffId: String(staffId) },
    validate: ({ time }) => ({ time: free.starts.has(time) ? undefined : texts.chooseStart }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    toInput: ({ time, staffId: member }) => ({ id, startTime: free.starts.get(time) ?? '', staffId: Number(member) }),
    onSuccess: (moved) => {
      notifyMoved(booking, moved);
      onClose();
    },
  });
  const { form } = sent;
  const free = useFreeStarts(
    { serviceId, staffId: Number(form.values.staffId), day: form.values.day, movingBookingId: id },
    zone,
  );
  const offeredBy = services.data?.data.find(({ id: service }) => service === serviceId)?.staffIds;
  const others = staff.data?.data.filter(({ id: member, active }) => active && offeredBy?.includes(member)) ?? [];
  const able = [
    { id: booking.staffId, name: booking.staffName },
    ...others.filter(({ id: member }) => member !== booking.staffId),
  ];
  // The error of the drag stays until another time is chosen.
  const api = { ...sent, error: sent.error ?? (form.isDirty() ? null : (refused ?? null)) };
  return (
    <FormModal opened onClose={onClose} title={texts.moveTitle} size="md">
      <FormFrame api={api} verb={texts.move} onClose={onClose} shown={['slot_unavailable']}>
        <Text>{`${clientOf(booking)} · ${booking.serviceName}`}</Text>
        <Select
          label={texts.staff}
          data={able.map(({ id: value, name }) => ({ value: String(value), label: name }))}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('staffId')}
        />
        <StartFields api={api} free={free} reason={api.error === refused ? reason : undefined} />
      </FormFrame>
    </FormModal>
  );
}
