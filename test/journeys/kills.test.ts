/** The local run is killed hard at random moments under load. `npm run kills` kills it more often. */
import { expect, test } from 'vitest';
import { kills } from '../kills/kills.ts';
import { sharedAssembly } from '../support/assembly.ts';

const seed = 20_261_122;

test('killed ten times under load it loses no booking, no cancellation, no slot, no event and no number', async () => {
  const { violations, booked, cancelled, ...report } = await kills({
    kills: 10,
    seed,
    assemblyDir: await sharedAssembly(),
  });
  process.stderr.write(`kills: ${booked} booked, ${cancelled} cancelled, ${JSON.stringify(report)}\n`);
  expect(violations, `seed ${seed}`).toEqual([]);
  // It was under load: a change was acknowledged before each kill, and others were under way.
  expect(booked + cancelled).toBeGreaterThan(10);
  expect(report.brokenOff).toBeGreaterThan(10);
}, 300_000);

/**
 * Notes on disk that an event was seen, before anything is done for it; what was seen is dropped. It takes so long
 * afterwards that a kill, which comes sooner after a change or a delivery than that, finds it at work.
 */
const forgetful = `async ({ Records }, context) => {
  const { mkdirSync } = await import('node:fs');
  const folder = new URL('./seen/', import.meta.url);
  mkdirSync(folder, { recursive: true });
  const isNew = ({ body }) => {
    try { mkdirSync(new URL(String(JSON.parse(body).detail.events[0].id), folder)); return true; }
    catch { return false; }
  };
  const fresh = Records.filter(isNew);
  await new Promise((resolve) => setTimeout(resolve, 1000));
  return real({ Records: fresh }, context);
}`;

test('twin: with an outbox that takes what was begun for done, events are lost, and found to be', async () => {
  const { violations } = await kills({
    kills: 2,
    seed,
    assemblyDir: await sharedAssembly(),
    wrappers: { '-plan-deliveries-events': forgetful },
    patienceMs: 10_000,
  });
  expect(violations.filter((one) => one.startsWith('never told: booking.created'))).not.toEqual([]);
}, 300_000);
