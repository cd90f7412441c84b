import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listSlots as listSlotsRow } from '../../../contract/integration/routes.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { newId } from '../../../core/clock.ts';
import { at, counts, ownerOf } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function business() {
  const { tenant, key } = await fixture.tenant();
  const [service, staff] = [tenant.services[0], tenant.staff[0]];
  if (!service || !staff) throw new Error('The demo has services and staff');
  return {
    tenant,
    key,
    service,
    staff,
    owner: ownerOf(tenant.business.id),
    events: () => fixture.events(key.tenantId),
  };
}

const day = { from: '2026-12-01', to: '2026-12-01' };
const nine = '2026-12-01T09:00:00+02:00';

describe('services', () => {
  test('A change of a service names the fields that really changed, and no change raises no event', async () => {
    const { owner, service, events } = await business();
    const same = { name: service.name, price: service.price };
    expect((await owner('updateService', { ...at(service.id), body: same })).json).toMatchObject(same);
    expect(await events()).toEqual([]);
    await owner('updateService', { ...at(service.id), body: { ...same, category: null, durationMinutes: 60 } });
    const [event] = await events();
    expect(event).toMatchObject({
      name: 'service.updated',
      data: { serviceId: service.id, durationMinutes: 60, changedFields: ['durationMinutes', 'category'] },
    });
  });

  test('Staff and services agree on who performs a service, whichever side changes', async () => {
    const { owner, service, staff, tenant, events } = await business();
    const beard = tenant.services[2]?.id ?? 0;
    await owner('updateService', { ...at(service.id), body: { staffIds: [] } });
    expect((await owner('getStaffMember', at(staff.id))).json.serviceIds).not.toContain(service.id);
    await owner('updateStaffMember', { ...at(staff.id), body: { serviceIds: [service.id, beard] } });
    expect((await owner('getService', at(service.id))).json.staffIds).toEqual([staff.id]);
    expect((await owner('getService', at(beard))).json.staffIds).toContain(staff.id);
    const changed = (await events()).filter(({ name }) => name === 'service.updated');
    expect(changed.every(({ data }) => 'changedFields' in data && data.changedFields.join() === 'staffIds')).toBe(true);
    // One by the service's own change; then the two gained and the one lost.
    expect(changed).toHaveLength(4);
  });

  const price = { amount: 1, currency: 'EUR' };
  test.each([
    ['createService', 'staffIds', { name: 'x', durationMinutes: 30, price }],
    ['updateService', 'staffIds', {}],
    ['createStaffMember', 'serviceIds', { name: 'x' }],
    ['updateStaffMember', 'serviceIds', {}],
  ] as const)('%s answers %s of an unknown id and of another tenant alike: 404', async (operation, field, body) => {
    const [{ owner, service, staff }, other] = [await business(), await business()];
    const [own, foreign] = field === 'staffIds' ? [staff.id, other.staff.id] : [service.id, other.service.id];
    const changed =
      operation === 'updateService' ? at(service.id) : operation === 'updateStaffMember' ? at(staff.id) : {};
    const answers = [];
    for (const id of [foreign, newId()]) {
      const { status, json } = await owner(operation, { ...changed, body: { ...body, [field]: [own, id] } });
      answers.push([status, { ...json, requestId: '' }]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([404, { code: 'not_found', message: `${field}.1 does not exist.` }]);
  });

  test('A price in a currency other than that of the business is refused', async () => {
    const { owner, service } = await business();
    const answer = await owner('updateService', {
      ...at(service.id),
      body: { price: { amount: 1, currency: 'USD' } },
    });
    expect(answer.json).toMatchObject({ code: 'validation_failed', details: [{ path: 'price.currency' }] });
  });

  test('A deleted service leaves its bookings and offers no slots', async () => {
    const { owner, key, service, staff, events } = await business();
    const { value: booking } = await createBooking(key, {
      serviceId: service.id,
      staffId: staff.id,
      startTime: nine,
      client: { name: 'Jane', email: 'jane@example.com' },
    });
    expect((await owner('deleteService', at(service.id))).status).toBe(204);
    expect(await getBooking(key, booking)).toEqual(booking);
    await expect(listSlots(key, { serviceId: service.id, ...day })).rejects.toMatchObject({ code: 'not_found' });
    expect((await owner('getStaffMember', at(staff.id))).json.serviceIds).not.toContain(service.id);
    expect(counts(await events())['service.deleted']).toBe(1);
    expect((await owner('deleteService', at(service.id))).status).toBe(404);
    expect((await owner('completeBooking', at(booking.id))).json.status).toBe('completed');
  });
});

describe('a schedule', () => {
  test('A schedule that changes moves the slots at once and leaves the bookings', async () => {
    const { owner, key, service, staff, events } = await business();
    const { value: booking } = await createBooking(key, {
      serviceId: service.id,
      staffId: staff.id,
      startTime: nine,
      client: { name: 'Jane', email: 'jane@example.com' },
    });
    const exceptions = { '2026-12-01': [{ from: '20:00', to: '21:00' }], '2026-12-05': [] };
    const answer = await owner('updateStaffSchedule', { ...at(staff.id), body: { exceptions } });
    expect(answer.json.exceptions).toEqual(exceptions);
    const { data } = await listSlots(key, { serviceId: service.id, staffId: staff.id, ...day });
    expect(data.map(({ startTime }) => startTime)).toEqual(['2026-12-01T20:00:00+02:00', '2026-12-01T20:15:00+02:00']);
    expect(await getBooking(key, booking)).toEqual(booking);
    const event = (await events()).find(({ name }) => name === 'staff.schedule_updated');
    expect(event?.data).toMatchObject({
      staffId: staff.id,
      staffName: staff.name,
      from: '2026-12-01',
      to: '2026-12-05',
    });
  });

  test('A schedule removes an exception that is set to null, and raises no event when nothing changed', async () => {
    const { owner, staff, events } = await business();
    const change = (body: object) => owner('updateStaffSchedule', { ...at(staff.id), body });
    await change({ exceptions: { '2026-12-24': [] } });
    await change({ exceptions: { '2026-12-24': [] } });
    await change({ exceptions: { '2026-12-31': null } });
    expect(counts(await events())).toEqual({ 'staff.schedule_updated': 1 });
    expect((await change({ exceptions: { '2026-12-24': null } })).json.exceptions).toEqual({});
    expect(counts(await events())).toEqual({ 'staff.schedule_updated': 2 });
    expect((await owner('getStaffSchedule', at(staff.id))).json.weekly).toEqual(staff.schedule.weekly);
  });

  test('A change of the weekly schedule reports that no date is left out', async () => {
    const { owner, staff, events } = await business();
    const weekly = { ...staff.schedule.weekly, monday: [] };
    await owner('updateStaffSchedule', { ...at(staff.id), body: { weekly, exceptions: { '2026-12-24': [] } } });
    expect((await events())[0]?.data).toMatchObject({ from: null, to: null });
  });

  test.each([
    [
      'overlapping',
      [
        { from: '09:00', to: '12:00' },
        { from: '11:59', to: '13:00' },
      ],
    ],
    [
      'descending',
      [
        { from: '12:00', to: '13:00' },
        { from: '09:00', to: '10:00' },
      ],
    ],
    ['empty', [{ from: '09:00', to: '09:00' }]],
    ['backward', [{ from: '10:00', to: '09:00' }]],
    ['not of a clock', [{ from: '9:00', to: '25:00' }]],
  ])('A schedule with %s intervals is refused', async (_, hours) => {
    const { owner, staff } = await business();
    const answer = await owner('updateStaffSchedule', {
      ...at(staff.id),
      body: { exceptions: { '2026-12-24': hours } },
    });
    expect(answer.status).toBe(400);
  });
});

describe('clients', () => {
  test('A phone that moves to another client never belongs to two clients', async () => {
    const { owner, events } = await business();
    const first = (await owner('createClient', { body: { name: 'A', phone: '+371 2000 0001' } })).json;
    const taken = await owner('createClient', { body: { name: 'B', phone: '+371-2000-0001' } });
    expect(taken.json).toMatchObject({ code: 'client_exists', details: { clientId: first.id } });
    await owner('updateClient', { ...at(first.id), body: { phone: null, email: 'A@example.com' } });
    const second = await owner('createClient', { body: { name: 'B', phone: '+371 2000 0001' } });
    expect(second.status).toBe(201);
    const back = await owner('updateClient', { ...at(second.json.id), body: { email: 'a@EXAMPLE.com' } });
    expect(back.json.code).toBe('client_exists');
    const bare = await owner('updateClient', { ...at(first.id), body: { email: null } });
    expect(bare.json.code).toBe('validation_failed');
    const updated = (await events()).filter(({ name }) => name === 'client.updated');
    expect(updated).toMatchObject([{ data: { clientId: first.id, changedFields: ['phone', 'email'] } }]);
  });

  test('Clients are listed newest first, page by page', async () => {
    const { owner } = await business();
    for (const name of ['A', 'B', 'C']) await owner('createClient', { body: { name, email: `${name}@example.com` } });
    const first = (await owner('listClients', { query: 'limit=2' })).json as { data: object[]; nextCursor: string };
    expect(first.data).toMatchObject([{ name: 'C' }, { name: 'B' }]);
    const rest = await owner('listClients', { query: `limit=2&cursor=${first.nextCursor}` });
    expect(rest.json).toMatchObject({ data: [{ name: 'A' }], nextCursor: null });
  });
});

test('A business is created by its first change, which must contain all required fields', async () => {
  const owner = ownerOf(newId());
  const answer = await owner('updateBusiness', { body: { name: 'Salon' } });
  expect(answer.json).toMatchObject({
    code: 'validation_failed',
    details: [{ path: 'timeZone' }, { path: 'currency' }],
  });
  expect((await owner('createStaffMember', { body: { name: 'Anna' } })).status).toBe(404);
});

describe('the currency of a business', () => {
  test('The currency of a business is that of every payment, and of its refunds', async () => {
    const { owner, events } = await business();
    const pay = (currency?: string) => owner('recordPayment', { body: { amount: 100, method: 'card', currency } });
    expect(await pay('USD')).toMatchObject({ status: 400, json: { details: [{ path: 'currency' }] } });
    expect((await pay()).json.currency).toBe('EUR');
    const { json: payment } = await pay('EUR');
    const refunds = [];
    for (const body of [{ amount: 40 }, {}])
      refunds.push((await owner('refundPayment', { ...at(payment.id), body })).json);
    const { json: whole } = await pay();
    refunds.push((await owner('refundPayment', { ...at(whole.id), body: {} })).json);
    expect(refunds.map(({ amount, currency }) => [amount, currency])).toEqual([
      [40, 'EUR'],
      [60, 'EUR'],
      [100, 'EUR'],
    ]);
    const emitted = (await events()).filter(({ name }) => name === 'payment.refunded');
    // Less than the payment is a part of it, also when it is the rest.
    expect(emitted.map(({ data }) => 'partial' in data && data.partial)).toEqual([true, true, false]);
  });

  test('The currency of a business changes only while nothing has a price in it', async () => {
    const { owner, tenant } = await business();
    const change = () => owner('updateBusiness', { body: { currency: 'USD' } });
    expect(await change()).toMatchObject({ status: 409, json: { code: 'invalid_state' } });
    expect((await owner('updateBusiness', { body: { currency: 'EUR', name: 'x' } })).status).toBe(200);
    for (const { id } of tenant.services) await owner('deleteService', at(id));
    expect((await change()).json.currency).toBe('USD');
  });
});

test.each([
  ['europe/riga', 'Europe/Riga'],
  ['EUROPE/RIGA', 'Europe/Riga'],
  ['Asia/Kolkata', 'Asia/Kolkata'],
  ['Asia/Calcutta', 'Asia/Kolkata'],
  ['Europe/Kyiv', 'Europe/Kyiv'],
  ['us/eastern', 'America/New_York'],
  ['utc', 'UTC'],
])('the zone %s comes back as %s', async (timeZone, canonical) => {
  const { owner, service } = await business();
  const { json } = await owner('updateBusiness', { body: { timeZone } });
  expect(json.timeZone).toBe(canonical);
  expect(z.parse(listSlotsRow.query, { serviceId: String(service.id), ...day, timeZone }).timeZone).toBe(canonical);
});

describe('free slots', () => {
  test('Owners see the free slots that integrators are offered, and can book each', async () => {
    const { owner, key, service, staff } = await business();
    const asked = { serviceId: service.id, staffId: staff.id, ...day };
    const query = `serviceId=${service.id}&staffId=${staff.id}&from=${day.from}&to=${day.to}`;
    const { json } = await owner('listSlots', { query });
    expect(json).toEqual(await listSlots(key, asked));
    const [first] = json.data as readonly { startTime: string; staffId: number }[];
    const client = { name: 'Jane', email: 'jane@example.com' };
    const body = { serviceId: service.id, staffId: first?.staffId, startTime: first?.startTime, client };
    expect((await owner('createBooking', { body })).status).toBe(201);
    const left = (await owner('listSlots', { query })).json.data as readonly { startTime: string }[];
    expect(left.map(({ startTime }) => startTime)).not.toContain(first?.startTime);
  });

  test('The free slots for a booking to be moved are those that it may move to, including its own time', async () => {
    const { owner, service, staff } = await business();
    const asked = `serviceId=${service.id}&staffId=${staff.id}&from=${day.from}&to=${day.to}`;
    const startsOf = async (query: string) =>
      ((await owner('listSlots', { query })).json.data as readonly { startTime: string }[]).map(
        (slot) => slot.startTime,
      );
    const free = await startsOf(asked);
    const client = { name: 'Jane', email: 'jane@example.com' };
    const book = async (startTime: string | undefined) => {
      const body = { serviceId: service.id, staffId: staff.id, startTime, client };
      return (await owner('createBooking', { body })).json as { id: number };
    };
    const [moved, other] = [await book(free[0]), await book(free.at(-1))];
    const left = await startsOf(asked);
    const moves = await startsOf(`${asked}&movingBookingId=${moved.id}`);
    // All that were free at first, but for what the other one takes.
    const last = await startsOf(`${asked}&movingBookingId=${other.id}`);
    expect(free.filter((start) => moves.includes(start) || last.includes(start))).toEqual(free);
    expect(moves.length).toBeGreaterThan(left.length + 1);
    for (const startTime of [moves[1], moves[0]]) {
      expect((await owner('rescheduleBooking', { ...at(moved.id), body: { startTime } })).status).toBe(200);
    }
    expect((await owner('listSlots', { query: `${asked}&movingBookingId=1` })).status).toBe(404);
    await owner('cancelBooking', { ...at(moved.id), body: {} });
    expect(await startsOf(`${asked}&movingBookingId=${moved.id}`)).toEqual(await startsOf(asked));
    // Another booking has that time now.
    await book(moves[0]);
    expect(await startsOf(asked)).toEqual(left);
    expect(await startsOf(`${asked}&movingBookingId=${moved.id}`)).toEqual(left);
  });
});
