import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  busyAt,
  type CalendarDay,
  daysOf,
  decodeBusy,
  emptyDay,
  insert,
  insertBooking,
  insertHold,
  release,
  releaseBooking,
  releaseHold,
  unpack,
} from '../../../core/availability/calendar-day.ts';
import { type Interval, merge, overlaps } from '../../../core/availability/intervals.ts';
import { pack, storedBusy } from '../../support/packed-day.ts';

const interval = fc
  .tuple(fc.integer({ min: 0, max: 1_439 }), fc.integer({ min: 1, max: 240 }))
  .map(([start, length]) => ({ start, end: Math.min(1_440, start + length) }));

function done<T>(result: T | 'overlap' | 'absent'): T {
  if (result === 'overlap' || result === 'absent') throw new Error(`refused: ${result}`);
  return result;
}

it('Stored busy time of an unknown format causes an error and is never read as free time', () => {
  const stored = storedBusy([{ start: 540, end: 600 }]);
  expect(unpack(decodeBusy(stored))).toEqual([{ start: 540, end: 600 }]);
  for (const format of [0, 2, 255]) {
    expect(() => decodeBusy(Uint8Array.of(format, ...stored.slice(1)))).toThrow('unknown format');
  }
});

describe('daysOf', () => {
  it.each([
    [{ start: 100, end: 200 }, [{ day: 0, start: 100, end: 200 }]],
    [{ start: 0, end: 1_440 }, [{ day: 0, start: 0, end: 1_440 }]],
    [
      { start: 1_400, end: 1_500 },
      [
        { day: 0, start: 1_400, end: 1_440 },
        { day: 1, start: 0, end: 60 },
      ],
    ],
    [
      { start: 1_439, end: 2_881 },
      [
        { day: 0, start: 1_439, end: 1_440 },
        { day: 1, start: 0, end: 1_440 },
        { day: 2, start: 0, end: 1 },
      ],
    ],
    [
      { start: -10, end: 5 },
      [
        { day: -1, start: 1_430, end: 1_440 },
        { day: 0, start: 0, end: 5 },
      ],
    ],
  ])('The interval %o is cut into days at midnight UTC', (whole, parts) => {
    expect(daysOf(whole)).toEqual(parts);
  });

  it('An interval that is cut into days still covers exactly the same minutes', () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e6, max: 1e8 }), fc.integer({ min: 1, max: 5_000 }), (start, length) => {
        const parts = daysOf({ start, end: start + length });
        const back = parts.map((part) => ({ start: part.day * 1_440 + part.start, end: part.day * 1_440 + part.end }));
        expect(merge(back)).toEqual([{ start, end: start + length }]);
      }),
    );
  });
});

describe('stored busy minutes', () => {
  it('Stored busy time takes four bytes for each booking and is read back unchanged', () => {
    const intervals = [
      { start: 0, end: 1 },
      { start: 1, end: 600 },
      { start: 700, end: 1_440 },
    ];
    expect(pack(intervals)).toHaveLength(12);
    expect(unpack(pack(intervals))).toEqual(intervals);
  });

  it('Stored busy time is read correctly from any position of a larger buffer', () => {
    const packed = pack([{ start: 540, end: 600 }]);
    const buffer = new Uint8Array(9);
    buffer.set(packed, 3);
    expect(unpack(buffer.subarray(3, 7))).toEqual([{ start: 540, end: 600 }]);
  });

  it.each([
    [-1, 5],
    [5, 5],
    [6, 5],
    [0, 1_441],
    [0.5, 2],
    [Number.NaN, 2],
  ])(
    'The minutes %d to %d cannot be stored as busy time, because they are not an interval within one day',
    (start, end) => {
      const error = new RangeError(`Not an interval of minutes of one day: ${start} to ${end}`);
      expect(() => insert(new Uint8Array(0), { start, end })).toThrow(error);
    },
  );

  it('Busy time stays a set of disjoint intervals through any history of changes', () => {
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
        }
      }),
    );
  });

  it('Stored busy time is released only for exactly the interval that was taken', () => {
    const packed = pack([{ start: 540, end: 600 }]);
    expect(release(packed, { start: 540, end: 599 })).toBe('absent');
    expect(release(packed, { start: 541, end: 600 })).toBe('absent');
    expect(release(packed, { start: 540, end: 600 })).toHaveLength(0);
  });
});

describe('holds', () => {
  const now = 1_000_000;
  const hold = { start: 600, end: 660, expiresAt: now + 5 * 60_000, id: 'h1' };
  const held: CalendarDay = done(insertHold(emptyDay, hold, now));

  it('A hold blocks its time until the millisecond of its expiry', () => {
    expect(busyAt(0, held, now)).toEqual([{ start: 600, end: 660 }]);
    expect(busyAt(0, held, hold.expiresAt - 1)).toEqual([{ start: 600, end: 660 }]);
    expect(busyAt(0, held, hold.expiresAt)).toEqual([]);
  });

  it('A hold refuses bookings and holds of other callers at its time', () => {
    expect(insertBooking(held, { start: 630, end: 690 }, now)).toBe('overlap');
    expect(insertHold(held, { ...hold, id: 'h2' }, now)).toBe('overlap');
  });

  it('An expired hold blocks no booking and is removed by the next write of that day', () => {
    const placed = done(insertBooking(held, { start: 630, end: 690 }, hold.expiresAt));
    expect(placed.holds).toEqual([]);
    expect(busyAt(0, placed, hold.expiresAt)).toEqual([{ start: 630, end: 690 }]);
  });

  it('A hold for a time that is booked is refused', () => {
    const booked = done(insertBooking(emptyDay, { start: 640, end: 700 }, now));
    expect(insertHold(booked, hold, now)).toBe('overlap');
    expect(insertHold(done(releaseBooking(booked, { start: 640, end: 700 })), hold, now)).not.toBe('overlap');
  });

  it('Releasing a hold a second time has no effect', () => {
    expect(releaseHold(held, 'h1')).toEqual(emptyDay);
    expect(releaseHold(held, 'unknown')).toEqual(held);
  });

  it('A hold counts as busy time like a booking, except for the booking that uses this hold', () => {
    let day = done(insertBooking(held, { start: 660, end: 700 }, now));
    day = done(insertBooking(day, { start: 60, end: 90 }, now));
    day = done(insertHold(day, { start: 0, end: 30, expiresAt: now + 1, id: 'h2' }, now));
    const at = (start: number, end: number) => ({ start: 1_440 * 20_000 + start, end: 1_440 * 20_000 + end });
    const booked = [at(60, 90), at(660, 700)];
    expect(busyAt(20_000, day, now)).toEqual([...booked, at(600, 660), at(0, 30)]);
    expect(busyAt(20_000, day, now, 'h1')).toEqual([...booked, at(0, 30)]);
    expect(busyAt(20_000, day, now + 1)).toEqual([...booked, at(600, 660)]);
  });
});
