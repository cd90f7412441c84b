/** Search parameters of the route. */

export interface CalendarSearch {
  /** Default: a day, of everybody. */
  readonly view?: 'week';
  /** `2026-11-24`. Default: today. */
  readonly day?: string;
  /** Default: everybody. */
  readonly staff?: number;
  /** The booking that is open. */
  readonly booking?: number;
}

const isId = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0;
const isDay = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));

export function calendarSearch({ view, day, staff, booking }: Readonly<Record<string, unknown>>): CalendarSearch {
  return {
    ...(view === 'week' && { view }),
    ...(isDay(day) && { day }),
    ...(isId(staff) && { staff }),
    ...(isId(booking) && { booking }),
  };
}
