/** Resources of the account API that the integration API does not show (specification §2.1, decisions §8). */
import * as z from 'zod/mini';
import { date, id, instant, shape } from './fields.ts';
import { dayHours, webhook, weeklyHours } from './resources.ts';
import { scopeNames } from './scopes.ts';

/** When a staff member works: hours by weekday, and dates on which other hours replace them. */
export const staffSchedule = shape(() =>
  z.strictObject({ weekly: weeklyHours, exceptions: z.record(date(), dayHours) }),
);
export type StaffSchedule = z.infer<typeof staffSchedule>;

export const client = shape(() =>
  z.strictObject({
    id: id(),
    name: z.string(),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
    createdAt: instant(),
    updatedAt: instant(),
  }),
);
export type Client = z.infer<typeof client>;

/** Amounts are minor units of `currency`. */
export const payment = shape(() =>
  z.strictObject({
    id: id(),
    bookingId: z.nullable(id()),
    clientId: z.nullable(id()),
    amount: z.int(),
    currency: z.string(),
    refundedAmount: z.int(),
    method: z.string(),
    receivedAt: instant(),
    createdAt: instant(),
  }),
);
export type Payment = z.infer<typeof payment>;

export const refund = shape(() =>
  z.strictObject({
    id: id(),
    paymentId: id(),
    amount: z.int(),
    currency: z.string(),
    reason: z.nullable(z.string()),
    refundedAt: instant(),
  }),
);
export type Refund = z.infer<typeof refund>;

export const paymentWithRefunds = shape(() => z.strictObject({ ...payment.shape, refunds: z.array(refund) }));
export type PaymentWithRefunds = z.infer<typeof paymentWithRefunds>;

/** Section 3.2. */
export const apiKeyStatuses = ['active', 'revoked', 'expired'] as const;

/** Section 2.1, without its value: `prefix` is what one recognises it by. `lastUsedAt` is exact to the minute. */
export const apiKey = shape(() =>
  z.strictObject({
    id: id(),
    name: z.string(),
    prefix: z.string(),
    status: z.enum(apiKeyStatuses),
    scopes: z.array(z.enum(scopeNames)),
    allowedOrigins: z.array(z.string()),
    expiresAt: z.nullable(instant()),
    test: z.boolean(),
    createdAt: instant(),
    requestsToday: z.int(),
    lastUsedAt: z.nullable(instant()),
  }),
);
export type ApiKeyResource = z.infer<typeof apiKey>;

/** The only answers that show a key's value: creation and regeneration. */
export const apiKeyWithValue = shape(() => z.strictObject({ ...apiKey.shape, key: z.string() }));
export type ApiKeyWithValue = z.infer<typeof apiKeyWithValue>;

/** A webhook with the API key that it belongs to. */
export const accountWebhook = shape(() => z.strictObject({ ...webhook.shape, apiKeyId: id() }));
export type AccountWebhook = z.infer<typeof accountWebhook>;
