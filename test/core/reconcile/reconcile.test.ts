/** Reconciles a region with the items of a lost one (docs/rules.md#regions). */
import { expect, test } from 'vitest';
import { type EventName, eventNames } from '../../../contract/events.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createClient, updateClient } from '../../../core/bookings/client-book.ts';
import { completeBooking, confirmBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { updateBooking } from '../../../core/bookings/update-booking.ts';
import { getStaffMember } from '../../../core/catalog/read.ts';
import { readFeed } from '../../../core/deliveries/feed/read-feed.ts';
import { listDeliveries } from '../../../core/deliveries/log/list.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import type { Event } from '../../../core/events/event.ts';
import { idempotently } from '../../../core/idempotency/idempotently.ts';
import { inSandbox } from '../../../core/mode.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import { kindOf } from '../../../core/reconcile/implied-events.ts';
import { reconcile } from '../../../core/reconcile/reconcile.ts';
import { createReview } from '../../../core/reviews/create-review.ts';
import { listReviews } from '../../../core/reviews/list.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { createResource, deleteResource } from '../../../core/setup/change-resource.ts';
import { updateStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Key } from '../../../core/store/key.ts';
import { getItem, queryPrefix } from '../../../core/store/read.ts';
import { type Commit, transact } from '../../../core/store/transact.ts';
import { REMOVE, remove, set, writeOne } from '../../../core/store/write.ts';
import { deliveries, records } from '../../../core/table-keys.ts';
import { pastGap } from '../../../core/webhooks/registry/gaps.ts';
import { endedDelivery } from '../../support/delivery-records.ts';
import { withFaults } from '../../support/faults.ts';
import { newWebhook, put, webhookNow } from '../../support/pipeline-state.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import {
  at,
  bookOnce,
  jane,
  newClient,
  setTestClock,
  type TestBusiness,
  testNow,
  useTestBusiness,
} from '../../support/test-business.ts';

const { business, items, events } = useTestBusiness();
const lag = { since: testNow - 60_000, until: testNow };

const lose = (key: Key) => transact([remove('records', key)]);
const putBack = (item: object) => put('records', item);
const stored = <T = Record<string, unknown>>(key: Key) => getItem<T>('records', key);

/** Time passes while it runs. */
function reconcileOverTime() {
  let at = testNow;
  setTestClock(() => at++);
  return reconcile(lag);
}

type Tenant = Pick<TestBusiness, 'tenantId'>;
type StoredEvent = Event & { readonly data: Readonly<Record<string, unknown>> };

/** A business's events in the outbox, as stored. */
const outbox = ({ tenantId }: Tenant) => events(tenantId) as Promise<readonly StoredEvent[]>;

async function loseEvents(salon: Tenant, ...names: EventName[]): Promise<void> {
  for (const event of await outbox(salon))
    if (names.length === 0 || names.includes(event.name)) await lose(records.outbox(event));
}

const namesOf = async (salon: TestBusiness) => (await outbox(salon)).map(({ name }) => name).sort();
const days = ({ tenantId }: TestBusiness) =>
  queryPrefix<{ busy?: Uint8Array; sk: string } & Key>('records', `${records.tenant(tenantId)}#DAYS`, '');
const takenMinutes = async (salon: TestBusiness) => (await days(salon)).filter(({ busy }) => busy).length;

test('For every event type, a rule determines how lost events of this type are found after a failover', () => {
  const missing = eventNames.filter((name) => !kindOf.has(name));
  expect(missing, 'Add these events to a kind in core/reconcile/implied-events.ts').toEqual([]);
});

/** Makes the changes of every event in a sandbox at a moment. */
async function changesAt(moment: number) {
  const { tenantId: live } = await business();
  const tenantId = inSandbox(live);
  setTestClock(() => moment);
  const made = new Map<EventName, Record<string, unknown>>();
  for (const event of eventNames)
    made.set(event, (await triggerEvent(ownerPrincipal(tenantId), { event })).made as never);
  setTestClock(() => testNow);
  return { tenantId, made, raised: await outbox({ tenantId }) };
}

