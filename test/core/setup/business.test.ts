/** How an owner creates and changes a business (docs/rules.md#catalog). */
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { listSlots } from '../../../contract/integration/routes.ts';
import { newId } from '../../../core/clock.ts';
import { inSandbox } from '../../../core/mode.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { publishedOperations } from '../../fuzz/published.ts';
import { at, ownerOf } from '../../support/account.ts';
import { alwaysOpen, alwaysThere, everyDay } from '../../support/always-open.ts';
import { jane as client, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const needed = { name: 'Salon', timeZone: 'Europe/Riga', currency: 'EUR' };
const first = {
  ...needed,
  ...{ description: '', phone: null, email: null, address: null, workingHours: everyDay(''), mode: 'live' },
  ...{ noticeEmail: null, noticeEmailOff: null },
  bookingRules: {
    ...{ slotStepMinutes: 15, minNoticeMinutes: 60, maxAdvanceDays: 90, cancellationNoticeMinutes: 120 },
    confirmation: 'automatic',
  },
};

test('The first PATCH /business creates a business that is closed all week and has the default booking rules', async () => {
  const id = newId();
  expect((await ownerOf(id)('updateBusiness', { body: needed })).json).toEqual({ ...first, id });
  const other = newId();
  const values = { description: 'Hair.', phone: '+371 2000 0000', workingHours: alwaysOpen };
  const body = { ...needed, ...values, bookingRules: { maxAdvanceDays: 7 } };
  const business = { ...first, ...values, id: other, bookingRules: { ...first.bookingRules, maxAdvanceDays: 7 } };
  expect((await ownerOf(other)('updateBusiness', { body })).json).toEqual(business);
  expect((await ownerOf(other)('getBusiness')).json).toEqual(business);
});

test.each([
  ['a name, a time zone and a currency', ['name', 'timeZone', 'currency'], { phone: '+371 2000 0000' }],
  ['a name', ['name'], { timeZone: 'UTC', currency: 'EUR' }],
  ['a time zone', ['timeZone'], { name: 'Salon', currency: 'EUR' }],
  ['a currency', ['currency'], { name: 'Salon', timeZone: 'UTC' }],
])('The request PATCH /business that creates a business is refused without %s', async (_, paths, body) => {
  const owner = ownerOf(newId());
  const { json } = await owner('updateBusiness', { body });
  expect(json).toMatchObject({ statusCode: 400, code: 'validation_failed' });
  expect(json.details).toEqual(paths.map((path) => ({ path, message: 'is required' })));
  const message = 'There is no business yet: its owner creates it with PATCH /business.';
  expect((await owner('getBusiness')).json).toMatchObject({ statusCode: 404, code: 'not_found', message });
});

test('PATCH /business in test mode does not create a sandbox', async () => {
  const { key } = await fixture.tenant();
  const headers = { 'booking-mode': 'test' };
  const { json } = await ownerOf(key.tenantId)('updateBusiness', { headers, body: needed });
  const message = 'There is no sandbox yet: create a test key first.';
  expect(json).toMatchObject({ statusCode: 404, code: 'not_found', message });
  const published = publishedOperations().find(({ operationId }) => operationId === 'updateBusiness');
  expect(published?.fault(404, new Map(), json)).toBeUndefined();
  expect(await getItem('records', records.business(inSandbox(key.tenantId)))).toBeUndefined();
});

async function testBusiness() {
  const { tenant, key } = await fixture.tenant(alwaysThere);
  const owner = ownerOf(key.tenantId);
  const before = { ...tenant.business, mode: 'live', noticeEmail: null, noticeEmailOff: null };
  const stored = () => getItem<Record<string, unknown>>('records', records.business(key.tenantId));
  const change = async (body: object) => (await owner('updateBusiness', { body })).json;
  return { tenant, owner, before, stored, change };
}

test('PATCH /business changes only the fields that the request contains, and writes nothing when no field differs', async () => {
  const { before, stored, change } = await testBusiness();
  const bookingRules = { ...before.bookingRules, minNoticeMinutes: 0 };
  const after = { ...before, phone: null, bookingRules };
  expect(await change({ phone: null, bookingRules: { minNoticeMinutes: 0 } })).toEqual(after);
  expect(await stored()).toMatchObject({ revision: 1 });
  expect(await change({ phone: null, timeZone: before.timeZone, bookingRules: { minNoticeMinutes: 0 } })).toEqual(
    after,
  );
  expect(await stored()).toMatchObject({ revision: 1, bookingRules });
});

test('The currency of a business can be changed only while the business has no services', async () => {
  const { tenant, owner, change } = await testBusiness();
  const message = 'The currency cannot change while the business has services, because their prices use this currency.';
  expect(await change({ currency: 'USD' })).toMatchObject({ statusCode: 409, code: 'invalid_state', message });
  expect(await change({ currency: 'EUR' })).toMatchObject({ currency: 'EUR' });
  for (const { id } of tenant.services) await owner('deleteService', at(id));
  expect(await change({ currency: 'USD' })).toMatchObject({ currency: 'USD' });
});

test('The time zone of a business with upcoming bookings changes only if the request contains the field `keepInstants`', async () => {
  const { tenant, owner, change } = await testBusiness();
  const { id: serviceId, staffIds } = tenant.services[0] ?? { id: 0, staffIds: [] };
  const startTime = '2026-12-01T10:00:00+02:00';
  const body = { serviceId, staffId: staffIds[0], startTime, client };
  const { id } = (await owner('createBooking', { body })).json;
  expect(await change({ timeZone: 'Europe/Berlin' })).toMatchObject({
    statusCode: 409,
    code: 'future_bookings',
    details: { bookings: 1 },
    message: 'The time zone cannot change while there are bookings that are not over yet: 1.',
  });
  // Bookings keep their instants, and their time zone until they are moved.
  expect(await change({ timeZone: 'Europe/Berlin', keepInstants: true })).toMatchObject({ timeZone: 'Europe/Berlin' });
  expect((await owner('getBooking', at(id))).json).toMatchObject({ startTime, timeZone: 'Europe/Riga', revision: 1 });
  const later = '2026-12-01T11:00:00+01:00';
  const moved = await owner('rescheduleBooking', { ...at(id), body: { startTime: later } });
  expect(moved.json).toMatchObject({ startTime: later, timeZone: 'Europe/Berlin' });
  expect((await owner('createBooking', { body: { ...body, startTime: later } })).json).toMatchObject({
    code: 'slot_unavailable',
  });
  await change({ timeZone: 'Europe/Riga', keepInstants: true });
  await owner('cancelBooking', { params: { id: String(id) }, body: {} });
  const members = () =>
    Promise.all(
      tenant.staff.map((one) => getItem<object>('records', records.staffRevision(tenant.business.id, one.id))),
    );
  const renamed = (await members()).map((one) => ({ ...one, timeZone: 'Europe/Berlin' }));
  expect(await change({ timeZone: 'Europe/Berlin' })).toMatchObject({ timeZone: 'Europe/Berlin' });
  expect(await members()).toEqual(renamed);
});

test('A change of the time zone of a business with more than 95 staff members is refused with the advice to ask support', async () => {
  const message = 'cannot be changed in a business with more than 95 staff members: ask support';
  for (const [count, details] of [
    [95, undefined],
    [96, [{ path: 'timeZone', message }]],
  ] as const) {
    const { key } = await fixture.tenant((tenant) => ({
      ...tenant,
      services: [],
      staff: Array.from({ length: count }, () => ({ ...(tenant.staff[0] as never as object), id: newId() }) as never),
    }));
    const { json } = await ownerOf(key.tenantId)('updateBusiness', { body: { timeZone: 'UTC' } });
    expect(json.details).toEqual(details);
  }
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
  const { change } = await testBusiness();
  expect(await change({ timeZone })).toMatchObject({ timeZone: canonical });
  const query = { serviceId: '1', from: '2026-12-01', to: '2026-12-01', timeZone };
  expect(z.parse(listSlots.query, query).timeZone).toBe(canonical);
});
