/** How an owner creates and changes services, staff and schedules (docs/rules.md#catalog). */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import type { StaffItem } from '../../../core/catalog/items.ts';
import { newStaffItems } from '../../../core/catalog/staff-revision.ts';
import { newId } from '../../../core/clock.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { at, ownerOf } from '../../support/account.ts';
import { alwaysOpen, hoursOf } from '../../support/always-open.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { jane as client, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const updatedAt = new Date(testNow).toISOString();

async function testBusiness(like?: Parameters<typeof fixture.tenant>[0]) {
  const { tenantId, account: owner, services, staff, events, ...tenant } = await fixture.tenant(like);
  const [[haircut, colour, beard], [anna, marta, janis]] = [services, staff];
  const emitted = async () => (await events()).map(({ name, data }) => [name, data] as const);
  const service = (id: number) => getItem('records', records.service(tenantId, id));
  const member = (id: number) => getItem('records', records.staff(tenantId, id));
  const change = async (...call: Parameters<typeof owner>) => (await owner(...call)).json as { id: number };
  /** Stores more staff members directly, because requests for so many take seconds. Returns their ids. */
  const addStaff = async (count: number, more: Partial<StaffItem> = {}) => {
    const added = Array.from({ length: count }, () => ({ ...anna, id: newId(), serviceIds: [], ...more }));
    const { timeZone } = tenant.tenant.business;
    const items = added.flatMap((one) => newStaffItems(tenantId, one, timeZone));
    await fixture.put('records', items);
    return added.map(({ id }) => id);
  };
  return { ...tenant, addStaff, owner, haircut, colour, beard, anna, marta, janis, emitted, service, member, change };
}

const price = { amount: 100, currency: 'EUR' };
const defaults = { capacity: 1, resourceKind: null };
const notFound = { statusCode: 404, code: 'not_found', message: 'There is no such resource.' };
const noBusiness = { statusCode: 404, message: 'There is no business yet: its owner creates it with PATCH /business.' };
const invalid = (path: string, message: string) => ({
  ...{ statusCode: 400, code: 'validation_failed' },
  details: [{ path, message }],
});

test('A booking of the largest number of places at the highest price is accepted', async () => {
  const { owner, janis, change, book } = await testBusiness();
  const dear = { ...price, amount: limits.amountMax };
  const service = { name: 'Retreat', durationMinutes: 30, capacity: limits.placesMax, staffIds: [janis.id] };
  const { id: serviceId } = await change('createService', { body: { ...service, price: dear } });
  const booking = await book('2026-12-03T10:00:00+02:00', { serviceId, staffId: janis.id, places: limits.placesMax });
  expect(booking.price).toEqual({ ...dear, amount: limits.placesMax * limits.amountMax });
  // With one more, the price of several places would not be an exact number.
  const refusal = invalid('price.amount', `must be an integer from 0 to ${limits.amountMax}`);
  for (const amount of [limits.amountMax + 1, Number.MAX_SAFE_INTEGER]) {
    const body = { price: { ...price, amount } };
    expect((await owner('createService', { body: { ...service, ...body } })).json).toMatchObject(refusal);
    expect((await owner('updateService', { ...at(serviceId), body })).json).toMatchObject(refusal);
  }
});

