#!/usr/bin/env node
/** `npm run operate -- reconcile` repairs a region after another was lost (docs/runbooks/regions.md). */
import { reconcile } from '../../core/reconcile/reconcile.ts';
import { readFlags, runCommand, UsageError } from '../command-line.ts';
import { findTables } from './stage-tables.ts';

const help = `Makes the tables of the region that takes over consistent, after the first region was lost (docs/runbooks/regions.md).
No other program may write to the tables: the region is still passive, or its APIs and functions are stopped. The command
can be repeated.

  npm run operate -- reconcile --since TIME --until TIME [--stage NAME]

  --since TIME    a time before which all changes arrived and their events were handled: ISO 8601, with an offset
  --until TIME    the time of the last change in the lost region
  --stage NAME    prod (the default), dev, or the stage of a branch
  --help

The AWS region of your environment must be the region that takes over. Prints one line of JSON: the lost changes of which
a part arrived, the bookings that were cancelled because another booking took their time, and the numbers of raised
events, changed days, and webhooks that continue with a later delivery number.`;

const longestLagMs = 24 * 3_600_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    since: { type: 'string' },
    until: { type: 'string' },
    stage: { type: 'string', default: 'prod' },
  });
  const [since, until] = [timeFlag('--since', flags.since), timeFlag('--until', flags.until)];
  if (since >= until || until > Date.now() || until - since > longestLagMs) {
    throw new UsageError('--since must be before --until, by at most a day, and --until must not be in the future.');
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
