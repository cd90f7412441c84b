// Generated from openapi-account.json by npm run client.

import type { Operation } from './operation.ts';
import type * as types from './types.gen.ts';

/** What a call must know of each operation. */
export const operations = {
  listApiKeys: { method: 'GET', path: '/api-keys', pages: 'page' },
  createApiKey: { method: 'POST', path: '/api-keys', body: true },
  getApiKey: { method: 'GET', path: '/api-keys/{id}' },
  updateApiKey: { method: 'PATCH', path: '/api-keys/{id}', body: true },
  regenerateApiKey: { method: 'POST', path: '/api-keys/{id}/regenerate' },
  revokeApiKey: { method: 'POST', path: '/api-keys/{id}/revoke' },
  getApiKeyUse: { method: 'GET', path: '/api-keys/{id}/use' },
  listBookings: { method: 'GET', path: '/bookings', pages: 'cursor' },
  createBooking: { method: 'POST', path: '/bookings', body: true, keyed: true },
  getBooking: { method: 'GET', path: '/bookings/{id}' },
  cancelBooking: { method: 'POST', path: '/bookings/{id}/cancel', body: true },
  completeBooking: { method: 'POST', path: '/bookings/{id}/complete' },
  confirmBooking: { method: 'POST', path: '/bookings/{id}/confirm' },
  markNoShow: { method: 'POST', path: '/bookings/{id}/no-show' },
  rescheduleBooking: { method: 'POST', path: '/bookings/{id}/reschedule', body: true },
  getBusiness: { method: 'GET', path: '/business', bare: true },
  updateBusiness: { method: 'PATCH', path: '/business', body: true },
  listClients: { method: 'GET', path: '/clients', pages: 'cursor' },
  createClient: { method: 'POST', path: '/clients', body: true },
  getClient: { method: 'GET', path: '/clients/{id}' },
  updateClient: { method: 'PATCH', path: '/clients/{id}', body: true },
  eraseClient: { method: 'POST', path: '/clients/{id}/erase' },
  listAllDeliveries: { method: 'GET', path: '/deliveries', pages: 'cursor' },
  getDelivery: { method: 'GET', path: '/deliveries/{deliveryId}' },
  getMe: { method: 'GET', path: '/me', bare: true },
  listPayments: { method: 'GET', path: '/payments', pages: 'cursor' },
  recordPayment: { method: 'POST', path: '/payments', body: true, keyed: true },
  getPayment: { method: 'GET', path: '/payments/{id}' },
  refundPayment: { method: 'POST', path: '/payments/{id}/refunds', body: true, keyed: true },
  getPaymentTotals: { method: 'GET', path: '/payments/totals' },
  listReviews: { method: 'GET', path: '/reviews', pages: 'cursor' },
  createReview: { method: 'POST', path: '/reviews', body: true },
  replyToReview: { method: 'POST', path: '/reviews/{id}/reply', body: true },
  resetSandbox: { method: 'POST', path: '/sandbox/reset', bare: true },
  triggerEvent: { method: 'POST', path: '/sandbox/trigger', body: true },
  listServices: { method: 'GET', path: '/services', pages: 'page' },
  createService: { method: 'POST', path: '/services', body: true },
  getService: { method: 'GET', path: '/services/{id}' },
  updateService: { method: 'PATCH', path: '/services/{id}', body: true },
  deleteService: { method: 'DELETE', path: '/services/{id}' },
  listSlots: { method: 'GET', path: '/slots' },
  listStaff: { method: 'GET', path: '/staff', pages: 'page' },
  createStaffMember: { method: 'POST', path: '/staff', body: true },
  getStaffMember: { method: 'GET', path: '/staff/{id}' },
  updateStaffMember: { method: 'PATCH', path: '/staff/{id}', body: true },
  deleteStaffMember: { method: 'DELETE', path: '/staff/{id}' },
  getStaffSchedule: { method: 'GET', path: '/staff/{id}/schedule' },
  updateStaffSchedule: { method: 'PATCH', path: '/staff/{id}/schedule', body: true },
  getStatistics: { method: 'GET', path: '/statistics' },
  listWebhooks: { method: 'GET', path: '/webhooks', pages: 'page' },
  createWebhook: { method: 'POST', path: '/webhooks', body: true },
  getWebhook: { method: 'GET', path: '/webhooks/{id}' },
  updateWebhook: { method: 'PATCH', path: '/webhooks/{id}', body: true },
  deleteWebhook: { method: 'DELETE', path: '/webhooks/{id}' },
  listDeliveries: { method: 'GET', path: '/webhooks/{id}/deliveries', pages: 'page' },
  redeliver: { method: 'POST', path: '/webhooks/{id}/deliveries/{deliveryId}/redeliver' },
  pingWebhook: { method: 'POST', path: '/webhooks/{id}/ping', body: true },
  recoverWebhook: { method: 'POST', path: '/webhooks/{id}/recover', body: true },
  rotateWebhookSecret: { method: 'POST', path: '/webhooks/{id}/rotate-secret' },
  getWebhookStatistics: { method: 'GET', path: '/webhooks/{id}/statistics' },
} as const satisfies Record<string, Operation>;