test('A new service has the given fields, and by default no buffers and no staff', async () => {
  const { owner, anna, change, member, emitted } = await testBusiness();
  const least = { name: 'Trim', durationMinutes: 20, price };
  const buffers = { bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  const plain = { description: '', category: null, ...buffers, ...defaults, staffIds: [], active: true };
  const service = await change('createService', { body: least });
  const expected = { ...least, ...plain, updatedAt, id: expect.any(Number) };
  expect(service).toEqual(expected);
  expect((await owner('getService', at(service.id))).json).toEqual(expected);
  const most = {
    ...least,
    description: 'Ends only.',
    category: 'Hair',
    bufferBeforeMinutes: 5,
    bufferAfterMinutes: 10,
    active: false,
    capacity: 12,
    resourceKind: 'room',
    staffIds: [anna.id],
  };
  const full = await change('createService', { body: most });
  expect(full).toEqual({ ...most, updatedAt, id: expect.any(Number) });
  expect(await member(anna.id)).toMatchObject({ ...anna, serviceIds: [...anna.serviceIds, full.id] });
  expect(await emitted()).toEqual([]);
  expect((await ownerOf(newId())('createService', { body: least })).json).toMatchObject(noBusiness);
});

test('The price of a service must be in the currency of the business', async () => {
  const { haircut, change } = await testBusiness();
  const body = { name: 'Trim', durationMinutes: 20, price: { amount: 100, currency: 'USD' } };
  const refused = invalid('price.currency', 'must be the currency of the business, EUR');
  expect(await change('createService', { body })).toMatchObject(refused);
  expect(await change('updateService', { ...at(haircut.id), body: { price: body.price } })).toMatchObject(refused);
  const priced = { ...haircut, ...defaults, price };
  expect(await change('updateService', { ...at(haircut.id), body: { price } })).toEqual(priced);
});

test('Changing a service raises the event service.updated with the new values, and a change without an effect writes nothing', async () => {
  const { haircut, anna, change, service, member, emitted } = await testBusiness();
  const staffIds = haircut.staffIds.filter((id) => id !== anna.id);
  const after = { ...haircut, ...defaults, name: 'Cut', active: false, staffIds, updatedAt };
  const body = { name: 'Cut', active: false, staffIds };
  expect(await change('updateService', { ...at(haircut.id), body })).toEqual(after);
  const { name, durationMinutes, active } = after;
  const data = { serviceId: haircut.id, name, durationMinutes, price: haircut.price, active, updatedAt };
  expect(await emitted()).toEqual([['service.updated', { ...data, changedFields: ['name', 'staffIds', 'active'] }]]);
  expect(await member(anna.id)).toMatchObject({ serviceIds: anna.serviceIds.filter((id) => id !== haircut.id) });
  expect(await change('updateService', { ...at(haircut.id), body })).toEqual(after);
  expect(await service(haircut.id)).toMatchObject({ revision: 1 });
  const plain = await change('createService', { body: { name: 'Trim', durationMinutes: 20, price } });
  expect(await change('updateService', { ...at(plain.id), body: defaults })).toEqual(plain);
  expect(await emitted()).toHaveLength(1);
});

test('Deleting a service raises the event service.deleted and removes the service from all staff members, even deleted ones', async () => {
  const { haircut, anna, owner, service, member, emitted } = await testBusiness((tenant) => ({
    ...tenant,
    services: tenant.services.map((one) => ({ ...one, staffIds: [...one.staffIds, newId()] })),
  }));
  expect((await owner('deleteService', at(haircut.id))).status).toBe(204);
  expect(await emitted()).toEqual([
    ['service.deleted', { serviceId: haircut.id, name: haircut.name, deletedAt: updatedAt }],
  ]);
  expect(await member(anna.id)).toMatchObject({ serviceIds: anna.serviceIds.filter((id) => id !== haircut.id) });
  expect(await service(haircut.id)).toBeUndefined();
  for (const operation of ['deleteService', 'updateService'] as const) {
    expect((await owner(operation, { ...at(haircut.id), body: { name: 'x' } })).json).toMatchObject(notFound);
  }
});

test('A new staff member has the given fields, and by default the opening hours of the business', async () => {
  const { tenant, owner, colour, change, service, emitted } = await testBusiness();
  const least = { name: 'Līga' };
  const plain = { position: null, photoUrl: null, serviceIds: [], rating: null, reviewsCount: 0, active: true };
  const member = await change('createStaffMember', { body: least });
  expect(member).toEqual({ ...least, ...plain, id: expect.any(Number) });
  const revision = await getItem('records', records.staffRevision(tenant.business.id, member.id));
  expect(revision).toMatchObject({ timeZone: tenant.business.timeZone, bookings: 0 });
  const schedule = async (id: number) => (await owner('getStaffSchedule', at(id))).json;
  expect(await schedule(member.id)).toEqual({ weekly: tenant.business.workingHours, exceptions: {} });
  const values = { name: 'Eva', position: 'Stylist', photoUrl: 'https://example.com/eva.png', active: false };
  const hours = { weekly: alwaysOpen, exceptions: { '2026-12-24': [] } };
  const full = await change('createStaffMember', { body: { ...values, serviceIds: [colour.id], schedule: hours } });
  expect(full).toEqual({ ...plain, ...values, serviceIds: [colour.id], id: expect.any(Number) });
  expect(await schedule(full.id)).toEqual(hours);
  const staffIds = [...colour.staffIds, full.id];
  expect(await service(colour.id)).toMatchObject({ ...colour, staffIds, updatedAt });
  expect(await emitted()).toMatchObject([['service.updated', { serviceId: colour.id, changedFields: ['staffIds'] }]]);
  expect((await ownerOf(newId())('createStaffMember', { body: least })).json).toMatchObject(noBusiness);
});

test('Changing a staff member changes only the fields that the request contains, and a repeated request writes nothing', async () => {
  const { anna, beard, change, member, service, emitted } = await testBusiness();
  const { schedule: _, ...before } = anna;
  const body = { position: null, serviceIds: [beard.id] };
  for (const _again of [1, 2]) {
    expect(await change('updateStaffMember', { ...at(anna.id), body })).toEqual({ ...before, ...body });
  }
  expect(await member(anna.id)).toMatchObject({ revision: 1, schedule: anna.schedule });
  expect(await service(beard.id)).toMatchObject({ staffIds: [...beard.staffIds, anna.id] });
  expect(await emitted()).toHaveLength(3);
});

test('A staff member with unfinished bookings cannot be deleted, and a deleted staff member is removed from all services', async () => {
  const { owner, haircut, beard, janis, service, member, emitted } = await testBusiness((tenant) => ({
    ...tenant,
    staff: tenant.staff.map((one) => ({ ...one, serviceIds: [...one.serviceIds, newId()] })),
  }));
  limitsDuringTest({ assignmentChangesMax: 1 });
  const body = { serviceId: haircut.id, staffId: janis.id, startTime: '2026-12-01T10:00:00+02:00', client };
  const { id } = (await owner('createBooking', { body })).json;
  expect((await owner('deleteStaffMember', at(janis.id))).json).toMatchObject({
    statusCode: 409,
    code: 'future_bookings',
    details: { bookings: 1 },
    message: 'The staff member has bookings that are not over yet: 1.',
  });
  expect(await service(haircut.id)).toMatchObject({ staffIds: haircut.staffIds });
  await owner('cancelBooking', { ...at(id), body: {} });
  expect((await owner('deleteStaffMember', at(janis.id))).status).toBe(204);
  expect(await member(janis.id)).toBeUndefined();
  for (const one of [haircut, beard]) {
    expect(await service(one.id)).toMatchObject({ staffIds: one.staffIds.filter((staffId) => staffId !== janis.id) });
  }
  expect((await emitted()).filter(([name]) => name === 'service.updated')).toHaveLength(2);
  for (const call of [owner('deleteStaffMember', at(janis.id)), owner('getStaffSchedule', at(janis.id))]) {
    expect((await call).json).toMatchObject(notFound);
  }
});

test.each([
  ['createService', 'staffIds', { name: 'x', durationMinutes: 30, price }],
  ['updateService', 'staffIds', {}],
  ['createStaffMember', 'serviceIds', { name: 'x' }],
  ['updateStaffMember', 'serviceIds', {}],
] as const)(
  'The request %s gets a 404 when %s contains an unknown id, and the same 404 for an id of another business',
  async (operation, field, body) => {
    const [{ owner, haircut, anna }, other] = [await testBusiness(), await testBusiness()];
    const [own, foreign, changed] = field === 'staffIds' ? [anna, other.anna, haircut] : [haircut, other.haircut, anna];
    const answers = [];
    for (const id of [foreign.id, newId()]) {
      const sent = { ...(operation.startsWith('update') && at(changed.id)), body: { ...body, [field]: [own.id, id] } };
      const { status, json } = await owner(operation, sent);
      answers.push([status, { ...json, requestId: '' }]);
    }
    expect(answers[0]).toEqual(answers[1]);
    expect(answers[0]).toMatchObject([404, { code: 'not_found', message: `${field}.1 does not exist.` }]);
  },
);

test('A change of a staff member that adds and removes too many services at once is refused', async () => {
  const { anna, beard, change } = await testBusiness();
  const swap = { ...at(anna.id), body: { serviceIds: [beard.id] } };
  limitsDuringTest({ assignmentChangesMax: 2 });
  const refused = invalid('serviceIds', 'must not add and remove more than 2 at once');
  expect(await change('updateStaffMember', swap)).toMatchObject(refused);
  limitsDuringTest({ assignmentChangesMax: 3 });
  expect(await change('updateStaffMember', swap)).toMatchObject({ serviceIds: [beard.id] });
});

test('A change of a service that adds and removes more staff members than fit into one transaction gets a 400', async () => {
  const { addStaff, owner, change } = await testBusiness();
  const ids = await addStaff(98);
  const [former, others] = [ids.slice(0, 49), ids.slice(49)];
  const body = { name: 'Class', durationMinutes: 30, price, staffIds: former };
  const { json } = await owner('createService', { body });
  const swap = (staffIds: readonly number[]) => change('updateService', { ...at(Number(json.id)), body: { staffIds } });
  expect(await swap(others)).toMatchObject(invalid('staffIds', 'must not add and remove more than 90 at once'));
  const most = [...former.slice(0, 4), ...others.slice(0, 45)];
  expect(await swap(most)).toMatchObject({ staffIds: most });
});

test('Staff members whose schedules are too large for one transaction must be added to a service in several requests', async () => {
  const { addStaff, owner, beard, service, member, emitted } = await testBusiness();
  const date = (i: number) => new Date(Date.UTC(2027, 0, 1 + i)).toISOString().slice(0, 10);
  const half = (hour: number) => ({ from: `${hour}:00`, to: `${hour}:30` });
  const hours = Array.from({ length: limits.intervalsPerDay }, (_, i) => half(i + 10));
  const exceptions = Object.fromEntries(Array.from({ length: 80 }, (_, i) => [date(i), hours]));
  const elsewhere = { other: { updatedAt, blocks: new Uint8Array(28_000) } };
  const staffIds = await addStaff(60, { schedule: { weekly: alwaysOpen, exceptions }, elsewhere });
  const before = await service(beard.id);
  const add = (ids: readonly number[]) => owner('updateService', { ...at(beard.id), body: { staffIds: ids } });
  const message = 'must add and remove fewer staff members at once, because their schedules are too large together';
  expect((await add(staffIds)).json).toMatchObject(invalid('staffIds', message));
  expect(await service(beard.id)).toEqual(before);
  const fewer = staffIds.slice(0, 45);
  expect((await add(fewer)).json).toMatchObject({ staffIds: fewer });
  expect((await add(staffIds)).json).toMatchObject({ staffIds });
  const updates = (await emitted()).length;
  expect((await owner('deleteService', at(beard.id))).status).toBe(204);
  expect(await service(beard.id)).toBeUndefined();
  const members = await Promise.all(staffIds.map(member));
  expect(members).toEqual(members.map(() => expect.objectContaining({ serviceIds: [] })));
  // The first transaction removes as many staff members as fit.
  const raised = (await emitted()).slice(updates);
  expect(raised).toMatchObject([
    ['service.updated', { serviceId: beard.id, changedFields: ['staffIds'] }],
    ['service.deleted', { serviceId: beard.id }],
  ]);
});

test('A staff member cannot be assigned to a service if either of them already has the maximum number of assignments', async () => {
  const { anna, janis, haircut, colour, beard, change } = await testBusiness();
  const toAnna = { ...at(beard.id), body: { staffIds: [janis.id, anna.id] } };
  const toColour = { ...at(janis.id), body: { serviceIds: [haircut.id, beard.id, colour.id] } };
  limitsDuringTest({ assignmentsMax: 2 });
  const refused = (path: string) => invalid(path, 'one of the added entries already has 2 assignments, the maximum');
  expect(await change('updateService', toAnna)).toMatchObject(refused('staffIds'));
  expect(await change('updateStaffMember', toColour)).toMatchObject(refused('serviceIds'));
  // Removing an assignment is not checked.
  const staffIds = haircut.staffIds.filter((id) => id !== anna.id);
  expect(await change('updateService', { ...at(haircut.id), body: { staffIds } })).toMatchObject({ staffIds });
  expect(await change('updateService', toAnna)).toMatchObject({ staffIds: [janis.id, anna.id] });
});

test("A change of a staff member's schedule changes the free slots at once and keeps existing bookings", async () => {
  const { key, haircut, anna, book, change } = await testBusiness();
  const booking = await book('2026-12-01T09:00:00+02:00');
  const exceptions = { '2026-12-01': [{ from: '20:00', to: '21:00' }] };
  expect(await change('updateStaffSchedule', { ...at(anna.id), body: { exceptions } })).toMatchObject({ exceptions });
  const query = { serviceId: haircut.id, staffId: anna.id, from: '2026-12-01', to: '2026-12-01' };
  const { data } = await listSlots(key, query);
  expect(data.map(({ startTime }) => startTime)).toEqual(['2026-12-01T20:00:00+02:00', '2026-12-01T20:15:00+02:00']);
  expect(await getBooking(key, booking)).toEqual(booking);
});

test.each([
  ['overlapping', hoursOf('09:00-12:00 11:59-13:00')],
  ['descending', hoursOf('12:00-13:00 09:00-10:00')],
  ['empty', hoursOf('09:00-09:00')],
  ['backward', hoursOf('10:00-09:00')],
  ['impossible', [{ from: '9:00', to: '25:00' }]],
])('A staff schedule with %s working hours is refused', async (_, exception) => {
  const { owner, anna } = await testBusiness();
  const body = { exceptions: { '2026-12-24': exception } };
  expect((await owner('updateStaffSchedule', { ...at(anna.id), body })).status).toBe(400);
});

test('The event about a changed staff schedule contains the first and last changed date, or no dates if the weekly hours changed', async () => {
  const { anna, change, emitted } = await testBusiness();
  const hours = [{ from: '10:00', to: '12:00' }];
  const update = (body: object) => change('updateStaffSchedule', { ...at(anna.id), body });
  const exceptions = { '2026-12-31': [], '2026-12-05': hours, '2026-12-24': [] };
  const { weekly } = anna.schedule;
  const answer = await update({ exceptions });
  expect(answer).toEqual({ weekly, exceptions });
  expect(Object.keys((answer as never as { exceptions: object }).exceptions)).toEqual(Object.keys(exceptions).sort());
  const christmas = await update({ exceptions: { '2026-12-24': hours, '2026-12-05': hours, '2027-01-01': null } });
  expect(christmas).toEqual({ weekly, exceptions: { ...exceptions, '2026-12-24': hours } });
  const open = await update({ weekly: alwaysOpen, exceptions: { '2026-12-31': null } });
  expect(open).toEqual({ weekly: alwaysOpen, exceptions: { '2026-12-05': hours, '2026-12-24': hours } });
  expect(await update({ weekly: alwaysOpen })).toMatchObject({ weekly: alwaysOpen });
  const plain = { staffId: anna.id, staffName: anna.name, updatedAt };
  expect(await emitted()).toEqual([
    ['staff.schedule_updated', { ...plain, from: '2026-12-05', to: '2026-12-31' }],
    ['staff.schedule_updated', { ...plain, from: '2026-12-24', to: '2026-12-24' }],
    ['staff.schedule_updated', { ...plain, from: null, to: null }],
  ]);
});

test('A staff schedule with too many exceptions is refused', async () => {
  const { anna, member, change } = await testBusiness();
  const update = (exceptions: object) => change('updateStaffSchedule', { ...at(anna.id), body: { exceptions } });
  limitsDuringTest({ scheduleExceptionsMax: 1 });
  expect(await update({ '2026-12-24': [] })).toMatchObject({ exceptions: { '2026-12-24': [] } });
  const refused = invalid('exceptions', 'must not be more than 1 dates: remove past dates');
  expect(await update({ '2026-12-25': [] })).toMatchObject(refused);
  expect(await member(anna.id)).toMatchObject({ revision: 1, schedule: { exceptions: { '2026-12-24': [] } } });
});
