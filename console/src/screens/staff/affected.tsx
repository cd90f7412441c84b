/** Lists the bookings of a staff member outside the new hours of some days. They are not cancelled. */
import { Alert, Stack, Text } from '@mantine/core';
import { CalendarX2 } from 'lucide-react';
import { useApiList } from '../../api/hooks.ts';
import { periodOf } from '../../format/days.ts';
import { useTimes } from '../../format/times.ts';
import { contains, type DayHours, intervalOf } from '../../format/working-hours.ts';
import { wallClock } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import { clientOf, isOpen, type Segment, serviceOf } from '../bookings/booking.ts';
import { BookingLink } from '../bookings/booking-link.tsx';

const texts = strings.staff;
/** The number of bookings that are listed. */
const listed = 5;

interface AffectedProps {
  readonly staffId: number;
  /** A period of days, the last one included. */
  readonly from: string;
  readonly to: string;
  readonly hoursOf: (day: string) => DayHours;
}

export function Affected({ staffId, from, to, hoursOf }: AffectedProps) {
  const times = useTimes();
  const { zone } = times;
  const bookings = useApiList(
    'listBookings',
    { staffId, ...periodOf({ from, to }, zone), limit: 100 },
    { loadsWhile: () => true },
  );
  // For a visit, only the part of this staff member counts.
  const isOutside = (segment: Segment) =>
    segment.staffId === staffId &&
    !contains(
      hoursOf(times.day(segment.startTime)),
      intervalOf(wallClock(segment.startTime, zone), wallClock(segment.endTime, zone)),
    );
  const affected = (bookings.data?.entries ?? []).filter(
    (booking) => isOpen(booking) && booking.segments.some(isOutside),
  );
  if (affected.length === 0) return null;
  return (
    <Alert color="yellow" icon={<CalendarX2 />} title={texts.affected(affected.length)} role="status">
      <Stack gap={4}>
        <Text size="sm">{texts.affectedHint}</Text>
        {affected.slice(0, listed).map((booking) => (
          <BookingLink key={booking.id} booking={booking} size="sm">
            {`${times.when(booking.startTime)} · ${clientOf(booking)} · ${serviceOf(booking)}`}
          </BookingLink>
        ))}
        {affected.length > listed && <Text size="sm">{texts.affectedMore(affected.length - listed)}</Text>}
      </Stack>
    </Alert>
  );
}
