/**
 * Repairs the replicated data after the loss of another region (docs/rules.md#regions). Items were replicated one by
 * one, so some items of a change may be missing: bookings, clients and payments decide, and their events, times and
 * numbers are adapted. Nothing else may write while it runs. It may be run again at any time.
 */
import { deserialize, serialize } from 'node:v8';
import type { Refund } from '../../contract/account/resources.ts';
import type { Booking, Payment } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { minutesPerDay } from '../availability/calendar.ts';
import { type BookingItem, successorOf } from '../bookings/booking.ts';
import { bookingWrites } from '../bookings/change.ts';
import { changeEntry } from '../bookings/changes.ts';
import type { ClientItem } from '../bookings/clients.ts';
import type { BusinessItem, StaffItem } from '../catalog/items.ts';
import type { StaffRevision } from '../catalog/staff-revision.ts';
import { chunksOf } from '../chunks.ts';
import { dayMs, firstIdAt, now, timestamp } from '../clock.ts';
import { eventPut, type OutboxItem } from '../events/event.ts';
import type { ReviewItem } from '../reviews/list.ts';
import type { Key } from '../store/key.ts';
import { getRecords, scanAll } from '../store/read.ts';
import { asRead, type Revised } from '../store/revised.ts';
import { transact } from '../store/transact.ts';
import { put, REMOVE, remove, set, type Write } from '../store/write.ts';
import { changedKinds, records } from '../table-keys.ts';
import { type Data, type ImpliedEvent, kindOf, kinds } from './implied-events.ts';
import { renumber } from './numbers.ts';
import { countReview, isMadeSince, type Ratings, ratingWrites, type StoredRating } from './ratings.ts';
import type { ErasedClient, Lost, Reconciled } from './reconciled.ts';
import { type DayOfCalendar, timesOf } from './times.ts';

/** The bounds of the replication lag in epoch milliseconds. */
export interface Lag {
  /** All changes with an earlier response have arrived, and their events were planned by then. */
  readonly since: number;
  /** The time of the lost region's last change. */
  readonly until: number;
}

type Item = Required<Key> & Readonly<Record<string, unknown>>;

/** The result for one business or sandbox. */
interface Found {
  readonly tenantId: number;
  readonly lag: Lag;
  /** Of the reviews, only those that were made within the replication lag. */
  readonly items: readonly Item[];
  readonly counted: Ratings;
  readonly outbox: readonly OutboxItem[];
  /** The first day to reconcile, in UTC days since the epoch. */
  readonly firstDay: number;
  readonly report: Report;
}

/** Gets each lost change before it is repaired: a repeated reconciliation does not find a repaired change. */
type Report = (change: Lost) => void;

const writesPerCall = 100;
/** A staff member has 300 KB at most, and the items of a transaction 4 MB together. */
const staffPerCall = 10;
/**
 * More changes than one item can have within the replication lag: receivers may know a later revision than the table.
 */
const revisionsAhead = 10;

export async function reconcile(lag: Lag, report: Report = () => undefined): Promise<Reconciled> {
  const firstDay = Math.floor(now() / dayMs) - 1;
  // Serialised, the items of all businesses need a third of the memory, and little of the limited heap of Node.js.
  const byTenant = new Map<number, { readonly found: Buffer[]; readonly counted: Ratings }>();
  for await (const item of itemsOf(lag, firstDay)) {
    const tenantId = Number(item.pk.startsWith(records.outboxPrefix) ? item.tenantId : item.pk.split('#')[1]);
    const { found, counted } = byTenant.get(tenantId) ?? { found: [] as Buffer[], counted: new Map() };
    byTenant.set(tenantId, { found, counted });
    if (kinds.review.isOf(item)) {
      const review = item as unknown as ReviewItem;
      countReview(counted, tenantId, review);
      // The texts of all reviews could exceed the memory.
      if (!isMadeSince(lag.since, review)) continue;
    }
    found.push(serialize(item));
  }
  const lost: Lost[] = [];
  const collect: Report = (change) => {
    lost.push(change);
    report(change);
  };
  const all: Omit<Reconciled, 'lost'>[] = [];
  for (const [tenantId, { found, counted }] of byTenant) {
    const isEvent = ({ pk }: Item) => pk.startsWith(records.outboxPrefix);
    const read = found.map((item): Item => deserialize(item));
    const outbox = read.filter(isEvent) as unknown as OutboxItem[];
    const items = read.filter((item) => !isEvent(item));
    all.push(await reconcileTenant({ tenantId, lag, items, counted, outbox, firstDay, report: collect }));
  }
  const sum = (field: 'raised' | 'days' | 'webhooks') => all.reduce((total, one) => total + one[field], 0);
  return {
    lost,
    displaced: all.flatMap(({ displaced }) => displaced),
    erased: all.flatMap(({ erased }) => erased),
    raised: sum('raised'),
    days: sum('days'),
    webhooks: sum('webhooks'),
  };
}

