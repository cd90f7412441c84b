/**
 * Every key shape of every table. All tables have `pk` (string) and, except `keys`, `sk` (string).
 *
 * | Table | pk | sk | Item |
 * |---|---|---|---|
 * | keys | SHA-256 of the key value, hex | | status, expiry, scopes, origins, window counters |
 * | keys | SHA-256 of a value that was replaced, hex | | the same, and the hash of the new value, for at most a day |
 * | keys | OWNER#tenant#subject | | window counters of a signed-in person, and a colleague's role |
 * | keys | SHA-256 of a session's token, hex | | what the session may do, its key, expiry, window counters |
 * | records | T#tenant | BUSINESS | the business |
 * | records | T#tenant | RESET | marks a reset of this sandbox that has begun and is not finished |
 * | records | T#tenant | SERVICE#id · STAFF#id | a service; a staff member with the schedule |
 * | records | T#tenant | RESOURCE#id | a room or another thing that bookings take, and the number of its bookings so far |
 * | records | T#tenant | STAFF-REVISION#id | the state that bookings of a staff member depend on: revision of the schedule, time zone, number of bookings so far |
 * | records | T#tenant | KEY#id | an API key for the account side and the deliveries: name, status, expiresAt, hash |
 * | records | T#tenant | TEAM | the colleagues whom owners invited, and the number of invitations today |
 * | records | T#tenant | SESSION#id | a session: the API key that opened it, and the number of bookings that it may still make |
 * | records | T#tenant | LINK#booking id#session id | a session for this booking, and the hash of its token |
 * | records | T#tenant | ACTIVE-KEYS | the active API keys of the business with their expiry; the number created today |
 * | records | T#tenant | CLIENT#id | a client |
 * | records | T#tenant | CONTACT#kind:value | the client with this phone or email |
 * | records | T#tenant | KEY-CONTACT#key id#hash of a contact | the upcoming bookings of a contact through a key without `bookings:read` |
 * | records | T#tenant | NAME#words#client id | a client, by the words of the name from one of them on |
 * | records | T#tenant | REVIEW-OF#booking id | the review of a booking |
 * | records | T#tenant | BOOKING#id | a booking; index `byStart` lists them by start: T#tenant#BOOKINGS, start#id; index `byClient` those of a client: T#tenant#BOOKINGS#client id, start#id |
 * | records | T#tenant | REFERENCE#hash of an external id#booking id | the booking with this external id |
 * | records | T#tenant | HOLD#id · HOLDS#key id | a slot hold; the holds of a key with their expiry |
 * | records | T#tenant | RATING#subject | count and sum of the ratings of the business, a staff member or a service |
 * | records | T#tenant#REVIEWS | review id | a review |
 * | records | T#tenant#PAYMENTS | payment id | a payment and what was refunded of it; `byStart` lists them by when they were received, `byClient` those of a client: T#tenant#PAYMENTS#client id, payment id |
 * | records | T#tenant#REFUNDS | payment id#refund id | one refund |
 * | records | T#tenant#DAYS | day#staff id · day#R resource id | the occupied time of one staff member or resource on one UTC day, and a version |
 * | records | T#tenant#CHANGES#BOOKING · T#tenant#CHANGES#CLIENT | time#id#revision | a change of a booking or client at this time |
 * | records | T#tenant#IDEMPOTENCY | key id#idempotency key | the first response, TTL 24 h |
 * | records | T#tenant#AUDIT | audit id | who changed what, TTL a year |
 * | records | T#tenant#REQUESTS | time#request id | logged requests of one key until this time, TTL a week |
 * | records | NOTICES#hash of an address | NOTICE#kind#id · MAIL#window | a notice for the next mail to the address; that the mail of a window was sent |
 * | records | NOTICES#hash of an address | OFF | no mail is sent to the address |
 * | records | EXPIRING#day | tenant#key id | an API key that expires on this day, unless its expiry has changed since |
 * | records | EXPIRING | ANNOUNCED | the progress of the notices about keys that expire |
 * | records | OUTBOX#shard | event id | an event that is not planned yet; its insert triggers the stream's function |
 * | deliveries | T#tenant | WEBHOOK#key id#id | a webhook: target, events, status, counters, number of its last record |
 * | deliveries | T#tenant | QUOTA#key id | count of the key's active webhooks |
 * | deliveries | T#tenant | QUOTA | count of all webhooks of the business |
 * | deliveries | W#webhook | R#number | one attempt's record; the first of a delivery contains the delivery's state |
 * | deliveries | STATISTICS#webhook | time | a segment of the webhook's statistics: hours that were counted until this time |
 * | deliveries | T#tenant | FEEDS | the end of each wait at a feed of the business, in a field named `waits` and the webhook's id |
 * | deliveries | FEEDS#room | WAITING | the same for requests of all businesses |
 * | deliveries | T#tenant | PINGS | the same for pings under way |
 * | deliveries | T#tenant | RECOVERY#webhook | the same for the recovery of a webhook |
 * | deliveries | T#tenant | FORMER#origin, FORMER#host | that an origin is slow, or a host has responded, whose webhook has moved or was deleted |
 * | deliveries | T#tenant | BUDGET | first attempts that a business without webhooks has reserved |
 * | deliveries | WEBHOOKS#shard | webhook | an entry of the list of all webhooks: the checkpoints of sweep and count in its log, and its open deliveries |
 * | secrets | W#webhook | SECRET | the signing secret |
 */
