/** Attempts are made as long as the retry policy and the time of the call allow. */
import { afterEach, beforeEach, expect, test } from 'vitest';
import { setRuntime } from '../../core/clock.ts';
import { RETRY, type RetryPolicy, retrying, unprocessedRetries } from '../../core/retrying.ts';
import { writingUntil } from '../../core/time-left.ts';

const begin = 1_000_000;
let now = begin;
let pauses: number[] = [];

beforeEach(() => {
  [now, pauses] = [begin, []];
  setRuntime({
    now: () => now,
    // This is half of the maximum.
    randomBytes: (size) => new Uint8Array(size).fill(0x80, 0, 1),
    sleep: async (ms) => {
      pauses.push(ms);
      now += ms;
    },
  });
});
afterEach(() => setRuntime());

/** A call that succeeds in the attempt of that number. */
function attemptsOf(policy: RetryPolicy, success = Number.POSITIVE_INFINITY) {
  const attempts: number[] = [];
  const end = retrying(policy, async (attempt) => {
    attempts.push(attempt);
    return attempt < success ? RETRY : 'done';
  });
  return end.then((outcome) => ({ outcome, attempts, pauses }));
}

test.each<[string, RetryPolicy, number[]]>([
  ['doubles with each try', { attempts: 3, firstPauseMs: 100 }, [50, 100]],
  [
    'never exceeds the configured longest pause',
    { attempts: 4, firstPauseMs: 100, longestPauseMs: 250 },
    [50, 100, 125],
  ],
  ['is below a second for items that a batch left unprocessed', unprocessedRetries, [25, 50, 100, 200]],
])('A failed call to an AWS service is repeated after growing pauses (the pause %s)', async (_, policy, expected) => {
  const attempts = Array.from({ length: policy.attempts }, (_, i) => i + 1);
  expect(await attemptsOf(policy)).toEqual({ outcome: RETRY, attempts, pauses: expected });
});

test('A successful call to an AWS service is not repeated', async () => {
  const done = await attemptsOf({ attempts: 4, firstPauseMs: 100 }, 2);
  expect(done).toEqual({ outcome: 'done', attempts: [1, 2], pauses: [50] });
});

test('A call to an AWS service that fails with an unexpected error is not repeated', async () => {
  const failing = retrying(unprocessedRetries, () => Promise.reject(new Error('broken')));
  await expect(failing).rejects.toThrow('broken');
  expect(pauses).toEqual([]);
});

test('A call to an AWS service is not repeated after its deadline', async () => {
  const within = (ms: number) => writingUntil(begin + ms, () => attemptsOf(unprocessedRetries));
  expect(await within(0)).toEqual({ outcome: RETRY, attempts: [], pauses: [] });
  expect(await within(25)).toEqual({ outcome: RETRY, attempts: [1], pauses: [25] });
  expect((await within(26 + 25)).attempts).toEqual([1, 2]);
});
