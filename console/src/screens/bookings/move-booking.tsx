/** The form that moves a booking. It is also shown after a rejected drag. */
import { Select, Text } from '@mantine/core';
import type { ApiError } from '../../api/errors.ts';
import { useWholeList } from '../../api/hooks.ts';
import { choicesOf, isSearched } from '../../components/choices.ts';
import { FormFrame, FormModal } from '../../components/form-frame.tsx';
import { useApiForm } from '../../components/use-api-form.ts';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, serviceOf, staffOf } from './booking.ts';
import { useFreeStarts } from './free-starts.ts';
import { StartFields, startOf, startProblem, startValues } from './start-fields.tsx';
import { useMoveNotice } from './use-move-notice.ts';
import { useWhyNot } from './why-not.ts';

const texts = strings.calendar;
/** Every staff member keeps their part of the booking. */
const same = 'same';

export interface Move {
  readonly booking: Booking;
  readonly startTime: string;
  /** Undefined means that the staff members stay. */
  readonly staffId?: number | undefined;
  /** The error of a rejected drag. */
  readonly refused?: ApiError;
}

interface MoveBookingProps {
  readonly move: Move;
  onClose(): void;
}

/** Lists the staff members who perform all booked services. */
export function MoveBooking({ move, onClose }: MoveBookingProps) {
  const staff = useWholeList('listStaff');
  const services = useWholeList('listServices');
  const notifyMoved = useMoveNotice();
  const { booking, startTime, staffId, refused } = move;
  const { zone } = useTimes();
  const { id, segments, places } = booking;
  const api = useApiForm({
    operation: 'rescheduleBooking',
    initialValues: {
      ...startValues(startTime, zone),
      anyTime: refused !== undefined,
      staffId: staffId === undefined ? same : String(staffId),
    },
    validate: (values) => ({ time: startOf(values, free, zone) ? undefined : startProblem(values) }),
    fieldNames: (path) => (path === 'startTime' ? 'time' : path),
    toInput: (values) => ({
      id,
      startTime: startOf(values, free, zone) ?? '',
      ...(values.staffId !== same && { staffId: Number(values.staffId) }),
      ...(why?.isOfRules && { outsideRules: true }),
    }),
    onSuccess: (moved) => {
      notifyMoved(booking, moved);
    },
    onDone: onClose,
  });
  const { form } = api;
  const member = form.values.staffId === same ? undefined : Number(form.values.staffId);
  const parts = segments.map((segment) => ({ serviceId: segment.serviceId, staffId: member ?? segment.staffId }));
  const free = useFreeStarts({ parts, places, day: form.values.day, movingBookingId: id }, zone);
  // The error of the drag stays until another time is chosen.
  const error = api.error ?? (api.isDirty() ? null : (refused ?? null));
  const isAsked = form.values.anyTime || error?.code === 'slot_unavailable' || parts.length > 1;
  const all = staff.data?.data ?? [];
  const why = useWhyNot(
    { parts, places, startTime: isAsked ? startOf(form.values, free, zone) : undefined, movingBookingId: id },
    [...all, ...segments.map((segment) => ({ id: segment.staffId, name: segment.staffName }))],
    services.data?.data ?? [],
  );
  const does = (memberId: number) =>
    segments.every(({ serviceId }) =>
      services.data?.data.some((service) => service.id === serviceId && service.staffIds.includes(memberId)),
    );
  const isWith = (memberId: number) => segments.every((segment) => segment.staffId === memberId);
  const able = all.filter((one) => one.active && does(one.id) && !isWith(one.id));
  return (
    <FormModal opened onClose={onClose} title={texts.moveTitle} size="md">
      <FormFrame
        api={{ ...api, error }}
        isLoading={free.isLoading}
        verb={why?.isOfRules ? texts.moveAnyway : texts.move}
        onClose={onClose}
        shown={['slot_unavailable']}
      >
        <Text>{`${clientOf(booking)} · ${serviceOf(booking)}`}</Text>
        <Select
          label={texts.member}
          data={[{ value: same, label: staffOf(booking) }, ...choicesOf(able)]}
          searchable={isSearched(able)}
          allowDeselect={false}
          data-autofocus
          {...form.getInputProps('staffId')}
        />
        <StartFields api={{ ...api, error }} free={free} why={why} />
      </FormFrame>
    </FormModal>
  );
}