import type { Payment } from '../contract/integration/resources.ts';

interface Key extends Record<string, string> {
  pk: string;
  sk: string;
}

/**
 * The number of partitions over which events and webhooks are spread. Each gets a shard when it is created, and every
 * reference contains the shard, so these numbers may be raised at any time. They must never be lowered, because the
 * scheduled functions read only so many shards (`docs/decisions/shards-that-grow.md`).
 */
export const outboxShards = 256;
export const webhookShards = 256;

/** The table key of an event in the outbox. */
export interface EventPosition {
  readonly id: number;
  readonly shard: number;
}

const tenant = (tenantId: number) => `T#${tenantId}`;
const keyAt = (pk: string, sk: string): Key => ({ pk, sk });
/** The key of an item in the first partition of a tenant. */
const own = (tenantId: number, sk: string) => keyAt(tenant(tenantId), sk);
/** Sixteen digits make the order of strings that of numbers. */
const ordered = (value: number) => String(value).padStart(16, '0');

export const keys = {
  /** The key of an API key's or a session's item. */
  apiKey: (hash: string) => ({ pk: hash }),
  owner: (tenantId: number, subject: string) => ({ pk: `OWNER#${tenantId}#${subject}` }),
};

/** The last moment of the year 9999: no time is later, and it has as many digits as a key allows. */
const latestMs = 253_402_300_799_999;

/** The suffixes of partition keys with records of a tenant. */
const partitions = [
  '',
  '#REVIEWS',
  '#PAYMENTS',
  '#REFUNDS',
  '#DAYS',
  '#IDEMPOTENCY',
  '#AUDIT',
  '#REQUESTS',
  '#CHANGES#BOOKING',
  '#CHANGES#CLIENT',
];

