/** Moves a booking to the time and row where its card was dropped. */
import type { ApiError } from '../../api/errors.ts';
import { useApiMutation } from '../../api/hooks.ts';
import { notify } from '../../components/notify.tsx';
import { useTimes } from '../../format/times.ts';
import { existingInstantOf } from '../../format/zone.ts';
import { strings } from '../../strings/strings.ts';
import type { Move } from '../bookings/move-booking.tsx';
import { useMoveNotice } from '../bookings/use-move-notice.ts';
import type { Card } from './cards.ts';
import type { Bookable } from './parts-fields.tsx';
import type { Row } from './team-week.tsx';

/** The whole booking moves by as much as the card; in another row, the card's part gets that staff member. */
export function useMoveCard(
  rows: readonly Row[],
  services: readonly Bookable[],
  onRefused: (move: Move) => void,
): (card: Card, start: string, memberId: number) => void {
  const { zone } = useTimes();
  const reschedule = useApiMutation('rescheduleBooking');
  const notifyMoved = useMoveNotice();
  return ({ booking, segment, start: before }, start, memberId) => {
    const staffId = memberId === segment.staffId ? undefined : memberId;
    // The same local time stays the same instant, even if it occurs twice.
    const to = start === before ? segment.startTime : existingInstantOf(start, zone);
    if (to === undefined) return notify(strings.calendar.skippedTime);
    const by = Date.parse(to) - Date.parse(segment.startTime);
    const startTime = new Date(Date.parse(booking.startTime) + by).toISOString();
    if (by === 0 && staffId === undefined) return;
    const cannotDo = (serviceId: number) =>
      services.some(({ id, staffIds }) => id === serviceId && !staffIds.includes(memberId));
    const unable = staffId === undefined ? undefined : booking.segments.find(({ serviceId }) => cannotDo(serviceId));
    if (unable) {
      const name = rows.find(({ id }) => id === memberId)?.label ?? '';
      return notify(strings.calendar.cannotDo(name, unable.serviceName));
    }
    // Callbacks of `mutate` would be dropped if another card is moved before the response.
    void reschedule.mutateAsync({ id: booking.id, startTime, staffId }).then(
      (moved) => notifyMoved(booking, moved),
      (refused: ApiError) => onRefused({ booking, startTime, staffId, refused }),
    );
  };
}