/**
 * Reads the items that changed within the replication lag, the bookings from now on, the events in the outbox, and all
 * refunds, refunded payments, reviews and ratings.
 */
function itemsOf({ since }: Lag, firstDay: number): AsyncIterable<Item> {
  return scanAll<Item>('records', {
    FilterExpression: [
      'begins_with(pk, :outbox)',
      '(begins_with(sk, :booking) AND #end >= :ahead)',
      '(contains(pk, :days) AND sk >= :day)',
      '(contains(pk, :answers) AND expiresAtSeconds >= :answered)',
      'begins_with(sk, :staff)',
      'begins_with(sk, :revision)',
      'sk = :business',
      'updatedAt >= :since',
      'createdAt >= :since',
      'contains(pk, :refunds)',
      'contains(pk, :reviews)',
      'begins_with(sk, :rating)',
      'refundedAmount > :none',
      'reviewId >= :review',
    ].join(' OR '),
    ExpressionAttributeNames: { '#end': 'end' },
    ExpressionAttributeValues: {
      ':outbox': records.outboxPrefix,
      ':booking': records.bookingPrefix,
      ':ahead': firstDay * minutesPerDay,
      ':days': '#DAYS',
      ':day': String(firstDay),
      ':answers': '#IDEMPOTENCY',
      ':answered': Math.floor(since / 1_000) + limits.idempotencyHours * 3_600,
      ':staff': records.staffPrefix,
      ':revision': records.staffRevisionPrefix,
      ':business': records.business(0).sk,
      ':since': timestamp(since),
      ':refunds': '#REFUNDS',
      ':reviews': '#REVIEWS',
      ':rating': records.ratingPrefix,
      ':none': 0,
      ':review': firstIdAt(since),
    },
  });
}

async function reconcileTenant(found: Found): Promise<Omit<Reconciled, 'lost'>> {
  const { tenantId, lag } = found;
  // Compares revisions, before the revisions of bookings are raised.
  await reconcileAnswers(found);
  const events = await reconcileEvents(found);
  const times = await reconcileTimes(found, events.revised);
  await reconcileStaff(found);
  await reconcilePayments(found);
  await reconcileReviews(found);
  const webhooks = await renumber(tenantId, lag);
  const erased = erasedClients(found);
  return { displaced: times.displaced, erased, raised: events.raised, days: times.days, webhooks };
}