test('If a failover loses all events, reconciliation raises them again with the same data, except those of deletions', async () => {
  const { tenantId, made, raised } = await changesAt(lag.since);
  await loseEvents({ tenantId });
  await reconcile(lag);
  const again = await outbox({ tenantId });
  // What was deleted leaves no trace.
  for (const event of eventNames.filter((name) => !name.endsWith('.deleted'))) {
    const id = `${event.split('.')[0]}Id`;
    const isOf = ({ name, data }: (typeof raised)[number]) => name === event && data[id] === made.get(event)?.[id];
    const { changedFields, from, to, confirmedBy, ...data } = raised.find(isOf)?.data ?? {};
    expect(again.find(isOf)?.data).toMatchObject(data);
  }
});

test('After a failover, no event is raised again for a change from before the time in which changes may have been lost', async () => {
  const { tenantId, made } = await changesAt(lag.since - 1);
  const client = { id: Number(made.get('client.created')?.clientId) };
  await updateClient(ownerPrincipal(tenantId), client, { name: 'Ann' });
  const [updated] = (await outbox({ tenantId })).filter(({ data }) => data.name === 'Ann');
  await loseEvents({ tenantId });
  await reconcile(lag);
  const { changedFields, ...data } = updated?.data ?? {};
  expect(await outbox({ tenantId })).toMatchObject([{ name: 'client.updated', data }]);
});

test("After a failover, the event of a booking's status is raised again only if the change of status may have been lost", async () => {
  const salon = await business({ times: {}, rules: { confirmation: 'manual' } });
  const atTime = (moment: number) => setTestClock(() => moment);
  const bookAt = async (time: string) => confirmBooking(salon.owner, await salon.book(at(time)));
  atTime(lag.since - 1);
  const pending = await salon.book(at('09:00'));
  const confirmed = await salon.book(at('10:00'));
  const [before, moved, during] = [await bookAt('11:00'), await bookAt('12:00'), await bookAt('13:00')];
  await completeBooking(salon.owner, before);
  atTime(lag.since);
  await confirmBooking(salon.owner, confirmed);
  await completeBooking(salon.owner, during);
  atTime(testNow);
  await rescheduleBooking(salon.owner, moved, { startTime: at('14:00') });
  for (const one of [pending, confirmed, before, during])
    await updateBooking(salon.owner, one, { metadata: { note: 'a' } });
  await loseEvents(salon);
  await reconcile(lag);
  const raised = (await outbox(salon)).toSorted((a, b) => Number(a.data.bookingId) - Number(b.data.bookingId));
  expect(raised).toMatchObject([
    { name: 'booking.confirmed', data: { bookingId: confirmed.id, confirmedBy: 'staff' } },
    { name: 'booking.rescheduled', data: { bookingId: moved.id } },
    { name: 'booking.completed', data: { bookingId: during.id, completedAt: new Date(lag.since).toISOString() } },
  ]);
});

test('If a failover lost only the event about the last change of an object, reconciliation raises only this event again', async () => {
  const salon = await business({ times: {} });
  let moment = lag.since;
  setTestClock(() => moment);
  const booking = await salon.book(at('10:00'));
  const client = { id: Number(booking.clientId) };
  const change = async (name: string, startTime: string, price: number, day: string) => {
    moment += 1_000;
    await updateClient(salon.owner, client, { name });
    await rescheduleBooking(salon.owner, booking, { startTime });
    await updateService(salon.owner, { id: salon.serviceId }, { price: { amount: price, currency: 'EUR' } });
    await updateStaffSchedule(salon.owner, { id: salon.staffId }, { exceptions: { [day]: [] } });
  };
  await change('Ann', at('11:00'), 4_000, '2027-01-01');
  const kept = (await outbox(salon)).map(({ id }) => id);
  await change('Eve', at('12:00'), 5_000, '2027-01-02');
  const ofLast = async () => (await outbox(salon)).filter(({ id }) => !kept.includes(id));
  const factsOf = (all: readonly StoredEvent[]) =>
    all.map(({ name, data: { revision, updatedAt } }) => ({ name, revision, updatedAt }));
  const lost = await ofLast();
  for (const event of lost) await lose(records.outbox(event));
  await reconcile(lag);
  const raised = factsOf(await ofLast());
  expect(raised).toHaveLength(4);
  expect(raised).toEqual(expect.arrayContaining(factsOf(lost)));
});

