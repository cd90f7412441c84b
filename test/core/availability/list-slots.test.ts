import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { dateOf } from '../../../core/availability/calendar.ts';
import { createHold } from '../../../core/availability/holds.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { explainFreeSlot, listFreeDays, listFreeSlots } from '../../../core/bookings/free-slots.ts';
import { newId } from '../../../core/clock.ts';
import { records } from '../../../core/table-keys.ts';
import type { Tenant } from '../../../local/demo.ts';
import { alwaysOpen, everyDay, hoursOf } from '../../support/always-open.ts';
import { outcomes } from '../../support/outcomes.ts';
import { storedBusy } from '../../support/packed-day.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, jane as client, type TestBusiness, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const membersLike = ({ staff: [member] }: Tenant, count: number, more: Partial<Tenant['staff'][number]> = {}) =>
  Array.from({ length: count }, () => ({ ...(member as Tenant['staff'][number]), ...more, id: newId() }));

test.each([
  ['America/Santiago', 180],
  ['Asia/Kathmandu', -345],
])(
  'A list of slots includes both dates of its range and shows times in the requested time zone, also on a server in %s',
  async (serverZone, offset) => {
    // The first of these tests is the first of the file, so that no time zone was computed before.
    vi.stubEnv('TZ', serverZone);
    onTestFinished(() => void vi.unstubAllEnvs());
    expect(new Date(testNow).getTimezoneOffset()).toBe(offset);
    const { key, serviceId, staffId } = await fixture.business();
    const on = (day: string) => ({ serviceId, staffId, from: day, to: day });
    const { data } = await listSlots(key, { ...on('2026-12-07'), timeZone: 'America/New_York' });
    // On a Monday Anna works 09:00–12:00 and 12:30–17:00 in Riga, which is seven hours ahead of New York.
    expect(data[0]).toMatchObject({ startTime: '2026-12-07T02:00:00-05:00', endTime: '2026-12-07T02:45:00-05:00' });
    expect(data.at(-1)).toMatchObject({ startTime: '2026-12-07T09:15:00-05:00' });
    const kiritimati = await listSlots(key, { ...on('2026-12-02'), timeZone: 'Pacific/Kiritimati' });
    // The date begins in Kiritimati at noon of the day before in Riga.
    expect(kiritimati.data[0]).toMatchObject({ startTime: '2026-12-02T00:30:00+14:00' });
    expect(kiritimati.timeZone).toBe('Pacific/Kiritimati');
  },
);

test.each([
  ['0000-01-01', '0000-01-31'],
  ['0001-01-01', '0001-01-31'],
  ['1969-12-20', '1970-01-10'],
  ['1997-05-01', '1997-05-31'],
  ['2243-10-01', '2243-10-31'],
  ['9999-12-01', '9999-12-31'],
])('A search for free slots on the distant dates %s to %s finds none, in any time zone', async (from, to) => {
  const { key, serviceId } = await fixture.business();
  for (const timeZone of [undefined, 'America/New_York', 'Pacific/Kiritimati', 'Africa/Monrovia', 'Etc/GMT+12']) {
    expect(await listSlots(key, { serviceId, from, to, timeZone })).toMatchObject({ data: [] });
  }
});

test.each([
  '0000-01-01T00:00:00Z',
  '0001-01-01T00:00:00+23:59',
  '1969-12-31T23:59:59.999Z',
  '1997-05-18T23:00:00Z',
  '2243-10-16T23:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '2026-12-03T10:00:30+02:00',
  '2026-12-03T10:00:00.500+02:00',
])('The start time %s, which is distant or not a whole minute, can neither be booked nor held', async (startTime) => {
  const { key, serviceId, staffId } = await fixture.business({ rules: { slotStepMinutes: 1 } });
  const refused = { code: 'slot_unavailable' };
  await expect(createBooking(key, { serviceId, startTime, client })).rejects.toMatchObject(refused);
  await expect(createHold(key, { serviceId, staffId, startTime })).rejects.toMatchObject(refused);
});

