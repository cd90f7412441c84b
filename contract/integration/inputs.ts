/** Parts of requests that rows of both APIs take. */
import * as z from 'zod/mini';
import {
  cursorQuery,
  email,
  id,
  instant,
  limitQuery,
  name,
  pathId,
  phone,
  queryId,
  queryInteger,
  shape,
  text,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { bookingStatus } from './resources.ts';

export function byId() {
  return z.strictObject({ id: pathId().check(z.describe('Id of what the path names.')) });
}

/**
 * Lets a check over several fields run even when one of them is wrong, so that all problems are listed at once
 * (docs/rules.md#errors).
 */
export function isObject({ value }: { readonly value: unknown }): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A change names what it changes. */
export function someField() {
  return z.refine<object>((body) => Object.keys(body).length > 0, {
    error: 'at least one field is required',
    when: isObject,
  });
}

export const newClient = shape(() =>
  z
    .strictObject({
      name: name().check(z.describe('Name of the client.')),
      phone: z
        .optional(phone())
        .check(z.describe('Phone with country code, such as `+371 2000 0000`: 4 to 15 digits.')),
      email: z.optional(email()).check(z.describe('Email address.')),
    })
    .check(
      z.describe('A client. `phone` or `email` is required; the same phone or email is the same client.'),
      z.refine(
        (client: { phone?: string | undefined; email?: string | undefined }) => Boolean(client.phone ?? client.email),
        {
          error: 'phone or email is required',
          when: isObject,
        },
      ),
    ),
);

/** A new booking in both APIs. Only the integration API adds `holdId`: a hold belongs to a key. */
export function bookingFields() {
  return {
    serviceId: id().check(z.describe('Id of the service to book.')),
    staffId: z.optional(id()).check(z.describe('Id of the staff member. Without it a free one is chosen.')),
    startTime: instant().check(z.describe('Start, with `Z` or any offset. Must be a listed slot.')),
    client: z
      .optional(newClient)
      .check(z.describe('The client, new or known. Exactly one of `client` and `clientId`.')),
    clientId: z.optional(id()).check(z.describe('Id of a known client. Exactly one of `client` and `clientId`.')),
    comment: z.optional(text(0, limits.textLength)).check(z.describe('Note of the client for the business.')),
    externalId: z
      .optional(text(1, limits.nameLength))
      .check(z.describe('Your own reference. It comes back in the booking and in its events.')),
  };
}

export function oneClient() {
  return z.refine<{ client?: unknown; clientId?: unknown }>(
    (body) => (body.client === undefined) !== (body.clientId === undefined),
    {
      error: 'exactly one of client and clientId is required',
      path: ['client'],
      when: isObject,
    },
  );
}

export function cancellation() {
  return z.strictObject({
    reason: z.optional(text(0, limits.textLength)).check(z.describe('Why, for the business and for your records.')),
  });
}

export function move() {
  return z.strictObject({
    startTime: instant().check(z.describe('New start, with `Z` or any offset. Must be a listed slot.')),
    staffId: z
      .optional(id())
      .check(z.describe('Id of the new staff member. Without it the booking stays with its own.')),
  });
}

export function ofStaff() {
  return z.optional(queryId()).check(z.describe('Only entries of the staff member with this id.'));
}

export function ofService() {
  return z.optional(queryId()).check(z.describe('Only entries of the service with this id.'));
}

/** Filters and page of `GET /bookings`. */
export function bookingsQuery() {
  return z.strictObject({
    from: z.optional(instant()).check(z.describe('Only bookings that start at this time or later.')),
    to: z.optional(instant()).check(z.describe('Only bookings that start before this time.')),
    status: z.optional(bookingStatus).check(z.describe('Only bookings in this state.')),
    staffId: ofStaff(),
    serviceId: ofService(),
    clientId: z.optional(queryId()).check(z.describe('Only entries of the client with this id.')),
    updatedFrom: z
      .optional(instant())
      .check(
        z.describe(
          'Only bookings that changed at this time or later. With `sort`, where a list without `cursor` begins.',
        ),
      ),
    sort: sortQuery(),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}

/** The order of changes, which a copy of the list is kept up to date by. */
export function sortQuery() {
  return z
    .optional(z.enum(['updatedAt']))
    .check(
      z.describe(
        `\`updatedAt\`: in the order of changes, each entry at its newest one. \`nextCursor\` is always there; changes of the last ${limits.changesSettleSeconds} seconds follow in a later answer.`,
      ),
    );
}

/** Filters and page of `GET /reviews`. */
export function reviewsQuery() {
  return z.strictObject({
    staffId: ofStaff(),
    serviceId: ofService(),
    minRating: z.optional(queryInteger(1, 5)).check(z.describe('Only reviews with at least this rating, 1 to 5.')),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}
