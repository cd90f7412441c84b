import { expect, it } from 'vitest';
import { slotList } from '../../../core/availability/slot-list.ts';
import { zoneOf } from '../../../core/availability/zone.ts';

const zone = zoneOf('Europe/Riga');
const half = Date.parse('2026-10-25T00:30Z') / 60_000;

it('Slots are sorted by start and then by staff member, and show start and end each with its own UTC offset', () => {
  const members = [
    { staffId: 2, starts: [half, half + 60] },
    { staffId: 1, starts: [half - 60, half] },
  ];
  const slots = slotList(members, { id: 7, durationMinutes: 90 }, zone);
  expect(slots.map(({ startTime, endTime, staffId }) => [startTime, endTime, staffId])).toEqual([
    ['2026-10-25T02:30:00+03:00', '2026-10-25T03:00:00+02:00', 1],
    ['2026-10-25T03:30:00+03:00', '2026-10-25T04:00:00+02:00', 2],
    ['2026-10-25T03:30:00+03:00', '2026-10-25T04:00:00+02:00', 1],
    ['2026-10-25T03:30:00+02:00', '2026-10-25T05:00:00+02:00', 2],
  ]);
});
