/** What each operation is asked, of either API or of the one it names. One that is not here is asked with nothing. */
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import type { Grown } from './grown.ts';

type Fields = Readonly<Record<string, number | string>>;

export interface Asked {
  readonly params?: Fields;
  readonly query?: Fields;
  readonly body?: unknown;
  /** On which side an owner asks; where an API key asks, the key decides. */
  readonly mode?: 'test';
}

/** What the creation of that name answered in the same round. */
export type Made = (operation: string) => Readonly<Record<string, unknown>>;

const limit = 20;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();

const idOf = ({ id }: Readonly<Record<string, unknown>>): Fields => ({ id: Number(id) });

type Ask = (grown: Grown, round: number, made: Made) => Asked;

export const requests: Readonly<Record<string, Ask>> = {
  resetSandbox: () => ({ mode: 'test' }),
  triggerEvent: () => ({ mode: 'test', body: { event: 'booking.created' } }),
  inviteColleague: ({ next }) => ({ body: { email: `${next.word()}@example.com`, role: 'desk' } }),
  updateColleague: (_grown, _round, made) => ({ params: idOf(made('inviteColleague')), body: { role: 'owner' } }),
  removeColleague: (_grown, _round, made) => ({ params: idOf(made('inviteColleague')) }),
  listServices: () => ({ query: { limit } }),
  getService: ({ serviceId }) => ({ params: { id: serviceId } }),
  listStaff: () => ({ query: { limit } }),
  getStaffMember: ({ freeStaffId }) => ({ params: { id: freeStaffId } }),
  getStaffSchedule: ({ freeStaffId }) => ({ params: { id: freeStaffId } }),
  listBusyElsewhere: ({ freeStaffId }) => ({ params: { id: freeStaffId } }),
  putBusyElsewhere: ({ freeStaffId }, round) => ({
    params: { id: freeStaffId, source: 'google' },
    body: { blocks: [{ startTime: `${inDays(2)}T0${round % 10}:00:00Z`, endTime: `${inDays(2)}T12:00:00Z` }] },
  }),
  listSlots: ({ serviceId }) => ({ query: { serviceId, from: inDays(1), to: inDays(1), timeZone: 'UTC' } }),
  callMcp: () => ({ body: { jsonrpc: '2.0', id: 1, method: 'ping' } }),
  createSession: () => ({ body: { kind: 'booker' } }),
  deleteSession: (_grown, _round, made) => ({ params: idOf(made('createSession')) }),
  exportClient: ({ clientId }) => ({ params: { id: clientId } }),
  createManageLink: ({ bookingIds: [id = 0] }) => ({ params: { id }, body: {} }),
  endManageLinks: ({ bookingIds: [id = 0] }) => ({ params: { id } }),
  readFeed: ({ feedId }) => ({ params: { id: feedId } }),
  listSlotDays: ({ serviceId }) => ({ query: { serviceId, from: inDays(1), to: inDays(1), timeZone: 'UTC' } }),
  explainSlot: ({ serviceId }) => ({ query: { serviceId, startTime: `${inDays(1)}T10:00:00Z` } }),
  listBookings: () => ({ query: { limit } }),
  listReviews: () => ({ query: { limit } }),
  listClients: () => ({ query: { limit } }),
  listPayments: () => ({ query: { limit } }),
  listApiKeys: () => ({ query: { limit } }),
  listWebhooks: () => ({ query: { limit } }),
  listDeliveries: ({ webhook }) => ({ params: { id: webhook.id }, query: { page: 1, limit } }),
  eraseClient: (_grown, _round, made) => ({ params: idOf(made('createClient')) }),
  getClient: ({ clientId }) => ({ params: { id: clientId } }),
  getApiKey: ({ key }) => ({ params: { id: key.id } }),
  getWebhook: ({ webhook }) => ({ params: { id: webhook.id } }),
  getWebhookStatistics: ({ webhook }) => ({ params: { id: webhook.id } }),
  getStatistics: () => ({ query: { from: inDays(-1), to: inDays(-1) } }),
  getBooking: ({ next }) => ({ params: { id: next.booking() } }),
  createHold: ({ serviceId, freeStaffId: staffId, next }) => ({
    body: { serviceId, staffId, startTime: next.start() },
  }),
  releaseHold: (_grown, _round, made) => ({ params: { holdId: String(made('createHold').holdId) } }),
  createReview: ({ next }) => ({ body: { bookingId: next.completedBooking(), rating: 5 } }),
  replyToReview: (_grown, _round, made) => ({ params: idOf(made('createReview')), body: { text: 'Thank you.' } }),
  getPayment: (_grown, _round, made) => ({ params: idOf(made('recordPayment')) }),
  refundPayment: (_grown, _round, made) => ({ params: idOf(made('recordPayment')), body: {} }),
  deleteService: (_grown, _round, made) => ({ params: idOf(made('createService')) }),
  createBooking: ({ serviceId, freeStaffId: staffId, clientId, next }) => ({
    body: { serviceId, staffId, clientId, startTime: next.start() },
  }),
  confirmBooking: ({ next }) => ({ params: { id: next.pendingBooking() } }),
  updateBooking: ({ next }, round) => ({ params: { id: next.booking() }, body: { comment: `Round ${round}` } }),
  listBookingPayments: ({ next }) => ({ params: { id: next.booking() } }),
  cancelBooking: ({ next }) => ({ params: { id: next.booking() }, body: {} }),
  rescheduleBooking: ({ freeStaffId: staffId, next }) => ({
    params: { id: next.booking() },
    body: { startTime: next.start(), staffId },
  }),
  completeBooking: ({ next }) => ({ params: { id: next.pastBooking() } }),
  markNoShow: ({ next }) => ({ params: { id: next.pastBooking() } }),
  createWebhook: () => ({ body: { targetUrl: 'http://127.0.0.1:1025/hooks', events: ['booking.created'] } }),
  'account createWebhook': ({ key }) => ({
    body: { apiKeyId: key.id, targetUrl: 'http://127.0.0.1:1025/hooks', events: ['booking.created'] },
  }),
  updateWebhook: ({ webhook }, round) => ({ params: { id: webhook.id }, body: { description: `Round ${round}` } }),
  rotateWebhookSecret: ({ webhook }) => ({ params: { id: webhook.id } }),
  pingWebhook: ({ webhook }) => ({ params: { id: webhook.id } }),
  deleteWebhook: ({ next }) => ({ params: { id: next.webhook() } }),
  redeliver: ({ webhook }, round) => ({ params: { id: webhook.id, deliveryId: deliveryId(webhook.id, round + 1) } }),
  getDelivery: ({ webhook }) => ({ params: { id: webhook.id, deliveryId: deliveryId(webhook.id, 1) } }),
  'account getDelivery': ({ webhook }) => ({ params: { deliveryId: deliveryId(webhook.id, 1) } }),
  'account redeliver': ({ webhook }, round) => ({
    params: { id: webhook.id, deliveryId: deliveryId(webhook.id, round + 11) },
  }),
  recoverWebhook: ({ next }) => ({ params: { id: next.webhook() }, body: { since: anHourAgo() } }),
  updateBusiness: ({ next }) => ({ body: { description: next.word() } }),
  createService: ({ next }) => ({
    body: { name: next.word(), durationMinutes: 30, price: { amount: 100, currency: 'EUR' } },
  }),
  updateService: ({ serviceId, next }) => ({ params: { id: serviceId }, body: { description: next.word() } }),
  createStaffMember: ({ next }) => ({ body: { name: next.word() } }),
  updateStaffMember: ({ freeStaffId, next }) => ({ params: { id: freeStaffId }, body: { position: next.word() } }),
  deleteStaffMember: ({ next }) => ({ params: { id: next.staff() } }),
  updateStaffSchedule: ({ freeStaffId }) => ({
    params: { id: freeStaffId },
    body: { exceptions: { [inDays(300)]: [] } },
  }),
  listResources: () => ({ query: { limit } }),
  createResource: ({ next }) => ({ body: { name: next.word(), kind: 'room' } }),
  getResource: (_grown, _round, made) => ({ params: idOf(made('createResource')) }),
  updateResource: ({ next }, _round, made) => ({ params: idOf(made('createResource')), body: { name: next.word() } }),
  deleteResource: (_grown, _round, made) => ({ params: idOf(made('createResource')) }),
  createClient: ({ next }) => ({ body: { name: 'New', email: `${next.word()}@example.com` } }),
  updateClient: ({ next }) => ({ params: { id: next.client() }, body: { email: `${next.word()}@example.com` } }),
  recordPayment: () => ({ body: { amount: 100, method: 'card' } }),
  createApiKey: ({ next }) => ({ body: { name: next.word(), scopes: ['business:read'] } }),
  updateApiKey: ({ next }) => ({ params: { id: next.key() }, body: { name: next.word() } }),
  getApiKeyUse: ({ key }) => ({ params: { id: key.id } }),
  regenerateApiKey: ({ next }) => ({ params: { id: next.key() } }),
  revokeApiKey: ({ next }) => ({ params: { id: next.key() } }),
};

