/** A date and time in a table. A narrow column breaks only between them. */
import { useTimes } from '../format/times.ts';

interface DateTimeProps {
  readonly at: string;
  readonly withWeekday?: boolean;
}

export function DateTime({ at, withWeekday = false }: DateTimeProps) {
  const { date, calendarDate, time } = useTimes();
  return (
    <span className="date-time">
      <span className="one-line">{`${withWeekday ? date(at) : calendarDate(at)},`}</span> {time(at)}
    </span>
  );
}
