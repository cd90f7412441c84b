/** Rooms and other resources that bookings take (docs/rules.md#resources). */
import { expect, test } from 'vitest';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { createResource, deleteResource, getResource, updateResource } from '../../../core/setup/change-resource.ts';
import { updateService } from '../../../core/setup/change-service.ts';
import type { Write } from '../../../core/store/write.ts';
import { withBug } from '../../support/faults.ts';
import { interfering, unconditional, withoutConditions } from '../../support/interfere.ts';
import { atOnce } from '../../support/outcomes.ts';
import { at, newClient, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const day = { from: '2026-12-03', to: '2026-12-03' };

/** Staff always work; each of the three services takes an hour, and all but the `roomless` need one of `rooms` rooms. */
async function spa(rooms: number, { capacity = 1, bufferAfterMinutes = 0, roomless = -1 } = {}) {
  const needs = (nth: number) => ({ resourceKind: nth === roomless ? null : 'room' });
  const business = await fixture.business({
    times: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes },
    services: [{ ...needs(0), capacity }, needs(1), needs(2)],
    allPerformAll: true,
  });
  const { key, owner, serviceId: firstServiceId } = business;
  const all = [];
  for (let n = 1; n <= rooms; n++) all.push(await createResource(owner, { name: `Room ${n}`, kind: 'room' }));
  await createResource(owner, { name: 'Shelf', kind: 'shelf' });
  const book = (clock: string, more: Parameters<typeof business.book>[1] = {}) =>
    business.book(at(clock, 3), { staffId: undefined, client: newClient(), ...more });
  const isListed = async (clock: string, serviceId = firstServiceId) =>
    (await listSlots(key, { serviceId, ...day })).data.some(({ startTime }) => startTime === at(clock, 3));
  return { ...business, rooms: all as [Room, ...Room[]], room: all[0] as Room, book, isListed };
}

type Room = Awaited<ReturnType<typeof createResource>>;

test('An owner lists, reads, changes and deletes resources such as rooms, and a deleted resource is not found', async () => {
  const { account, owner } = await spa(1);
  const [room] = ((await account('listResources')).json as { data: { id: number }[] }).data;
  const params = { id: String(room?.id) };
  const read = await account('getResource', { params });
  expect(read.json).toEqual({ id: room?.id, name: 'Room 1', kind: 'room', active: true });
  const changed = await account('updateResource', { params, body: { name: 'Blue room', active: false } });
  expect(changed.json).toEqual({ id: room?.id, name: 'Blue room', kind: 'room', active: false });
  expect((await account('updateResource', { params, body: { name: 'Blue room' } })).json).toEqual(changed.json);
  expect((await fixture.items('records')).find(({ id }) => id === room?.id)).toMatchObject({ revision: 1 });
  expect((await account('deleteResource', { params })).status).toBe(204);
  expect((await account('getResource', { params })).status).toBe(404);
  await expect(updateResource(owner, { id: 1 }, { name: 'x' })).rejects.toMatchObject({ code: 'not_found' });
});

test('A booking takes the least busy active room of the needed kind, and a start time without a free room is not listed', async () => {
  const { key, owner, serviceId, staff, rooms, book, isListed, state } = await spa(3);
  const [one, two, three] = rooms;
  await updateResource(owner, { id: three?.id ?? 0 }, { active: false });
  expect((await book('10:00')).segments).toMatchObject([{ resourceId: one.id, resourceName: 'Room 1' }]);
  expect((await book('10:00')).segments).toMatchObject([{ resourceId: two?.id }]);
  expect([await isListed('10:00'), await isListed('11:00')]).toEqual([false, true]);
  await expect(book('10:30')).rejects.toMatchObject({ code: 'slot_unavailable' });
  const { free, staff: explained } = await explainSlot(key, { serviceId, startTime: at('10:00', 3) });
  expect(free).toBe(false);
  expect(explained.find(({ staffId }) => staffId === staff[2].id)?.reasons).toEqual(['no_resource']);
  expect((await state()).live).toHaveLength(2);
});