/** What else is asked of an operation: what is found by a filter, or far down a list. */
export const furtherRequests: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  listSlots: {
    // Of all members they would be more than one answer lists.
    // As many days ahead have bookings in the second largest business.
    'of four days of a member': ({ serviceId, freeStaffId: staffId }) => ({
      query: { serviceId, staffId, from: inDays(1), to: inDays(4), timeZone: 'UTC' },
    }),
  },
  listBookings: {
    'of one client': ({ clientId }) => ({ query: { limit, clientId } }),
    'in a state that none has': () => ({ query: { limit, status: 'no_show' } }),
    'changed in the last hour': () => ({ query: { limit, updatedFrom: anHourAgo() } }),
  },
  'account listClients': {
    'whose name begins so': () => ({ query: { limit, search: 'Client-1' } }),
    'whose email is so': () => ({ query: { limit, search: 'client-1@example.com' } }),
    'of an unknown name': () => ({ query: { limit, search: 'Zoe' } }),
  },
  listPayments: { 'of one client': ({ clientId }) => ({ query: { limit, clientId } }) },
  'account listReviews': { 'without a reply': () => ({ query: { limit, replied: 'false' } }) },
  listDeliveries: {
    'the last page': ({ webhook }) => ({
      params: { id: webhook.id },
      query: { page: Math.floor(webhook.lastNumber / limit), limit },
    }),
  },
  listAllDeliveries: {
    'that failed': () => ({ query: { limit, deliveryStatus: 'failed' } }),
    'of an event that none has': () => ({ query: { limit, event: 'review.created' } }),
  },
};
