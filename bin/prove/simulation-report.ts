/** The output of `npm run prove -- simulate` for a simulated history. */
import type { OutageFigures } from '../../test/simulation/outage.ts';
import type { Report } from '../../test/simulation/simulation.ts';

export function printReport(report: Report, seconds: number): void {
  const { seed, hash, counts, violations, faults } = report;
  const struck = Object.entries(faults).map(([name, times]) => `${times} × ${name}`);
  console.log(`seed ${seed}  hash ${hash}  ${seconds.toFixed(1)} s for ${report.virtualHours} hours`);
  console.log(
    `  ${counts.events} events, ${counts.deliveries} deliveries: ${counts.success} success, ${counts.failed} failed, ` +
      `${counts.disabled} not sent because the webhook was disabled, ${counts.dropped} dropped with their webhook`,
  );
  console.log(
    `  ${counts.requests} requests, ${counts.repeated} of them repeated after a crash or a duplicate; ` +
      `${counts.webhooksDisabled} webhooks disabled, ${report.deadLettered} messages dead-lettered, ${report.redriven} redriven`,
  );
  const { redeliveries, pings } = counts;
  console.log(
    `  ${redeliveries.requested} redeliveries: ${redeliveries.success} success, ${redeliveries.failed} failed, ` +
      `${redeliveries.disabled} not sent because the webhook was disabled, ${redeliveries.dropped} dropped; ` +
      `${pings.sent} pings, ${pings.brokenOff} of them interrupted`,
  );
  const calls = Object.entries(counts.calls).map(
    ([verb, { answered, refused, broken }]) =>
      `${verb}: ${answered} with 2xx, ${refused} with 4xx, ${broken} with 5xx or no response`,
  );
  console.log(`  calls: ${calls.join('; ')}`);
  console.log(`  faults: ${struck.join(', ')}; ${report.streamLost} records lost by the stream`);
  console.log(
    `  ${counts.attemptsCounted} attempts in the statistics, with the hours of the logs; ${counts.attemptsCountedAfterExpiry} of them after a part of the logs had expired`,
  );
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
}

export function printOutage(figures: OutageFigures): void {
  const { backlog, arrivedPerSecond, drainedPerSecond, drainedAfterMs, displaced } = figures;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  console.log(
    `  outage: ${backlog} deliveries at ${arrivedPerSecond.toFixed(1)} a second, drained at ${drainedPerSecond.toFixed(1)}, ` +
      `the last ${seconds(drainedAfterMs)} after its end, and ${(100 * displaced).toFixed(1)} % from its position at most; ` +
      `late by ${seconds(figures.slowestMs)} at most, and events after the outage by ${seconds(figures.slowestAfterwardsMs)}`,
  );
}