/** What each takes, spread over path, query and body, and what it answers. */
export interface Calls {
  listApiKeys: { input: NonNullable<types.ListApiKeysData['query']> | undefined; answer: types.ListApiKeysResponse };
  createApiKey: { input: NonNullable<types.CreateApiKeyData['body']>; answer: types.CreateApiKeyResponse };
  getApiKey: { input: NonNullable<types.GetApiKeyData['path']>; answer: types.GetApiKeyResponse };
  updateApiKey: { input: NonNullable<types.UpdateApiKeyData['path']> & NonNullable<types.UpdateApiKeyData['body']>; answer: types.UpdateApiKeyResponse };
  regenerateApiKey: { input: NonNullable<types.RegenerateApiKeyData['path']>; answer: types.RegenerateApiKeyResponse };
  revokeApiKey: { input: NonNullable<types.RevokeApiKeyData['path']>; answer: types.RevokeApiKeyResponse };
  getApiKeyUse: { input: NonNullable<types.GetApiKeyUseData['path']>; answer: types.GetApiKeyUseResponse };
  listBookings: { input: NonNullable<types.ListBookingsData['query']> | undefined; answer: types.ListBookingsResponse };
  createBooking: { input: NonNullable<types.CreateBookingData['body']>; answer: types.CreateBookingResponse };
  getBooking: { input: NonNullable<types.GetBookingData['path']>; answer: types.GetBookingResponse };
  cancelBooking: { input: NonNullable<types.CancelBookingData['path']> & NonNullable<types.CancelBookingData['body']>; answer: types.CancelBookingResponse };
  completeBooking: { input: NonNullable<types.CompleteBookingData['path']>; answer: types.CompleteBookingResponse };
  confirmBooking: { input: NonNullable<types.ConfirmBookingData['path']>; answer: types.ConfirmBookingResponse };
  markNoShow: { input: NonNullable<types.MarkNoShowData['path']>; answer: types.MarkNoShowResponse };
  rescheduleBooking: { input: NonNullable<types.RescheduleBookingData['path']> & NonNullable<types.RescheduleBookingData['body']>; answer: types.RescheduleBookingResponse };
  getBusiness: { input: undefined; answer: types.GetBusinessResponse };
  updateBusiness: { input: NonNullable<types.UpdateBusinessData['body']>; answer: types.UpdateBusinessResponse };
  listClients: { input: NonNullable<types.ListClientsData['query']> | undefined; answer: types.ListClientsResponse };
  createClient: { input: NonNullable<types.CreateClientData['body']>; answer: types.CreateClientResponse };
  getClient: { input: NonNullable<types.GetClientData['path']>; answer: types.GetClientResponse };
  updateClient: { input: NonNullable<types.UpdateClientData['path']> & NonNullable<types.UpdateClientData['body']>; answer: types.UpdateClientResponse };
  eraseClient: { input: NonNullable<types.EraseClientData['path']>; answer: types.EraseClientResponse };
  listAllDeliveries: { input: NonNullable<types.ListAllDeliveriesData['query']> | undefined; answer: types.ListAllDeliveriesResponse };
  getDelivery: { input: NonNullable<types.GetDeliveryData['path']>; answer: types.GetDeliveryResponse };
  getMe: { input: undefined; answer: types.GetMeResponse };
  listPayments: { input: NonNullable<types.ListPaymentsData['query']> | undefined; answer: types.ListPaymentsResponse };
  recordPayment: { input: NonNullable<types.RecordPaymentData['body']>; answer: types.RecordPaymentResponse };
  getPayment: { input: NonNullable<types.GetPaymentData['path']>; answer: types.GetPaymentResponse };
  refundPayment: { input: NonNullable<types.RefundPaymentData['path']> & NonNullable<types.RefundPaymentData['body']>; answer: types.RefundPaymentResponse };
  getPaymentTotals: { input: NonNullable<types.GetPaymentTotalsData['query']> | undefined; answer: types.GetPaymentTotalsResponse };
  listReviews: { input: NonNullable<types.ListReviewsData['query']> | undefined; answer: types.ListReviewsResponse };
  createReview: { input: NonNullable<types.CreateReviewData['body']>; answer: types.CreateReviewResponse };
  replyToReview: { input: NonNullable<types.ReplyToReviewData['path']> & NonNullable<types.ReplyToReviewData['body']>; answer: types.ReplyToReviewResponse };
  resetSandbox: { input: undefined; answer: types.ResetSandboxResponse };
  triggerEvent: { input: NonNullable<types.TriggerEventData['body']>; answer: types.TriggerEventResponse };
  listServices: { input: NonNullable<types.ListServicesData['query']> | undefined; answer: types.ListServicesResponse };
  createService: { input: NonNullable<types.CreateServiceData['body']>; answer: types.CreateServiceResponse };
  getService: { input: NonNullable<types.GetServiceData['path']>; answer: types.GetServiceResponse };
  updateService: { input: NonNullable<types.UpdateServiceData['path']> & NonNullable<types.UpdateServiceData['body']>; answer: types.UpdateServiceResponse };
  deleteService: { input: NonNullable<types.DeleteServiceData['path']>; answer: types.DeleteServiceResponse };
  listSlots: { input: NonNullable<types.ListSlotsData['query']>; answer: types.ListSlotsResponse };
  listStaff: { input: NonNullable<types.ListStaffData['query']> | undefined; answer: types.ListStaffResponse };
  createStaffMember: { input: NonNullable<types.CreateStaffMemberData['body']>; answer: types.CreateStaffMemberResponse };
  getStaffMember: { input: NonNullable<types.GetStaffMemberData['path']>; answer: types.GetStaffMemberResponse };
  updateStaffMember: { input: NonNullable<types.UpdateStaffMemberData['path']> & NonNullable<types.UpdateStaffMemberData['body']>; answer: types.UpdateStaffMemberResponse };
  deleteStaffMember: { input: NonNullable<types.DeleteStaffMemberData['path']>; answer: types.DeleteStaffMemberResponse };
  getStaffSchedule: { input: NonNullable<types.GetStaffScheduleData['path']>; answer: types.GetStaffScheduleResponse };
  updateStaffSchedule: { input: NonNullable<types.UpdateStaffScheduleData['path']> & NonNullable<types.UpdateStaffScheduleData['body']>; answer: types.UpdateStaffScheduleResponse };
  getStatistics: { input: NonNullable<types.GetStatisticsData['query']> | undefined; answer: types.GetStatisticsResponse };
  listWebhooks: { input: NonNullable<types.ListWebhooksData['query']> | undefined; answer: types.ListWebhooksResponse };
  createWebhook: { input: NonNullable<types.CreateWebhookData['body']>; answer: types.CreateWebhookResponse };
  getWebhook: { input: NonNullable<types.GetWebhookData['path']>; answer: types.GetWebhookResponse };
  updateWebhook: { input: NonNullable<types.UpdateWebhookData['path']> & NonNullable<types.UpdateWebhookData['body']>; answer: types.UpdateWebhookResponse };
  deleteWebhook: { input: NonNullable<types.DeleteWebhookData['path']>; answer: types.DeleteWebhookResponse };
  listDeliveries: { input: NonNullable<types.ListDeliveriesData['path']> & NonNullable<types.ListDeliveriesData['query']>; answer: types.ListDeliveriesResponse };
  redeliver: { input: NonNullable<types.RedeliverData['path']>; answer: types.RedeliverResponse };
  pingWebhook: { input: NonNullable<types.PingWebhookData['path']> & NonNullable<types.PingWebhookData['body']>; answer: types.PingWebhookResponse };
  recoverWebhook: { input: NonNullable<types.RecoverWebhookData['path']> & NonNullable<types.RecoverWebhookData['body']>; answer: types.RecoverWebhookResponse };
  rotateWebhookSecret: { input: NonNullable<types.RotateWebhookSecretData['path']>; answer: types.RotateWebhookSecretResponse };
  getWebhookStatistics: { input: NonNullable<types.GetWebhookStatisticsData['path']> & NonNullable<types.GetWebhookStatisticsData['query']>; answer: types.GetWebhookStatisticsResponse };
}

