import { expect, test } from 'vitest';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { getItems } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { storedBusy } from '../../support/packed-day.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('A booking changes only the calendar days that it touches, and cancelling the booking leaves no busy time there', async () => {
  const times = { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  const { key, tenantId, staff, book } = await fixture.business({ times });
  const day = Date.UTC(2026, 11, 3) / 86_400_000;
  const [first, next] = [day, day + 1].map((one) => records.calendarDay(tenantId, one, `${staff[0].id}`));
  const stored = () => getItems('records', [first, next] as Parameters<typeof getItems>[1]);
  const lastHour = storedBusy([{ start: 1_380, end: 1_440 }]);
  const firstHour = storedBusy([{ start: 0, end: 60 }]);

  await book('2026-12-04T00:00:00Z');
  expect(await stored()).toEqual([undefined, { ...next, version: 1, busy: firstHour }]);
  const booking = await book('2026-12-03T23:00:00Z');
  expect(await stored()).toEqual([
    { ...first, version: 1, busy: lastHour },
    { ...next, version: 1, busy: firstHour },
  ]);
  await cancelBooking(key, booking, {});
  expect(await stored()).toEqual([
    { ...first, version: 2 },
    { ...next, version: 1, busy: firstHour },
  ]);
});
