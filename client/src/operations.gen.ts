// Generated from openapi.json by npm run client.

import type { CallOptions, CreateOptions, List, Operation } from './call.ts';
import type * as types from './types.gen.ts';

/** Of this package. */
export const version = '1.0.0';

/** What a call must know of each operation. */
export const operations = {
  listBookings: { method: 'GET', path: '/bookings', pages: 'cursor' },
  createBooking: { method: 'POST', path: '/bookings', body: true, keyed: true },
  getBooking: { method: 'GET', path: '/bookings/{id}' },
  cancelBooking: { method: 'POST', path: '/bookings/{id}/cancel', body: true },
  rescheduleBooking: { method: 'POST', path: '/bookings/{id}/reschedule', body: true },
  getBusiness: { method: 'GET', path: '/business', bare: true },
  listReviews: { method: 'GET', path: '/reviews', pages: 'cursor' },
  listServices: { method: 'GET', path: '/services', pages: 'page' },
  getService: { method: 'GET', path: '/services/{id}' },
  listSlots: { method: 'GET', path: '/slots' },
  createHold: { method: 'POST', path: '/slots/holds', body: true },
  releaseHold: { method: 'DELETE', path: '/slots/holds/{holdId}' },
  listStaff: { method: 'GET', path: '/staff', pages: 'page' },
  getStaffMember: { method: 'GET', path: '/staff/{id}' },
  listWebhooks: { method: 'GET', path: '/webhooks', pages: 'page' },
  createWebhook: { method: 'POST', path: '/webhooks', body: true },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}', body: true },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
  listDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries', pages: 'page' },
  getDelivery: { method: 'GET', path: '/webhooks/{id}/deliveries/{deliveryId}' },
  redeliver: { method: 'POST', path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver' },
  pingWebhook: { method: 'POST', path: '/webhooks/{id}/ping', body: true },
  recoverWebhook: { method: 'POST', path: '/webhooks/{id}/recover', body: true },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  getWebhookStatistics: { method: 'GET', path: '/webhooks/{id}/statistics' },
  listEventTypes: { method: 'GET', path: '/webhooks/events', bare: true },
} as const satisfies Record<string, Operation>;

/** The bodies of every documented error. */
export type ErrorAnswer =
  | types.ListBookingsError
  | types.CreateBookingError
  | types.GetBookingError
  | types.CancelBookingError
  | types.RescheduleBookingError
  | types.GetBusinessError
  | types.ListReviewsError
  | types.ListServicesError
  | types.GetServiceError
  | types.ListSlotsError
  | types.CreateHoldError
  | types.ReleaseHoldError
  | types.ListStaffError
  | types.GetStaffMemberError
  | types.ListWebhooksError
  | types.CreateWebhookError
  | types.GetWebhookError
  | types.UpdateWebhookError
  | types.DeleteWebhookError
  | types.ListDeliveriesError
  | types.GetDeliveryError
  | types.RedeliverError
  | types.PingWebhookError
  | types.RecoverWebhookError
  | types.RotateWebhookSecretError
  | types.GetWebhookStatisticsError
  | types.ListEventTypesError;

export type ListBookingsInput = NonNullable<types.ListBookingsData['query']>;
export type CreateBookingInput = NonNullable<types.CreateBookingData['body']>;
export type GetBookingInput = NonNullable<types.GetBookingData['path']>;
export type CancelBookingInput = NonNullable<types.CancelBookingData['path']> & NonNullable<types.CancelBookingData['body']>;
export type RescheduleBookingInput = NonNullable<types.RescheduleBookingData['path']> & NonNullable<types.RescheduleBookingData['body']>;
export type ListReviewsInput = NonNullable<types.ListReviewsData['query']>;
export type ListServicesInput = NonNullable<types.ListServicesData['query']>;
export type GetServiceInput = NonNullable<types.GetServiceData['path']>;
export type ListSlotsInput = NonNullable<types.ListSlotsData['query']>;
export type CreateHoldInput = NonNullable<types.CreateHoldData['body']>;
export type ReleaseHoldInput = NonNullable<types.ReleaseHoldData['path']>;
export type ListStaffInput = NonNullable<types.ListStaffData['query']>;
export type GetStaffMemberInput = NonNullable<types.GetStaffMemberData['path']>;
export type ListWebhooksInput = NonNullable<types.ListWebhooksData['query']>;
export type CreateWebhookInput = NonNullable<types.CreateWebhookData['body']>;
export type GetWebhookInput = NonNullable<types.GetWebhookData['path']>;
export type UpdateWebhookInput = NonNullable<types.UpdateWebhookData['path']> & NonNullable<types.UpdateWebhookData['body']>;
export type DeleteWebhookInput = NonNullable<types.DeleteWebhookData['path']>;
export type ListDeliveriesInput = NonNullable<types.ListDeliveriesData['path']> & NonNullable<types.ListDeliveriesData['query']>;
export type GetDeliveryInput = NonNullable<types.GetDeliveryData['path']>;
export type RedeliverInput = NonNullable<types.RedeliverData['path']>;
export type PingWebhookInput = NonNullable<types.PingWebhookData['path']> & NonNullable<types.PingWebhookData['body']>;
export type RecoverWebhookInput = NonNullable<types.RecoverWebhookData['path']> & NonNullable<types.RecoverWebhookData['body']>;
export type RotateWebhookSecretInput = NonNullable<types.RotateWebhookSecretData['path']>;
export type GetWebhookStatisticsInput = NonNullable<types.GetWebhookStatisticsData['path']> & NonNullable<types.GetWebhookStatisticsData['query']>;