/** The bodies of every documented error. */
export type ErrorAnswer =
  | types.ListApiKeysError
  | types.CreateApiKeyError
  | types.GetApiKeyError
  | types.UpdateApiKeyError
  | types.RegenerateApiKeyError
  | types.RevokeApiKeyError
  | types.GetApiKeyUseError
  | types.ListBookingsError
  | types.CreateBookingError
  | types.GetBookingError
  | types.CancelBookingError
  | types.CompleteBookingError
  | types.ConfirmBookingError
  | types.MarkNoShowError
  | types.RescheduleBookingError
  | types.GetBusinessError
  | types.UpdateBusinessError
  | types.ListClientsError
  | types.CreateClientError
  | types.GetClientError
  | types.UpdateClientError
  | types.EraseClientError
  | types.ListAllDeliveriesError
  | types.GetDeliveryError
  | types.GetMeError
  | types.ListPaymentsError
  | types.RecordPaymentError
  | types.GetPaymentError
  | types.RefundPaymentError
  | types.GetPaymentTotalsError
  | types.ListReviewsError
  | types.CreateReviewError
  | types.ReplyToReviewError
  | types.ResetSandboxError
  | types.TriggerEventError
  | types.ListServicesError
  | types.CreateServiceError
  | types.GetServiceError
  | types.UpdateServiceError
  | types.DeleteServiceError
  | types.ListSlotsError
  | types.ListStaffError
  | types.CreateStaffMemberError
  | types.GetStaffMemberError
  | types.UpdateStaffMemberError
  | types.DeleteStaffMemberError
  | types.GetStaffScheduleError
  | types.UpdateStaffScheduleError
  | types.GetStatisticsError
  | types.ListWebhooksError
  | types.CreateWebhookError
  | types.GetWebhookError
  | types.UpdateWebhookError
  | types.DeleteWebhookError
  | types.ListDeliveriesError
  | types.RedeliverError
  | types.PingWebhookError
  | types.RecoverWebhookError
  | types.RotateWebhookSecretError
  | types.GetWebhookStatisticsError;
