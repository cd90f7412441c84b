/** The participants of a class. */
import { Button, Drawer, Group, Stack } from '@mantine/core';
import { CalendarPlus } from 'lucide-react';
import { useApi } from '../../api/hooks.ts';
import { useMay } from '../../app/role.ts';
import { BookingStatus } from '../../components/booking-status.tsx';
import { DimmedText } from '../../components/dimmed-text.tsx';
import { FactList } from '../../components/fact-list.tsx';
import { ZoneNote } from '../../components/zone-note.tsx';
import { useTimes } from '../../format/times.ts';
import { periodLabel } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';
import { type Card, placesOf } from './cards.ts';

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
  const { serviceId, staffId, startTime } = segment;
  const mayBook = may('desk');
  const enabled = mayBook && shared?.capacity !== undefined;
  // The service may have had more or fewer places when the class was first booked.
  const day = card.start.slice(0, 10);
  const free = useApi('listSlots', { serviceId, staffId, from: day, to: day, timeZone: zone }, { enabled });
  const slot = free.data?.data.find((one) => Date.parse(one.startTime) === Date.parse(startTime));
  const explained = useApi('explainSlot', { serviceId, staffId, startTime }, { enabled });
  const isFull = explained.data?.staff.some(({ reasons }) => reasons.includes('full')) ?? false;
  return (
    <Drawer opened onClose={onClose} title={segment.serviceName}>
      <Stack>
        <FactList
          facts={[
            [
              strings.bookings.columns.when,
              `${date(segment.startTime)}, ${periodLabel(segment.startTime, segment.endTime, zone)}`,
            ],
            [texts.member, segment.staffName],
            [texts.room, segment.resourceName],
            [
              texts.places,
              shared && placesOf(shared.taken, slot?.capacity ?? (isFull ? shared.taken : shared.capacity)),
            ],
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
        {mayBook && (
          <Button
            variant="default"
            leftSection={<CalendarPlus size={16} />}
            disabled={isFull}
            onClick={add}
            w="fit-content"
          >
            {isFull ? texts.classFull : texts.addToClass}
          </Button>
        )}
        <ZoneNote />
      </Stack>
    </Drawer>
  );
}