test('After a failover that lost changes but kept the events about them, reconciliation removes and reports these events', async () => {
  const { tenantId, raised } = await changesAt(lag.since);
  const gone = raised.filter(({ name }) => !/^service|deleted$/.test(name));
  for (const { name, data } of gone) {
    const key = kindOf.get(name)?.keyOf(tenantId, data as never) as Key;
    // The staff member exists, without the lost change of the schedule.
    await (name.startsWith('staff') ? writeOne(set('records', key, { scheduleUpdatedAt: REMOVE })) : lose(key));
  }
  const { lost } = await reconcile(lag);
  const expected = gone.map(({ name, data: { refundId, ...data } }) => ({
    ...{ businessId: tenantId, trace: 'event', event: name, at: new Date(lag.since).toISOString() },
    id: refundId ?? data[`${name.split('.')[0]}Id`],
  }));
  expect(lost.filter(({ businessId }) => businessId === tenantId)).toEqual(expect.arrayContaining(expected));
  const rest = raised.filter((one) => !gone.includes(one));
  expect((await outbox({ tenantId })).map(({ id }) => id).sort()).toEqual(rest.map(({ id }) => id).sort());
});

test('After a failover that lost a booking, reconciliation removes and reports its events, and frees the time of the booking', async () => {
  const salon = await business({ times: {} });
  const key = `key-${salon.tenantId}`;
  const body = { ...salon.offered, startTime: at('10:00'), client: jane };
  const { value } = await bookOnce(salon.key, body, key);
  await lose(records.booking(salon.tenantId, value.id));
  expect(await takenMinutes(salon)).toBe(1);
  const { lost } = await reconcile(lag);
  const mine = lost.filter(({ businessId }) => businessId === salon.tenantId);
  expect(mine.map(({ trace, id }) => [trace, id])).toEqual([
    ['answer', value.id],
    ['event', value.id],
    ['event', value.id],
  ]);
  expect(await namesOf(salon)).toEqual(['client.created']);
  expect(await takenMinutes(salon)).toBe(0);
  // The stored response would be returned for a booking that does not exist.
  expect((await bookOnce(salon.key, body, key)).replayed).toBe(false);
});

type Change = (commit: Commit) => Promise<{ readonly id: number }>;
test.each<[string, (salon: TestBusiness) => Promise<readonly [Change, (id: number) => Promise<unknown>]>]>([
  [
    'move of a booking',
    async ({ owner, tenantId, book }) => {
      const booking = await book(at('10:00'));
      const before = await stored(records.booking(tenantId, booking.id));
      const move: Change = (commit) => rescheduleBooking(owner, booking, { startTime: at('10:30') }, commit);
      return [move, () => putBack(before ?? {})];
    },
  ],
  [
    'payment',
    async ({ owner, tenantId }) => {
      const pay: Change = (commit) => recordPayment(owner, { amount: 1_000, method: 'card' }, commit);
      return [pay, (id) => lose(records.payment(tenantId, id))];
    },
  ],
  [
    'refund',
    async ({ owner, tenantId }) => {
      const payment = await recordPayment(owner, { amount: 1_000, method: 'card' });
      const refund: Change = (commit) => refundPayment(owner, payment, { amount: 400 }, commit);
      return [refund, (id) => lose(records.refund(tenantId, payment.id, id))];
    },
  ],
])(
  'After a failover that lost a %s but not its stored response, the loss is reported, and the request can be repeated',
  async (kind, begin) => {
    const salon = await business({ times: {} });
    const [change, loseChange] = await begin(salon);
    const request = () => idempotently(salon.owner, 'k', kind, change);
    const { id } = (await request()).value;
    await loseChange(id);
    const { lost } = await reconcileOverTime();
    expect(lost).toContainEqual(expect.objectContaining({ businessId: salon.tenantId, trace: 'answer', id }));
    expect((await request()).replayed).toBe(false);
  },
);