/** Removes events whose change is missing, and raises events that are missing for a change. */
async function reconcileEvents(found: Found) {
  const { tenantId, outbox, report } = found;
  const events = outbox.flatMap((item) => {
    const kind = kindOf.get(item.name);
    if (!kind) return [];
    const data = JSON.parse(item.data) as Data;
    return [{ item, kind, data, key: kind.keyOf(tenantId, data) }];
  });
  const states = await getRecords<Item>(events.map(({ key }) => key));
  const gone = events
    .map((one, i) => ({ ...one, state: states[i] }))
    .filter(({ item, kind, data, state }) => !kind.has(state as never, data, item.name));
  for (const { item, data } of gone) {
    report({ businessId: tenantId, trace: 'event', event: item.name, id: idOf(data), at: item.occurredAt });
  }
  const revised = new Map<string, Item>();
  let raised = 0;
  for (const [sk = '', some] of Map.groupBy(gone, ({ key }) => key.sk)) {
    const state = some[0]?.state;
    const removals = some.map(({ item }) => remove('records', { pk: item.pk, sk: item.sk }));
    const back =
      state && withRaisedRevision(tenantId, state, Math.max(...some.map(({ data }) => Number(data.revision ?? 0))));
    if (back) revised.set(sk, back.item);
    const implied = back ? impliedBy(back.item, undefined, undefined) : [];
    raised += implied.length;
    await commit([...removals, ...(back?.writes ?? []), ...eventPuts(tenantId, implied)]);
  }
  // An earlier change with an event of the same name has another time.
  const known = new Set(events.map(({ item, key }) => `${item.name} ${key.sk} ${item.occurredAt}`));
  raised += await raiseMissing(found, revised, known);
  return { revised, raised };
}

/** Raises the events of changes within the replication lag, except for the known ones; returns how many. */
async function raiseMissing(
  { tenantId, lag: { since, until }, items }: Found,
  revised: ReadonlyMap<string, Item>,
  known: ReadonlySet<string>,
): Promise<number> {
  let raised = 0;
  const changed = items.filter(({ pk, sk, updatedAt, createdAt, refundedAt, scheduleUpdatedAt }) => {
    const at = Date.parse(String(scheduleUpdatedAt ?? updatedAt ?? refundedAt ?? createdAt));
    return at >= since && at <= until && !revised.has(sk) && kindOfItem({ pk, sk });
  });
  for (const item of changed) {
    const parent = kindOfItem(item)?.parentOf?.(tenantId, item as never);
    const [parentItem] = parent ? await getRecords([parent]) : [];
    const implied = impliedBy(item, since, parentItem).filter(
      ({ name, at }) => !known.has(`${name} ${item.sk} ${timestamp(at)}`),
    );
    raised += implied.length;
    await commit([...changeEntries(tenantId, item), ...eventPuts(tenantId, implied)]);
  }
  return raised;
}

function eventPuts(tenantId: number, implied: readonly ImpliedEvent[]): Write[] {
  return implied.map(({ name, data, at }) => eventPut(tenantId, name, data, at));
}

/**
 * Raises the revision of a booking or client above that of a later state, which receivers may have got. Items of other
 * kinds have no revisions: they are only created or deleted.
 */
function withRaisedRevision(
  tenantId: number,
  item: Item,
  revision: number,
): { item: Item; writes: readonly Write[] } | undefined {
  const at = now();
  if (kinds.booking.isOf(item)) {
    const before = item as unknown as BookingItem;
    const after = { ...successorOf(before, {}, at), revision: revision + revisionsAhead };
    return { item: { ...item, ...after }, writes: bookingWrites(tenantId, after, before) };
  }
  if (!kinds.client.isOf(item)) return undefined;
  const before = item as unknown as ClientItem;
  // Stored revisions count from 0, and published ones from 1.
  const after = { ...item, updatedAt: timestamp(at), revision: revision - 1 + revisionsAhead };
  const writes = [put('records', after, asRead(before)), ...changeEntries(tenantId, after)];
  return { item: after, writes };
}

function kindOfItem(key: Required<Key>) {
  return Object.values(kinds).find((one) => one.isOf(key));
}

function impliedBy(item: Item, since: number | undefined, parent: unknown): readonly ImpliedEvent[] {
  return kindOfItem(item)?.implied(item as never, since, parent) ?? [];
}

/** The entry of the item in the list of changes, which may exist already. */
function changeEntries(tenantId: number, item: Item): Write[] {
  return changedKinds
    .filter((kind) => item.sk.startsWith(`${kind}#`))
    .map((kind) => changeEntry(tenantId, kind, item as never));
}

