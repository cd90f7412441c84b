/**
 * An hour without the bus, and one without the stream: nothing is lost, the backlog drains fast and in the order of age,
 * and what happens afterwards does not wait behind it. At a hundredth of 200 events a second; the whole of it is
 * `npm run simulate -- --world no-bus --events 1080000`.
 */
import { expect, test, vi } from 'vitest';
import { outage, worldOfOneHour } from './scenarios.ts';
import { simulate } from './simulation.ts';

vi.setConfig({ testTimeout: 300_000 });

const startAt = Date.UTC(2026, 10, 2);
const events = 10_800;
const arrivalsPerSecond = events / (outage.spanMs / 1_000);
const minute = 60_000;

interface Attempt {
  readonly at: number;
  readonly happenedAt: number;
}

async function hourWithout(broken: 'busOff' | 'streamOff') {
  /** The first of each delivery: a second copy of a message may repeat one. */
  const first = new Map<string, Attempt>();
  const report = await simulate({
    ...worldOfOneHour(broken, events, 7),
    onRequest: ({ body }, at) => {
      const { id, timestamp } = JSON.parse(String(body));
      if (!first.has(id)) first.set(id, { at, happenedAt: Date.parse(timestamp) });
    },
  });
  expect(report.violations).toEqual([]);
  const { deliveries, success } = report.counts;
  expect({ deliveries, success }).toEqual({ deliveries: events, success: events });
  const attempts = [...first.values()];
  const began = startAt + outage.fromMs;
  const ended = startAt + outage.toMs;
  const happenedIn = (from: number, to: number) =>
    attempts.filter((one) => one.happenedAt >= from && one.happenedAt < to);
  return { ended, backlog: happenedIn(began, ended), later: happenedIn(ended + minute, Number.POSITIVE_INFINITY) };
}

const slowest = (attempts: readonly Attempt[]) => Math.max(...attempts.map(({ at, happenedAt }) => at - happenedAt));

test('an hour without the bus drains in one run of the sweeper, oldest first, and nothing new waits for it', async () => {
  const { ended, backlog, later } = await hourWithout('busOff');
  const overdue = backlog.filter(({ at }) => at > ended + 1).sort((a, b) => a.at - b.at);
  expect(overdue.length).toBe(backlog.length);
  const seconds = ((overdue.at(-1)?.at ?? 0) - (overdue[0]?.at ?? 0)) / 1_000;
  process.stderr.write(`outage: ${overdue.length} events drained in ${seconds.toFixed(1)} s\n`);
  expect(overdue.length / seconds).toBeGreaterThan(5 * arrivalsPerSecond);
  // A slice that is under way together comes in any order: the largest of this backlog is less than half of it.
  const byAge = overdue.toSorted((a, b) => a.happenedAt - b.happenedAt);
  const place = new Map(byAge.map((attempt, i) => [attempt, i]));
  const displaced = Math.max(...overdue.map((attempt, i) => Math.abs(i - (place.get(attempt) ?? 0))));
  expect(displaced).toBeLessThan(overdue.length / 2);
  expect(slowest(later)).toBeLessThan(10_000);
});

test('an hour without the stream is minutes late, and what happens after it is not', async () => {
  const { backlog, later } = await hourWithout('streamOff');
  expect(slowest(backlog)).toBeLessThan(8 * minute);
  expect(slowest(later)).toBeLessThan(10_000);
});
