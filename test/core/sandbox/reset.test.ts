/**
 * A reset of the sandbox: what it keeps, the order in which it deletes, and concurrent requests
 * (docs/rules.md#test-mode).
 */
import { expect, test, vi } from 'vitest';
import { eventNames } from '../../../contract/event-names.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createClient, listClients, updateClient } from '../../../core/bookings/client-book.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { createSession } from '../../../core/bookings/open-session.ts';
import { completeBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { ensureSandbox } from '../../../core/catalog/copy.ts';
import { getBusiness, listServices, listStaff } from '../../../core/catalog/read.ts';
import { now, setRuntime } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { listApiKeys } from '../../../core/keys/read-keys.ts';
import { log } from '../../../core/log.ts';
import { inSandbox } from '../../../core/mode.ts';
import { getPayment, listPayments } from '../../../core/payments/read-payments.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import type { Principal } from '../../../core/principal.ts';
import { createReview } from '../../../core/reviews/create-review.ts';
import { listReviews } from '../../../core/reviews/list.ts';
import { resetSandbox } from '../../../core/sandbox/reset.ts';
import { triggerEvent } from '../../../core/sandbox/trigger.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import { updateBusiness } from '../../../core/setup/update-business.ts';
import { getStatistics } from '../../../core/statistics/business-statistics.ts';
import { changedKinds, changes, records } from '../../../core/table-keys.ts';
import { writingUntil } from '../../../core/time-left.ts';
import { interfering } from '../../support/interfere.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import { scriptTest } from '../../support/script-test.ts';
import { type Call, scripted } from '../../support/scripted-dynamo.ts';
import { bookOnce, jane as client, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function newSandbox() {
  const { tenant, owner: live } = await fixture.tenant();
  const owner = ownerPrincipal(inSandbox(live.tenantId));
  await ensureSandbox(owner.tenantId);
  return { tenant, live, owner };
}

async function usedSandbox() {
  const { tenant, live, owner } = await newSandbox();
  const testKey = await createApiKey(owner, { name: 'CRM', scopeSet: 'full_crm' });
  for (const event of eventNames) await triggerEvent(owner, { event });
  const serviceId = inSandbox(tenant.services[0]?.id ?? 0);
  const slots = await listSlots(owner, { serviceId, from: '2026-12-08', to: '2026-12-09' });
  const [slot, , , , other] = slots.data;
  if (!slot || !other) throw new Error('The demo has free slots');
  await createHold(keyPrincipal(owner.tenantId, testKey.id), slot);
  await bookOnce(owner, { serviceId, startTime: other.startTime, client }, 'a key');
  await createSession(keyPrincipal(owner.tenantId, testKey.id), { kind: 'booker' });
  return { tenant, live, owner, testKey, serviceId };
}

/** All items of one tenant in the table except its events, which are still delivered. */
async function itemsOf(tenantId: number) {
  const all = await fixture.items('records', { ConsistentRead: true });
  return all.filter(({ pk }) => pk === records.tenant(tenantId) || String(pk).startsWith(`T#${tenantId}#`));
}
const tokensOf = async (tenantId: number) =>
  (await fixture.items('keys', { ConsistentRead: true })).filter((item) => item.tenantId === tenantId);
const places = async (tenantId: number) => (await itemsOf(tenantId)).map(({ pk, sk }) => `${pk} ${sk}`).sort();

/** Expects that times are taken only if there are bookings. */
async function expectNoLostTime({ tenantId }: Principal): Promise<void> {
  const items = await itemsOf(tenantId);
  const busy = items.filter(({ pk, busy: taken }) => String(pk).endsWith('#DAYS') && taken).length;
  const booked = items.filter(({ sk }) => String(sk).startsWith('BOOKING#')).length;
  expect(busy > 0).toBe(booked > 0);
}

test('A sandbox reset keeps the API keys, deletes all other records, and copies the services and staff of the business again', async () => {
  const { live, owner, testKey, tenant, serviceId } = await usedSandbox();
  const untouched = await itemsOf(live.tenantId);
  await updateService(owner, { id: serviceId }, { name: 'Tried' });
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });

  const catalogue = tenant.services.map(({ id }) => records.service(owner.tenantId, inSandbox(id)));
  const staff = tenant.staff.flatMap(({ id }) =>
    [records.staff, records.staffRevision].map((keyOf) => keyOf(owner.tenantId, inSandbox(id))),
  );
  const stay = [records.key(owner.tenantId, testKey.id), records.activeKeys(owner.tenantId)];
  const expected = [records.business(owner.tenantId), ...catalogue, ...staff, ...stay];
  expect(await places(owner.tenantId)).toEqual(expected.map(({ pk, sk }) => `${pk} ${sk}`).sort());
  expect(await tokensOf(owner.tenantId)).toMatchObject([{ id: testKey.id }]);
  expect((await listServices(owner, {})).data.map(({ name }) => name)).not.toContain('Tried');
  expect((await listApiKeys(owner, {})).data).toMatchObject([{ id: testKey.id, status: 'active' }]);
  expect(await itemsOf(live.tenantId)).toEqual(untouched);
});

