/** Parts of requests that rows of both APIs take. */
import * as z from 'zod/mini';
import { cursorQuery, email, id, instant, limitQuery, pathId, phone, queryId, queryInteger, text } from './fields.ts';
import { limits } from './limits.ts';
import { bookingStatuses } from './resources.ts';

export function byId() {
  return z.strictObject({ id: pathId() });
}

/** Lets a check over several fields run even when one of them is wrong, so that all problems are listed at once (decisions §2). */
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

export function newClient() {
  return z
    .strictObject({ name: text(1, limits.nameLength), phone: z.optional(phone()), email: z.optional(email()) })
    .check(
      z.refine(
        (client: { phone?: string | undefined; email?: string | undefined }) => Boolean(client.phone ?? client.email),
        {
          error: 'phone or email is required',
          when: isObject,
        },
      ),
    );
}

/** A new booking in both APIs. Only the integration API adds `holdId`: a hold belongs to a key. */
export function bookingFields() {
  return {
    serviceId: id(),
    staffId: z.optional(id()),
    startTime: instant(),
    client: z.optional(newClient()),
    clientId: z.optional(id()),
    comment: z.optional(text(0, limits.textLength)),
    externalId: z.optional(text(1, limits.nameLength)),
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
  return z.strictObject({ reason: z.optional(text(0, limits.textLength)) });
}

export function move() {
  return z.strictObject({ startTime: instant(), staffId: z.optional(id()) });
}

/** Filters and page of `GET /bookings`. */
export function bookingsQuery() {
  return z.strictObject({
    from: z.optional(instant()),
    to: z.optional(instant()),
    status: z.optional(z.enum(bookingStatuses)),
    staffId: z.optional(queryId()),
    serviceId: z.optional(queryId()),
    clientId: z.optional(queryId()),
    updatedFrom: z.optional(instant()),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}

/** Filters and page of `GET /reviews`. */
export function reviewsQuery() {
  return z.strictObject({
    staffId: z.optional(queryId()),
    serviceId: z.optional(queryId()),
    minRating: z.optional(queryInteger(1, 5)),
    limit: limitQuery(),
    cursor: cursorQuery(),
  });
}
