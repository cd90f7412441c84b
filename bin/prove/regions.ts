#!/usr/bin/env node
/** Simulates two regions, of which the active one is lost repeatedly: changes with a response must survive. */
import { numberFlag, readFlags, runCommand } from '../command-line.ts';

const help = `Simulates two regions. Each change in the region that serves reaches the other one within two seconds. At random moments
the serving region is lost, and the other one is reconciled and takes over. The exit code is 0 without violations, else 1.

  npm run prove -- regions [flags]

  --events N      default 100000
  --failovers N   default 50
  --seed S        default 1
  --without-reconciliation   injects a bug, so that events are lost and bookings overlap
  --lost          prints each lost change of which a caller had seen the response
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    events: { type: 'string', default: '100000' },
    failovers: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
    'without-reconciliation': { type: 'boolean', default: false },
    lost: { type: 'boolean', default: false },
  });
  const number = (name: 'events' | 'failovers' | 'seed') =>
    numberFlag(`--${name}`, flags[name], { min: 1, max: 100_000_000 });
  const { simulateRegions } = await import('../../test/simulation/regions.ts');
  const report = await simulateRegions({
    events: number('events'),
    failovers: number('failovers'),
    seed: number('seed'),
    withoutReconciliation: flags['without-reconciliation'],
    onFailover: (nth, events) => console.error(`${nth} failovers, ${events} events`),
  });
  const { events, failovers, requests, repeated, lost, traced, displaced, raised, lostChanges, violations, kinds } =
    report;
  console.log(
    `${events} events, ${failovers} failovers, ${requests} requests to receivers, ${repeated} of them repeated`,
  );
  console.log(
    `${lost} changes of bookings and clients were acknowledged within the replication lag and are lost; ${traced} of them left an event, and are listed`,
  );
  console.log(
    `${displaced} bookings were cancelled because a later booking has their time; ${raised} events were raised again`,
  );
  if (flags.lost) for (const one of lostChanges) console.log(`  lost: ${one}`);
  for (const violation of violations) console.log(`  VIOLATION ${violation}`);
  const found = Object.entries(kinds).map(([kind, count]) => `${count} ${kind}`);
  console.log(found.length === 0 ? 'no violations' : `violations: ${found.join(', ')}`);
  if (found.length > 0) process.exitCode = 1;
}

await runCommand(run);
