/** The form that moves a booking. Also shown after a refused drag. */
import { Select, Text } from '@mantine/core';
import type { ApiError } from '../../api/errors.ts';
import { useApi, useApiMutation } from '../../api/hooks.ts';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './booking.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields, startValues } from './start-fields.tsx';
import { useMoveNotice } from './use-move-notice.ts';
import { WhyNot } from './why-not.tsx';

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
  onClose(): void;
}

/** Lists the staff who offer the service, and the one who has the booking. */
export function MoveBooking({ move, onClose }: MoveBookingProps) {
  const staff = useApi('listStaff', { limit: 100 });
  const services = useApi('listServices', { limit: 100 });
  const notifyMoved = useMoveNotice();
  const { booking, startTime, staffId, refused } = move;
  const { zone } = useTimes();
  const { id, serviceId } = booking;
  function done(moved: Booking) {
    notifyMoved(booking, moved);
    onClose();
  }
  const sent = useApiForm({
    operation: 'rescheduleBooking',
    initialValues: { ...startValues(startTime, zone), staffId: String(staffId) },
    validate: ({ time }) => ({ time: free.starts.has(time) ? undefined : texts.chooseStart }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    toInput: ({ time, staffId: member }) => ({ id, startTime: free.starts.get(time) ?? '', staffId: Number(member) }),
    onSuccess: done,
  });
  const anyway = useApiMutation('rescheduleBooking', { onSuccess: done });
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
  const api = { ...sent, error: sent.error ?? anyway.error ?? (form.isDirty() ? null : (refused ?? null)) };
  const asked = {
    serviceId,
    movingBookingId: id,
    staffId: Number(form.values.staffId),
    startTime: free.starts.get(form.values.time) ?? startTime,
  };
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
        <StartFields
          api={api}
          free={free}
          why={
            <WhyNot
              asked={asked}
              staff={able}
              anyway={{
                label: texts.moveAnyway,
                isPending: anyway.isPending,
                run: () =>
                  anyway.mutate({ id, startTime: asked.startTime, staffId: asked.staffId, outsideRules: true }),
              }}
            />
          }
        />
      </FormFrame>
    </FormModal>
  );
}
