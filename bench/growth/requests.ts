/** The requests to each endpoint: the documents' examples for the grown business, with the changes in this file. */
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import type { Api } from '../../lib/apis.ts';
import { type RecordedRequest, recordedRequest } from '../../test/support/recorded-requests.ts';
import type { Grown } from './grown.ts';

export type ExampleRequest = Partial<RecordedRequest>;

/** The response of the endpoint that creates an entry of a collection, such as `/payments`, in the same round. */
type Created = (collection: string) => Readonly<Record<string, unknown>>;

const limit = 20;
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const anHourAgo = () => new Date(Date.now() - 3_600_000).toISOString();
const idOf = (id: number) => ({ params: { id: String(id) } });

type Ask = (grown: Grown, round: number, created: Created) => ExampleRequest;

type Row = Api['rows'][number] & Pick<Api, 'folder'>;
type Question = (grown: Grown, round: number, created: Created) => Promise<ExampleRequest>;

/** The requests of a row, by the name under which their cost is shown. */
export function questionsOf(row: Row): [string, Question][] {
  const name = `${row.folder} ${row.operation}`;
  const change = changed[name] ?? changed[row.operation];
  const further = Object.entries(furtherRequests[name] ?? furtherRequests[row.operation] ?? {});
  return [
    [name, questionOf(row, change)],
    ...further.map(([what, ask]): [string, Question] => [`${name}, ${what}`, questionOf(row, ask)]),
  ];
}

function questionOf(row: Row, change?: Ask): Question {
  return async (grown, round, created) => {
    const {
      serviceId,
      freeStaffId,
      clientId,
      bookingIds: [bookingId = 0],
      webhook,
      key,
    } = grown;
    const ids: Readonly<Record<string, () => number>> = {
      '/services': () => serviceId,
      '/staff': () => freeStaffId,
      '/clients': () => clientId,
      '/bookings': () => bookingId,
      '/webhooks': () => webhook.id,
      '/api-keys': () => key.id,
    };
    const idIn = (collection: string) => ids[collection]?.() ?? Number(created(collection).id);
    const { headers, ...recorded } = await recordedRequest(row, idIn, inDays(2));
    // A repeated idempotency key would get the first response again.
    const { 'Idempotency-Key': _, ...others } = headers;
    return { ...recorded, headers: others, ...change?.(grown, round, created) };
  };
}

/** Operations without the filter that the documents show. */
const unfiltered = ['listBookings', 'listReviews', 'listClients', 'listPayments', 'listStaff', 'listWebhooks'];

/**
 * Changes, by operation of both APIs or of the named API. Each round has a different entry, or a change with an effect.
 */
