#!/usr/bin/env node
/** The webhook pipeline in a simulated world: more events, other seeds, other worlds, planted bugs. */
import { type OutageFigures, OutageWatch } from '../test/simulation/outage.ts';
import { type PlantedBugName, plantedBugs } from '../test/simulation/planted-bugs.ts';
import { type WorldRow, worlds } from '../test/simulation/scenarios.ts';
import { type Report, Simulation, type SimulationOptions } from '../test/simulation/simulation.ts';
import { numberFlag, readFlags, runCommand, UsageError } from './command-line.ts';

const bugNames = Object.keys(plantedBugs);
const worldNames = Object.keys(worlds);

const defaultEvents = Object.entries(worlds)
  .map(([name, { events }]) => `${events} in ${name}`)
  .join(', ');

const help = `Runs the functions of the webhook pipeline in a simulated world: a virtual clock, a seeded chance, and faults at
every await. Ends with 0 when nothing happened that must not, else with 1 and the seed that shows it again.

  npm run simulate -- [flags]

  --events N   default ${defaultEvents}
  --seed S     default 1; the same seed gives the same trace, and so the same hash
  --seeds N    run so many seeds, one after the other, from S on; default 1
  --world NAME ${worldNames.join(' or ')}; default troubled
  --bug NAME   plant a bug and see it found: ${bugNames.join(', ')}
  --help`;

const progressEveryMs = 2_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, {
    events: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    world: { type: 'string', default: 'troubled' },
    bug: { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const seeds = numberFlag('--seeds', flags.seeds, { min: 1, max: 1_000_000 });
  const { bug, world } = flags;
  if (!isWorld(world)) throw new UsageError(`--world must be one of ${worldNames.join(', ')}.`);
  if (bug !== undefined && !isBug(bug)) throw new UsageError(`--bug must be one of ${bugNames.join(', ')}.`);

  const { options, events: fitting, isOutage }: WorldRow = worlds[world];
  const events =
    flags.events === undefined ? fitting : numberFlag('--events', flags.events, { min: 1, max: 100_000_000 });

  for (let i = 0; i < seeds; i++) {
    const began = performance.now();
    const watch = isOutage && new OutageWatch();
    const report = await simulated({ ...options(events, seed + i), ...(watch && { onRequest: watch.onRequest }) }, bug);
    print(report, (performance.now() - began) / 1_000);
    if (watch) printOutage(watch.figures());
    const again = `--world ${world} --events ${events} --seed ${report.seed}${bug ? ` --bug ${bug}` : ''}`;
    if (report.violationCount > 0) console.log(`  ${report.violationCount} violations. Again with: ${again}`);
    if (report.violationCount > 0) process.exitCode = 1;
  }
}

function isBug(name: string): name is PlantedBugName {
  return name in plantedBugs;
}

function isWorld(name: string): name is keyof typeof worlds {
  return name in worlds;
}

async function simulated(options: SimulationOptions, bug: PlantedBugName | undefined): Promise<Report> {
  let shownAt = performance.now();
  const simulation = new Simulation({
    ...options,
    bug,
    onProgress: ({ raised, ledger, world }) => {
      if (performance.now() - shownAt < progressEveryMs) return;
      shownAt = performance.now();
      const { success, failed, disabled } = ledger.findings.counts;
      const virtual = new Date(world.now).toISOString().slice(0, 16);
      console.error(
        `${virtual}  ${raised} of ${options.events} events, ${success + failed + disabled} of ${ledger.findings.counts.deliveries} ` +
          `deliveries ended, ${ledger.events.open.size} events in the outbox, ${ledger.findings.violationCount} violations`,
      );
    },
  });
  try {
    return await simulation.run();
  } finally {
    simulation.end();
  }
}

function print(report: Report, seconds: number): void {
  const { seed, hash, counts, violations, faults } = report;
  const struck = Object.entries(faults).map(([name, times]) => `${times} × ${name}`);
  console.log(`seed ${seed}  hash ${hash}  ${seconds.toFixed(1)} s for ${report.virtualHours} hours`);
  console.log(
    `  ${counts.events} events, ${counts.deliveries} deliveries: ${counts.success} success, ${counts.failed} failed, ` +
      `${counts.disabled} not sent because switched off, ${counts.dropped} dropped with their webhook`,
  );
  console.log(
    `  ${counts.requests} requests, ${counts.repeated} of them again after a crash or a duplicate; ` +
      `${counts.switchedOff} webhooks switched off, ${report.deadLettered} messages dead-lettered, ${report.redriven} redriven`,
  );
  const { redeliveries, pings } = counts;
  console.log(
    `  ${redeliveries.asked} redeliveries: ${redeliveries.success} success, ${redeliveries.failed} failed, ` +
      `${redeliveries.disabled} not sent because switched off, ${redeliveries.dropped} dropped; ` +
      `${pings.made} pings, ${pings.brokenOff} of them broken off`,
  );
  const calls = Object.entries(counts.calls).map(
    ([verb, { answered, refused, broken }]) => `${verb} ${answered} answered, ${refused} refused, ${broken} broken`,
  );
  console.log(`  calls: ${calls.join('; ')}`);
  console.log(`  faults: ${struck.join(', ')}; ${report.streamLost} records lost by the stream`);
  console.log(
    `  ${counts.attemptsCounted} attempts in the statistics, by hour as in the logs; ${counts.attemptsCountedAfterExpiry} still, when a part of the logs had expired`,
  );
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
}

function printOutage(figures: OutageFigures): void {
  const { backlog, arrivedPerSecond, drainedPerSecond, drainedAfterMs, displaced } = figures;
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  console.log(
    `  outage: ${backlog} deliveries at ${arrivedPerSecond.toFixed(1)} a second, drained at ${drainedPerSecond.toFixed(1)}, ` +
      `the last ${seconds(drainedAfterMs)} after its end, and ${(100 * displaced).toFixed(1)} % from its place at most; ` +
      `late by ${seconds(figures.slowestMs)} at most, and what happened afterwards by ${seconds(figures.slowestAfterwardsMs)}`,
  );
}

await runCommand(run);
