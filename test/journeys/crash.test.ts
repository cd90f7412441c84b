/** Crash tests: the local run is killed at random moments under load. */
import { expect, test } from 'vitest';
import { crashTest } from '../crash/crash-test.ts';
import { sharedAssembly } from '../support/assembly.ts';
import { serveDuringTest } from '../support/faulty-proxy.ts';

const seed = 20_261_122;
const kills = 6;

test('A local run that is killed six times under load loses no booking, cancellation, slot or event', async () => {
  const { violations, booked, cancelled, ...report } = await crashTest({
    kills,
    seed,
    assemblyDir: await sharedAssembly(),
  });
  process.stderr.write(`crash tests: ${booked} booked, ${cancelled} cancelled, ${JSON.stringify(report)}\n`);
  expect(violations, `seed ${seed}`).toEqual([]);
  // There was load, however slow the machine is: a change was acknowledged before each kill, and another was running.
  expect(booked + cancelled).toBeGreaterThanOrEqual(kills);
  expect(report.brokenOff).toBeGreaterThanOrEqual(kills);
});

/**
 * An injected bug: notes on disk that an event was seen before handling it, and drops seen events. For a new booking it
 * notifies the origin, and is still running when the kill comes.
 */
const forgetful = (origin: string) => `async ({ Records }, context) => {
  const { mkdirSync } = await import('node:fs');
  const folder = new URL('./seen/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const isNew = ({ body }) => {
    try { mkdirSync(new URL(String(JSON.parse(body).detail.events[0].id), folder)); return true; }
    catch { return false; }
  };
  const fresh = Records.filter(isNew);
  if (fresh.some(({ body }) => JSON.parse(body)['detail-type'] === 'booking.created')) await fetch('${origin}');
  return real({ Records: fresh }, context);
}`;

test('Negative control: if the function `plan-deliveries` loses events, the crash test reports the missing events', async () => {
  let onBegun = () => {};
  let isKilled = false;
  const begun = new Promise<void>((resolve) => {
    onBegun = resolve;
  });
  const origin = await serveDuringTest((_request, response) => {
    if (isKilled) response.end();
    onBegun();
  });
  const { violations } = await crashTest({
    kills: 1,
    seed,
    assemblyDir: await sharedAssembly(),
    wrappers: { '-plan-deliveries-events': forgetful(origin) },
    moment: async () => {
      await begun;
      isKilled = true;
      return 'a plan has begun';
    },
    settleMs: 10_000,
  });
  expect(violations.filter((one) => one.startsWith('never delivered: booking.created'))).not.toEqual([]);
});