test('After a failover that lost a cancellation, the booking is active, and webhooks get it again with a higher revision', async () => {
  const salon = await business({ times: {} });
  const booking = await salon.book(at('10:00'));
  const before = await stored(records.booking(salon.tenantId, booking.id));
  await rescheduleBooking(salon.owner, booking, { startTime: at('10:30') });
  const cancelled = await cancelBooking(salon.owner, booking, {});
  await putBack(before ?? {});
  await reconcileOverTime();
  const after = await stored<{ revision: number; status: string }>(records.booking(salon.tenantId, booking.id));
  expect(after?.status).toBe('confirmed');
  expect(after?.revision).toBeGreaterThan(cancelled.revision);
  const names = (await outbox(salon)).filter(({ data }) => data.revision === after?.revision).map(({ name }) => name);
  expect(names).toContain('booking.confirmed');
  expect(await takenMinutes(salon)).toBe(1);
});

test('After a failover, reconciliation reports the clients whose erasure the failover may have interrupted', async () => {
  const { tenantId, owner } = await business();
  const eraseAt = async (moment: number) => {
    setTestClock(() => moment);
    const { id } = await createClient(owner, newClient());
    await eraseClient(owner, { id });
    return { businessId: tenantId, clientId: id, at: new Date(moment).toISOString() };
  };
  await eraseAt(lag.since - 1);
  const erased = [await eraseAt(lag.since), await eraseAt(testNow)];
  const found = (await reconcile(lag)).erased.filter(({ businessId }) => businessId === tenantId);
  expect(found.toSorted((a, b) => a.clientId - b.clientId)).toEqual(erased);
});

test('If a failover leaves two bookings of a staff member at one time, the one that was made first is cancelled and reported', async () => {
  const salon = await business({ times: {} });
  const first = await salon.book(at('10:00'));
  const before = await stored(records.booking(salon.tenantId, first.id));
  await cancelBooking(salon.owner, first, {});
  const second = await salon.book(at('10:00'));
  await loseEvents(salon, 'booking.cancelled');
  await putBack(before ?? {});
  const { displaced, lost } = await reconcileOverTime();
  expect(lost).toContainEqual({ businessId: salon.tenantId, trace: 'time', id: first.id, at: first.updatedAt });
  expect(displaced).toContainEqual({ businessId: salon.tenantId, bookingId: first.id });
  const statusOf = async (id: number) =>
    (await stored<{ status: string }>(records.booking(salon.tenantId, id)))?.status;
  expect([await statusOf(first.id), await statusOf(second.id)]).toEqual(['cancelled', 'confirmed']);
  expect(await namesOf(salon)).toContain('booking.cancelled');
});

test('If `reconcile` fails after it has repaired a lost change, it has already reported this change', async () => {
  const { tenantId, owner } = await business();
  const clients = [await createClient(owner, newClient()), await createClient(owner, newClient())];
  for (const { id } of clients) await lose(records.client(tenantId, id));
  const reported: number[] = [];
  const run = () => reconcile(lag, ({ businessId, id }) => businessId === tenantId && reported.push(id));
  let commits = 0;
  const hits = (_: number, isCommit: boolean) => isCommit && reported.length > 0 && ++commits > 1;
  await expect(withFaults({ fault: 'InternalServerError', hits }, run)).rejects.toThrow('InternalServerError');
  expect(reported.toSorted()).toEqual(clients.map(({ id }) => id).toSorted());
  const { lost } = await reconcile(lag);
  expect(lost.filter(({ businessId }) => businessId === tenantId)).toHaveLength(1);
});

