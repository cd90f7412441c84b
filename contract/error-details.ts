/** The shape of `details` by error code. A missing code has none. Only documents and tests read it. */
import * as z from 'zod/mini';
import type { ErrorCode } from './errors.ts';
import { currency, id, instant, shape } from './fields.ts';
import { limits } from './limits.ts';
import { scopeNames } from './scopes.ts';

export const errorDetails = shape(() => ({
  validation_failed: z
    .array(
      z.object({
        path: z.string().check(z.describe('Where, such as `client.email` or `events.0`; empty for the whole body.')),
        message: z.string().check(z.describe('What is wrong there, for people.')),
      }),
    )
    .check(
      z.describe(
        `Every problem of the request at once. Of more than ${limits.problemsListed} the first ones, and a last entry with an empty \`path\` that says how many there are.`,
      ),
    ),
  insufficient_scope: z.optional(
    z
      .object({ scope: z.enum(scopeNames).check(z.describe('The scope that the key lacks.')) })
      .check(z.describe('What is missing. Not in answers to a session.')),
  ),
  slot_unavailable: z
    .object({
      nextAvailable: z
        .array(instant())
        .check(
          z.describe(`The next ${limits.alternativeSlots} free starts at most, in the time zone of the business.`),
        ),
    })
    .check(z.describe('What could be booked instead.')),
  client_exists: z
    .object({ clientId: id().check(z.describe('Id of the client who has this phone or email.')) })
    .check(z.describe('Who it is.')),
  feed_expired: z
    .object({ oldest: z.int().check(z.describe('Number of the oldest message that can be read after `after`.')) })
    .check(z.describe('Where to go on.')),
  future_bookings: z
    .object({ bookings: z.int().check(z.describe('Bookings that are not over yet.')) })
    .check(z.describe('How many.')),
  refund_exceeds_payment: z
    .object({
      refundable: z.int().check(z.describe('What is left, in minor units of `currency`.')),
      currency: currency().check(z.describe('ISO 4217 code of the payment.')),
    })
    .check(z.describe('What could be refunded.')),
})) satisfies Partial<Record<ErrorCode, z.ZodMiniType>>;
