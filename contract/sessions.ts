/**
 * What a session may do (docs/rules.md#sessions). A row of the integration API names the right that it asks for; a row
 * without a right refuses every session.
 */

/** To one booking, or to those that the session made. */
export const bookingRights = ['read', 'move', 'cancel'] as const;

/** `browse`: the business, its services, staff and slots. `book`: hold and book. */
export type SessionRight = 'browse' | 'book' | (typeof bookingRights)[number];
