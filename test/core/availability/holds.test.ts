/** Guarantees of holds (docs/rules.md#holds); random races are tested with those of bookings. */
import { expect, test } from 'vitest';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { setRuntime } from '../../../core/clock.ts';
import { records } from '../../../core/table-keys.ts';
import { type Interference, interfering, withoutConditions } from '../../support/interfere.ts';
import { outcomes } from '../../support/outcomes.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { newClient, testNow, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const minute = 60_000;

const wait = (ms: number) => setRuntime({ now: () => testNow + ms });

const at = (clock: string) => timeOf(clock, 3);

/** A service of half an hour with five minutes before and ten after it, and two staff members who always work. */
async function testBusiness() {
  const { key, offered, staff, book, state } = await fixture.business({
    rules: { slotStepMinutes: 1 },
    times: { durationMinutes: 30, bufferBeforeMinutes: 5, bufferAfterMinutes: 10 },
  });
  const other = keyPrincipal(key.tenantId, key.id + 1);
  return {
    offered,
    key,
    /** Another key of the same business. */
    other,
    second: staff[1],
    hold: (clock: string, more: { minutes?: number; staffId?: number } = {}, by = key) =>
      createHold(by, { ...offered, startTime: at(clock), ...more }),
    book: (clock: string, holdId?: string) => book(at(clock), { holdId }),
    listed: async (clock: string) => {
      const { data } = await listSlots(key, { ...offered, from: '2026-12-03', to: '2026-12-03' });
      return data.some(({ startTime }) => startTime === at(clock));
    },
    state,
  };
}

test.each([
  ['for five minutes by default', undefined, 5],
  ['for the requested number of minutes', 15, 15],
])('A slot hold hides its slot from others until the millisecond of its expiry (%s)', async (_, minutes, lived) => {
  const { hold, listed, other, state } = await testBusiness();
  const { holdId, expiresAt } = await hold('10:00', minutes === undefined ? {} : { minutes });
  expect(holdId).toMatch(/^hld_[0-9a-f]{32}$/);
  expect(expiresAt).toBe(new Date(testNow + lived * minute).toISOString());

  wait(lived * minute - 1);
  expect(await listed('10:00')).toBe(false);
  await expect(hold('10:00', {}, other)).rejects.toMatchObject({ code: 'slot_unavailable' });
  wait(lived * minute);
  expect(await listed('10:00')).toBe(true);
  expect((await hold('10:00', {}, other)).holdId).not.toBe(holdId);
  expect((await state()).holds).toMatchObject([{ keyId: other.id }]);
});

test('The stored record of a slot hold expires in DynamoDB at the end of the hold, rounded up to a whole second', async () => {
  const { hold } = await testBusiness();
  wait(1);
  const { holdId } = await hold('10:00');
  const stored = (await fixture.items('records')).find(({ id }) => id === holdId);
  expect(stored?.expiresAtSeconds).toBe(testNow / 1_000 + 301);
});

test('The stored list of slot holds of an API key is deleted a day after the last of these holds ends', async () => {
  const { hold, key } = await testBusiness();
  const expiry = async () => {
    const { pk, sk } = records.holdsOfKey(key.tenantId, key.id);
    const lists = (await fixture.items('records')).filter((item) => item.pk === pk && item.sk === sk);
    return lists.map(({ expiresAtSeconds }) => Number(expiresAtSeconds) - 86_400 - testNow / 1_000);
  };
  await hold('10:00', { minutes: 15 });
  const { holdId } = await hold('12:00', { minutes: 1 });
  expect(await expiry()).toEqual([15 * 60]);
  wait(14 * minute);
  const later = await hold('14:00', { minutes: 5 });
  expect(await expiry()).toEqual([19 * 60]);
  await releaseHold(key, later);
  expect(await expiry()).toEqual([15 * 60]);
  wait(16 * minute);
  await expect(releaseHold(key, { holdId })).rejects.toMatchObject({ code: 'not_found' });
  await releaseHold(key, await hold('10:00'));
  expect(await expiry()).toEqual([16 * 60]);
});

test('A slot hold also blocks the buffers of its appointment, and the error for a held slot contains the next free start times', async () => {
  const { hold, listed, second } = await testBusiness();
  await hold('10:00');
  for (const clock of ['09:15', '10:45']) expect(await listed(clock)).toBe(true);
  for (const clock of ['09:16', '10:44']) expect(await listed(clock)).toBe(false);
  await expect(hold('10:00')).rejects.toMatchObject({
    code: 'slot_unavailable',
    extras: { details: { nextAvailable: [at('10:45'), at('10:46'), at('10:47')] } },
  });
  await expect(hold('10:00', { staffId: second.id })).resolves.toBeDefined();
});

test.each([
  // 02:00 in Riga is midnight UTC; the appointment has five minutes before it and ten after it.
  ['last', '01:21', '02:05'],
  ['first', '02:04', '01:20'],
])(
  'A slot hold across midnight UTC is refused even if only the %s minute of its buffers is already booked',
  async (_, clock, taken) => {
    const { hold, book } = await testBusiness();
    await book(taken);
    await expect(hold(clock)).rejects.toMatchObject({ code: 'slot_unavailable' });
  },
);

