/** A slow or dead receiver delays no other webhook (docs/rules.md#fairness). */
import { expect, test, vi } from 'vitest';
import { duringTest } from '../support/during-test.ts';
import { noFaults } from './faults.ts';
import { alikeBusinesses } from './population.ts';
import { everyNowAndThen } from './presets.ts';
import { hanging, healthy, type Receiver } from './receivers.ts';
import { simulate } from './simulation.ts';

const injected = vi.hoisted(() => ({ oneLane: false }));
vi.mock(import('../../core/deliveries/model/batch.ts'), async (original) => {
  const real = await original();
  return { ...real, queueFor: (webhook, at) => (injected.oneLane ? 'deliveries' : real.queueFor(webhook, at)) };
});

const webhooks = 200;
const perBusiness = 2;
/** Each event is a message. Fifty workers with ten messages each handle fifty a second if a batch takes ten seconds. */
const eventsPerSecond = 60;
/** The first attempts show that a receiver hangs; deliveries before that are not measured. */
const knownAfterMs = 14_000;
const spanMs = 21_000;
const events = (eventsPerSecond * spanMs) / 1_000;

/** The delays from an event to the first attempt for healthy receivers, in ascending order. */
async function firstAttemptDelays(hangingShare: number, seed: number): Promise<readonly number[]> {
  let receivers = 0;
  let begunAt = 0;
  const healthyUrls = new Set<string>();
  const seen = new Set<string>();
  const delays: number[] = [];
  const nextReceiver = (): Receiver => {
    receivers += 1;
    return receivers % 10 < hangingShare * 10 ? hanging : healthy;
  };
  const report = await simulate({
    events,
    seed,
    spanMs,
    rates: noFaults,
    eventful: false,
    populate: (plan) => {
      begunAt = plan.startAt;
      const population = alikeBusinesses(plan, webhooks, nextReceiver, perBusiness);
      for (const [url, receiver] of population.receivers) if (receiver === healthy) healthyUrls.add(url);
      return population;
    },
    arrive: everyNowAndThen(events),
    onRequest: ({ url, headers, body }, now) => {
      const deliveryId = headers['X-Webhook-Delivery'] ?? '';
      if (seen.has(deliveryId)) return;
      seen.add(deliveryId);
      const happenedAt = Date.parse(JSON.parse(String(body)).timestamp);
      if (healthyUrls.has(url) && happenedAt >= begunAt + knownAfterMs) delays.push(now - happenedAt);
    },
  });
  expect(report.violations).toEqual([]);
  expect(seen.size).toBe(events * perBusiness);
  return delays.sort((a, b) => a - b);
}

const percentile = (sorted: readonly number[], share: number) =>
  sorted[Math.floor(sorted.length * share)] ?? Number.NaN;

/** The result without hanging receivers, which both tests share. */
let without: Promise<number> | undefined;

async function compare(): Promise<{ without: number; beside: number }> {
  without ??= firstAttemptDelays(0, 1).then((alone) => percentile(alone, 0.95));
  const alone = await without;
  const among = await firstAttemptDelays(0.3, 1);
  expect(among.length).toBeGreaterThan(500);
  return { without: alone, beside: percentile(among, 0.95) };
}

test('If 30 % of webhook receivers never answer, the 95th percentile of delays to other receivers at most doubles', async () => {
  const { without, beside } = await compare();
  process.stderr.write(`isolation: 95th percentile ${without} ms without, ${beside} ms beside hanging receivers\n`);
  expect(beside).toBeLessThanOrEqual(2 * without);
});

test('Negative control: without a slow queue, silent receivers (30 %) more than double the delay to all others', async () => {
  duringTest(injected, { oneLane: true });
  const { without, beside } = await compare();
  process.stderr.write(`isolation: 95th percentile ${without} ms without, ${beside} ms in one lane with them\n`);
  expect(beside).toBeGreaterThan(2 * without);
});
