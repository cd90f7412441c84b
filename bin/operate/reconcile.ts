#!/usr/bin/env node
/** `npm run operate -- reconcile` repairs a region after another was lost (docs/runbooks/regions.md). */
import { reconcile } from '../../core/reconcile/reconcile.ts';
import { readFlags, runCommand, UsageError } from '../command-line.ts';
import { findTables } from './stage-tables.ts';

const help = `Repairs the region that takes over after the first region was lost (docs/runbooks/regions.md): numbers, times and
events that arrived only in part. Nothing else may write while it runs: the region is still passive, or its APIs and its
pipeline are stopped. You can run it again.

  npm run operate -- reconcile --since TIME --until TIME [--stage NAME]

  --since TIME    all changes before this time have arrived, and their events were planned: ISO 8601, with an offset
  --until TIME    when the lost region accepted its last change
  --stage NAME    prod (the default), dev, or a branch's
  --help

Uses the credentials and the region of your AWS environment, which must be the region that takes over. Prints one line of
JSON: the lost changes of which a part arrived; the bookings that were cancelled because a later one has their time; how
many events were raised, how many days were changed, and how many webhooks continue with a later number.`;

const longestLagMs = 24 * 3_600_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, {
    since: { type: 'string' },
    until: { type: 'string' },
    stage: { type: 'string', default: 'prod' },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  const [since, until] = [timeFlag('--since', flags.since), timeFlag('--until', flags.until)];
  if (since >= until || until > Date.now() || until - since > longestLagMs) {
    throw new UsageError('--since must be before --until, a day at most, and --until not ahead of now.');
  }
  await findTables(flags.stage, ['records', 'deliveries']);
  console.log(JSON.stringify(await reconcile({ since, until })));
}

function timeFlag(flag: string, value: string | undefined): number {
  if (value === undefined || !/T.*(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value))) {
    throw new UsageError(`${flag} must be a time in ISO 8601, with an offset.`);
  }
  return Date.parse(value);
}

await runCommand(run);