test('Slots are sorted by start time and then by staff member, and start and end time each have their own UTC offset', async () => {
  const { key, serviceId, staff, book } = await fixture.business({
    rules: { slotStepMinutes: 60, maxAdvanceDays: 365 },
    times: { durationMinutes: 90, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
  });
  // The clock shows the hour from three to four twice. In the first one, the first staff member is busy.
  await book('2027-10-31T02:00:00+03:00');
  const { data } = await listSlots(key, { serviceId, from: '2027-10-31', to: '2027-10-31' });
  const [first, ...others] = staff.map(({ id }) => id);
  expect(data.slice(7, 12).map(({ startTime, staffId }) => [startTime, staffId])).toEqual([
    ...others.map((id) => ['2027-10-31T03:00:00+03:00', id]),
    ...[first, ...others].map((id) => ['2027-10-31T03:00:00+02:00', id]),
  ]);
  expect(data[7]?.endTime).toBe('2027-10-31T03:30:00+02:00');
});

test('A list of slots over more than 31 days, or with its dates in reverse order, is refused', async () => {
  const { key, serviceId } = await fixture.business();
  const ask = (from: string, to: string) => listSlots(key, { serviceId, from, to });
  await expect(ask('2026-12-01', '2026-12-31')).resolves.toBeDefined();
  await expect(ask('2026-12-01', '2027-01-01')).rejects.toMatchObject({ code: 'range_too_large' });
  await expect(ask('2026-12-02', '2026-12-01')).rejects.toMatchObject({
    code: 'validation_failed',
    extras: { details: [{ path: 'to', message: 'must not be before from' }] },
  });
});

test('A list of slots has at most 10 000 entries, and the error for a longer list suggests a shorter range', async () => {
  // On an ordinary day an appointment can begin in each of 1440 minutes, on the 8th in 1360, on the 9th in one.
  const exceptions = { '2026-12-08': hoursOf('00:00-23:09'), '2026-12-09': hoursOf('00:00-00:30') };
  const { key, serviceId, staffId } = await fixture.business({
    rules: { slotStepMinutes: 1 },
    services: [{ durationMinutes: 30 }],
    change: (tenant) => ({
      ...tenant,
      staff: membersLike(tenant, 7, { schedule: { weekly: alwaysOpen, exceptions } }),
    }),
    allPerformAll: true,
  });
  const ask = (from: string, to: string, more: object = { serviceId }) =>
    listSlots(key, { from: `2026-12-${from}`, to: `2026-12-${to}`, ...more });
  const visit = { serviceIds: Array.from({ length: 5 }, () => serviceId) };
  for (const [from, to, more, message] of [
    ['02', '09', { serviceId, staffId }, 'There are more than 10000 slots. Ask for at most 7 days.'],
    ['08', '10', { serviceId }, 'There are more than 10000 slots. Ask for at most 2 days, or for one staff member.'],
    ['09', '10', { serviceId }, 'There are more than 10000 slots. Ask for at most 1 day, or for one staff member.'],
    ['02', '03', { serviceId }, 'There are more than 10000 slots. Ask for one staff member.'],
    ['02', '03', visit, 'There are more than 2000 slots. Ask for at most 1 day.'],
  ] as const) {
    await expect(ask(from, to, more)).rejects.toMatchObject({ code: 'range_too_large', message });
  }
  expect((await ask('02', '08', { serviceId, staffId })).data).toHaveLength(10_000);
  expect((await ask('08', '09')).data).toHaveLength(7 * 1_361);
  expect((await ask('02', '02', visit)).data).toHaveLength(1_440);
});

// Between the reads of both, a change may remove the one from the other.
test.each<[string, Parameters<typeof fixture.tenant>[0]]>([
  [
    'staff member',
    ({ services, ...rest }) => ({ ...rest, services: services.map((one) => ({ ...one, staffIds: [] })) }),
  ],
  ['service', ({ staff, ...rest }) => ({ ...rest, staff: staff.map((one) => ({ ...one, serviceIds: [] })) })],
])(
  'No free slots are listed if a service and a staff member are assigned to each other in only one of two stored records (in the %s)',
  async (_, change) => {
    const { key, offered } = await fixture.tenant(change);
    expect((await listSlots(key, { ...offered, from: '2026-12-02', to: '2026-12-02' })).data).toEqual([]);
  },
);

test('A search for slots with an unknown service or staff member gets a 404 that names which of the two is unknown', async () => {
  const { key, serviceId } = await fixture.business();
  const refused = [
    [{ serviceId: 1 }, 'There is no such service.'],
    [{ serviceId, staffId: 1 }, 'There is no such staff member.'],
  ] as const;
  for (const [body, message] of refused) {
    const listed = listSlots(key, { ...body, from: '2026-12-02', to: '2026-12-02' });
    await expect(listed).rejects.toMatchObject({ code: 'not_found', message });
  }
});

test('A search for free slots uses consistent reads, so that a booking made a moment ago is seen', async () => {
  const { key, serviceId } = await fixture.business();
  using script = scriptDynamo();
  await listSlots(key, { serviceId, from: '2026-12-02', to: '2026-12-02' });
  const reads = script.calls.flatMap(({ input: { RequestItems, ...query } }) =>
    RequestItems ? Object.values(RequestItems) : [query],
  );
  expect(reads).toHaveLength(3);
  for (const read of reads) expect(read).toMatchObject({ ConsistentRead: true });
});

test('A search for free slots reads only the calendar days that an appointment in the requested range can overlap', async () => {
  // One hour ahead of UTC, a local day and an appointment with an hour after it end at midnight UTC.
  const { key, serviceId, book } = await fixture.business({
    times: { durationMinutes: 60, bufferAfterMinutes: 0 },
    change: (one) => ({ ...one, business: { ...one.business, timeZone: 'Etc/GMT-1' } }),
  });
  for (const day of ['01', '02', '03', '04']) await book(`2026-12-${day}T12:00:00Z`);
  const days: string[] = [];
  using _script = scriptDynamo([
    { after: (_, { Items = [] }) => days.push(...Items.map(({ sk }) => dateOf(Number.parseInt(String(sk), 10)))) },
  ]);
  await listSlots(key, { serviceId, from: '2026-12-03', to: '2026-12-03' });
  expect(days).toEqual(['2026-12-02', '2026-12-03']);
});

test('A search for slots over 31 days and 20 staff members with six bookings a day costs one query and at most 20 read units', async () => {
  const { key, serviceId, staff } = await fixture.business({
    change: (tenant) => ({ ...tenant, staff: membersLike(tenant, 20) }),
    allPerformAll: true,
  });
  const busy = storedBusy(Array.from({ length: 6 }, (_, n) => ({ start: 430 + n * 60, end: 460 + n * 60 })));
  const days = Array.from({ length: 31 }, (_, n) => Date.UTC(2026, 11, 2 + n) / 86_400_000);
  const items = [...staff].flatMap(({ id }) =>
    days.map((day) => ({ ...records.calendarDay(key.tenantId, day, `${id}`), version: 6, busy })),
  );
  await fixture.put('records', items);
  using script = scriptDynamo([], { units: true });
  const { data } = await listSlots(key, { serviceId, from: '2026-12-02', to: '2027-01-01' });
  expect(new Set(data.map(({ staffId }) => staffId)).size).toBe(20);
  const queries = script.calls.filter(({ operation }) => operation === 'Query');
  expect(queries).toHaveLength(1);
  // Reading one item per booking would take more than 500 units.
  expect(queries[0]?.units).toBeLessThanOrEqual(20);
});

describe('slots for moving a booking', () => {
  // 02:00 in Riga is midnight UTC.
  const startTime = '2026-12-03T01:30:00+02:00';
  const thursday = { from: '2026-12-03', to: '2026-12-03' };

  async function booked(capacity = 1) {
    const times = { durationMinutes: 60, bufferAfterMinutes: 0 };
    const { key, serviceId, staff, book } = await fixture.business({ times, services: [{ capacity }] });
    const [mine, other] = [staff[0].id, staff[1].id];
    const [moving] = [await book(startTime), await book(startTime, { staffId: other })];
    const startsOf = ({ data }: Awaited<ReturnType<typeof listSlots>>) => data.map((slot) => slot.startTime);
    const moves = async (staffId: number, movingBookingId?: number) =>
      startsOf(await listFreeSlots(key, { serviceId, staffId, movingBookingId, ...thursday }));
    return { key, serviceId, mine, other, moving, moves, startsOf, book };
  }

  test("When an owner looks for slots to move a booking to, the booking's own time counts as free, unless it is cancelled", async () => {
    const { key, serviceId, mine, other, moving, moves, book } = await booked();
    const freed = ['00:45', '01:00', '01:15', '01:30', '01:45', '02:00', '02:15'].map((clock) =>
      startTime.replace('01:30', clock),
    );
    const [left, free] = [await moves(mine), await moves(mine, moving.id)];
    expect(free.filter((start) => !left.includes(start))).toEqual(freed);
    const days = await listFreeDays(key, { serviceId, staffId: mine, movingBookingId: moving.id, ...thursday });
    expect(days.data).toMatchObject([{ count: free.length }]);
    expect(await moves(other, moving.id)).toEqual(left);
    await cancelBooking(key, moving, {});
    await book(startTime);
    expect(await moves(mine, moving.id)).toEqual(left);
  });

  test.each([
    ['an appointment to its own start', 1, startTime],
    ['a class from before to after midnight UTC', 3, startTime.replace('01:30', '02:15')],
  ])(
    'When an owner checks whether a booking can be moved, its current time counts as free (%s)',
    async (_, capacity, wanted) => {
      const { key, serviceId, mine, other, moving } = await booked(capacity);
      const reasons = async (staffId: number, movingBookingId?: number) =>
        (await explainFreeSlot(key, { serviceId, startTime: wanted, staffId, movingBookingId })).staff[0]?.reasons;
      expect([await reasons(mine), await reasons(other, moving.id)]).toEqual([['booked'], ['booked']]);
      expect(await reasons(mine, moving.id)).toEqual([]);
    },
  );

  test('If a booking is moved during a search for its new slot, the search lists no slot that overlaps the booking', async () => {
    const { key, serviceId, mine, moves, startsOf } = await booked();
    const minute = Date.parse(startTime) / 60_000;
    const left = await moves(mine);
    for (const start of [minute + 15, minute + 1_440]) {
      const taken = [{ calendar: `${mine}`, start, end: start + 60 }];
      const query = { serviceId, staffId: mine, from: thursday.from, to: '2026-12-04' };
      const found = startsOf(await listSlots(key, query, { taken }));
      expect(found.filter((time) => time < '2026-12-04')).toEqual(left);
    }
  });
});

describe('alternatives to a start time that is taken', () => {
  async function offers(book: TestBusiness['book'], startTime: string, staffId?: number) {
    const { lost } = await outcomes([book(startTime, { staffId })]);
    return lost.flatMap(({ extras }) => (extras.details as { nextAvailable: string[] }).nextAvailable);
  }

  test('The error for a taken slot contains the next three free starts of the requested staff member, or of all staff', async () => {
    // Two staff members are free on Thursday from 10:00 and from 10:30, and on Friday.
    const { staffId: late, book } = await fixture.business({
      services: [{ durationMinutes: 30, bufferAfterMinutes: 0 }],
      change: ({ staff, ...one }) => ({
        ...one,
        staff: staff.slice(0, 2).map((member, nth) => {
          const weekly = everyDay(nth === 0 ? '10:30-12:00' : '10:00-12:00');
          return { ...member, schedule: { weekly, exceptions: {} } };
        }),
      }),
    });
    expect(await offers(book, at('09:00', 3))).toEqual([at('10:00', 3), at('10:15', 3), at('10:30', 3)]);
    expect(await offers(book, at('11:20', 3))).toEqual([at('11:30', 3), at('10:00', 4), at('10:15', 4)]);
    expect(await offers(book, at('10:15', 3), late)).toEqual([at('10:30', 3), at('10:45', 3), at('11:00', 3)]);
    // The notice of half an hour counts from 07:00 in Riga on the first.
    expect(await offers(book, '2020-01-01T10:00:00Z')).toEqual([at('10:00', 1), at('10:15', 1), at('10:30', 1)]);
  });

  test('The free start times in the error for a taken slot lie within two weeks after the requested start', async () => {
    const schedule = { weekly: everyDay(''), exceptions: { '2026-12-20': hoursOf('09:00-12:00') } };
    const { book } = await fixture.tenant((one) => ({
      ...one,
      staff: one.staff.map((member) => ({ ...member, schedule })),
    }));
    expect(await offers(book, at('09:01', 6))).toEqual([at('09:00', 20)]);
    expect(await offers(book, at('09:00', 6))).toEqual([]);
  });
});