export const records = {
  tenant,
  /** Every partition of a tenant. */
  partitionsOf: (tenantId: number) => partitions.map((name) => tenant(tenantId) + name),
  business: (tenantId: number) => own(tenantId, 'BUSINESS'),
  reset: (tenantId: number) => own(tenantId, 'RESET'),
  servicePrefix: 'SERVICE#',
  service: (tenantId: number, id: number) => own(tenantId, `SERVICE#${ordered(id)}`),
  staffPrefix: 'STAFF#',
  staff: (tenantId: number, id: number) => own(tenantId, `STAFF#${ordered(id)}`),
  resourcePrefix: 'RESOURCE#',
  resource: (tenantId: number, id: number) => own(tenantId, `RESOURCE#${ordered(id)}`),
  staffRevisionPrefix: 'STAFF-REVISION#',
  staffRevision: (tenantId: number, id: number) => own(tenantId, `STAFF-REVISION#${ordered(id)}`),
  keyPrefix: 'KEY#',
  key: (tenantId: number, id: number) => own(tenantId, `KEY#${ordered(id)}`),
  team: (tenantId: number) => own(tenantId, 'TEAM'),
  sessionPrefix: 'SESSION#',
  session: (tenantId: number, id: number) => own(tenantId, `SESSION#${ordered(id)}`),
  linksOfBooking: (bookingId: number) => `LINK#${ordered(bookingId)}#`,
  link: (tenantId: number, bookingId: number, sessionId: number) =>
    own(tenantId, `LINK#${ordered(bookingId)}#${ordered(sessionId)}`),
  activeKeys: (tenantId: number) => own(tenantId, 'ACTIVE-KEYS'),
  clientPrefix: 'CLIENT#',
  client: (tenantId: number, id: number) => own(tenantId, `CLIENT#${ordered(id)}`),
  contact: (tenantId: number, kind: 'phone' | 'email', value: string) => own(tenantId, `CONTACT#${kind}:${value}`),
  clientNames: (beginning: string) => `NAME#${beginning}`,
  clientName: (tenantId: number, entry: string, clientId: number) =>
    own(tenantId, `NAME#${entry}#${ordered(clientId)}`),
  bookingPrefix: 'BOOKING#',
  contactOfKeyPrefix: 'KEY-CONTACT#',
  contactOfKey: (tenantId: number, keyId: number, contactHash: string) =>
    own(tenantId, `KEY-CONTACT#${ordered(keyId)}#${contactHash}`),
  booking: (tenantId: number, id: number) => own(tenantId, `BOOKING#${ordered(id)}`),
  /** Index `byStart` of the records table: bookings of a tenant in the order of their start, in epoch minutes. */
  bookingByStart: (tenantId: number, start: number, id: number) => ({
    byStartPk: `${tenant(tenantId)}#BOOKINGS`,
    byStartSk: `${ordered(start)}#${ordered(id)}`,
  }),
  /** Index `byClient`: bookings of one client in the same order. */
  bookingByClient: (tenantId: number, clientId: number, start: number, id: number) => ({
    byClientPk: `${tenant(tenantId)}#BOOKINGS#${ordered(clientId)}`,
    byClientSk: `${ordered(start)}#${ordered(id)}`,
  }),
  bookingReferences: (reference: string) => `REFERENCE#${reference}#`,
  /** `reference` is the hash of an `externalId`. */
  bookingByReference: (tenantId: number, reference: string, id: number) =>
    own(tenantId, `${records.bookingReferences(reference)}${ordered(id)}`),
  hold: (tenantId: number, id: string) => own(tenantId, `HOLD#${id}`),
  holdsOfKey: (tenantId: number, keyId: number) => own(tenantId, `HOLDS#${ordered(keyId)}`),
  review: (tenantId: number, id: number) => keyAt(`${tenant(tenantId)}#REVIEWS`, ordered(id)),
  reviewOf: (tenantId: number, bookingId: number) => own(tenantId, `REVIEW-OF#${ordered(bookingId)}`),
  payment: (tenantId: number, id: number) => keyAt(`${tenant(tenantId)}#PAYMENTS`, ordered(id)),
  /** Index `byStart` again: payments of a tenant in the order in which they were received, in epoch milliseconds. */
  paymentByTime: (tenantId: number, receivedMs: number, id: number) => ({
    byStartPk: `${tenant(tenantId)}#PAYMENTS`,
    byStartSk: `${ordered(Math.min(Math.max(0, receivedMs), latestMs))}#${ordered(id)}`,
  }),
  /** Index `byClient` again: payments of one client in the order in which they were recorded. */
  paymentByClient: (tenantId: number, clientId: number, id: number) => ({
    byClientPk: `${tenant(tenantId)}#PAYMENTS#${ordered(clientId)}`,
    byClientSk: ordered(id),
  }),
  indexKeysOfPayment: (
    tenantId: number,
    { id, clientId, receivedAt }: Pick<Payment, 'id' | 'clientId' | 'receivedAt'>,
  ) => ({
    ...records.paymentByTime(tenantId, Date.parse(receivedAt), id),
    ...(clientId !== null && records.paymentByClient(tenantId, clientId, id)),
  }),
  refundsOf: (paymentId: number) => `${ordered(paymentId)}#`,
  refund: (tenantId: number, paymentId: number, id: number) =>
    keyAt(`${tenant(tenantId)}#REFUNDS`, `${ordered(paymentId)}#${ordered(id)}`),
  ratingPrefix: 'RATING#',
  rating: (tenantId: number, subject: 'business' | 'staff' | 'service', id: number) =>
    own(tenantId, `RATING#${subject}#${ordered(id)}`),
  /**
   * `day` counts UTC days since the epoch. The days of all calendars are in one partition, so a range of days is one
   * query.
   */
  calendarDay: (tenantId: number, day: number, calendar: string) =>
    keyAt(records.calendarDays(tenantId), `${day}#${calendar}`),
  calendarDays: (tenantId: number) => `${tenant(tenantId)}#DAYS`,
  idempotency: (tenantId: number, keyId: number, key: string) =>
    keyAt(`${tenant(tenantId)}#IDEMPOTENCY`, `${keyId}#${key}`),
  /** The partition of the notices to an address, by the hash of the address. */
  noticesAt: (address: string) => `NOTICES#${address}`,
  notice: (address: string, kind: string, id: number) => keyAt(`NOTICES#${address}`, `NOTICE#${kind}#${ordered(id)}`),
  noticeMailPrefix: 'MAIL#',
  /** `window` counts windows since the epoch. */
  noticeMail: (address: string, window: number) => keyAt(`NOTICES#${address}`, `MAIL#${ordered(window)}`),
  addressOff: (address: string) => keyAt(`NOTICES#${address}`, 'OFF'),
  /** `day` counts UTC days since the epoch: keys that expire on it, and some whose expiry has changed since. */
  expiringKeys: (day: number) => `EXPIRING#${day}`,
  expiringKey: (day: number, tenantId: number, keyId: number) =>
    keyAt(`EXPIRING#${day}`, `${ordered(tenantId)}#${ordered(keyId)}`),
  // A call here would keep the whole table in bundles that use none of it.
  expiryAnnounced: { pk: 'EXPIRING', sk: 'ANNOUNCED' } as Key,
  audit: (tenantId: number, id: number) => keyAt(`${tenant(tenantId)}#AUDIT`, ordered(id)),
  /** `at` is the time of the newest request in the item, in epoch milliseconds. */
  requests: (tenantId: number, at: number, requestId: string) =>
    keyAt(`${tenant(tenantId)}#REQUESTS`, `${ordered(at)}#${requestId}`),
  timeOfRequests: (sk: string) => Number.parseInt(sk, 10),
  outboxPrefix: 'OUTBOX#',
  outboxShard: (shard: number) => `OUTBOX#${shard}`,
  shardOfOutbox: (pk: string) => Number(pk.slice('OUTBOX#'.length)),
  outboxId: (eventId: number) => ordered(eventId),
  outbox: ({ id, shard }: EventPosition) => keyAt(`OUTBOX#${shard}`, ordered(id)),
};

