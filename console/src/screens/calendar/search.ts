/** Search parameters of the route. */
import { day, oneOf, wholeNumber, words } from '../../app/search.ts';

export interface CalendarSearch {
  /** Default: a day. */
  readonly view?: 'week';
  /** `2026-11-24`. Default: today. */
  readonly day?: string;
  /** Default: all, or the first where there is no room for all. */
  readonly staff?: number | 'all';
  /** A booking is added. */
  readonly add?: true;
  /** The booking that is open. */
  readonly booking?: number;
  /** The class that is open: the id of its card. */
  readonly class?: string;
}

export function calendarSearch(search: Readonly<Record<string, unknown>>): CalendarSearch {
  return {
    view: oneOf(search.view, ['week']),
    day: day(search.day),
    staff: oneOf(search.staff, ['all']) ?? wholeNumber(search.staff),
    add: oneOf(search.add, [true]),
    booking: wholeNumber(search.booking),
    class: words(search.class),
  };
}
