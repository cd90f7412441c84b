import fc from 'fast-check';
import { expect, it } from 'vitest';
import { slotList } from '../../../core/availability/slot-list.ts';
import { isoOf, zoneOf } from '../../../core/availability/zone.ts';

const zone = zoneOf('Europe/Riga');
const service = { id: 7, durationMinutes: 90 };

it('A slot shows start and end each with its own UTC offset, even when the clocks change between them', () => {
  const start = Date.parse('2026-10-25T00:30Z') / 60_000;
  expect(slotList([{ staffId: 1, starts: [start] }], service, zone)).toEqual([
    { startTime: '2026-10-25T03:30:00+03:00', endTime: '2026-10-25T04:00:00+02:00', staffId: 1, serviceId: 7 },
  ]);
});

it('Slots are sorted by start and then by staff member, without duplicates', () => {
  const starts = fc
    .uniqueArray(fc.integer({ min: 29_000_000, max: 29_000_400 }), { maxLength: 40 })
    .map((list) => list.sort((a, b) => a - b));
  fc.assert(
    fc.property(fc.array(starts, { maxLength: 6 }), (lists) => {
      const members = lists.map((list, i) => ({ staffId: 100 - i, starts: list }));
      const expected = members
        .flatMap((member, order) => member.starts.map((start) => ({ start, order, staffId: member.staffId })))
        .sort((a, b) => a.start - b.start || a.order - b.order)
        .map(({ start, staffId }) => ({
          startTime: isoOf(zone, start),
          endTime: isoOf(zone, start + service.durationMinutes),
          staffId,
          serviceId: service.id,
        }));
      expect(slotList(members, service, zone)).toEqual(expected);
    }),
  );
});