test('If a failover leaves two bookings of a staff member at one start time, the one that was made or moved last is kept', async () => {
  const salon = await business({ times: {} });
  setTestClock(() => testNow - 30_000);
  const moving = await salon.book(at('11:00'));
  const second = await salon.book(at('10:00'));
  const before = await stored(records.booking(salon.tenantId, second.id));
  await cancelBooking(salon.owner, second, {});
  setTestClock(() => testNow);
  await rescheduleBooking(salon.owner, moving, { startTime: at('10:00') });
  await putBack(before ?? {});
  expect((await reconcile(lag)).displaced).toEqual([{ businessId: salon.tenantId, bookingId: second.id }]);
});

test('If a failover leaves a class with more bookings than places, the booking that was made first is cancelled', async () => {
  const salon = await business({ times: {}, services: [{ capacity: 2 }] });
  const { id: staffId } = salon.staff[0];
  const first = await salon.book(at('10:00'), { staffId });
  await salon.book(at('10:00'), { staffId });
  const before = await stored(records.booking(salon.tenantId, first.id));
  await cancelBooking(salon.owner, first, {});
  await salon.book(at('10:00'), { staffId });
  await putBack(before ?? {});
  expect((await reconcile(lag)).displaced).toEqual([{ businessId: salon.tenantId, bookingId: first.id }]);
});

test('After a failover, a webhook gets no delivery number that the lost region may already have used', async () => {
  const { tenantId } = await business();
  const gapAt = (days: number) => [1, 5, lag.until - days * 86_400_000] as const;
  const webhook = await newWebhook(tenantId, 1, { lastNumber: 20, gaps: [gapAt(33), gapAt(31)] });
  await put('deliveries', { ...deliveries.record(webhook.id, 22), id: 22 });
  const lastNumber = 22 + 60 * 12_500;
  const gaps = [gapAt(31), [23, lastNumber, lag.until]];
  for (const webhooks of [1, 0]) {
    expect(await reconcile(lag)).toMatchObject({ webhooks });
    expect(await webhookNow(webhook)).toMatchObject({ lastNumber, gaps });
    expect(await getItem('deliveries', deliveries.registration(webhook))).toMatchObject({ gaps });
  }
});

test('After two failovers without a delivery between them, the search for lost deliveries skips the delivery numbers of both', async () => {
  const { tenantId } = await business();
  const webhook = await newWebhook(tenantId, 1, { lastNumber: 20 });
  const afterGaps = async (number: number) => {
    const { gaps, lastNumber } = await webhookNow(webhook);
    return lastNumber - pastGap(number, gaps);
  };
  for (const one of [lag, { since: lag.until, until: lag.until + 60_000 }]) await reconcile(one);
  expect(await afterGaps(20)).toBe(0);
  await put('deliveries', endedDelivery(webhook, 21, testNow));
  await reconcile(lag);
  expect(await afterGaps(21)).toBe(0);
});

test('After a lost region is back and the tables were reconciled again, lists of deliveries contain the records that arrived late', async () => {
  const { tenantId } = await business();
  const webhook = await newWebhook(tenantId, 1);
  await reconcile(lag);
  for (const number of [1, 2, 3]) await put('deliveries', endedDelivery(webhook, number, testNow));
  await reconcile(lag);
  const list = await listDeliveries(keyPrincipal(tenantId, 1), webhook, { limit: 2 });
  expect(list).toMatchObject({ data: [{ id: 3 }, { id: 2 }], total: 3 });
});

