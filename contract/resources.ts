/** The resources as others see them: the bodies of answers (specification §2, decisions §4 to §6). */
import * as z from 'zod/mini';
import { clockTime, id, instant, money, shape, timeZone } from './fields.ts';
import { scopeNames } from './scopes.ts';

/** Working intervals of one day, ascending; the gaps between them are the breaks. */
export const dayHours = shape(() => z.array(z.strictObject({ from: clockTime(), to: clockTime() })));

/** Hours by weekday. */
export const weeklyHours = shape(() =>
  z.strictObject({
    monday: dayHours,
    tuesday: dayHours,
    wednesday: dayHours,
    thursday: dayHours,
    friday: dayHours,
    saturday: dayHours,
    sunday: dayHours,
  }),
);
export type WeeklyHours = z.infer<typeof weeklyHours>;

export const bookingRules = shape(() =>
  z.strictObject({
    slotStepMinutes: z.int(),
    minNoticeMinutes: z.int(),
    maxAdvanceDays: z.int(),
    cancellationNoticeMinutes: z.int(),
    confirmation: z.enum(['automatic', 'manual']),
  }),
);

export const business = shape(() =>
  z.strictObject({
    id: id(),
    name: z.string(),
    description: z.string(),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
    address: z.nullable(z.string()),
    timeZone: timeZone(),
    currency: z.string(),
    workingHours: weeklyHours,
    bookingRules,
  }),
);
export type Business = z.infer<typeof business>;

export const service = shape(() =>
  z.strictObject({
    id: id(),
    name: z.string(),
    description: z.string(),
    category: z.nullable(z.string()),
    durationMinutes: z.int(),
    bufferBeforeMinutes: z.int(),
    bufferAfterMinutes: z.int(),
    price: money(),
    staffIds: z.array(id()),
    active: z.boolean(),
    updatedAt: instant(),
  }),
);
export type Service = z.infer<typeof service>;

export const staffMember = shape(() =>
  z.strictObject({
    id: id(),
    name: z.string(),
    position: z.nullable(z.string()),
    photoUrl: z.nullable(z.string()),
    serviceIds: z.array(id()),
    rating: z.nullable(z.number()),
    reviewsCount: z.int(),
    active: z.boolean(),
  }),
);
export type StaffMember = z.infer<typeof staffMember>;

export const slot = shape(() =>
  z.strictObject({ startTime: instant(), endTime: instant(), staffId: id(), serviceId: id() }),
);
export const slots = shape(() => z.strictObject({ data: z.array(slot), timeZone: z.string() }));

export const hold = shape(() => z.strictObject({ holdId: z.string(), expiresAt: instant() }));

export const bookingStatuses = ['pending', 'confirmed', 'completed', 'no_show', 'cancelled'] as const;

export const bookingClient = shape(() =>
  z.strictObject({
    name: z.string(),
    phone: z.nullable(z.string()),
    email: z.nullable(z.string()),
  }),
);

export const booking = shape(() =>
  z.strictObject({
    id: id(),
    status: z.enum(bookingStatuses),
    serviceId: id(),
    serviceName: z.string(),
    staffId: id(),
    staffName: z.string(),
    clientId: id(),
    client: bookingClient,
    startTime: instant(),
    endTime: instant(),
    timeZone: z.string(),
    price: money(),
    comment: z.nullable(z.string()),
    source: z.enum(['integration', 'account']),
    externalId: z.nullable(z.string()),
    cancelledBy: z.nullable(z.enum(['client', 'staff', 'integration'])),
    cancelReason: z.nullable(z.string()),
    createdAt: instant(),
    updatedAt: instant(),
  }),
);
export type Booking = z.infer<typeof booking>;

export const review = shape(() =>
  z.strictObject({
    id: id(),
    bookingId: id(),
    staffId: id(),
    serviceId: id(),
    rating: z.int(),
    text: z.string(),
    authorName: z.string(),
    createdAt: instant(),
    reply: z.nullable(z.string()),
  }),
);

export const reviewPage = shape(() =>
  z.strictObject({
    data: z.array(review),
    nextCursor: z.nullable(z.string()),
    summary: z.strictObject({ count: z.int(), averageRating: z.nullable(z.number()) }),
  }),
);

/** Section 2.2. No answer but the one to creation and rotation shows a secret. */
export const webhook = shape(() =>
  z.strictObject({
    id: id(),
    targetUrl: z.string(),
    events: z.array(z.string()),
    description: z.string(),
    status: z.enum(['active', 'failed']),
    consecutiveFailures: z.int(),
    lastTriggeredAt: z.nullable(instant()),
    createdAt: instant(),
    updatedAt: instant(),
  }),
);
export type Webhook = z.infer<typeof webhook>;

export const webhookWithSecret = shape(() => z.strictObject({ ...webhook.shape, secret: z.string() }));
export type WebhookWithSecret = z.infer<typeof webhookWithSecret>;

export const rotatedSecret = shape(() => z.strictObject({ id: id(), secret: z.string(), rotatedAt: instant() }));

export const deliveryStatuses = ['pending', 'success', 'failed', 'retrying'] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** Why an attempt failed (decisions §6): a closed set. */
export const deliveryErrorCodes = [
  'dns_error',
  'connect_error',
  'tls_error',
  'timeout',
  'http_status',
  'target_not_allowed',
  'protocol_error',
  'webhook_disabled',
] as const;
export type DeliveryErrorCode = (typeof deliveryErrorCodes)[number];

/** Section 2.3 with the additive fields of decisions §6: one record per attempt. */
export const deliveryRecord = shape(() =>
  z.strictObject({
    id: id(),
    event: z.string(),
    deliveryId: z.string(),
    responseStatusCode: z.int(),
    responseTimeMs: z.int(),
    deliveryStatus: z.enum(deliveryStatuses),
    attemptNumber: z.int(),
    errorMessage: z.nullable(z.string()),
    createdAt: instant(),
    errorCode: z.nullable(z.enum(deliveryErrorCodes)),
    nextAttemptAt: z.nullable(instant()),
    responseBody: z.nullable(z.string()),
    trigger: z.enum(['scheduled', 'manual', 'ping']),
  }),
);
export type DeliveryRecord = z.infer<typeof deliveryRecord>;

export const pingResult = shape(() =>
  z.strictObject({
    success: z.boolean(),
    deliveryId: z.string(),
    responseStatusCode: z.int(),
    responseTimeMs: z.int(),
    errorMessage: z.nullable(z.string()),
  }),
);

export const recovery = shape(() => z.strictObject({ matched: z.int() }));

export const eventType = shape(() =>
  z.strictObject({
    name: z.string(),
    description: z.string(),
    apiVersion: z.string(),
    schema: z.record(z.string(), z.unknown()),
    example: z.record(z.string(), z.unknown()),
  }),
);

/** The one error shape (decisions §2). */
export const errorBody = shape(() =>
  z.strictObject({
    statusCode: z.int(),
    error: z.string(),
    message: z.string(),
    code: z.string(),
    details: z.optional(z.union([z.array(z.looseObject({})), z.looseObject({})])),
    retryAfter: z.optional(z.int()),
    requestId: z.string(),
  }),
);

/** Section 2.1, as the account side sees it. */
export const apiKeyScopes = shape(() => z.array(z.enum(scopeNames)));
