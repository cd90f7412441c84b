/** The shape of `details` by error code. A missing code has none. Only documents and tests read it. */
import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { currency, field, id, instant } from './fields.ts';
import { limits } from './limits.ts';
import { scopeNames } from './scopes.ts';

export const errorDetails = {
  validation_failed: field(
    `All problems of the request. If there are more than ${limits.problemsListed}: the first ones, and a last entry with an empty \`path\`, whose \`message\` contains the total number.`,
    z.array(
      z.object({
        path: field(
          'Field with the problem, such as `client.email` or `events.0`; empty for the whole body.',
          z.string(),
        ),
        message: field('What is wrong, in words.', z.string()),
      }),
    ),
  ),
  insufficient_scope: z.optional(
    field(
      'For a key, the missing scope. For a session that has made all its bookings, the id of its last booking. Otherwise absent.',
      z.object({
        scope: z.optional(field('The scope that the key lacks.', z.enum(scopeNames))),
        bookingId: z.optional(field('Id of the last booking of the session.', id())),
      }),
    ),
  ),
  slot_unavailable: field(
    'Starts that can be booked instead.',
    z.object({
      nextAvailable: field(
        `At most the next ${limits.alternativeSlots} free starts, in the time zone of the business; empty if none is free within ${limits.alternativeSlotsDays} days.`,
        z.array(instant()),
      ),
    }),
  ),
  client_exists: field(
    'The client with this phone or email.',
    z.object({ clientId: field('Id of the client who has this phone or email.', id()) }),
  ),
  feed_expired: field(
    'The message from which to continue.',
    z.object({ oldest: field('Number of the oldest message above `after` that is still stored.', z.int()) }),
  ),
  future_bookings: field(
    'The bookings that prevent the change.',
    z.object({ bookings: field('Number of bookings that are not over yet.', z.int()) }),
  ),
  refund_exceeds_payment: field(
    'What could be refunded.',
    z.object({
      refundable: field('What is left, in minor units of `currency`.', z.int()),
      currency: field('ISO 4217 code of the payment.', currency()),
    }),
  ),
} satisfies Partial<Record<ErrorCode, z.ZodMiniType>>;
