#!/usr/bin/env node
/** Simulates the webhook pipeline with more events, other seeds, a whole night, injected bugs, or shorter runs. */
import { randomInt } from 'node:crypto';
import { parseArgs } from 'node:util';
import { isMutant, loadMutant, mutants } from '../../test/simulation/mutants.ts';
import type { Scenario } from '../../test/simulation/scenario.ts';
import type { Report } from '../../test/simulation/simulation.ts';
import { numberFlag, readFlags, runCommand, UsageError } from '../command-line.ts';
import { printOutage, printReport } from './simulation-report.ts';

// A mutant replaces the code before it is loaded.
const { bug } = parseArgs({ options: { bug: { type: 'string' } }, strict: false, allowPositionals: true }).values;
if (typeof bug === 'string' && isMutant(bug)) loadMutant(bug);
const [{ OutageWatch }, { injectedBugs }, { presets }, { Simulation }, scenarios, { shrink }] = await Promise.all([
  import('../../test/simulation/outage.ts'),
  import('../../test/simulation/injected-bugs.ts'),
  import('../../test/simulation/presets.ts'),
  import('../../test/simulation/simulation.ts'),
  import('../../test/simulation/scenario.ts'),
  import('../../test/simulation/shrink.ts'),
]);

const presetNames = Object.keys(presets) as Scenario['preset'][];
const bugNames = [...Object.keys(injectedBugs), ...Object.keys(mutants)];
const defaultEvents = presetNames.map((name) => `${presets[name].events} in ${name}`).join(', ');

const help = `Runs the functions of the webhook pipeline in a simulation, with a virtual clock, random numbers from a seed, and faults
at every await. Prints the command that reproduces the first violation. The exit code is 0 if all runs end without violations.

  npm run prove -- simulate [flags]

  --events N      default ${defaultEvents}
  --seed S        default 1; the same seed gives the same run, and so the same hash
  --seeds N       the number of seeds that are run one after the other, from S on; default 1
  --preset NAME   ${presetNames.join(', ')}; default troubled
  --businesses N  raises events only in the first N businesses
  --span HOURS    the period of the events, instead of that of the preset
  --without LIST  leaves out these faults: ${scenarios.removableFaults.join(', ')}
  --bug NAME      injects a bug, which the checkers must find: ${bugNames.join(', ')}
  --shrink        looks for the shortest run with the same violation
  --hours N       runs one preset after the other for N real hours, each with a new seed, and prints a summary
  --help`;

const progressEveryMs = 2_000;
/** The events of one run at night, so that every preset is simulated within an hour. */
const eventsAtNight = 20_000;
const triesToShrink = 60;
const hourMs = 3_600_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    events: { type: 'string' },
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    preset: { type: 'string', default: 'troubled' },
    businesses: { type: 'string' },
    span: { type: 'string' },
    without: { type: 'string', default: '' },
    bug: { type: 'string' },
    shrink: { type: 'boolean', default: false },
    hours: { type: 'string' },
  });
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const seeds = numberFlag('--seeds', flags.seeds, { min: 1, max: 1_000_000 });
  const preset = presetNames.find((name) => name === flags.preset);
  if (!preset) throw new UsageError(`--preset must be one of ${presetNames.join(', ')}.`);
  if (flags.bug !== undefined && !bugNames.includes(flags.bug))
    throw new UsageError(`--bug must be one of ${bugNames.join(', ')}.`);
  const number = (name: 'events' | 'businesses' | 'span') =>
    flags[name] === undefined ? undefined : numberFlag(`--${name}`, flags[name], { min: 1, max: 100_000_000 });
  const scenario: Omit<Scenario, 'seed'> = {
    preset,
    events: number('events') ?? presets[preset].events,
    businesses: number('businesses'),
    span: number('span'),
    without: omittedFaults(flags.without),
    bug: flags.bug,
  };

  if (flags.hours !== undefined) {
    return night(numberFlag('--hours', flags.hours, { min: 0, max: 10_000, whole: false }), scenario.bug);
  }
  for (let i = 0; i < seeds; i++) {
    const one = { ...scenario, seed: seed + i };
    const report = await runAndReport(one);
    if (report.violationCount === 0) continue;
    process.exitCode = 1;
    if (flags.shrink) await reportShortest(one);
  }
}

function omittedFaults(text: string): Scenario['without'] {
  try {
    return scenarios.parseFaultNames(text);
  } catch (error) {
    throw new UsageError(`--without: ${(error as Error).message}.`);
  }
}

