/** Moves a booking by a form: the way of whoever does not drag, and of a drag that met somebody else's time. */
import { Modal, Select, Text } from '@mantine/core';
import type { ApiError } from '../../api/errors.ts';
import { useChange } from '../../api/hooks.ts';
import { useTimes } from '../../format/times.ts';
import { FormFrame } from '../../parts/form-frame.tsx';
import { said } from '../../parts/said.ts';
import { useApiForm } from '../../parts/use-api-form.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './bookings.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields, startValues } from './start-fields.tsx';

const words = strings.calendar;

export interface Move {
  readonly booking: Booking;
  readonly startTime: string;
  readonly staffId: number;
  /** Of a drag that was refused. */
  readonly refused?: ApiError;
}

export interface MoveBookingProps {
  readonly move: Move;
  readonly staff: readonly { readonly id: number; readonly name: string }[];
  onClose(): void;
}

export function MoveBooking({ move: { booking, startTime, staffId, refused }, staff, onClose }: MoveBookingProps) {
  const { zone } = useTimes();
  const { id, serviceId } = booking;
  const reschedule = useChange('rescheduleBooking');
  const sent = useApiForm({
    initialValues: { ...startValues(startTime, zone), staffId: String(staffId) },
    validate: ({ time }) => ({ time: free.starts.has(time) ? undefined : words.chooseStart }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    send: ({ time, staffId: member }) =>
      reschedule.mutateAsync({ id, startTime: free.starts.get(time) ?? '', staffId: Number(member) }),
    onDone: () => {
      said(words.moved);
      onClose();
    },
  });
  const { form } = sent;
  const free = useFreeStarts(
    { serviceId, staffId: Number(form.values.staffId), day: form.values.day, movingBookingId: id },
    zone,
  );
  // Until another time is chosen, it is the drag that was refused.
  const api = { ...sent, error: sent.error ?? (form.isDirty() ? null : (refused ?? null)) };
  return (
    <Modal opened onClose={onClose} title={words.moveTitle} closeOnClickOutside={false}>
      <FormFrame api={api} verb={words.move} onClose={onClose} shown={['slot_unavailable']}>
        <Text>{`${clientOf(booking)} · ${booking.serviceName}`}</Text>
        <Select
          label={words.staff}
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
