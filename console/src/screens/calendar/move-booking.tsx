/** The form that moves a booking. Also shown after a refused drag. */
import { Modal, Select, Text } from '@mantine/core';
import type { ApiError } from '../../api/errors.ts';
import { FormFrame } from '../../components/form-frame.tsx';
import { notify } from '../../components/notify.ts';
import { useApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './bookings.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields, startValues } from './start-fields.tsx';

const texts = strings.calendar;

export interface Move {
  readonly booking: Booking;
  readonly startTime: string;
  readonly staffId: number;
  /** The error of a refused drag. */
  readonly refused?: ApiError;
}

export interface MoveBookingProps {
  readonly move: Move;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  onClose(): void;
}

export function MoveBooking({ move: { booking, startTime, staffId, refused }, staff, onClose }: MoveBookingProps) {
  const times = useTimes();
  const { zone } = times;
  const { id, serviceId } = booking;
  const sent = useApiForm({
    operation: 'rescheduleBooking',
    initialValues: { ...startValues(startTime, zone), staffId: String(staffId) },
    validate: ({ time }) => ({ time: free.starts.has(time) ? undefined : texts.chooseStart }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    toInput: ({ time, staffId: member }) => ({
      id,
      startTime: free.starts.get(time) ?? '',
      staffId: Number(member),
    }),
    onSuccess: (moved) => {
      notify(texts.moved(clientOf(moved), `${times.date(moved.startTime)}, ${times.time(moved.startTime)}`));
      onClose();
    },
  });
  const { form } = sent;
  const free = useFreeStarts(
    { serviceId, staffId: Number(form.values.staffId), day: form.values.day, movingBookingId: id },
    zone,
  );
  // The error of the drag stays until another time is chosen.
  const api = { ...sent, error: sent.error ?? (form.isDirty() ? null : (refused ?? null)) };
  return (
    <Modal opened onClose={onClose} title={texts.moveTitle} closeOnClickOutside={false}>
      <FormFrame api={api} verb={texts.move} onClose={onClose} shown={['slot_unavailable']}>
        <Text>{`${clientOf(booking)} · ${booking.serviceName}`}</Text>
        <Select
          label={texts.staff}
          data={staff.map(({ id: value, name }) => ({ value: String(value), label: name }))}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('staffId')}
        />
        <StartFields api={api} free={free} />
      </FormFrame>
    </Modal>
  );
}
