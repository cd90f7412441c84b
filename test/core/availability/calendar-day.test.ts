import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  busyAt,
  emptyDay,
  insert,
  insertBooking,
  insertHold,
  release,
  unpack,
  withoutHold,
} from '../../../core/availability/calendar-day.ts';
import { type Interval, overlaps } from '../../../core/availability/intervals.ts';
import { pack } from '../../support/packed-day.ts';

const interval = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 240 }))
  .map(([start, length]) => ({ start, end: Math.min(1_440, start + length) }));

function done<T>(result: T | 'overlap' | 'absent'): T {
  if (result === 'overlap' || result === 'absent') throw new Error(`refused: ${result}`);
  return result;
}

test.each([
  [-1, 5],
  [5, 5],
  [0, 1_441],
  [Number.NaN, 2],
])(
  'The minutes %d to %d cannot be stored as busy time, because they are not an interval within one day',
  (start, end) => {
    const error = new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
    expect(() => insert(new Uint8Array(0), { start, end })).toThrow(error);
  },
);

test('After any series of changes, the stored busy times of a day do not overlap, and take four bytes each', () => {
  const change = fc.record({ interval, releases: fc.boolean(), pick: fc.nat() });
  fc.assert(
    fc.property(fc.array(change, { maxLength: 60 }), (history) => {
      let packed = pack([]);
      let model: Interval[] = [];
      for (const step of history) {
        const before = packed.slice();
        const given = packed;
        if (step.releases) {
          const target = model[step.pick % Math.max(1, model.length)] ?? step.interval;
          const present = model.some(({ start, end }) => start === target.start && end === target.end);
          const released = release(packed, target);
          expect(released === 'absent').toBe(!present);
          model = model.filter((other) => other !== target);
          if (released !== 'absent') packed = released;
        } else {
          const free = !model.some((other) => overlaps(other, step.interval));
          const placed = insert(packed, step.interval);
          expect(placed === 'overlap').toBe(!free);
          if (placed !== 'overlap') {
            packed = placed;
            model = [...model, step.interval].sort((a, b) => a.start - b.start);
          }
        }
        expect(given).toEqual(before);
        expect(unpack(packed)).toEqual(model);
        expect(packed).toHaveLength(4 * model.length);
      }
    }),
  );
});

test('Reserved time in a calendar can be freed only as exactly the interval that was reserved', () => {
  const packed = pack([{ start: 540, end: 600 }]);
  expect(release(packed, { start: 540, end: 599 })).toBe('absent');
  expect(release(packed, { start: 541, end: 600 })).toBe('absent');
  expect(release(packed, { start: 540, end: 600 })).toHaveLength(0);
});

test('A hold blocks its time for bookings and other holds until it expires, and is deleted by the next change of that day', () => {
  const hold = { start: 600, end: 660, expiresAt: 1_300_000, id: 'h1' };
  const [held, later] = [done(insertHold(emptyDay, hold, 1_000_000)), { ...hold, expiresAt: 1_600_000, id: 'h2' }];
  const booking = { start: 630, end: 690 };
  const until = hold.expiresAt - 1;
  expect([insertBooking(held, booking, until), insertHold(held, later, until)]).toEqual(['overlap', 'overlap']);
  expect(busyAt(0, held, until)).toEqual([{ start: 600, end: 660 }]);
  expect(busyAt(0, held, hold.expiresAt)).toEqual([]);
  expect(withoutHold(held, hold.id)).toEqual(emptyDay);
  expect(done(insertBooking(held, booking, hold.expiresAt)).holds).toEqual([]);
  expect(done(insertHold(held, later, hold.expiresAt)).holds).toEqual([later]);
});
