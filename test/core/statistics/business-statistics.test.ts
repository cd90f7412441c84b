/** What statistics read, and what they refuse (docs/rules.md#statistics). */
import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { setRuntime } from '../../../core/clock.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { getStatistics } from '../../../core/statistics/business-statistics.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('Statistics count each booking once, however many weeks the requested range covers', async () => {
  const { owner, book } = await fixture.business();
  const days = Array.from({ length: 16 }, (_, i) => `2026-12-${String(i + 1).padStart(2, '0')}`);
  const open: string[] = [];
  for (const day of days) {
    const booked = await book(`${day}T10:00:00+02:00`, { staffId: undefined }).catch(() => undefined);
    if (booked) open.push(day);
  }
  expect(open.length).toBeGreaterThan(10);
  for (const length of [1, 6, 7, 8, 13, 14, 15]) {
    const within = days.slice(1, 1 + length);
    const { data } = await getStatistics(owner, { from: within[0], to: within.at(-1) });
    expect(data.map(({ bookings }) => bookings.confirmed)).toEqual(within.map((day) => Number(open.includes(day))));
  }
});

test('Statistics over a range with exactly the limit of bookings and payments succeed, and count only days of the range', async () => {
  const { owner, book } = await fixture.business();
  for (const start of ['2026-12-01T10:00', '2026-12-02T10:00', '2026-12-02T15:00']) {
    const startTime = `${start}:00+02:00`;
    await book(startTime, { staffId: undefined });
    await recordPayment(owner, { amount: 100, method: 'cash', receivedAt: startTime });
  }
  const before = { ...limits };
  Object.assign(limits, { bookingsPerStatistics: 2, paymentsPerTotals: 2 });
  try {
    const { summary } = await getStatistics(owner, { from: '2026-12-02', to: '2026-12-02' });
    expect(summary).toMatchObject({ bookings: { confirmed: 2 }, revenue: { received: { amount: 200 } } });
    Object.assign(limits, { paymentsPerTotals: 3 });
    await expect(getStatistics(owner, { from: '2026-12-01', to: '2026-12-02' })).rejects.toMatchObject({
      ...{ code: 'range_too_large', message: 'The range has more than 2 bookings. Ask for fewer days.' },
    });
  } finally {
    Object.assign(limits, before);
  }
});

test('Statistics without dates end with the current day in the time zone of the business', async () => {
  const { owner } = await fixture.business();
  setRuntime({ now: () => Date.parse('2026-12-01T00:30:00+02:00') });
  const { data } = await getStatistics(owner, {});
  setRuntime({ now: () => testNow });
  expect([data.length, data.at(-1)?.date]).toEqual([30, '2026-12-01']);
});