/** Simulates one preset after the other, with random seeds, until the time is over. */
async function night(hours: number, bug: string | undefined): Promise<void> {
  const until = performance.now() + hours * hourMs;
  const sum = { runs: 0, events: 0, deliveries: 0, requests: 0 };
  const failed: Scenario[] = [];
  const reportAll = () => {
    const { runs, events, deliveries, requests } = sum;
    console.log(`\n${runs} runs, ${events} events, ${deliveries} deliveries, ${requests} requests`);
    for (const scenario of failed) console.log(`VIOLATION ${scenarios.commandOf(scenario)}`);
    const fine = runs > 0 ? 'no violations' : 'no run was finished';
    console.log(failed.length > 0 ? `${failed.length} runs with violations` : fine);
    if (failed.length > 0) process.exitCode = 1;
  };
  // An interrupted night prints its results so far, and fails, because the rest was not simulated.
  process.once('SIGINT', () => {
    reportAll();
    process.exit(1);
  });
  for (let nth = 0; performance.now() < until || nth === 0; nth++) {
    const preset = presetNames[nth % presetNames.length] ?? 'troubled';
    const events = Math.min(presets[preset].events, eventsAtNight);
    const scenario: Scenario = { preset, events, seed: randomInt(2 ** 47), without: [], bug };
    console.log(scenarios.commandOf(scenario));
    const { counts, violationCount } = await runAndReport(scenario);
    sum.runs += 1;
    sum.events += counts.events;
    sum.deliveries += counts.deliveries;
    sum.requests += counts.requests;
    if (violationCount > 0) {
      const at = failed.push(scenario) - 1;
      failed[at] = await reportShortest(scenario);
    }
    const left = Math.max(0, (until - performance.now()) / hourMs).toFixed(1);
    console.error(`${sum.runs} runs, ${sum.events} events, ${failed.length} runs with violations; ${left} hours left`);
  }
  reportAll();
}

async function runAndReport(scenario: Scenario): Promise<Report> {
  const began = performance.now();
  const { isOutage } = presets[scenario.preset] as { isOutage?: true };
  const watch = isOutage && new OutageWatch();
  const report = await simulated(scenario, watch ? { onRequest: watch.onRequest } : {});
  printReport(report, (performance.now() - began) / 1_000);
  if (watch) printOutage(watch.figures());
  if (report.violationCount > 0)
    console.log(`  ${report.violationCount} violations. Repeat the run with: ${scenarios.commandOf(scenario)}`);
  return report;
}

/** Searches for a shorter run, and prints it. */
async function reportShortest(scenario: Scenario): Promise<Scenario> {
  console.error(`looking for the shortest run with the same violation, in at most ${triesToShrink} tries`);
  const shortest = await shrink(scenario, {
    tries: triesToShrink,
    violates: async (one) => (await simulated(one, { stopAtFirst: true, isQuiet: true })).violationCount > 0,
    onShorter: (one) => console.error(`shorter: ${scenarios.commandOf(one)}`),
  });
  console.log(`  Shortest: ${scenarios.commandOf(shortest)}`);
  return shortest;
}

async function simulated(
  scenario: Scenario,
  more: {
    readonly onRequest?: InstanceType<typeof OutageWatch>['onRequest'];
    readonly stopAtFirst?: boolean;
    readonly isQuiet?: boolean;
  },
): Promise<Report> {
  let shownAt = performance.now();
  const name = scenario.bug;
  const simulation = new Simulation({
    ...scenarios.optionsOf(scenario),
    ...more,
    stopAtFirst: more.stopAtFirst || name !== undefined,
    bug: name !== undefined && name in injectedBugs ? (name as keyof typeof injectedBugs) : undefined,
    onProgress: ({ raised, checkers, runtime }) => {
      if (more.isQuiet || performance.now() - shownAt < progressEveryMs) return;
      shownAt = performance.now();
      const { success, failed, disabled } = checkers.findings.counts;
      const virtual = new Date(runtime.now).toISOString().slice(0, 16);
      console.error(
        `${virtual}  ${raised} of ${scenario.events} events, ${success + failed + disabled} of ${checkers.findings.counts.deliveries} ` +
          `deliveries ended, ${checkers.events.open.size} events in the outbox, ${checkers.findings.violationCount} violations`,
      );
    },
  });
  try {
    return await simulation.run();
  } finally {
    simulation.end();
  }
}

await runCommand(run);
