/** The search parameters of the screens. A value of the wrong type is dropped. */
import type { Input } from '../api/call.ts';
import { isDay } from '../format/days.ts';
import type { EventName } from '../screens/events/event-names.ts';

/** Parses an id. */
function wholeNumber(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 ? value : undefined;
}

/** Parses a day: `2026-11-24`. */
export function day(value: unknown): string | undefined {
  return typeof value === 'string' && isDay(value) ? value : undefined;
}

/** Parses text. The router parses `?search=371` as a number. */
export function words(value: unknown): string | undefined {
  return (typeof value === 'string' && value !== '') || typeof value === 'number' ? String(value) : undefined;
}

const oneOf =
  <const Value>(values: readonly Value[]) =>
  (value: unknown): Value | undefined =>
    values.find((known) => known === value);

const isSet = oneOf([true]);
/** Parses the id of an open entry, or `new`. */
const opened = (value: unknown) => oneOf(['new'])(value) ?? wholeNumber(value);

type Search<Parsers extends Readonly<Record<string, (value: unknown) => unknown>>> = {
  readonly [Name in keyof Parsers]?: ReturnType<Parsers[Name]>;
};

function searchOf<Parsers extends Readonly<Record<string, (value: unknown) => unknown>>>(parsers: Parsers) {
  return (search: Readonly<Record<string, unknown>>): Search<Parsers> =>
    Object.fromEntries(Object.entries(parsers).map(([name, parse]) => [name, parse(search[name])])) as Search<Parsers>;
}

/** The lists of bookings. Default: the first. */
export const bookingLists = ['upcoming', 'pending', 'past', 'cancelled'] as const;
export const deliveryStatuses = ['pending', 'success', 'retrying', 'failed'] as const;
export const leastRatings = [2, 3, 4, 5] as const;
export const statusClasses = ['2xx', '3xx', '4xx', '5xx'] as const;
/** The periods of the plot of a webhook in days. */
export const periods = [1, 7, 30] as const;

/** Days are in the time zone of the business; the last day of a period is included. */
export const searches = {
  '/calendar': searchOf({
    /** Default: the view of one day. */
    view: oneOf(['week']),
    /** Default: today. */
    day,
    /** Default: all staff, or the first staff member if the screen is too narrow for all. */
    staff: (value) => oneOf(['all'])(value) ?? wholeNumber(value),
    /** Whether the form for a new booking is open. */
    add: isSet,
    booking: wholeNumber,
    /** The card id of the open class. */
    class: words,
  }),
  '/bookings': searchOf({ show: oneOf(bookingLists), staff: wholeNumber, client: wholeNumber, booking: wholeNumber }),
  '/clients': searchOf({ search: words, add: isSet }),
  '/clients/$clientId': searchOf({}),
  '/payments': searchOf({ client: wholeNumber, booking: wholeNumber, from: day, to: day, payment: opened }),
  /** `open` shows only reviews without a reply. */
  '/reviews': searchOf({ open: isSet, minRating: oneOf(leastRatings) }),
  '/services': searchOf({ search: words, service: opened, copy: wholeNumber }),
  '/staff': searchOf({ search: words, add: isSet }),
  '/staff/$staffId': searchOf({}),
  '/resources': searchOf({ search: words, resource: opened }),
  '/settings': searchOf({}),
  '/team': searchOf({ search: words }),
  '/audit': searchOf({}),
  '/api-keys': searchOf({ search: words, key: wholeNumber }),
  '/webhooks': searchOf({ search: words, create: isSet }),
  '/webhooks/$id': searchOf({ days: oneOf(periods) }),
  '/deliveries': searchOf({
    webhookId: wholeNumber,
    deliveryStatus: oneOf(deliveryStatuses),
    event: words as (value: unknown) => NonNullable<Input<'listAllDeliveries'>>['event'],
    bookingId: wholeNumber,
    from: day,
    to: day,
    delivery: words,
  }),
  '/requests': searchOf({
    apiKeyId: wholeNumber,
    statusClass: oneOf(statusClasses),
    code: words,
    requestId: words,
    from: day,
    to: day,
    open: words,
  }),
  '/events': searchOf({ search: words, event: words as (value: unknown) => EventName | undefined }),
};

export type SearchOf<Path extends keyof typeof searches> = ReturnType<(typeof searches)[Path]>;