test("If a restore loses messages that a feed reader has already read, the reader's next request gets feed_expired", async () => {
  const { tenantId } = await business();
  const feed = await newWebhook(tenantId, 1, { delivery: 'poll', targetUrl: '', lastNumber: 100 });
  const read = () => readFeed(keyPrincipal(tenantId, 1), feed, { after: 120 });
  await expect(read()).rejects.toMatchObject({ code: 'validation_failed' });
  await reconcile({ since: testNow - 35 * 86_400_000, until: testNow });
  await expect(read()).rejects.toMatchObject({ code: 'feed_expired' });
});

test('If a failover loses the busy time of a booking, reconciliation reserves this time again, so that nobody else can book it', async () => {
  const salon = await business({ times: {} });
  await salon.book(at('10:00'));
  for (const day of await days(salon)) await lose(day);
  await reconcile(lag);
  await expect(salon.book(at('10:00'))).rejects.toMatchObject({ code: 'slot_unavailable' });
});

test('After a failover, reconciliation keeps all slot holds except expired ones and those whose time is booked', async () => {
  const salon = await business({ times: {} });
  const hold = (clock: string) => createHold(salon.key, { ...salon.offered, startTime: at(clock), minutes: 10 });
  const { holdId } = await hold('12:00');
  const [before] = await days(salon);
  await salon.book(at('14:00'));
  await putBack(before ?? {});
  await hold('14:00');
  setTestClock(() => testNow - 11 * 60_000);
  await hold('09:00');
  setTestClock(() => testNow);
  await reconcile(lag);
  const holds = (await days(salon)).flatMap((day) => (day as { holds?: { id: string }[] }).holds ?? []);
  expect(holds.map(({ id }) => id)).toEqual([holdId]);
});

test('If a failover loses the busy time of a class, reconciliation restores it with its room, and further bookings join it', async () => {
  const salon = await business({ times: {}, services: [{ capacity: 3, resourceKind: 'room' }] });
  const { owner, staffId } = salon;
  const room = await createResource(owner, { name: 'Room 1', kind: 'room' });
  const bookings = [await salon.book(at('10:00'), { staffId })];
  for (const day of await days(salon)) await lose(day);
  await reconcile(lag);
  bookings.push(await salon.book(at('10:00'), { staffId, client: newClient() }));
  expect(bookings[1]?.segments).toMatchObject([{ resourceId: room.id }]);
  await salon.state();
  for (const booking of bookings) await cancelBooking(owner, booking, {});
  await deleteResource(owner, room);
});

test('After a failover, a booking that is missing from the list of changed bookings is added to this list', async () => {
  const salon = await business({ times: {} });
  const booking = await salon.book(at('10:00'));
  const entries = await queryPrefix<Key>('records', `${records.tenant(salon.tenantId)}#CHANGES#BOOKING`, '');
  for (const entry of entries) await lose(entry);
  await reconcile(lag);
  const all = await queryPrefix<{ sk: string }>('records', `${records.tenant(salon.tenantId)}#CHANGES#BOOKING`, '');
  expect(all.map(({ sk }) => Number(sk.split('#')[1]))).toEqual([booking.id]);
});

test.each([
  ['the new total of a payment with a refund', { left: 600, traces: [] }],
  ['a refund', { left: 1_000, traces: ['event', 'payment'] }],
  ['a refund and its event', { left: 1_000, traces: ['payment'] }],
])('After a failover that lost %s, only the unrefunded part of the payment can be refunded', async (lost, expected) => {
  const salon = await business();
  const { owner, tenantId } = salon;
  setTestClock(() => lag.since - 60_000);
  const { id } = await recordPayment(owner, { amount: 1_000, method: 'card' });
  const before = await stored(records.payment(tenantId, id));
  setTestClock(() => testNow);
  const refund = await refundPayment(owner, { id }, { amount: 400 });
  if (expected.left === 600) await putBack(before ?? {});
  else await lose(records.refund(tenantId, id, refund.id));
  if (lost.includes('event')) await loseEvents(salon, 'payment.refunded');
  const found = (await reconcile(lag)).lost.filter(({ businessId }) => businessId === tenantId);
  expect(found.map(({ trace }) => trace)).toEqual(expected.traces);
  expect((await refundPayment(owner, { id }, {})).amount).toBe(expected.left);
  await expect(refundPayment(owner, { id }, {})).rejects.toMatchObject({ code: 'refund_exceeds_payment' });
});