test('A sandbox with an unfinished reset cannot be used, and the next request to reset the sandbox completes the reset', async () => {
  const { owner } = await usedSandbox();
  expect(await writingUntil(now() + 60_000, () => resetSandbox(owner))).toEqual({ status: 'done' });
  const full = await places(owner.tenantId);
  for (const event of eventNames) await triggerEvent(owner, { event });

  // The time is up after this many reads of the clock: at any point, the next reset completes the work.
  for (const looks of [6, 9, 12]) {
    let left = looks;
    const start = now();
    setRuntime({ now: () => (left-- > 0 ? start : start + 60_000) });
    const cut = await writingUntil(start + 30_000, () => resetSandbox(owner)).catch((error) => error);
    setRuntime({ now: () => start });
    expect(cut.code ?? cut.status).toMatch(/^(running|temporarily_unavailable)$/);
    await expect(getBusiness(owner)).rejects.toMatchObject({ code: 'not_found' });
    // It is not created again over the remaining items either.
    const message = 'The reset of the sandbox has not ended: send POST /sandbox/reset again.';
    const refusal = { code: 'invalid_state', message };
    await expect(triggerEvent(owner, { event: 'booking.created' })).rejects.toMatchObject(refusal);
    await expect(createApiKey(owner, { name: 'CRM', scopeSet: 'full_crm' })).rejects.toMatchObject(refusal);
  }
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  expect(await places(owner.tenantId)).toEqual(full);
});

test('After a sandbox is reset while bookings are made in it, no deleted booking still blocks a time', async () => {
  const { owner } = await usedSandbox();
  const trigger = () => triggerEvent(owner, { event: 'booking.created' }).catch(() => undefined);
  await Promise.all([resetSandbox(owner), ...Array.from({ length: 20 }, trigger)]);
  await ensureSandbox(owner.tenantId);
  await expectNoLostTime(owner);
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  const [service] = (await listServices(owner, {})).data;
  const { data } = await listSlots(owner, { serviceId: service?.id, from: '2026-12-02', to: '2026-12-08' });
  expect(data.length).toBeGreaterThan(0);
});

test('A sandbox reset deletes services and staff before bookings, so that no booking can be made during the reset', async () => {
  const { owner } = await newSandbox();
  await triggerEvent(owner, { event: 'booking.created' });
  const left: number[] = [];
  const before = async () => left.push((await listStaff(owner, {})).total, (await listServices(owner, {})).total);
  const { calls } = scriptTest();
  const when = ({ operation, input }: Call) =>
    operation === 'BatchWriteItem' && JSON.stringify(input).includes('"BOOKING#');
  await scripted([{ when, nth: 1, before }], () => resetSandbox(owner));
  expect(left).toEqual([0, 0]);
  for (const { operation, input } of calls) if (operation === 'Query') expect(input.ConsistentRead).toBe(true);
});