/** The operations of the API. Each takes one object, whose fields the document spreads over path, query and body. */
export interface IntegrationClient {
  /**
   * Bookings, sorted by start
   *
   * Needs the scope `bookings:read`.
   */
  listBookings(input?: ListBookingsInput, options?: CallOptions): List<types.ListBookingsResponse>;

  /**
   * Create a booking
   *
   * Without `staffId` a free member is chosen. Exactly one of `client` and `clientId` is sent; a client is found again by phone or email. The booking keeps the contact as it was sent.
   *
   * Needs the scope `bookings:write`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `slot_unavailable`, `hold_expired`, `idempotency_in_progress`, `unsupported_media_type`, `idempotency_key_reused`
   */
  createBooking(input: CreateBookingInput, options?: CreateOptions): Promise<types.CreateBookingResponse>;

  /**
   * One booking
   *
   * Needs the scope `bookings:read`.
   *
   * @throws {ApiError} `not_found`
   */
  getBooking(input: GetBookingInput, options?: CallOptions): Promise<types.GetBookingResponse>;

  /**
   * Cancel a booking
   *
   * Needs the scope `bookings:write`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `invalid_state`, `cancellation_window_passed`, `unsupported_media_type`
   */
  cancelBooking(input: CancelBookingInput, options?: CallOptions): Promise<types.CancelBookingResponse>;

  /**
   * Move a booking to another time or staff member
   *
   * Needs the scope `bookings:write`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `slot_unavailable`, `invalid_state`, `unsupported_media_type`
   */
  rescheduleBooking(input: RescheduleBookingInput, options?: CallOptions): Promise<types.RescheduleBookingResponse>;

  /**
   * Business information
   *
   * Needs the scope `business:read`.
   */
  getBusiness(options?: CallOptions): Promise<types.GetBusinessResponse>;

  /**
   * Reviews, newest first
   *
   * Needs the scope `reviews:read`.
   */
  listReviews(input?: ListReviewsInput, options?: CallOptions): List<types.ListReviewsResponse>;

  /**
   * Services
   *
   * Needs the scope `services:read`.
   */
  listServices(input?: ListServicesInput, options?: CallOptions): List<types.ListServicesResponse>;

  /**
   * One service
   *
   * Needs the scope `services:read`.
   *
   * @throws {ApiError} `not_found`
   */
  getService(input: GetServiceInput, options?: CallOptions): Promise<types.GetServiceResponse>;

  /**
   * Free slots of a service
   *
   * Both dates are inclusive and read in `timeZone`, by default the zone of the business. At most 31 days.
   *
   * Needs the scope `slots:read`.
   *
   * @throws {ApiError} `range_too_large`, `not_found`
   */
  listSlots(input: ListSlotsInput, options?: CallOptions): Promise<types.ListSlotsResponse>;

  /**
   * Hold a slot for some minutes
   *
   * Needs the scope `bookings:write`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `slot_unavailable`, `hold_limit_reached`, `unsupported_media_type`
   */
  createHold(input: CreateHoldInput, options?: CallOptions): Promise<types.CreateHoldResponse>;

  /**
   * Release a hold
   *
   * Needs the scope `bookings:write`.
   *
   * @throws {ApiError} `not_found`
   */
  releaseHold(input: ReleaseHoldInput, options?: CallOptions): Promise<types.ReleaseHoldResponse>;

  /**
   * Staff members
   *
   * Needs the scope `staff:read`.
   */
  listStaff(input?: ListStaffInput, options?: CallOptions): List<types.ListStaffResponse>;