test('An API key has at most ten slot holds at a time, and an expired or released hold no longer counts', async () => {
  const { key, other, hold, state } = await testBusiness();
  const refused = { code: 'hold_limit_reached' };
  const { holdId } = await hold('10:00', { minutes: 1 });
  for (let hour = 11; hour < 20; hour++) await hold(`${hour}:00`);
  await expect(hold('20:00')).rejects.toMatchObject(refused);
  await expect(hold('20:00', {}, other)).resolves.toBeDefined();

  wait(minute - 1);
  await expect(hold('21:00')).rejects.toMatchObject(refused);
  wait(minute);
  await expect(releaseHold(key, { holdId })).rejects.toMatchObject({ code: 'not_found' });
  const eleventh = await hold('21:00');
  await expect(hold('22:00')).rejects.toMatchObject(refused);
  await releaseHold(key, eleventh);
  await expect(hold('22:00')).resolves.toBeDefined();
  expect((await state()).holds).toHaveLength(11);
});

test('A slot hold can be released only once and only before it expires, and its time can then be booked', async () => {
  const { key, hold, book, state } = await testBusiness();
  // This hold crosses midnight UTC.
  const { holdId } = await hold('01:45');
  const laterHold = await hold('12:00');
  const absent = { code: 'not_found' };
  await expect(releaseHold(key, { holdId: 'hld_unknown' })).rejects.toMatchObject(absent);
  wait(5 * minute - 1);
  await releaseHold(key, { holdId });
  await expect(releaseHold(key, { holdId })).rejects.toMatchObject(absent);
  expect((await state()).holds).toMatchObject([{ id: laterHold.holdId }]);
  await expect(book('01:45')).resolves.toMatchObject({ status: 'confirmed' });
  wait(5 * minute);
  await expect(releaseHold(key, laterHold)).rejects.toMatchObject(absent);
});

test('A booking with a slot hold is accepted until the hold expires, even if less than the minimum notice is left before its start', async () => {
  const { key, hold, book, state } = await testBusiness();
  const noticeBegins = Date.parse(at('09:30')) - testNow;
  wait(noticeBegins);
  const [used, late] = [await hold('10:00'), await hold('12:00')];
  wait(noticeBegins + 5 * minute - 1);
  await expect(book('10:00', used.holdId)).resolves.toBeDefined();
  await expect(releaseHold(key, used)).rejects.toMatchObject({ code: 'not_found' });
  expect((await state()).holds).toMatchObject([{ id: late.holdId }]);
  wait(noticeBegins + 5 * minute);
  for (const holdId of [late.holdId, 'hld_unknown']) {
    await expect(book('12:00', holdId)).rejects.toMatchObject({ code: 'hold_expired' });
  }
});

test('A booking with a slot hold gets the staff member of the hold, even if another staff member is less busy', async () => {
  const { key, offered, hold } = await testBusiness();
  const book = async (clock: string, more: { holdId?: string; staffId?: number }) => {
    const request = { serviceId: offered.serviceId, startTime: at(clock), client: newClient(), ...more };
    return (await createBooking(key, request)).staffId;
  };
  const { staffId: busier } = offered;
  await book('08:00', { staffId: busier });
  await book('10:00', { staffId: busier });
  const { holdId } = await hold('14:00', { staffId: busier });
  expect(await book('12:00', {})).not.toBe(busier);
  expect(await book('14:00', { holdId })).toBe(busier);
});

const always = () => true;

/** Tests two cases: an empty calendar and one with entries. */
async function ofOneKey(instead?: Interference['instead']) {
  const { hold, second, state } = await testBusiness();
  for (const clock of ['10:00', '12:00']) {
    const first = () => hold(clock, { staffId: second.id });
    await interfering({ when: always, first, instead }, () => hold(clock));
  }
  return state;
}

async function ofOneSlot(instead?: Interference['instead']) {
  const { hold, other, state } = await testBusiness();
  const codes: string[] = [];
  for (const clock of ['10:00', '12:00']) {
    const first = () => hold(clock, {}, other);
    const held = interfering({ when: always, first, instead }, () => hold(clock));
    codes.push(...(await outcomes([held])).codes);
  }
  return { codes, state };
}

test('Slot holds that one API key makes concurrently all count towards its limit of holds', async () => {
  const state = await ofOneKey();
  expect((await state()).holds).toHaveLength(4);
});

test('A slot hold is refused if a concurrent hold takes the same slot', async () => {
  const { codes, state } = await ofOneSlot();
  expect(codes).toEqual(['slot_unavailable', 'slot_unavailable']);
  expect((await state()).holds).toHaveLength(2);
});

test('Negative control: if slot holds are written without a condition, concurrent holds overlap, and their stored count is wrong', async () => {
  await expect((await ofOneKey(withoutConditions))()).rejects.toThrow();
  const { codes, state } = await ofOneSlot(withoutConditions);
  expect(codes).toEqual([]);
  await expect(state()).rejects.toThrow();
});
