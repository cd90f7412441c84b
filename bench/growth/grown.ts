/** A large business that is written directly to the tables: the verbs would take a day for it. */
import { randomBytes } from 'node:crypto';
import { type DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventExamples } from '../../contract/event-examples.ts';
import type { Store } from '../../contract/system/needs.ts';
import { staffCalendar } from '../../core/availability/calendar-day.ts';
import type { BookingItem, SegmentItem } from '../../core/bookings/booking.ts';
import { bookingWrites } from '../../core/bookings/change.ts';
import { changeEntry } from '../../core/bookings/changes.ts';
import { entriesOf } from '../../core/bookings/client-names.ts';
import type { ClientItem } from '../../core/bookings/clients.ts';
import type { StaffItem } from '../../core/catalog/items.ts';
import { newStaffItems } from '../../core/catalog/staff-revision.ts';
import { newId, now, timestamp } from '../../core/clock.ts';
import { outboxPut, raise as raised } from '../../core/events/event.ts';
import type { Write } from '../../core/store/write.ts';
import { records, secrets } from '../../core/table-keys.ts';
import { registrationOf } from '../../core/webhooks/registry/registration.ts';
import { newWebhookItem, type WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { type Admin, putAll } from '../../local/admin.ts';
import { demoTenant } from '../../local/demo.ts';
import { createKey, type SeededKey } from '../../local/seed.ts';
import { alwaysOpen } from '../../test/support/always-open.ts';
import { endedDelivery } from '../../test/support/delivery-records.ts';
import { tableName } from '../../test/support/dynamo.ts';
import { storedBusy } from '../../test/support/packed-day.ts';

/** These are the same for every size. The rounds use up the spare ones. */
const staffCount = 200;
const spareStaff = 20;
const keyCount = 40;
const webhookCount = 90;
const staffOfService = 60;
const bookingsOfDay = 6;
const minutesPerDay = 1_440;

const data = eventExamples['booking.created'];

export interface Grown {
  readonly tenantId: number;
  readonly key: SeededKey;
  /** A service that 60 staff perform. */
  readonly serviceId: number;
  /** A staff member without bookings. */
  readonly freeStaffId: number;
  readonly clientId: number;
  /** A webhook of the key that is read as a feed, without a message. */
  readonly feedId: number;
  readonly bookingIds: readonly number[];
  /** A webhook of the key, with as many deliveries as the business has bookings. */
  readonly webhook: WebhookItem;
  /** Each call returns a different value. */
  readonly next: {
    booking(): number;
    pastBooking(): number;
    pendingBooking(): number;
    completedBooking(): number;
    client(): number;
    staff(): number;
    /** A webhook of the key without a delivery. */
    webhook(): number;
    key(): number;
    /** A start in ISO 8601 at which the free staff member has an hour. */
    start(): string;
    /** A text that occurs only once. */
    word(): string;
  };
}

/** Creates a business with this number of bookings, clients and deliveries. */
export async function grow(count: number): Promise<Grown> {
  const { business, services, staff } = demoTenant(now(), newId);
  const [service = missing()] = services;
  const [member = missing()] = staff;
  const tenantId = business.id;
  const team = Array.from(
    { length: staffCount },
    (_, i): StaffItem => ({
      ...member,
      id: newId(),
      name: `Member ${i}`,
      serviceIds: i < staffOfService ? [service.id] : [],
      schedule: { weekly: alwaysOpen, exceptions: {} },
    }),
  );
  const staffIds = team.map(({ id }) => id);
  const key = await createKey(admin, { tenantId, agents: true });
  const keys = [key];
  while (keys.length < keyCount) keys.push(await createKey(admin, { tenantId }));
  const webhooks = Array.from({ length: webhookCount }, (_, i) =>
    newWebhookItem(
      { tenantId, keyId: (i < 30 ? key : (keys[i % keyCount] ?? key)).id },
      { targetUrl: 'http://127.0.0.1:1025/hooks', events: i < 80 ? ['booking.created'] : ['service.deleted'] },
    ),
  );
  const feed = newWebhookItem(
    { tenantId, keyId: key.id },
    { delivery: 'poll', targetUrl: '', events: ['booking.created'] },
  );
  webhooks.push(feed);
  const [first = missing()] = webhooks;
  const webhook = { ...first, lastNumber: count };

  const rules = { ...business.bookingRules, minNoticeMinutes: 0, cancellationNoticeMinutes: 0, maxAdvanceDays: 730 };
  await fill('records', [
    { ...records.business(tenantId), ...business, workingHours: alwaysOpen, bookingRules: rules },
    { ...records.service(tenantId, service.id), ...service, staffIds: staffIds.slice(0, staffOfService) },
    ...team.flatMap((one) => newStaffItems(tenantId, one, business.timeZone)),
  ]);
  await fill('deliveries', [webhook, ...webhooks.slice(1), ...webhooks.map(registrationOf)]);
  await fill(
    'secrets',
    webhooks.map(({ id }) => ({ ...secrets.signing(id), secret: `whsec_${randomBytes(24).toString('base64')}` })),
  );

  // The last staff have none, so that some are left to book and to delete.
  const booked = team.slice(1, staffCount - spareStaff);
  const clients = Array.from({ length: count }, (_, i) => clientOf(i));
  const bookings = Array.from({ length: count }, (_, i) => bookingOf(i, service, booked, clients[i] ?? missing()));
  await fill(
    'records',
    clients.flatMap((one) => itemsOf(tenantId, one)),
  );
  await fill(
    'records',
    bookings.flatMap((one) => itemsIn(bookingWrites(tenantId, one))),
  );
  await fill('records', daysOf(tenantId, bookings));
  await fill(
    'deliveries',
    Array.from({ length: count }, (_, i) => delivered(webhook, i + 1)),
  );

  const are = (status: BookingItem['status'], past: boolean) =>
    bookings.filter((one) => one.status === status && one.start < now() / 60_000 === past).map(({ id }) => id);
  const tomorrow = Math.floor(now() / 86_400_000 + 2) * 86_400_000;
  let hours = 0;
  let words = 0;
  return {
    tenantId,
    key,
    serviceId: service.id,
    freeStaffId: staffIds[0] ?? missing(),
    clientId: clients[0]?.id ?? missing(),
    feedId: feed.id,
    bookingIds: bookings.map(({ id }) => id),
    webhook,
    next: {
      booking: taking(are('confirmed', false)),
      pastBooking: taking(are('confirmed', true)),
      completedBooking: taking(are('completed', true)),
      pendingBooking: taking(are('pending', false)),
      client: taking(clients.map(({ id }) => id).slice(1)),
      staff: taking(staffIds.slice(-spareStaff)),
      webhook: taking(webhooks.slice(1, 30).map(({ id }) => id)),
      key: taking(keys.slice(1).map(({ id }) => id)),
      start: () => new Date(tomorrow + hours++ * 3_600_000).toISOString(),
      word: () => `word-${tenantId}-${words++}`,
    },
  };
}

/** Raises an event in the outbox, to which most webhooks of the business are subscribed, and returns its message. */
export async function raise({ tenantId }: Grown): Promise<string> {
  const event = raised(tenantId, 'booking.created', data, now());
  await admin.db.send(new PutCommand({ TableName: tableName('records'), Item: outboxPut(event).Put?.Item }));
  return JSON.stringify({
    'detail-type': event.name,
    detail: { events: [{ id: event.id, shard: event.shard, tenantId }] },
  });
}

function taking(ids: readonly number[]): () => number {
  let taken = 0;
  return () => ids[taken++] ?? missing();
}

/** Half an hour ago: no change is held back for others that may still commit. */
const changedAt = () => timestamp(now() - 1_800_000);

function itemsIn(writes: readonly Write[]): object[] {
  return writes.map(({ Put }) => Put?.Item ?? missing());
}

function clientOf(i: number): ClientItem {
  const at = changedAt();
  return {
    id: newId(),
    name: `Client-${i}`,
    phone: null,
    email: `client-${i}@example.com`,
    createdAt: at,
    updatedAt: at,
  };
}

/** The items that `newClient` writes: the client, and the items that refer to it. */
function itemsOf(tenantId: number, client: ClientItem): object[] {
  const { id, name, email } = client;
  return [
    { ...records.client(tenantId, id), ...client },
    { ...records.contact(tenantId, 'email', email ?? missing()), clientId: id },
    ...entriesOf(name).map((entry) => ({ ...records.clientName(tenantId, entry, id), clientId: id })),
    ...itemsIn([changeEntry(tenantId, 'CLIENT', client)]),
  ];
}

/** Six bookings per day and staff member, alternately after and before today: days are equally full in every size. */
function bookingOf(
  i: number,
  service: { readonly id: number; readonly name: string; readonly price: SegmentItem['price'] },
  team: readonly StaffItem[],
  client: ClientItem,
): BookingItem {
  const perDay = team.length * bookingsOfDay;
  // Small businesses also have both kinds.
  const half = Math.floor(i / 2);
  const offset = Math.floor(half / perDay) + 1;
  const day = Math.floor(now() / 86_400_000) + (i % 2 === 0 ? offset : -offset);
  const place = half % perDay;
  const member = team[place % team.length] ?? missing();
  const start = day * minutesPerDay + 480 + Math.floor(place / team.length) * 90;
  const at = changedAt();
  return {
    id: newId(),
    // Even numbers are in the future.
    status: i % 4 === 0 ? 'pending' : i % 4 === 1 ? 'completed' : 'confirmed',
    segments: [
      {
        serviceId: service.id,
        serviceName: service.name,
        staffId: member.id,
        staffName: member.name,
        start,
        end: start + 45,
        price: service.price,
      },
    ],
    clientId: client.id,
    madeBy: 0,
    client: { name: client.name, phone: null, email: client.email },
    start,
    end: start + 45,
    taken: [{ calendar: staffCalendar(member.id), start, end: start + 45 }],
    timeZone: 'Europe/Riga',
    comment: '',
    metadata: {},
    places: 1,
    source: 'integration',
    externalId: null,
    cancelledBy: null,
    cancelReason: null,
    revision: 1,
    createdAt: at,
    updatedAt: at,
  };
}

function daysOf(tenantId: number, bookings: readonly BookingItem[]): object[] {
  const days = new Map<string, { day: number; calendar: string; taken: { start: number; end: number }[] }>();
  for (const { calendar, start, end } of bookings.flatMap(({ taken }) => taken)) {
    const day = Math.floor(start / minutesPerDay);
    const one = days.get(`${day}#${calendar}`) ?? { day, calendar, taken: [] };
    one.taken.push({ start: start - day * minutesPerDay, end: end - day * minutesPerDay });
    days.set(`${day}#${calendar}`, one);
  }
  return [...days.values()].map(({ day, calendar, taken }) => ({
    ...records.calendarDay(tenantId, day, calendar),
    busy: storedBusy(taken),
    version: 1,
  }));
}

function delivered(webhook: WebhookItem, number: number): object {
  const state = number % 100 === 0 ? 'failed' : 'success';
  return endedDelivery(webhook, number, now(), { state, responseStatusCode: 200, responseTimeMs: 12 });
}

/** Tables are filled with a separate client, because this may take longer than a function's calls. */
let filling: DynamoDBDocumentClient | undefined;
export function fillThrough(client: DynamoDBDocumentClient): void {
  filling = client;
}

export const admin = {
  get db() {
    return filling ?? missing();
  },
  table: tableName,
} as Admin;

const fill = (store: Store, items: readonly object[]) => putAll(admin, store, items);

function missing(): never {
  throw new Error('The grown business has too few of something for the rounds.');
}