test('A sandbox reset also deletes data that is written while the reset runs', async () => {
  const { owner } = await newSandbox();
  await triggerEvent(owner, { event: 'booking.created' });
  const [, other] = records.partitionsOf(owner.tenantId);
  const before = () => createClient(owner, { name: 'Ada', email: 'ada@example.com' });
  const when = ({ input }: Call) => Object.values(input.ExpressionAttributeValues ?? {}).includes(other);
  expect(await scripted([{ when, nth: 1, before }], () => resetSandbox(owner))).toEqual({ status: 'done' });
  expect(await listClients(owner, {})).toEqual({ data: [], nextCursor: null });
});

test('A sandbox reset is refused if requests write to the sandbox all the time, and succeeds after they have ended', async () => {
  const { owner } = await newSandbox();
  const [, other] = records.partitionsOf(owner.tenantId);
  let written = 0;
  const before = () => createClient(owner, { name: 'Ada', email: `ada${++written}@example.com` });
  const when = ({ input }: Call) => Object.values(input.ExpressionAttributeValues ?? {}).includes(other);
  const reset = scripted([{ when, nth: (nth) => nth <= 1_000, before }], () => resetSandbox(owner));
  await expect(reset).rejects.toMatchObject({
    code: 'invalid_state',
    message: expect.stringContaining('keep writing'),
  });
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  expect(await listClients(owner, {})).toEqual({ data: [], nextCursor: null });
});

test('A sandbox reset that cannot store its progress gets 503 and deletes nothing', async () => {
  const { owner } = await newSandbox();
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  scriptTest([{ when: 'BatchExecuteStatement', fail: 'Down' }]);
  const refusal = { code: 'temporarily_unavailable', extras: { retryAfter: 1 } };
  await expect(resetSandbox(owner)).rejects.toMatchObject(refusal);
  expect(await getBusiness(owner)).toMatchObject({ id: owner.tenantId });
});

test('A sandbox reset of a business that does not exist yet gets 404, and does not prevent the creation of the sandbox later', async () => {
  const { owner: live } = await fixture.tenant();
  const other = ownerPrincipal(live.tenantId + 1);
  const owner = ownerPrincipal(inSandbox(other.tenantId));
  await expect(resetSandbox(owner)).rejects.toMatchObject({ code: 'not_found' });
  await updateBusiness(other, { name: 'New', timeZone: 'Europe/Riga', currency: 'EUR' });
  await ensureSandbox(owner.tenantId);
  expect(await getBusiness(owner)).toMatchObject({ name: 'New' });
});

/** Each reads before the sandbox is emptied, and commits after it was created again. */
const underWay: Readonly<Record<string, (seeded: SeededSandbox) => Promise<unknown>>> = {
  'a booking for a new client': ({ owner, slot }) =>
    bookOnce(owner, { ...slot, client: { name: 'Ada', email: 'ada@example.com' } }, 'late'),
  'a booking for a known client': ({ owner, slot, clientId }) => createBooking(owner, { ...slot, clientId }),
  'a slot hold': ({ key, slot }) => createHold(key, slot),
  'a move of a booking': ({ owner, bookingId, slot: { startTime, staffId } }) =>
    rescheduleBooking(owner, { id: bookingId }, { startTime, staffId }),
  'a cancellation of a booking': ({ owner, bookingId }) => cancelBooking(owner, { id: bookingId }, {}),
  'the completion of a booking': ({ owner, bookingId }) => completeBooking(owner, { id: bookingId }),
  'a review': ({ owner, visitId }) => createReview(owner, { bookingId: visitId, rating: 5 }),
  'a payment': ({ owner, bookingId }) => recordPayment(owner, { bookingId, amount: 4_500, method: 'card' }),
  'a refund': ({ owner, paymentId }) => refundPayment(owner, { id: paymentId }, {}),
  'a new client': ({ owner }) => createClient(owner, { name: 'Ada', email: 'ada@example.com' }),
  'a change of a client': ({ owner, clientId }) => updateClient(owner, { id: clientId }, { name: 'Ada' }),
  'a new session': ({ key, bookingId }) => createSession(key, { kind: 'booking', bookingId }),
  'a change of a service': ({ owner, serviceId }) => updateService(owner, { id: serviceId }, { durationMinutes: 15 }),
};

