/** Mistakes that booking systems are known for, in their shapes: classes, confirmations, blocks and what is broken. */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { dayOf } from '../../../core/availability/calendar.ts';
import { staffCalendar } from '../../../core/availability/calendar-day.ts';
import { explainSlot } from '../../../core/availability/explain.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { listSlotDays } from '../../../core/availability/list-slot-days.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { confirmBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { listBusyElsewhere } from '../../../core/setup/busy-elsewhere.ts';
import type { Write } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { withBug } from '../../support/faults.ts';
import { outcomes } from '../../support/outcomes.ts';
import { at, newClient, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const day = { from: '2026-12-03', to: '2026-12-03' };
const refused = { code: 'slot_unavailable' };

/** Haircuts, a class, and a second class, an hour each, with members who are always there. */
async function studio(capacity: number, rules = {}) {
  const made = await fixture.business({
    rules,
    times: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    services: [{}, { capacity }, { capacity }],
    allPerformAll: true,
  });
  const { key, services, staff } = made;
  const [cut, lesson, other] = services;
  const [{ id: staffId }] = staff;
  const book = (clock: string, more: Parameters<typeof made.book>[1] = {}) =>
    made.book(at(clock, 3), { serviceId: lesson.id, client: newClient(), ...more });
  const slot = async (clock: string, serviceId = lesson.id) =>
    (await listSlots(key, { serviceId, staffId, ...day })).data.find(({ startTime }) => startTime === at(clock, 3));
  return { ...made, cut, lesson, other, staffId, book, slot };
}
type Studio = Awaited<ReturnType<typeof studio>>;

test.each<[string, (studio: Studio) => Promise<unknown>]>([
  ['is cancelled by the website', async ({ key, book }) => cancelBooking(key, await book('10:00'), {})],
  ['is cancelled by the owner', async ({ owner, book }) => cancelBooking(owner, await book('10:00'), { by: 'staff' })],
  [
    'moves to another start',
    async ({ key, book }) => rescheduleBooking(key, await book('10:00'), { startTime: at('15:00', 3) }),
  ],
  [
    'lets a hold go',
    async ({ key, lesson, staffId }) =>
      releaseHold(key, await createHold(key, { serviceId: lesson.id, staffId, startTime: at('10:00', 3) })),
  ],
])(
  'When the only attendee of a class %s, all places of the class and the time of its staff member are free again',
  async (_, leave) => {
    const yoga = await studio(6);
    await leave(yoga);
    expect(await yoga.slot('10:00')).toMatchObject({ capacity: 6, remaining: 6 });
    const cut = await yoga.book('10:00', { serviceId: yoga.cut.id });
    await cancelBooking(yoga.key, cut, {});
    for (let place = 0; place < 6; place++) await yoga.book('10:00');
    await expect(yoga.book('10:00')).rejects.toMatchObject(refused);
    await yoga.state();
  },
);

test('When the first class of a day is full, the next start is listed first, reported as the first of the day, and offered instead', async () => {
  const { key, lesson, staffId, book } = await studio(2, { slotStepMinutes: 60 });
  const query = { serviceId: lesson.id, staffId, ...day };
  const [first, second] = (await listSlots(key, query)).data;
  const before = (await listSlotDays(key, query)).data[0];
  expect(before?.first).toBe(first?.startTime);
  for (let place = 0; place < 2; place++) await book('', { startTime: first?.startTime ?? '' });
  expect((await listSlots(key, query)).data[0]).toEqual(second);
  expect((await listSlotDays(key, query)).data).toEqual([
    { ...before, count: (before?.count ?? 0) - 1, first: second?.startTime },
  ]);
  const { lost } = await outcomes([book('', { startTime: first?.startTime ?? '' })]);
  expect(lost[0]?.extras.details).toMatchObject({ nextAvailable: expect.arrayContaining([second?.startTime]) });
});

test('Malformed busy times from another calendar are refused, and the busy times that were stored before stay', async () => {
  const { owner, account, staffId, slot } = await studio(2);
  const put = (blocks: unknown) =>
    account('putBusyElsewhere', { params: { id: `${staffId}`, source: 'google' }, body: { blocks } });
  expect((await put([{ startTime: at('10:00', 3), endTime: at('11:00', 3) }])).status).toBe(200);
  for (const blocks of [
    [{ startTime: at('12:00', 3), endTime: at('11:00', 3) }],
    [{ startTime: 'soon', endTime: at('11:00', 3) }],
    [{ startTime: at('12:00', 3) }],
    'BEGIN:VCALENDAR',
  ]) {
    expect((await put(blocks)).status).toBe(400);
  }
  expect(await slot('10:00')).toBeUndefined();
  expect(await slot('11:00')).toBeDefined();
  expect((await listBusyElsewhere(owner, { id: staffId }, {})).data).toMatchObject([{ source: 'google' }]);
});

test.each<[string, (studio: Studio) => Record<string, unknown>]>([
  [
    'a day of a member',
    ({ tenantId, staffId }) => ({
      ...records.calendarDay(tenantId, dayOf(day.from), staffCalendar(staffId)),
      ...{ busy: Uint8Array.of(9, 0, 0, 0, 0), version: 1 },
    }),
  ],
  [
    'what another calendar takes of a member',
    ({ tenantId, staff: [anna] }) => ({
      ...records.staff(tenantId, anna.id),
      ...anna,
      elsewhere: { google: { updatedAt: '', blocks: Uint8Array.of(9, 1) } },
    }),
  ],
])(
  'When %s cannot be read, requests for slots, explanations and bookings fail, and no time is listed as free or as full',
  async (_, broken) => {
    const made = await studio(2);
    const { key, lesson, staffId, book } = made;
    await fixture.admin.db.send(new PutCommand({ TableName: fixture.admin.table('records'), Item: broken(made) }));
    const asked = { serviceId: lesson.id, staffId };
    for (const answer of [
      listSlots(key, { ...asked, ...day }),
      listSlotDays(key, { ...asked, ...day }),
      explainSlot(key, { ...asked, startTime: at('10:00', 3) }),
      createHold(key, { ...asked, startTime: at('10:00', 3) }),
      book('10:00'),
    ]) {
      await expect(answer).rejects.toThrow('unknown format');
    }
  },
);

/** Owners confirm several times at once what visitors want at once; returns what stands at one start, and its events. */
async function confirmedAtOnce() {
  const { key, owner, cut, book, events } = await studio(2, { confirmation: 'manual' });
  const many = <T>(call: () => Promise<T>) => Array.from({ length: 5 }, call);
  const { won } = await outcomes([0, 1].map(() => book('10:00', { serviceId: cut.id })));
  await Promise.all([
    outcomes(won.flatMap(({ id }) => many(() => confirmBooking(owner, { id })))),
    outcomes(many(() => book('10:00', { serviceId: cut.id }))),
    outcomes(many(() => book('10:30'))),
  ]);
  const { data } = await listBookings(key, {});
  return { standing: data.map(({ status }) => status), confirmed: (await events('booking.confirmed')).length };
}

test('A booking that waits for confirmation takes its time, so that exactly one booking is left after concurrent confirmations and bookings', async () => {
  expect(await confirmedAtOnce()).toEqual({ standing: ['confirmed'], confirmed: 1 });
});

test('Negative control: if an unconfirmed booking does not reserve its time, several bookings get the same start', async () => {
  const withoutDays = (writes: Write[]) => writes.filter(({ Put }) => !String(Put?.Item?.pk).endsWith('#DAYS'));
  expect((await withBug(withoutDays, confirmedAtOnce)).standing.length).toBeGreaterThan(1);
});

test('While a class has a booking, its staff member cannot be booked for another service, class or visit at that time', async () => {
  const { key, cut, other, staff, staffId, book, slot, state } = await studio(3);
  await book('10:00');
  expect((await slot('10:00'))?.remaining).toBe(2);
  const visit = { services: [cut, cut].map(({ id }) => ({ serviceId: id, staffId })) };
  const asked = [{ serviceId: cut.id, staffId }, { serviceId: other.id, staffId }, visit];
  for (const body of asked) {
    for (const clock of ['09:30', '10:00', '10:45']) {
      const wanted = { ...body, startTime: at(clock, 3) };
      await expect(createBooking(key, { ...wanted, client: newClient() })).rejects.toMatchObject(refused);
      await expect(createHold(key, wanted)).rejects.toMatchObject(refused);
    }
  }
  for (const { id } of [cut, other]) {
    expect(await slot('10:00', id)).toBeUndefined();
    const { staff: explained } = await explainSlot(key, { serviceId: id, staffId, startTime: at('10:00', 3) });
    expect(explained).toMatchObject([{ free: false, reasons: ['booked'] }]);
  }
  await book('10:00', { serviceId: other.id, staffId: staff[1].id });
  await book('10:00');
  await state();
});