test('After a failover that lost a part of a review, all ratings agree with the stored reviews', async () => {
  const salon = await business({ times: {} });
  const { owner, tenantId, serviceId, staffId } = salon;
  const review = async ({ id: bookingId }: { readonly id: number }, rating: number) => {
    await completeBooking(owner, { id: bookingId });
    return createReview(owner, { bookingId, rating });
  };
  setTestClock(() => lag.since - 60_000);
  await review(await salon.book(at('12:00')), 2);
  const member = await stored(records.staff(tenantId, staffId));
  setTestClock(() => testNow);
  const expectRatings = async (reviewsCount: number, rating: number) => {
    for (const filter of [{}, { staffId }, { serviceId }])
      expect((await listReviews(owner, filter)).summary).toEqual({ count: reviewsCount, averageRating: rating });
    expect(await getStaffMember(owner, { id: staffId })).toMatchObject({ rating, reviewsCount });
  };

  const booking = await salon.book(at('10:00'));
  const { id } = await review(booking, 5);
  await lose(records.reviewOf(tenantId, booking.id));
  await lose(records.rating(tenantId, 'business', tenantId));
  await putBack(member ?? {});
  await reconcile(lag);
  await expectRatings(2, 3.5);
  await expect(createReview(owner, { bookingId: booking.id, rating: 5 })).rejects.toMatchObject({
    code: 'review_exists',
  });
  await lose(records.review(tenantId, id));
  await reconcile(lag);
  await expectRatings(1, 2);
  await createReview(owner, { bookingId: booking.id, rating: 5 });
  await expectRatings(2, 3.5);
  await putBack({ ...records.rating(tenantId, 'service', 1), count: 1, sum: 5 });
  await reconcile(lag);
  expect((await listReviews(owner, { serviceId: 1 })).summary).toEqual({ count: 0, averageRating: null });
});

test.each([
  ['who was replicated only in part', () => ({ availabilityRevision: 7 })],
  ['whose service was deactivated by a lost change', (id: number) => ({ endedRevisions: { [id]: 0 } })],
])('After a failover, a staff member with inconsistent stored data can be booked (one %s)', async (_, change) => {
  const salon = await business({ times: {} });
  const member = await stored(records.staff(salon.tenantId, salon.staffId));
  await putBack({ ...member, ...change(salon.serviceId) });
  await reconcile(lag);
  await expect(salon.book(at('10:00'))).resolves.toMatchObject({ status: 'confirmed' });
});

test('Reconciliation repairs all staff members of a business, even if they do not fit into one DynamoDB transaction', async () => {
  const { tenantId, staffId } = await business();
  const member = await stored(records.staff(tenantId, staffId));
  const ids = Array.from({ length: 15 }, (_, i) => staffId + 100 + i);
  const long = { ...member, position: 'x'.repeat(290_000), endedRevisions: { 1: 0 } };
  for (const id of ids) await putBack({ ...long, ...records.staff(tenantId, id), id });
  await reconcile(lag);
  for (const id of ids) expect(await stored(records.staff(tenantId, id))).not.toHaveProperty('endedRevisions');
});

test('Reconciliation after a failover leaves complete data unchanged, also when it is repeated', async () => {
  const salon = await business({ times: {}, rules: { confirmation: 'manual' } });
  const booking = await salon.book(at('10:00'));
  await confirmBooking(salon.owner, booking);
  await salon.book(at('11:00'));
  await reconcile(lag);
  const before = await items('records');
  const again = await reconcile(lag);
  expect(again).toMatchObject({ lost: [], displaced: [], raised: 0, days: 0, webhooks: 0 });
  expect(await items('records')).toEqual(before);
});
