#!/usr/bin/env node
/** The webhook pipeline in a simulated world: more events, other seeds, planted bugs. */
import { numberFlag, readFlags, runCommand, UsageError } from '../local/command-line.ts';
import { type PlantedBugName, plantedBugs } from '../test/simulation/planted-bugs.ts';
import { troubledWorld } from '../test/simulation/scenarios.ts';
import { type Report, Simulation } from '../test/simulation/simulation.ts';

const bugNames = Object.keys(plantedBugs);

const help = `Runs the functions of the webhook pipeline in a simulated world: a virtual clock, a seeded chance, and faults at
every await. Ends with 0 when nothing happened that must not, else with 1 and the seed that shows it again.

  npm run simulate -- [flags]

  --events N   default 100000
  --seed S     default 1; the same seed gives the same trace, and so the same hash
  --seeds N    run so many seeds, one after the other, from S on; default 1
  --bug NAME   plant a bug and see it found: ${bugNames.join(', ')}
  --help`;

const progressEveryMs = 2_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, {
    events: { type: 'string', default: '100000' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    bug: { type: 'string' },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  const events = numberFlag('--events', flags.events, { min: 1, max: 100_000_000 });
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const seeds = numberFlag('--seeds', flags.seeds, { min: 1, max: 1_000_000 });
  const bug = flags.bug;
  if (bug !== undefined && !isBug(bug)) throw new UsageError(`--bug must be one of ${bugNames.join(', ')}.`);

  for (let i = 0; i < seeds; i++) {
    const began = performance.now();
    const report = await simulated(events, seed + i, bug);
    print(report, (performance.now() - began) / 1_000);
    const again = `--events ${events} --seed ${report.seed}${bug ? ` --bug ${bug}` : ''}`;
    if (report.violationCount > 0) console.log(`  ${report.violationCount} violations. Again with: ${again}`);
    if (report.violationCount > 0) process.exitCode = 1;
  }
}

function isBug(name: string): name is PlantedBugName {
  return name in plantedBugs;
}

async function simulated(events: number, seed: number, bug: PlantedBugName | undefined): Promise<Report> {
  let shownAt = performance.now();
  const simulation = new Simulation({
    ...troubledWorld(events, seed),
    bug,
    onProgress: ({ raised, ledger, world }) => {
      if (performance.now() - shownAt < progressEveryMs) return;
      shownAt = performance.now();
      const { success, failed, disabled } = ledger.counts;
      const virtual = new Date(world.now).toISOString().slice(0, 16);
      console.error(
        `${virtual}  ${raised} of ${events} events, ${success + failed + disabled} of ${ledger.counts.deliveries} ` +
          `deliveries ended, ${ledger.openEvents.size} events in the outbox, ${ledger.violationCount} violations`,
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
  console.log(`  faults: ${struck.join(', ')}; ${report.streamLost} records lost by the stream`);
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
}

await runCommand(run);
