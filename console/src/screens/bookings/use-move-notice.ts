/** Reports a moved booking, with a button that moves it back. */
import { useApiMutation } from '../../api/hooks.ts';
import { errorTitle } from '../../components/error-text.ts';
import { notify } from '../../components/notify.tsx';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf, staffOf } from './booking.ts';

export function useMoveNotice(): (before: Booking, after: Pick<Booking, 'startTime' | 'segments'>) => void {
  const { when } = useTimes();
  const { mutate } = useApiMutation('rescheduleBooking', { onError: (error) => notify(errorTitle(error)) });
  return (before, after) => {
    const { id, startTime, segments } = before;
    const movedTo = `${when(after.startTime)}, ${staffOf(after)}`;
    const stayed = segments.every(({ staffId }, at) => staffId === after.segments[at]?.staffId);
    const [staffId, ...others] = new Set(segments.map((segment) => segment.staffId));
    // Several staff members of a visit cannot be restored at once.
    const canUndo = stayed || others.length === 0;
    const back = { id, startTime, ...(!stayed && staffId !== undefined && { staffId }), outsideRules: true };
    notify(strings.calendar.moved(clientOf(before), movedTo), canUndo ? () => mutate(back) : undefined);
  };
}