/** The kinds of items with a list of changes. */
export const changedKinds = ['BOOKING', 'CLIENT'] as const;
export type ChangedKind = (typeof changedKinds)[number];

/** `at` is in epoch milliseconds. */
interface ChangePosition {
  readonly at: number;
  readonly id: number;
  readonly revision: number;
}

/** Entries of the list of changes, in the table `records`. */
export const changes = {
  entry: (tenantId: number, kind: ChangedKind, { at, id, revision }: ChangePosition): Key =>
    keyAt(changes.before(tenantId, kind, at).pk, `${ordered(at)}#${ordered(id)}#${revision}`),
  /** A sort key before all changes at a time, in epoch milliseconds, and after all earlier ones. */
  before: (tenantId: number, kind: ChangedKind, at: number) =>
    keyAt(`${tenant(tenantId)}#CHANGES#${kind}`, ordered(Math.max(0, at))),
  isPosition: (sk: string) => /^\d{16}(#\d{16}#\d+)?$/.test(sk),
  changeAt: (sk: string): ChangePosition => {
    const [at = 0, id = 0, revision = 0] = sk.split('#').map(Number);
    return { at, id, revision };
  },
};

export const deliveries = {
  tenant,
  webhookPrefix: 'WEBHOOK#',
  webhooksOfKey: (keyId: number) => `WEBHOOK#${ordered(keyId)}#`,
  webhook: (tenantId: number, keyId: number, id: number) => own(tenantId, `WEBHOOK#${ordered(keyId)}#${ordered(id)}`),
  quota: (tenantId: number, keyId: number) => own(tenantId, `QUOTA#${ordered(keyId)}`),
  quotaOfBusiness: (tenantId: number) => own(tenantId, 'QUOTA'),
  webhookShard: (shard: number) => `WEBHOOKS#${shard}`,
  registration: ({ id, shard }: { readonly id: number; readonly shard: number }) =>
    keyAt(`WEBHOOKS#${shard}`, ordered(id)),
  log: (webhookId: number) => `W#${webhookId}`,
  /** `countedAt` is in epoch milliseconds. */
  segment: (webhookId: number, countedAt: number) => keyAt(`STATISTICS#${webhookId}`, ordered(countedAt)),
  feeds: (tenantId: number) => own(tenantId, 'FEEDS'),
  waitingRoom: (room: number) => keyAt(`FEEDS#${room}`, 'WAITING'),
  recovery: (tenantId: number, webhookId: number) => own(tenantId, `RECOVERY#${ordered(webhookId)}`),
  /** `name` is an origin or a host. */
  formerReceiver: (tenantId: number, name: string) => own(tenantId, `FORMER#${name}`),
  pings: (tenantId: number) => own(tenantId, 'PINGS'),
  budget: (tenantId: number) => own(tenantId, 'BUDGET'),
  record: (webhookId: number, number: number) => keyAt(`W#${webhookId}`, `R#${String(number).padStart(12, '0')}`),
};

export const secrets = { signing: (webhookId: number) => keyAt(`W#${webhookId}`, 'SECRET') };
