/** How business went, against what was done in it (docs/rules.md#statistics). */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { at, ownerOf } from '../../support/account.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const money = (amount: number) => ({ amount, currency: 'EUR' });
const nothing = { pending: 0, confirmed: 0, completed: 0, no_show: 0, cancelled: 0 };

async function business() {
  const { tenant } = await fixture.tenant();
  const owner = ownerOf(tenant.business.id);
  const done = async (operation: Parameters<typeof owner>[0], sent: Parameters<typeof owner>[1] = {}) => {
    const { status, json } = await owner(operation, sent);
    expect(status, JSON.stringify(json)).toBeLessThan(300);
    return json as { id: number };
  };
  const [service] = tenant.services;
  const [first, second] = tenant.staff.filter(({ id }) => service?.staffIds.includes(id));
  if (!service || !first || !second) throw new Error('Two members of the demo perform its first service');
  const book = (staffId: number, startTime: string) =>
    done('createBooking', {
      body: { serviceId: service.id, staffId, startTime, client: { name: 'Ada', email: 'ada@example.com' } },
    });
  const statistics = async (query = '') => (await owner('getStatistics', { query })).json as never as Answer;
  return { tenant, owner, done, service, first, second, book, statistics };
}

interface Counts {
  readonly bookings: typeof nothing;
  readonly revenue: object;
  readonly occupancy: { readonly bookedMinutes: number; readonly workingMinutes: number };
}
interface Answer {
  readonly data: readonly (Counts & { readonly date: string })[];
  readonly summary: Counts;
  readonly staff: readonly {
    readonly staffId: number;
    readonly bookedMinutes: number;
    readonly workingMinutes: number;
  }[];
  readonly timeZone: string;
}

test('Daily statistics show bookings by status, revenue and the booked share of working time', async () => {
  const { done, service, first, second, book, statistics } = await business();
  const minutes = service.durationMinutes;
  const visit = await book(first.id, '2026-12-01T10:00:00+02:00');
  await done('completeBooking', at(visit.id));
  await done('markNoShow', at((await book(first.id, '2026-12-01T15:00:00+02:00')).id));
  await done('cancelBooking', at((await book(second.id, '2026-12-01T16:00:00+02:00')).id));
  await book(second.id, '2026-12-02T16:00:00+02:00');
  const paid = (amount: number, receivedAt: string) =>
    done('recordPayment', { body: { amount, method: 'card', receivedAt } });
  await paid(4_500, '2026-12-01T21:59:59Z');
  await done('refundPayment', { ...at((await paid(2_000, '2026-12-01T22:00:00Z')).id), body: { amount: 500 } });

  const { data, summary, staff, timeZone } = await statistics('from=2026-12-01&to=2026-12-02');
  expect(timeZone).toBe('Europe/Riga');
  expect(data.map(({ date }) => date)).toEqual(['2026-12-01', '2026-12-02']);
  expect(data.map(({ bookings }) => bookings)).toEqual([
    { ...nothing, completed: 1, no_show: 1, cancelled: 1 },
    { ...nothing, confirmed: 1 },
  ]);
  // The evening's payment is of the first day in Riga, the one a second later of the next.
  expect(data.map(({ revenue }) => revenue)).toEqual([
    { received: money(4_500), refunded: money(0) },
    { received: money(2_000), refunded: money(500) },
  ]);
  expect(data.map(({ occupancy }) => occupancy.bookedMinutes)).toEqual([2 * minutes, minutes]);
  expect(summary.bookings).toEqual({ ...nothing, confirmed: 1, completed: 1, no_show: 1, cancelled: 1 });
  expect(summary.revenue).toEqual({ received: money(6_500), refunded: money(500) });
  expect(staff.find(({ staffId }) => staffId === first.id)).toMatchObject({ bookedMinutes: 2 * minutes });
  expect(staff.find(({ staffId }) => staffId === second.id)).toMatchObject({ bookedMinutes: minutes });
  const workingMinutes = data.reduce((all, { occupancy }) => all + occupancy.workingMinutes, 0);
  expect(workingMinutes).toBeGreaterThan(0);
  expect(summary.occupancy).toMatchObject({ bookedMinutes: 3 * minutes, workingMinutes, classPlaces: 0 });
});

test('Working time in statistics counts only the schedules, breaks and exceptions of active staff', async () => {
  const { done, tenant, first, statistics } = await business();
  for (const { id } of tenant.staff.filter(({ id }) => id !== first.id)) {
    await done('updateStaffMember', { ...at(id), body: { active: false } });
  }
  const hours = [
    { from: '09:00', to: '12:00' },
    { from: '13:00', to: '17:30' },
  ];
  const weekly = { monday: [], tuesday: hours, wednesday: hours, thursday: [], friday: [], saturday: [], sunday: [] };
  const exceptions = { '2026-12-02': [{ from: '10:00', to: '11:00' }] };
  await done('updateStaffSchedule', { ...at(first.id), body: { weekly, exceptions } });
  const { data, staff } = await statistics('from=2026-11-30&to=2026-12-02');
  expect(data.map(({ occupancy }) => occupancy.workingMinutes)).toEqual([0, 450, 60]);
  expect(staff).toMatchObject([{ staffId: first.id, bookedMinutes: 0, workingMinutes: 510 }]);
});