  /**
   * One staff member
   *
   * Needs the scope `staff:read`.
   *
   * @throws {ApiError} `not_found`
   */
  getStaffMember(input: GetStaffMemberInput, options?: CallOptions): Promise<types.GetStaffMemberResponse>;

  /**
   * The key's webhooks
   *
   * Needs the scope `webhooks:manage`.
   */
  listWebhooks(input?: ListWebhooksInput, options?: CallOptions): List<types.ListWebhooksResponse>;

  /**
   * Register a webhook
   *
   * The answer is the only one that shows the signing secret, until it is rotated. Some events need a scope beside `webhooks:manage`, which `GET /webhooks/events` names.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `invalid_json`, `webhook_limit_reached`, `unsupported_media_type`
   */
  createWebhook(input: CreateWebhookInput, options?: CallOptions): Promise<types.CreateWebhookResponse>;

  /**
   * One webhook
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`
   */
  getWebhook(input: GetWebhookInput, options?: CallOptions): Promise<types.GetWebhookResponse>;

  /**
   * Change or reactivate a webhook
   *
   * Setting `status` to `active` switches a failed webhook on again and resets `consecutiveFailures`. New `events` need the same scopes as at first.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `webhook_limit_reached`, `unsupported_media_type`
   */
  updateWebhook(input: UpdateWebhookInput, options?: CallOptions): Promise<types.UpdateWebhookResponse>;

  /**
   * Delete a webhook
   *
   * What is pending for it is dropped.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`
   */
  deleteWebhook(input: DeleteWebhookInput, options?: CallOptions): Promise<types.DeleteWebhookResponse>;

  /**
   * Delivery records, newest first
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`
   */
  listDeliveries(input: ListDeliveriesInput, options?: CallOptions): List<types.ListDeliveriesResponse>;

  /**
   * One delivery: its message and all attempts
   *
   * The body as it was sent, to hold beside what your server received; the headers without the signatures; and the record of every attempt. Pings are deliveries, too. Kept 30 days.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`
   */
  getDelivery(input: GetDeliveryInput, options?: CallOptions): Promise<types.GetDeliveryResponse>;

  /**
   * Send one delivery again
   *
   * Works from `success` and `failed`. The body and the `deliveryId` are those of the first attempt, the attempt numbers go on. One attempt: a failure is not retried and does not count. A delivery is sent by hand at most ten times.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`, `invalid_state`
   */
  redeliver(input: RedeliverInput, options?: CallOptions): Promise<types.RedeliverResponse>;

  /**
   * Send a test message now
   *
   * One signed request, sent while you wait: with the event name `ping`, or as an example of the `event` you name. It is recorded like a delivery, never retried, and changes neither `consecutiveFailures` nor `lastTriggeredAt`. 200 also when the target failed: look at `success`.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `invalid_json`, `not_found`, `unsupported_media_type`
   */
  pingWebhook(input: PingWebhookInput, options?: CallOptions): Promise<types.PingWebhookResponse>;

  /**
   * Send again what failed in a period
   *
   * Redelivers every delivery that was created from `since` to `until` (default: now) and that failed, and whose redelivery, if there was one, failed as well; also those that were not sent because the webhook was switched off. At most 5000 a call, and of a period with at most 100 000 records. A second call finds only what has failed again. One recovery of a webhook runs at a time, and the next begins at least 60 seconds after the last was answered. A delivery of which three attempts by hand failed is left out.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `invalid_json`, `range_too_large`, `not_found`, `recovery_in_progress`, `unsupported_media_type`
   */
  recoverWebhook(input: RecoverWebhookInput, options?: CallOptions): Promise<types.RecoverWebhookResponse>;

  /**
   * Replace the signing secret
   *
   * The old secret signs nothing from that moment.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `not_found`
   */
  rotateWebhookSecret(input: RotateWebhookSecretInput, options?: CallOptions): Promise<types.RotateWebhookSecretResponse>;

  /**
   * How deliveries to a webhook went, by hour
   *
   * Attempts by when they were sent: how they ended and how fast your server answered. They go back 30 days.
   *
   * Needs the scope `webhooks:manage`.
   *
   * @throws {ApiError} `range_too_large`, `not_found`
   */
  getWebhookStatistics(input: GetWebhookStatisticsInput, options?: CallOptions): Promise<types.GetWebhookStatisticsResponse>;

  /**
   * The events a webhook can subscribe to
   *
   * Needs the scope `webhooks:manage`.
   */
  listEventTypes(options?: CallOptions): Promise<types.ListEventTypesResponse>;
}