test('A booking also occupies its room during its buffers, until the booking is moved or cancelled', async () => {
  const { key, book, isListed, state } = await spa(1, { bufferAfterMinutes: 15 });
  const { id } = await book('10:00');
  expect([await isListed('11:00'), await isListed('11:15')]).toEqual([false, true]);
  await rescheduleBooking(key, { id }, { startTime: at('10:15', 3) });
  expect(await isListed('11:15')).toBe(false);
  await cancelBooking(key, { id }, {});
  expect(await isListed('10:00')).toBe(true);
  expect((await state()).live).toEqual([]);
});

test('A class occupies one room for all of its bookings and slot holds, until the last of them is cancelled or released', async () => {
  const { key, offered, staffId, services, book, state, isListed } = await spa(1, { capacity: 3 });
  const held = await createHold(key, { ...offered, startTime: at('10:00', 3) });
  const bookings = [await book('10:00', { staffId }), await book('10:00')];
  expect(new Set(bookings.map(({ segments: [segment] }) => segment?.resourceId)).size).toBe(1);
  await expect(book('10:00', { serviceId: services[1].id })).rejects.toMatchObject({ code: 'slot_unavailable' });
  await state();
  for (const { id } of bookings) await cancelBooking(key, { id }, {});
  await expect(book('10:00', { serviceId: services[1].id })).rejects.toMatchObject({ code: 'slot_unavailable' });
  await releaseHold(key, held);
  expect(await isListed('10:00', services[1].id)).toBe(true);
  expect((await state()).live).toEqual([]);
});

type Spa = Awaited<ReturnType<typeof spa>>;

test.each<[string, (spa: Spa) => Promise<unknown>]>([
  ['deleted', ({ owner, room }) => deleteResource(owner, room)],
  ['made inactive', ({ owner, room }) => updateResource(owner, room, { active: false })],
])(
  'If the room of a hold on a class is %s, the time stays held, and the booking with the hold gets a new room',
  async (_, end) => {
    const business = await spa(1, { capacity: 3 });
    const { key, owner, offered, staffId, book, isListed, state } = business;
    const held = await createHold(key, { ...offered, startTime: at('10:00', 3) });
    await end(business);
    await expect(book('10:00', { staffId })).rejects.toMatchObject({ code: 'slot_unavailable' });
    await createResource(owner, { name: 'New room', kind: 'room' });
    await expect(book('10:00', { staffId })).rejects.toMatchObject({ code: 'slot_unavailable' });
    expect(await isListed('10:00')).toBe(true);
    const { staff: explained } = await explainSlot(key, { ...offered, startTime: at('10:00', 3) });
    expect(explained).toMatchObject([{ staffId, reasons: ['held'] }]);
    const { segments } = await book('10:00', { staffId, holdId: held.holdId });
    expect(segments[0]?.resourceName).toBe('New room');
    await state();
  },
);

test('A class with a booking keeps its room for further bookings after the room becomes inactive', async () => {
  const { owner, staffId, room, book } = await spa(1, { capacity: 3 });
  await book('10:00', { staffId });
  await updateResource(owner, room, { active: false });
  expect((await book('10:00', { staffId })).segments).toMatchObject([{ resourceName: 'Room 1' }]);
});

test('A booking of two services that need the same kind of room uses one room if it is free for both, and otherwise two rooms', async () => {
  const { key, owner, services, rooms, book, state } = await spa(2);
  const [, second, third] = services;
  const body = { services: [{ serviceId: second.id }, { serviceId: third.id }], startTime: at('10:00', 3) };
  const visit = await createBooking(key, { ...body, client: newClient() });
  expect(new Set(visit.segments.map(({ resourceId }) => resourceId)).size).toBe(1);
  await cancelBooking(key, visit, {});
  await book('10:00');
  await book('11:00', { serviceId: second.id });
  const listed = await listSlots(key, { serviceIds: [second.id, third.id], ...day });
  expect(listed.data.some(({ startTime }) => startTime === at('10:00', 3))).toBe(true);
  const { segments } = await createBooking(key, { ...body, client: newClient() });
  expect(segments).toHaveLength(2);
  expect(rooms.map(({ id }) => id)).toEqual(expect.arrayContaining(segments.map(({ resourceId }) => resourceId)));
  expect((await state()).live).toHaveLength(3);
  await updateService(owner, third, { resourceKind: 'shelf' });
  const mixed = await createBooking(key, { ...body, startTime: at('14:00', 3), client: newClient() });
  expect(mixed.segments.map(({ resourceName }) => resourceName)).toEqual([expect.stringMatching('Room'), 'Shelf']);
});

