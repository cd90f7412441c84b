/** The participants of a class. */
import { Button, Group, Stack } from '@mantine/core';
import { CalendarPlus } from 'lucide-react';
import { useMay } from '../../app/role.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { FormDrawer } from '../../components/form-frame.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { useTimes } from '../../format/times.ts';
import { periodLabel } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { type Card, lineOf } from './cards.ts';

const texts = strings.calendar;

interface ClassDrawerProps {
  readonly card: Card;
  add(): void;
  onClose(): void;
}

export function ClassDrawer({ card, add, onClose }: ClassDrawerProps) {
  const { date, zone } = useTimes();
  const may = useMay();
  const { segment, class: shared } = card;
  const left = shared ? shared.capacity - shared.taken : 0;
  return (
    <FormDrawer opened isForm={false} size="md" onClose={onClose} title={segment.serviceName}>
      <Stack>
        <FactList
          facts={[
            [texts.start, `${date(segment.startTime)}, ${periodLabel(segment.startTime, segment.endTime, zone)}`],
            [texts.member, segment.staffName],
            [texts.room, segment.resourceName],
            [texts.places, lineOf(card)],
          ]}
        />
        <Stack gap={0} className="lined" component="ul" m={0} p={0} aria-label={texts.participants}>
          {shared?.bookings.map((booking) => (
            <Group key={booking.id} component="li" py="xs" justify="space-between" wrap="nowrap">
              <div>
                <BookingLink booking={booking} fw={600} style={{ overflowWrap: 'anywhere' }}>
                  {clientOf(booking)}
                </BookingLink>
                {booking.places > 1 && <DimmedText>{strings.bookings.places(booking.places)}</DimmedText>}
              </div>
              <BookingStatus status={booking.status} />
            </Group>
          ))}
        </Stack>
        {may('desk') && (
          <Button
            variant="default"
            leftSection={<CalendarPlus size={16} />}
            disabled={left < 1}
            onClick={add}
            w="fit-content"
          >
            {left < 1 ? texts.classFull : texts.addToClass}
          </Button>
        )}
        <ZoneNote />
      </Stack>
    </FormDrawer>
  );
}
