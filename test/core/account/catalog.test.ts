import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listSlots as listSlotsRow } from '../../../contract/integration/routes.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { newId } from '../../../core/clock.ts';
import { at, counts } from '../../support/account.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function business() {
  const { services, staff, account, ...made } = await fixture.business();
  return { ...made, service: services[0], staff: staff[0], owner: account };
}

const day = { from: '2026-12-01', to: '2026-12-01' };
const nine = '2026-12-01T09:00:00+02:00';

describe('services', () => {
  test("A change of a service's staff or of a staff member's services shows on both the service and the staff member", async () => {
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
  ] as const)(
    '%s gets a 404 when %s contains an unknown id, and the same 404 for an id of another business',
    async (operation, field, body) => {
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
    },
  );

  test('Deleting a service keeps its existing bookings and removes its free slots', async () => {
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

describe('a staff schedule', () => {
  test('A change of a staff schedule changes the free slots at once and keeps existing bookings', async () => {
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
  ])('A staff schedule with %s working hours is refused', async (_, hours) => {
    const { owner, staff } = await business();
    const answer = await owner('updateStaffSchedule', {
      ...at(staff.id),
      body: { exceptions: { '2026-12-24': hours } },
    });
    expect(answer.status).toBe(400);
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
])('The time zone %s of a business is stored as %s', async (timeZone, canonical) => {
  const { owner, service } = await business();
  const { json } = await owner('updateBusiness', { body: { timeZone } });
  expect(json.timeZone).toBe(canonical);
  expect(z.parse(listSlotsRow.query, { serviceId: String(service.id), ...day, timeZone }).timeZone).toBe(canonical);
});

describe('free slots', () => {
  test('An owner sees the same free slots as integrators, and can book each of them', async () => {
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
});