test('A booking of three services leaves its room free during the second service if that service needs no room', async () => {
  const { key, services, isListed } = await spa(1, { roomless: 1 });
  const visit = services.map(({ id }) => ({ serviceId: id }));
  await createBooking(key, { services: visit, startTime: at('10:00', 3), client: newClient() });
  const free = await Promise.all(['10:00', '11:00', '12:00'].map((clock) => isListed(clock)));
  expect(free).toEqual([false, true, false]);
});

const deletes = (writes: readonly { Delete?: unknown }[]) => writes.some(({ Delete }) => Delete);

test('A room with an unfinished booking cannot be deleted, even if that booking is made concurrently', async () => {
  const { key, owner, room, book } = await spa(1);
  const booked = await book('12:00');
  await expect(deleteResource(owner, room)).rejects.toMatchObject({
    code: 'future_bookings',
    message: 'The resource has bookings that are not over yet: 1.',
    extras: { details: { bookings: 1 } },
  });
  await cancelBooking(key, booked, {});
  await expect(
    interfering({ when: deletes, first: () => book('10:00') }, () => deleteResource(owner, room)),
  ).rejects.toMatchObject({ code: 'future_bookings' });
});

/** A booking with a change of its only room just before the commit. */
async function bookedAfter(change: Parameters<typeof updateResource>[2], instead?: typeof withoutConditions) {
  const { owner, room, book } = await spa(1);
  const first = () => updateResource(owner, room, change);
  return interfering({ when: () => true, first, instead }, () => book('10:00'));
}

test.each([
  ['inactive', { active: false }],
  ['one of another kind', { kind: 'shelf' }],
])('A booking is refused if its only room becomes %s just before the commit', async (_, change) => {
  await expect(bookedAfter(change)).rejects.toMatchObject({ code: 'slot_unavailable' });
  // Negative control: without conditions in the transaction, the change comes too late.
  await expect(bookedAfter(change, withoutConditions)).resolves.toMatchObject({ status: 'confirmed' });
});

test('If one request renames a room and another concurrently makes it inactive, both changes take effect', async () => {
  const { owner, room } = await spa(1);
  const first = () => updateResource(owner, room, { active: false });
  await interfering({ when: () => true, first }, () => updateResource(owner, room, { name: 'Blue' }));
  expect(await getResource(owner, room)).toMatchObject({ name: 'Blue', active: false });
});

test('If a class with only a slot hold gets its first booking while its room is being deleted, the deletion is refused', async () => {
  const { key, owner, offered, staffId, room, book } = await spa(1, { capacity: 3 });
  await createHold(key, { ...offered, startTime: at('10:00', 3) });
  const first = () => book('10:00', { staffId });
  const deletion = interfering({ when: deletes, first }, () => deleteResource(owner, room));
  await expect(deletion).rejects.toMatchObject({ code: 'future_bookings' });
});

/** Sends this many concurrent requests for two rooms and three staff members. */
async function rush(count: number) {
  const one = await spa(2);
  return { ...one, ...(await atOnce(count, (n) => one.book('10:00', { staffId: one.staff[n % 3]?.id }))) };
}

test('Of many concurrent bookings that need a room, as many succeed as there are rooms, and no room is taken twice', async () => {
  const { won, codes, state } = await rush(60);
  expect(won).toHaveLength(2);
  expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
  expect((await state()).live).toHaveLength(2);
});

test('Negative control: if rooms are checked only before the transaction, a room is taken twice', async () => {
  const isRoom = ({ Put }: Write) => /#R\d+$/.test(String(Put?.Item?.sk));
  const unchecked = (writes: Write[]) => writes.map((write) => (isRoom(write) ? unconditional(write) : write));
  const { state } = await withBug(unchecked, () => rush(60));
  await expect(state()).rejects.toThrow();
});
