/** Reports a moved booking, with a button that moves it back. */
import { useApiMutation } from '../../api/hooks.ts';
import { notify } from '../../components/notify.tsx';
import { useTimes } from '../../format/times.ts';
import { strings } from '../../strings/strings.ts';
import { type Booking, clientOf } from './booking.ts';

export function useMoveNotice(): (before: Booking, after: Booking) => void {
  const { date, time } = useTimes();
  const { mutate } = useApiMutation('rescheduleBooking', { onError: ({ message }) => notify(message) });
  return ({ id, startTime, staffId }, after) =>
    notify(
      strings.calendar.moved(clientOf(after), `${date(after.startTime)}, ${time(after.startTime)}, ${after.staffName}`),
      () => mutate({ id, startTime, staffId }),
    );
}
