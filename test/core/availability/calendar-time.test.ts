import { expect, test } from 'vitest';
import { insertBooking, releaseBooking } from '../../../core/availability/calendar-day.ts';
import { type Calendars, changeTime, loadTaken } from '../../../core/availability/calendar-time.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { records } from '../../../core/table-keys.ts';
import { alwaysThere } from '../../support/always-open.ts';
import { storedBusy } from '../../support/packed-day.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

const midnight = 20_000 * 1_440;
const late = { start: midnight - 30, end: midnight + 30 };
const untouched: Calendars = { tenantId: 1, days: new Map() };
const of = (time: { start: number; end: number }) => [{ calendar: '2', ...time }];

test('A booking across midnight is refused as a whole when its time is taken on one of the two days', () => {
  const placed = changeTime(untouched, of(late), (day, part) => insertBooking(day, part, 0));
  if (typeof placed === 'string') throw new Error(placed);
  expect([...(placed.days.get('2')?.values() ?? [])].map(({ busy }) => busy.length)).toEqual([4, 4]);
  const over = { start: midnight - 90, end: midnight - 29 };
  expect(changeTime(placed, of(over), (day, part) => insertBooking(day, part, 0))).toBe('overlap');
  const next = { start: midnight + 29, end: midnight + 60 };
  expect(changeTime(placed, of(next), (day, part) => insertBooking(day, part, 0))).toBe('overlap');
  expect(changeTime(placed, of({ ...late, end: midnight + 31 }), releaseBooking)).toBe('absent');
  expect(changeTime(untouched, of(late), releaseBooking)).toBe('absent');
});

test('A calendar day of a staff member that was never booked is not stored', async () => {
  expect((await loadTaken(1, of(late))).days.size).toBe(0);
});

test('A booking changes only the calendar days that it touches, and cancelling the booking leaves no busy time there', async () => {
  const { tenant, key } = await fixture.tenant((demo) =>
    alwaysThere(demo, { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 }),
  );
  const offered = { serviceId: tenant.services[0]?.id ?? 0, staffId: tenant.staff[0]?.id ?? 0 };
  const client = { name: 'Jane', email: 'jane@example.com' };
  const book = async (startTime: string) => (await createBooking(key, { ...offered, startTime, client })).value;
  const day = Date.UTC(2026, 11, 3) / 86_400_000;
  const stored = async () => {
    const keys = [day, day + 1].map((one) => records.calendarDay(key.tenantId, one, `${offered.staffId}`));
    const items = await fixture.items('records');
    return keys.map(({ pk, sk }) => {
      const { pk: _, sk: __, ...rest } = items.find((one) => one.pk === pk && one.sk === sk) ?? {};
      return rest;
    });
  };
  const [lastHour, firstHour] = [
    { start: 1_380, end: 1_440 },
    { start: 0, end: 60 },
  ].map((hour) => storedBusy([hour]));

  await book('2026-12-04T00:00:00Z');
  const { id } = await book('2026-12-03T23:00:00Z');
  expect(await stored()).toEqual([
    { version: 1, busy: lastHour },
    { version: 1, busy: firstHour },
  ]);
  await cancelBooking(key, { id }, {});
  expect(await stored()).toEqual([{ version: 2 }, { version: 1, busy: firstHour }]);
});
