/** Search parameters of the route. */
import { day, oneOf, wholeNumber } from '../../app/search.ts';

export interface CalendarSearch {
  /** Default: a day. */
  readonly view?: 'week';
  /** `2026-11-24`. Default: today. */
  readonly day?: string;
  /** Default: all, or the first where there is no room for all. */
  readonly staff?: number | 'all';
  /** The booking that is open. */
  readonly booking?: number;
}

export function calendarSearch(search: Readonly<Record<string, unknown>>): CalendarSearch {
  return {
    view: oneOf(search.view, ['week']),
    day: day(search.day),
    staff: oneOf(search.staff, ['all']) ?? wholeNumber(search.staff),
    booking: wholeNumber(search.booking),
  };
}
