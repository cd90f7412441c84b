#!/usr/bin/env node
/** `npm run prove -- crash` kills a local run at random moments under load, any number of times. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { numberFlag, readFlags, runCommand } from '../command-line.ts';

const help = `Starts the system, creates and cancels bookings with its API, and kills all of its processes at random moments, many times
with the same data. The exit code is 0 if every acknowledged change exists and every receiver got its events.

  npm run prove -- crash [flags]

  --kills N   default 50
  --seed S    default 1; chooses the moments and the requests
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    kills: { type: 'string', default: '50' },
    seed: { type: 'string', default: '1' },
  });
  const count = numberFlag('--kills', flags.kills, { min: 1, max: 100_000 });
  const seed = numberFlag('--seed', flags.seed, { min: 0, max: Number.MAX_SAFE_INTEGER });
  const [{ synthesise }, { crashTest }] = await Promise.all([
    import('../../local/synthesis.ts'),
    import('../../test/crash/crash-test.ts'),
  ]);
  const assemblyDir = await mkdtemp(join(tmpdir(), 'kills-assembly-'));
  try {
    const progress = (line: string) => console.error(line);
    await synthesise(assemblyDir, { signal: AbortSignal.timeout(300_000), progress });
    const report = await crashTest({ kills: count, seed, assemblyDir, progress });
    const { booked, cancelled, refused, brokenOff, deliveries, violations } = report;
    console.log(
      `${count} kills, seed ${seed}: ${booked} bookings, ${cancelled} of them cancelled, ${refused} refused; ` +
        `${brokenOff} requests were interrupted; ${deliveries} delivery records`,
    );
    for (const violation of violations) console.log(`VIOLATION ${violation}`);
    if (violations.length > 0) process.exitCode = 1;
  } finally {
    await rm(assemblyDir, { recursive: true, force: true });
  }
}

await runCommand(run);