/** Makes the calendar days contain exactly the time of their bookings. */
async function reconcileTimes({ tenantId, items, firstDay, report }: Found, revised: ReadonlyMap<string, Item>) {
  const bookings = items
    .filter(({ sk, end }) => sk.startsWith(records.bookingPrefix) && Number(end) >= firstDay * minutesPerDay)
    .map((item) => (revised.get(item.sk) ?? item) as unknown as BookingItem);
  const stored = items.filter(({ pk }) => pk.endsWith('#DAYS')) as unknown as DayOfCalendar[];
  const { writes, displaced } = timesOf(tenantId, bookings, stored, firstDay, now());
  for (const { id, updatedAt: at } of displaced) report({ businessId: tenantId, trace: 'time', id, at });
  for (const before of displaced) {
    const revision = before.revision + revisionsAhead;
    const item = { ...successorOf(before, { status: 'cancelled', cancelledBy: 'staff' }, now()), revision };
    const implied = kinds.booking.implied(item as never, undefined, undefined);
    await commit([...bookingWrites(tenantId, item, before), ...eventPuts(tenantId, implied)]);
  }
  for (const some of chunksOf(writes, writesPerCall)) await commit(some);
  return { days: writes.length, displaced: displaced.map(({ id }) => ({ businessId: tenantId, bookingId: id })) };
}

/**
 * Makes the two items of each staff member agree, because bookings commit only if they do. `endedRevisions` is removed,
 * because no earlier request still runs, and the service may still be active here.
 */
async function reconcileStaff({ tenantId, items }: Found): Promise<void> {
  const business = items.find(({ sk }) => sk === records.business(tenantId).sk) as unknown as BusinessItem | undefined;
  if (!business) return;
  const members = staffOf(items);
  const revisions = items.filter(({ sk }) => sk.startsWith(records.staffRevisionPrefix)) as unknown as StaffRevision[];
  const ended = members.filter(({ endedRevisions }) => endedRevisions);
  const removals = ended.map(({ id }) => set('records', records.staff(tenantId, id), { endedRevisions: REMOVE }));
  const writes = members.flatMap(({ id: staffId, availabilityRevision }) => {
    const before = revisions.find((one) => one.staffId === staffId);
    const { timeZone } = business;
    if (before && before.availabilityRevision === availabilityRevision && before.timeZone === timeZone) return [];
    const item = { staffId, bookings: 1, ...before, timeZone, ...records.staffRevision(tenantId, staffId) };
    const { availabilityRevision: _, ...rest } = item as typeof item & { availabilityRevision?: number };
    return [put('records', { ...rest, ...(availabilityRevision !== undefined && { availabilityRevision }) })];
  });
  for (const some of chunksOf(removals, staffPerCall)) await commit(some);
  for (const some of chunksOf(writes, writesPerCall)) await commit(some);
}

function staffOf(items: readonly Item[]): readonly StaffItem[] {
  return items.filter(({ sk }) => sk.startsWith(records.staffPrefix)) as unknown as StaffItem[];
}

/** Sets what was refunded of each payment to the sum of its refunds. A lost refund may have been of any payment. */
async function reconcilePayments({ tenantId, lag, items, report }: Found): Promise<void> {
  const refunds = items.filter(kinds.refund.isOf) as unknown as Refund[];
  const byPayment = Map.groupBy(refunds, ({ paymentId }) => paymentId);
  const ids = new Set([...byPayment.keys(), ...items.filter(kinds.payment.isOf).map(({ id }) => Number(id))]);
  const payments = await getRecords<Payment>([...ids].map((id) => records.payment(tenantId, id)));
  const different = payments.flatMap((payment) => {
    if (!payment) return [];
    const { id, refundedAmount: before } = payment;
    const refundedAmount = (byPayment.get(id) ?? []).reduce((sum, { amount }) => sum + amount, 0);
    return before === refundedAmount ? [] : [{ id, before, refundedAmount }];
  });
  const writes = different.map(({ id, refundedAmount }) =>
    set('records', records.payment(tenantId, id), { refundedAmount }),
  );
  const without = different.filter(({ before, refundedAmount }) => before > refundedAmount);
  const at = timestamp(lag.until);
  for (const { id } of without) report({ businessId: tenantId, trace: 'payment', id, at });
  for (const some of chunksOf(writes, writesPerCall)) await commit(some);
}

