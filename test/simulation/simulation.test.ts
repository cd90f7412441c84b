/** Simulates the production functions of the webhook pipeline deterministically, with invariant checkers. */
import { expect, test, vi } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type InjectedBugName, injectedBugs } from './injected-bugs.ts';
import { outageOptions, restoreOptions, troubledOptions, undisturbedOptions } from './presets.ts';
import { type Report, simulate } from './simulation.ts';

/** A test takes about half a minute on an idle machine. `npm run prove -- simulate` raises more events. */
vi.setConfig({ testTimeout: 900_000 });

const seed = 20_261_102;
const hourMs = 3_600_000;
/** Most of the time of a short simulation is spent on the hours of its sweepers, so it has few. */
const fewHours = 12;
const of = ({ seed, violationCount }: Report) => `seed ${seed}: ${violationCount} violations`;

/** All deliveries, redeliveries and pings have ended. */
function expectEnds({ counts }: Report): void {
  const { deliveries, success, failed, disabled, dropped, redeliveries, pings } = counts;
  expect(success + failed + disabled + dropped).toBe(deliveries);
  const { requested, ...ends } = redeliveries;
  const { sent, ...pingEnds } = pings;
  const sum = (all: object) => Object.values(all).reduce((total: number, one) => total + one, 0);
  expect(sum(ends)).toBe(requested);
  expect(sum(pingEnds)).toBe(sent);
}

test('In a simulation of 2 000 events with random faults, no delivery is lost, sent too early, or finished twice', async () => {
  const began = performance.now();
  const report = await simulate(troubledOptions(2_000, seed));
  const seconds = (performance.now() - began) / 1_000;
  const { events, deliveries, requests, failed, redeliveries, pings, calls } = report.counts;
  process.stderr.write(
    `simulation: seed ${seed}, hash ${report.hash}, ${deliveries} deliveries, ${requests} requests, ` +
      `${redeliveries.requested} redeliveries, ${report.invocations} invocations in ${seconds.toFixed(1)} s, ${Math.round(events / seconds)} events/s\n`,
  );
  expect(report.violations, of(report)).toEqual([]);
  expect(events).toBe(2_000);
  expectEnds(report);
  // Some requests of integrators succeeded and some were refused.
  expect(redeliveries.requested).toBeGreaterThan(100);
  expect(redeliveries.success).toBeGreaterThan(50);
  expect(pings.brokenOff).toBeGreaterThan(0);
  for (const { answered, refused, broken } of Object.values(calls)) {
    expect(Math.min(answered, refused, broken)).toBeGreaterThan(0);
  }
  // The faults really happened.
  expect(report.streamLost).toBeGreaterThan(100);
  expect(report.counts.webhooksDisabled).toBeGreaterThan(0);
  expect(failed).toBeGreaterThan(0);
  // The statistics were compared with complete logs, and again after a part of the logs had expired.
  const { attemptsCounted, attemptsCountedAfterExpiry } = report.counts;
  expect(attemptsCounted).toBeGreaterThan(1_500);
  expect(attemptsCountedAfterExpiry).toBeGreaterThan(600);
  expect(attemptsCountedAfterExpiry).toBeLessThan(attemptsCounted);
  expect(Object.keys(report.faults).sort()).toEqual([
    'conflict',
    'crash after',
    'crash before',
    'duplicate',
    'lost answer',
    'lostAcknowledgement',
    'partial',
    'refused',
  ]);
});

test('Two simulations with the same seed run identically, and a simulation with another seed runs differently', async () => {
  const options = (seed: number) => troubledOptions(40, seed, 3);
  const first = await simulate(options(7));
  const again = await simulate(options(7));
  const other = await simulate(options(8));
  expect(again).toEqual(first);
  expect(other.hash).not.toBe(first.hash);
});

test('If receivers are down for hours and functions crash, recovering a webhook sends each failed delivery again only once', async () => {
  // A seed with which integrators recover many deliveries.
  const report = await simulate({ ...outageOptions(200, 2), spanMs: 20 * hourMs });
  expect(report.violations, of(report)).toEqual([]);
  expectEnds(report);
  const { redeliveries, calls } = report.counts;
  process.stderr.write(
    `simulation: seed ${report.seed}, hash ${report.hash}, ${redeliveries.requested} redeliveries, ` +
      `${calls.recover.answered} recoveries\n`,
  );
  expect(redeliveries.requested).toBeGreaterThan(100);
});

test('After the DynamoDB tables are restored to an earlier time, each unfinished webhook delivery is sent once', async () => {
  const report = await simulate(restoreOptions(300, seed));
  expect(report.violations, of(report)).toEqual([]);
  expectEnds(report);
  expect(report.counts.deliveries).toBeGreaterThan(200);
});

const bugEvents = 600;

for (const bug of Object.keys(injectedBugs) as InjectedBugName[]) {
  test(`The simulation finds the injected bug “${injectedBugs[bug].bug}” within ${bugEvents} events`, async () => {
    const report = await simulate({ ...troubledOptions(bugEvents, seed, fewHours), bug });
    expect(report.violations, of(report)).not.toEqual([]);
    process.stderr.write(`simulation: ${bug} found, ${of(report)}, the first: ${report.violations[0]}\n`);
    expect(report.seed).toBe(seed);
  });
}

test('Negative control: the simulation that finds injected bugs reports no violation if no bug is injected', async () => {
  const { options } = injectedBugs['acknowledge-half-a-batch'];
  const report = await simulate({ ...troubledOptions(bugEvents, seed, fewHours), ...options });
  expect(report.violations, of(report)).toEqual([]);
});

test('Without faults, each webhook delivery attempt is one request, which is sent neither early nor more than two seconds late', async () => {
  const report = await simulate(undisturbedOptions(seed));
  expect(report.violations, of(report)).toEqual([]);
  const { deliveries, requests, success, failed, repeated, latestMs } = report.counts;
  // Of seven receivers one is healthy, five fail once to five times, and one always fails.
  const perSeven = 1 + 2 + 3 + 4 + 5 + limits.deliveryAttempts + limits.deliveryAttempts;
  expect({ success, failed, repeated, requests }).toEqual({
    success: (deliveries / 7) * 6,
    failed: deliveries / 7,
    repeated: 0,
    requests: (deliveries / 7) * perSeven,
  });
  // The delay is rounded up to seconds, and the poller needs time.
  expect(latestMs).toBeLessThan(2_000);
});
