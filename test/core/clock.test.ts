/** Ids, and the one source of time and randomness. */
import { afterEach, expect, test, vi } from 'vitest';

const at = Date.UTC(2026, 11, 1, 5);
/** The lowest id of that moment. */
const idAt = (ms: number) => (ms - Date.UTC(2024, 0, 1)) * 4_096;

afterEach(() => {
  vi.useRealTimers();
});

/** A container that has not created an id yet. */
async function fresh() {
  vi.resetModules();
  return await import('../../core/clock.ts');
}

async function ids() {
  const { setRuntime, newId } = await fresh();
  return (ms: number, ...bits: [number, number]) => {
    setRuntime({ now: () => ms, randomBytes: () => Uint8Array.from(bits) });
    return newId();
  };
}

test('A generated id consists of its creation time followed by twelve random bits', async () => {
  const next = await ids();
  expect(next(at, 0xff, 0xab)).toBe(idAt(at) + 0xfab);
  expect(next(at + 1, 0x01, 0x02)).toBe(idAt(at + 1) + 0x102);
});

test('A second id generated in the same millisecond is the first id plus one', async () => {
  const next = await ids();
  expect([next(at, 0, 0), next(at, 0, 0), next(at, 0xff, 0xff)].map((id) => id - idAt(at))).toEqual([0, 1, 2]);
});

test.each([
  ['is the previous id plus one if the clock is less than a second behind', at - 999, idAt(at) + 1],
  ['starts from the new time if the clock is further behind', at - 1_000, idAt(at - 1_000) + 7],
])('If the clock of a machine goes back, ids are still generated (the next id %s)', async (_, later, expected) => {
  const next = await ids();
  next(at, 0, 0);
  expect(next(later, 0, 7)).toBe(expected);
});

test('The time at which an id was generated can be read from the id', async () => {
  const { firstIdAt, timeOfId, timestamp } = await fresh();
  expect(firstIdAt(at)).toBe(idAt(at));
  expect([idAt(at) - 1, idAt(at), idAt(at) + 4_095].map((id) => timeOfId(id) - at)).toEqual([-1, 0, 0]);
  expect(timestamp(at + 7)).toBe('2026-12-01T05:00:00.007Z');
});

test('Generated random fractions are at least 0 and below 1', async () => {
  const { setRuntime, randomFraction } = await fresh();
  const drawn = (first: number, rest: number) => {
    setRuntime({ randomBytes: (size) => new Uint8Array(size).fill(rest).fill(first, 0, 1) });
    return randomFraction();
  };
  expect([drawn(0, 0), drawn(0x80, 0), drawn(0xff, 0xff)]).toEqual([0, 0.5, 1 - 2 ** -48]);
});