/** Makes the items that allow one review for each booking, and the ratings, agree with the reviews. */
async function reconcileReviews({ tenantId, items, counted }: Found): Promise<void> {
  const reviews = items.filter(kinds.review.isOf) as unknown as ReviewItem[];
  const ids = new Set<unknown>(reviews.map(({ id }) => id));
  const removals = items.filter(({ reviewId }) => reviewId !== undefined && !ids.has(reviewId));
  const puts = reviews.map(({ id, bookingId }) => ({ ...records.reviewOf(tenantId, bookingId), reviewId: id }));
  // By key: after the return of a lost region, a booking may have a review of each region.
  const writes = new Map<string, Write>([
    ...removals.map(({ pk, sk }) => [sk, remove('records', { pk, sk })] as const),
    ...puts.map((item) => [String(item.sk), put('records', item)] as const),
  ]);
  for (const some of chunksOf([...writes.values()], writesPerCall)) await commit(some);
  const ratings = items.filter(({ sk }) => sk.startsWith(records.ratingPrefix)) as unknown as StoredRating[];
  const changed = ratingWrites(tenantId, counted, ratings, staffOf(items));
  for (const some of chunksOf(changed, staffPerCall)) await commit(some);
}

/**
 * The clients who were erased within the replication lag. The lost region's queue `erasures` had messages to search for
 * their data, which no program sends again.
 */
function erasedClients({ tenantId: businessId, items }: Found): readonly ErasedClient[] {
  const clients = items.filter(kinds.client.isOf) as unknown as ClientItem[];
  return clients.flatMap(({ id: clientId, erasedAt: at }) => (at === undefined ? [] : [{ businessId, clientId, at }]));
}

/** The fields by which the change of a stored response is found, and its time. */
type Answer = Partial<Booking & Payment & Refund>;

/**
 * Removes stored responses for an `Idempotency-Key` whose change of a booking, payment or refund is missing: otherwise
 * they would be repeated.
 */
async function reconcileAnswers({ tenantId, items, report }: Found): Promise<void> {
  const answers = items
    .filter(({ pk }) => pk.endsWith('#IDEMPOTENCY'))
    .flatMap(({ pk, sk, outcome }) => {
      const { answer = {} } = JSON.parse(String(outcome)) as { readonly answer?: Answer };
      const { id = 0, revision = 0, updatedAt, refundedAt, createdAt = '' } = answer;
      const item = itemOf(tenantId, answer);
      return item ? [{ key: { pk, sk }, item, id, revision, at: updatedAt ?? refundedAt ?? createdAt }] : [];
    });
  const states = await getRecords<Revised>(answers.map(({ item }) => item));
  const gone = answers.filter(({ revision }, i) => !states[i] || (states[i].revision ?? 0) < revision);
  for (const { id, at } of gone) report({ businessId: tenantId, trace: 'answer', id, at });
  for (const some of chunksOf(gone, writesPerCall)) await commit(some.map(({ key }) => remove('records', key)));
}

function itemOf(tenantId: number, { id, startTime, receivedAt, paymentId }: Answer): Key | undefined {
  if (id === undefined) return undefined;
  if (startTime !== undefined) return records.booking(tenantId, id);
  if (receivedAt !== undefined) return records.payment(tenantId, id);
  return paymentId === undefined ? undefined : records.refund(tenantId, paymentId, id);
}

function idOf({ bookingId, clientId, reviewId, refundId, paymentId, serviceId, staffId }: Partial<Data>): number {
  return Number(refundId ?? paymentId ?? reviewId ?? bookingId ?? clientId ?? serviceId ?? staffId);
}

/** Throws if another writer changed an item: none may run. */
export async function commit(writes: readonly Write[]): Promise<void> {
  if (writes.length === 0) return;
  const outcome = await transact(writes);
  if (outcome !== 'committed')
    throw new Error(
      `Another program changed items during the reconciliation: stop all writers, then try again (${outcome.join(', ')})`,
    );
}