test('Daily statistics have 23 or 25 hours of working time on days when the clocks change', async () => {
  const { done, tenant, first, statistics } = await business();
  for (const { id } of tenant.staff.filter(({ id }) => id !== first.id)) {
    await done('updateStaffMember', { ...at(id), body: { active: false } });
  }
  const always = [{ from: '00:00', to: '24:00' }];
  const names = ['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday', 'sunday'];
  await done('updateStaffSchedule', {
    ...at(first.id),
    body: { weekly: Object.fromEntries(names.map((name) => [name, always])) },
  });
  const minutes = async (day: string) => (await statistics(`from=${day}&to=${day}`)).summary.occupancy.workingMinutes;
  expect([await minutes('2027-03-28'), await minutes('2026-10-25'), await minutes('2026-12-01')]).toEqual([
    23 * 60,
    25 * 60,
    24 * 60,
  ]);
});

test('Statistics without dates cover the last 30 days, and a too long or reversed range is refused', async () => {
  const { owner, statistics } = await business();
  const { data } = await statistics();
  expect([data.length, data.at(0)?.date, data.at(-1)?.date]).toEqual([30, '2026-11-02', '2026-12-01']);
  const days = limits.statisticsRangeDays;
  expect((await owner('getStatistics', { query: 'from=2026-01-01&to=2026-04-02' })).status).toBe(200);
  const long = await owner('getStatistics', { query: 'from=2026-01-01&to=2026-04-03' });
  expect(long.json).toMatchObject({ statusCode: 400, code: 'range_too_large' });
  expect(String(long.json.message)).toContain(String(days));
  const early = await owner('getStatistics', { query: 'from=2026-01-02&to=2026-01-01' });
  expect(early.json).toMatchObject({ code: 'validation_failed', details: [{ path: 'to' }] });
  const nobody = await ownerOf(999)('getStatistics');
  expect(nobody.json.code).toBe('not_found');
});

test('Statistics of a business count no data of another business', async () => {
  const one = await business();
  await one.book(one.first.id, '2026-12-01T10:00:00+02:00');
  await one.done('recordPayment', { body: { amount: 100, method: 'cash' } });
  const other = await business();
  const { summary } = await other.statistics('from=2026-12-01&to=2026-12-02');
  expect(summary.bookings).toEqual(nothing);
  expect(summary.revenue).toEqual({ received: money(0), refunded: money(0) });
});

test('Payment totals accept the filters of the list of payments and sum up exactly the listed payments', async () => {
  const { done, owner, first, book } = await business();
  const booking = (await book(first.id, '2026-12-01T10:00:00+02:00')) as { id: number; clientId?: number };
  const pay = (body: object) => done('recordPayment', { body: { method: 'card', ...body } });
  await pay({ amount: 1_000, bookingId: booking.id });
  await pay({ amount: 700, receivedAt: '1969-07-20T20:17:00Z' });
  const third = await pay({ amount: 300, receivedAt: '2027-01-01T00:00:00Z' });
  await done('refundPayment', { ...at(third.id), body: { amount: 50 } });
  const filters = [
    '',
    `bookingId=${booking.id}`,
    `clientId=${booking.clientId}`,
    'from=2026-12-01T00:00:00Z',
    'to=2027-01-01T00:00:00Z',
    'from=2027-01-01T00:00:00Z&to=2027-01-01T00:00:00.001Z',
    'from=1969-01-01T00:00:00Z&to=1970-01-01T00:00:00Z',
    'from=1970-01-01T00:00:00Z',
    'bookingId=1',
  ];
  for (const query of filters) {
    const listed = (
      (await owner('listPayments', { query })).json as { data: { amount: number; refundedAmount: number }[] }
    ).data;
    expect((await owner('getPaymentTotals', { query })).json, query).toEqual({
      count: listed.length,
      received: money(listed.reduce((all, { amount }) => all + amount, 0)),
      refunded: money(listed.reduce((all, { refundedAmount }) => all + refundedAmount, 0)),
    });
  }
  expect((await owner('getPaymentTotals')).json).toMatchObject({
    count: 3,
    received: money(2_000),
    refunded: money(50),
  });
  const early = await owner('getPaymentTotals', { query: 'from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z' });
  expect(early.json.details).toMatchObject([{ path: 'to' }]);
});

test('Statistics over 92 days of a small business cost at most 14 read units', async () => {
  const { first, book, statistics } = await business();
  for (const hour of [10, 14, 15]) await book(first.id, `2026-12-01T${hour}:00:00+02:00`);
  using script = scriptDynamo([], { units: true });
  await statistics('from=2026-11-01&to=2027-01-31');
  // Business, staff, payments, and each week's bookings: half a unit at least.
  expect(script.units('read')).toBeLessThanOrEqual(14);
});