const changed: Readonly<Record<string, Ask>> = {
  ...Object.fromEntries(unfiltered.map((operation) => [operation, () => ({ query: { limit } })])),
  listAllDeliveries: () => ({ query: {} }),
  listSlots: ({ serviceId }) => ({ query: { serviceId, from: inDays(1), to: inDays(1), timeZone: 'UTC' } }),
  listSlotDays: ({ serviceId }) => ({ query: { serviceId, from: inDays(1), to: inDays(1), timeZone: 'UTC' } }),
  listDeliveries: () => ({ query: { page: 1, limit } }),
  getStatistics: () => ({ query: { from: inDays(-1), to: inDays(-1) } }),
  readFeed: ({ feedId }) => ({ ...idOf(feedId), query: {} }),
  inviteColleague: ({ next }) => ({ body: { email: `${next.word()}@example.com`, role: 'desk' } }),
  createClient: ({ next }) => ({ body: { name: 'New', email: `${next.word()}@example.com` } }),
  updateClient: ({ next }) => ({ ...idOf(next.client()), body: { email: `${next.word()}@example.com` } }),
  eraseClient: (_grown, _round, created) => idOf(Number(created('/clients').id)),
  createHold: ({ serviceId, freeStaffId: staffId, next }) => ({
    body: { serviceId, staffId, startTime: next.start() },
  }),
  releaseHold: (_grown, _round, created) => ({ params: { holdId: String(created('/slots/holds').holdId) } }),
  createBooking: ({ serviceId, freeStaffId: staffId, clientId, next }) => ({
    body: { serviceId, staffId, clientId, startTime: next.start() },
  }),
  cancelBooking: ({ next }) => idOf(next.booking()),
  updateBooking: ({ next }, round) => ({ ...idOf(next.booking()), body: { comment: `Round ${round}` } }),
  rescheduleBooking: ({ freeStaffId: staffId, next }) => ({
    ...idOf(next.booking()),
    body: { startTime: next.start(), staffId },
  }),
  confirmBooking: ({ next }) => idOf(next.pendingBooking()),
  completeBooking: ({ next }) => idOf(next.pastBooking()),
  markNoShow: ({ next }) => idOf(next.pastBooking()),
  createReview: ({ next }) => ({ body: { bookingId: next.completedBooking(), rating: 5 } }),
  recordPayment: () => ({ body: { amount: 1_000, method: 'card' } }),
  updateBusiness: ({ next }) => ({ body: { description: next.word() } }),
  updateService: ({ next }) => ({ body: { description: next.word() } }),
  deleteService: (_grown, _round, created) => idOf(Number(created('/services').id)),
  updateStaffMember: ({ next }) => ({ body: { position: next.word() } }),
  deleteStaffMember: ({ next }) => idOf(next.staff()),
  putBusyElsewhere: (_grown, round) => ({
    body: { blocks: [{ startTime: `${inDays(2)}T0${round % 10}:00:00Z`, endTime: `${inDays(2)}T12:00:00Z` }] },
  }),
  updateApiKey: ({ next }) => ({ ...idOf(next.key()), body: { name: next.word() } }),
  regenerateApiKey: ({ next }) => ({ ...idOf(next.key()), body: {} }),
  revokeApiKey: ({ next }) => idOf(next.key()),
  updateWebhook: (_grown, round) => ({ body: { description: `Round ${round}` } }),
  deleteWebhook: ({ next }) => idOf(next.webhook()),
  recoverWebhook: ({ next }) => ({ ...idOf(next.webhook()), body: { since: anHourAgo() } }),
  getDelivery: ({ webhook }) => ({ params: { id: `${webhook.id}`, deliveryId: deliveryId(webhook.id, 1) } }),
  'account getDelivery': ({ webhook }) => ({ params: { deliveryId: deliveryId(webhook.id, 1) } }),
  redeliver: ({ webhook }, round) => ({
    params: { id: `${webhook.id}`, deliveryId: deliveryId(webhook.id, round + 1) },
  }),
  // These differ from the deliveries that the key has sent again.
  'account redeliver': ({ webhook }, round) => ({
    params: { id: `${webhook.id}`, deliveryId: deliveryId(webhook.id, round + 11) },
  }),
};

/** Additional requests of an operation: results of a filter, or far down a list. */
const furtherRequests: Readonly<Record<string, Readonly<Record<string, Ask>>>> = {
  listSlots: {
    // All staff members would exceed the limit of one response. The second largest business has bookings on this many
    // days.
    'of four days of a member': ({ serviceId, freeStaffId: staffId }) => ({
      query: { serviceId, staffId, from: inDays(1), to: inDays(4), timeZone: 'UTC' },
    }),
  },
  listBookings: {
    'of one client': ({ clientId }) => ({ query: { limit, clientId } }),
    'filtered by a status without bookings': () => ({ query: { limit, status: 'no_show' } }),
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
    'the last page': ({ webhook }) => ({ query: { page: Math.floor(webhook.lastNumber / limit), limit } }),
  },
  listAllDeliveries: {
    'that failed': () => ({ query: { limit, deliveryStatus: 'failed' } }),
    'filtered by an event without deliveries': () => ({ query: { limit, event: 'review.created' } }),
  },
};