type SeededSandbox = Awaited<ReturnType<typeof seedSandbox>>;

async function seedSandbox() {
  const { key, owner: live } = await fixture.tenant();
  const owner = ownerPrincipal(inSandbox(live.tenantId));
  const { made } = await triggerEvent(owner, { event: 'payment.refunded' });
  const visit = (await triggerEvent(owner, { event: 'booking.completed' })).made;
  const booking = (await triggerEvent(owner, { event: 'booking.confirmed' })).made;
  const { serviceId = 0, staffId } = booking;
  const { data } = await listSlots(owner, { serviceId, staffId, from: '2026-12-15', to: '2026-12-16' });
  const [slot] = data;
  const payment = await recordPayment(owner, { amount: 100, method: 'cash' });
  if (!slot || !made.clientId || !visit.bookingId || !booking.bookingId) throw new Error('Triggers make all of these');
  return {
    live,
    owner,
    serviceId,
    key: { ...key, tenantId: owner.tenantId },
    slot: { serviceId: slot.serviceId, staffId: slot.staffId, startTime: slot.startTime },
    clientId: made.clientId,
    visitId: visit.bookingId,
    bookingId: booking.bookingId,
    paymentId: payment.id,
  };
}

test.each(Object.entries(underWay))('A sandbox stays usable if it is reset while %s is stored', async (_, change) => {
  const seeded = await seedSandbox();
  const { owner, live, serviceId } = seeded;
  const untouched = await itemsOf(live.tenantId);
  const reset = vi.fn(() => resetSandbox(owner));
  const outcome = await interfering({ when: () => true, first: reset }, () => change(seeded)).catch((error) => error);
  expect(reset).toHaveBeenCalledOnce();
  // It succeeds completely, or is refused with an error of the API.
  if (outcome instanceof Error) expect(outcome).toMatchObject({ name: 'ApiError' });

  await expectNoLostTime(owner);
  await Promise.all([
    ...(await listBookings(owner, {})).data
      .filter(({ status }) => status === 'confirmed')
      .map(({ id }) => cancelBooking(owner, { id }, {})),
    ...(await listPayments(owner, {})).data.map(({ id }) => getPayment(owner, { id })),
    listReviews(owner, {}),
    listClients(owner, {}),
    getStatistics(owner, {}),
  ]);
  const { data: slots } = await listSlots(owner, { serviceId, from: '2026-12-15', to: '2026-12-16' });
  expect(slots.length).toBeGreaterThan(0);
  expect(await resetSandbox(owner)).toEqual({ status: 'done' });
  const left = (await places(owner.tenantId)).filter(
    (place) => !/ (BUSINESS|ACTIVE-KEYS|(KEY|SERVICE|STAFF|STAFF-REVISION)#\d+)$/.test(place),
  );
  expect([...left, ...(await tokensOf(owner.tenantId))]).toEqual([]);
  expect(await itemsOf(live.tenantId)).toEqual(untouched);
});

test('A sandbox reset deletes each DynamoDB partition in which data of a business can be stored', () => {
  const named = Object.entries(records).flatMap(([name, shape]) => {
    if (typeof shape !== 'function' || name.includes('utbox')) return [];
    const key = (shape as (...values: unknown[]) => unknown)(7, 8, 9, 10);
    const pk = typeof key === 'object' && key !== null && 'pk' in key ? String(key.pk) : '';
    return pk.startsWith('T#7') ? [[name, pk] as const] : [];
  });
  named.push(...changedKinds.map((kind) => [kind, changes.before(7, kind, 0).pk ?? ''] as const));
  expect(named.length).toBeGreaterThan(15);
  for (const [name, pk] of named) expect(records.partitionsOf(7), name).toContain(pk);
});
