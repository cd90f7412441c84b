/**
 * The rights of sessions (docs/rules.md#sessions). A row of the integration API names the right that it requires; a row
 * without a right refuses every session.
 */

/** The rights to one booking, or to those that the session made. */
export const bookingRights = ['read', 'move', 'cancel'] as const;

/** `browse` reads the business, its services, staff and slots. `book` creates holds and bookings. */
export type SessionRight = 'browse' | 'book' | (typeof bookingRights)[number];
