/** Search parameters of the route. */
import { day, oneOf, wholeNumber, words } from '../../app/search.ts';

export interface CalendarSearch {
  /** Default: the view of one day. */
  readonly view?: 'week';
  /** The day as `2026-11-24`. Default: today. */
  readonly day?: string;
  /** Default: all staff, or the first staff member if the screen is too narrow for all. */
  readonly staff?: number | 'all';
  /** Whether the form for a new booking is open. */
  readonly add?: true;
  /** The id of the open booking. */
  readonly booking?: number;
  /** The card id of the open class. */
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
