/** Moves a booking by a form: the way of whoever does not drag, and of a drag that met somebody else's time. */
import { Button, Group, Modal, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { ApiError } from '../../api/errors.ts';
import { useChange } from '../../api/hooks.ts';
import { useTimes } from '../../format/times.ts';
import { instantOf, wallClock } from '../../format/zone.ts';
import { said } from '../../parts/said.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './bookings.ts';
import { Taken } from './taken.tsx';

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
  const [start, setStart] = useState(wallClock(startTime, zone).slice(0, 16));
  const [member, setMember] = useState(staffId);
  const change = useChange('rescheduleBooking');
  const send = () =>
    change.mutate(
      { id: booking.id, startTime: instantOf(`${start}:00`, zone), staffId: member },
      {
        onSuccess: () => {
          said(strings.calendar.moved);
          onClose();
        },
      },
    );
  return (
    <Modal opened onClose={onClose} title={strings.calendar.moveTitle}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
        }}
      >
        <Stack>
          <Text>{`${clientOf(booking)} · ${booking.serviceName}`}</Text>
          <TextInput
            type="datetime-local"
            label={strings.calendar.start}
            description={strings.app.inZone(zone)}
            value={start.replace(' ', 'T')}
            onChange={({ currentTarget }) => setStart(currentTarget.value.replace('T', ' '))}
            required
            data-autofocus
          />
          <Select
            label={strings.calendar.staff}
            data={staff.map(({ id, name }) => ({ value: String(id), label: name }))}
            value={String(member)}
            onChange={(value) => value && setMember(Number(value))}
            allowDeselect={false}
          />
          <Taken
            error={change.error ?? (change.isIdle ? (refused ?? null) : null)}
            choose={(next) => setStart(wallClock(next, zone).slice(0, 16))}
          />
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              {strings.app.cancel}
            </Button>
            <Button type="submit" loading={change.isPending}>
              {strings.calendar.move}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
