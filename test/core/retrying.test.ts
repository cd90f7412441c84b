/** Trying again, as long as patience and time last. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setWorld } from '../../core/clock.ts';
import { again, leftovers, type Patience, retrying } from '../../core/retrying.ts';
import { assertTimeLeft, isTimeUp, timeLeftMs, writeReserveMs, writingUntil } from '../../core/time-left.ts';

const begin = 1_000_000;
let now = begin;
let pauses: number[] = [];

beforeEach(() => {
  [now, pauses] = [begin, []];
  setWorld({
    now: () => now,
    // Half of what they may be.
    randomBytes: (size) => new Uint8Array(size).fill(0x80, 0, 1),
    sleep: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
  });
});
afterEach(() => setWorld());

/** Tries that do not come off before that round. */
function tries(patience: Patience, until = Number.POSITIVE_INFINITY) {
  const rounds: number[] = [];
  const end = retrying(patience, async (round) => {
    rounds.push(round);
    return round < until ? again : 'done';
  });
  return end.then((outcome) => ({ outcome, rounds, pauses }));
}

test.each<[string, Patience, number | undefined, object]>([
  ['twice as long each time', { rounds: 3, firstPauseMs: 100 }, undefined, { rounds: [1, 2, 3], pauses: [50, 100] }],
  [
    'up to the longest',
    { rounds: 4, firstPauseMs: 100, longestPauseMs: 250 },
    undefined,
    { rounds: [1, 2, 3, 4], pauses: [50, 100, 125] },
  ],
  ['until it comes off', { rounds: 4, firstPauseMs: 100 }, 2, { outcome: 'done', rounds: [1, 2], pauses: [50] }],
  ['for leftovers less than a second', leftovers, undefined, { rounds: [1, 2, 3, 4, 5], pauses: [25, 50, 100, 200] }],
])('pauses are %s', async (_, patience, until, expected) => {
  expect(await tries(patience, until)).toEqual({ outcome: again, ...expected });
});

test('an error ends it at once', async () => {
  const failing = retrying(leftovers, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(pauses).toEqual([]);
});

test('no try begins when the time of the call is up', async () => {
  expect(await writingUntil(begin, () => tries(leftovers))).toEqual({ outcome: again, rounds: [], pauses: [] });
  expect(await writingUntil(begin + 25, () => tries(leftovers))).toEqual({ outcome: again, rounds: [1], pauses: [25] });
  expect((await writingUntil(begin + 26 + 25, () => tries(leftovers))).rounds).toEqual([1, 2]);
});

test('a call may write until its end, and one without an end always', () => {
  const asked = () => [timeLeftMs(), isTimeUp()];
  expect(asked()).toEqual([Number.POSITIVE_INFINITY, false]);
  expect(assertTimeLeft()).toBeUndefined();
  expect(writingUntil(begin + 1, asked)).toEqual([1, false]);
  expect(writingUntil(begin + 1, assertTimeLeft)).toBeUndefined();
  expect(writingUntil(begin, asked)).toEqual([0, true]);
  expect(() => writingUntil(begin, assertTimeLeft)).toThrow(
    expect.objectContaining({ code: 'temporarily_unavailable', extras: expect.objectContaining({ retryAfter: 1 }) }),
  );
});

test('what begins before the reserve has ended by the answer, were it one request that nobody answers', () => {
  expect(writeReserveMs).toBe(3_200);
});
