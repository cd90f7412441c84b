/** Busy time of staff members from other calendars (docs/rules.md#busy-elsewhere). */
import { expect, test } from 'vitest';
import { dayOf } from '../../../core/availability/calendar.ts';
import { staffCalendar } from '../../../core/availability/calendar-day.ts';
import { packBlocks, unpackBlocks } from '../../../core/availability/elsewhere.ts';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlotDays } from '../../../core/availability/list-slot-days.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { listStaff } from '../../../core/catalog/read.ts';
import { listBusyElsewhere, putBusyElsewhere } from '../../../core/setup/busy-elsewhere.ts';
import { updateStaffSchedule, weekOf } from '../../../core/setup/change-schedule.ts';
import { records } from '../../../core/table-keys.ts';
import { at, jane, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const minute = 60_000;
const day = '2026-12-02';

/** Anna works 09:00–12:00 and 12:30–17:00; haircuts take 45 minutes on a grid of 15. */
async function salon(capacity = 1) {
  const one = await fixture.business({ services: [{ capacity }] });
  const { owner, key, staffId, offered } = one;
  const put = (blocks: readonly (readonly [string, string])[], source = 'google') =>
    putBusyElsewhere(
      owner,
      { id: staffId, source },
      { blocks: blocks.map(([startTime, endTime]) => ({ startTime, endTime })) },
    );
  const listed = async () => {
    const { data } = await listSlots(key, { ...offered, from: day, to: day });
    return data.map(({ startTime }) => startTime);
  };
  const book = (clock: string, more = {}) => one.book(at(clock, 2), more);
  const reasons = async (clock: string) =>
    (await explainSlot(key, { ...offered, startTime: at(clock, 2) })).staff[0]?.reasons;
  return { ...one, put, listed, book, reasons };
}

type Salon = Awaited<ReturnType<typeof salon>>;

const refused = { code: 'slot_unavailable' };

test('Time that becomes busy in another calendar can be neither held nor booked, even with an existing slot hold', async () => {
  const { key, owner, offered, put, listed, book, reasons } = await salon();
  const free = await listed();
  const { holdId } = await createHold(key, { ...offered, startTime: at('10:45', 2) });
  await put([[at('10:00', 2), at('11:00', 2)]]);
  await expect(book('10:45', { holdId })).rejects.toMatchObject(refused);
  await releaseHold(key, { holdId });
  const left = await listed();
  expect(free).toContain(at('10:15', 2));
  for (const clock of ['09:30', '10:00', '10:45']) {
    expect(left).not.toContain(at(clock, 2));
    expect(await reasons(clock)).toEqual(['busy_elsewhere']);
    await expect(book(clock)).rejects.toMatchObject(refused);
    await expect(createHold(key, { ...offered, startTime: at(clock, 2) })).rejects.toMatchObject(refused);
  }
  const outside = { ...offered, startTime: at('10:07', 2), client: jane, outsideRules: true };
  await expect(createBooking(owner, outside)).rejects.toMatchObject(refused);
  expect(left).toEqual(expect.arrayContaining([at('09:15', 2), at('11:00', 2)]));
  await book('11:00');
});

test('A booking whose time another calendar blocks stays confirmed, and can only be moved to a time that is not blocked', async () => {
  const { key, put, listed, book } = await salon();
  await book('10:00', { externalId: 'stands' });
  await put([[at('09:00', 2), at('12:00', 2)]]);
  const free = await listed();
  expect(free[0]).toBe(at('12:30', 2));
  const [booking] = (await listBookings(key, {})).data;
  expect(booking?.status).toBe('confirmed');
  const id = { id: booking?.id ?? 0 };
  await expect(rescheduleBooking(key, id, { startTime: at('11:00', 2) })).rejects.toMatchObject(refused);
  await rescheduleBooking(key, id, { startTime: at('13:00', 2) });
});

test('A group class with bookings accepts no further ones if its staff member is busy in another calendar during the class', async () => {
  const { put, listed, book, reasons } = await salon(3);
  await book('10:00');
  expect(await listed()).toContain(at('10:00', 2));
  await put([[at('10:30', 2), at('10:40', 2)]]);
  expect(await listed()).not.toContain(at('10:00', 2));
  expect(await reasons('10:00')).toEqual(['busy_elsewhere']);
  await expect(book('10:00')).rejects.toMatchObject(refused);
  await put([]);
  await book('10:00');
});

test('Busy times of a staff member from several calendars are listed, replaced and removed separately for each calendar', async () => {
  const { owner, staffId, put, listed } = await salon();
  const free = await listed();
  const stored = await put([
    [at('14:00', 2), at('15:00', 2)],
    ['2026-12-02T09:00:30+02:00', '2026-12-02T09:30:01+02:00'],
    [at('14:30', 2), at('16:00', 2)],
    ['2025-01-01T00:00:00Z', '2025-01-02T00:00:00Z'],
  ]);
  expect(stored.blocks).toEqual([
    { startTime: '2026-12-02T07:00:00.000Z', endTime: '2026-12-02T07:31:00.000Z' },
    { startTime: '2026-12-02T12:00:00.000Z', endTime: '2026-12-02T14:00:00.000Z' },
  ]);
  for (const source of ['outlook', 'apple']) await put([[at('10:00', 2), at('11:00', 2)]], source);
  expect(await listBusyElsewhere(owner, { id: staffId }, {})).toMatchObject({
    data: [{ source: 'apple' }, stored, { source: 'outlook' }],
    total: 3,
  });
  for (const source of ['apple', 'google', 'outlook']) await put([], source);
  expect((await listBusyElsewhere(owner, { id: staffId }, {})).total).toBe(0);
  expect(await listed()).toEqual(free);
});

test('The list of staff can include the schedules and busy times of the seven days from a given date', async () => {
  const { owner, staffId, put } = await salon();
  const days = [5, 7, 13, 15].map((one) => `2026-12-${String(one).padStart(2, '0')}`);
  await put(days.map((one) => [`${one}T10:00:00Z`, `${one}T11:00:00Z`] as const));
  const exceptions = Object.fromEntries(days.map((one) => [one, []]));
  const { weekly } = await updateStaffSchedule(owner, { id: staffId }, { exceptions });
  const { data } = await listStaff(owner, {}, weekOf('2026-12-07'));
  const blocks = ['07', '13'].map((one) => ({
    startTime: `2026-12-${one}T10:00:00.000Z`,
    endTime: `2026-12-${one}T11:00:00.000Z`,
  }));
  const anna = data.find(({ id }) => id === staffId);
  expect(anna?.schedule).toEqual({ weekly, exceptions: { '2026-12-07': [], '2026-12-13': [] } });
  expect(anna?.busy).toMatchObject([{ source: 'google', blocks }]);
});

test('A staff member may have busy times from at most ten other calendars and at most 400 days ahead', async () => {
  const { put } = await salon();
  const days = (count: number) => new Date(testNow + count * 1_440 * minute).toISOString();
  const refusal = (path: string, message: string) => ({
    ...{ code: 'validation_failed', extras: { details: [{ path, message }] } },
  });
  await expect(put([[days(399), days(401)]])).rejects.toMatchObject(
    refusal('blocks.0.endTime', 'must not be more than 400 days ahead'),
  );
  await expect(put(Array.from({ length: 60 }, () => [days(399), days(401)]))).rejects.toMatchObject({
    extras: { details: { length: 51, 50: { path: '', message: 'has 60 problems; these are the first 50' } } },
  });
  for (let i = 0; i < 10; i += 1) await put([[days(1), days(400)]], `calendar-${i}`);
  await expect(put([[days(1), days(2)]], 'calendar-10')).rejects.toMatchObject(
    refusal('source', 'must be one of the 10 existing sources, because no more are allowed'),
  );
  await put([[days(1), days(2)]], 'calendar-9');
});

test('A busy time from another calendar is refused if its end is before its beginning', async () => {
  const { account, staffId } = await salon();
  const body = { blocks: [{ startTime: at('12:00', 2), endTime: at('11:00', 2) }] };
  const { status, json } = await account('putBusyElsewhere', { params: { id: `${staffId}`, source: 'google' }, body });
  expect([status, json.details]).toMatchObject([400, [{ path: 'blocks.0.endTime' }]]);
});

test.each<[string, (salon: Salon) => Record<string, unknown>]>([
  [
    "a staff member's stored calendar",
    ({ tenantId, staffId }) => ({
      ...records.calendarDay(tenantId, dayOf(day), staffCalendar(staffId)),
      ...{ busy: Uint8Array.of(9, 0, 0, 0, 0), version: 1 },
    }),
  ],
  [
    "a staff member's stored busy time of another calendar",
    ({ tenantId, staff: [anna] }) => ({
      ...records.staff(tenantId, anna.id),
      ...anna,
      elsewhere: { google: { updatedAt: '', blocks: Uint8Array.of(9, 1) } },
    }),
  ],
])('If stored busy times cannot be read, requests for slots and bookings fail (%s)', async (_, broken) => {
  const business = await salon();
  const { key, offered, listed, book, reasons } = business;
  await fixture.put('records', [broken(business)]);
  const counts = listSlotDays(key, { ...offered, from: day, to: day });
  const held = createHold(key, { ...offered, startTime: at('10:00', 2) });
  for (const answer of await Promise.allSettled([listed(), counts, reasons('10:00'), held, book('10:00')])) {
    expect(answer).toMatchObject({ reason: { message: expect.stringContaining('unknown format') } });
  }
});

test('Five hundred busy times of a staff member over 400 days are stored without loss in at most 2.5 KB', () => {
  const origin = Math.floor(testNow / minute);
  const blocks = Array.from({ length: 500 }, (_, i) => ({
    start: origin + i * 1_152,
    end: origin + i * 1_152 + 600 + i,
  }));
  const packed = packBlocks(blocks);
  expect(unpackBlocks(packed)).toEqual(blocks);
  expect(packed.length).toBeLessThan(2_500);
});
