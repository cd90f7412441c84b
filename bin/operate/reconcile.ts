#!/usr/bin/env node
/** `npm run operate -- reconcile` repairs tables after a region was lost, or after a restore (docs/runbooks/restore.md). */
import { readFlags, runCommand, UsageError } from '../command-line.ts';
import { selectStage } from './stage-tables.ts';

const help = `Makes the tables of the region that takes over consistent, after the first region was lost (docs/runbooks/regions.md), or
restored tables (docs/runbooks/restore.md). No other program may write to the tables: the region is still passive, or its
APIs and functions are stopped. The command can be repeated.

  npm run operate -- reconcile --stage NAME --since TIME --until TIME

  --stage NAME    prod, dev, or the stage of a branch
  --since TIME    a time before which all changes arrived and their events were handled, or the restored time: ISO 8601,
                  with an offset
  --until TIME    the time of the last change in the lost region or table
  --help

The AWS region of your environment must be that of the tables. Prints one line of JSON: the lost changes of which a part
arrived, the bookings that were cancelled because another booking took their time, the clients who must be erased again,
the numbers of raised events, changed days, and webhooks whose unused delivery numbers changed, and the API keys
that differed between two tables. Also prints each lost change on stderr before it repairs the change, and each key as soon
as it is changed: if the command fails, a repeated run does not list them again.`;

/** DynamoDB restores tables to at most 35 days before; a restore and its preparation take hours. */
const longestLagMs = 36 * 24 * 3_600_000;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(help, args, {
    since: { type: 'string' },
    until: { type: 'string' },
    stage: { type: 'string' },
  });
  const [since, until] = [timeFlag('--since', flags.since), timeFlag('--until', flags.until)];
  if (since >= until || until > Date.now() || until - since > longestLagMs) {
    throw new UsageError('--since must be before --until, by at most 36 days, and --until must not be in the future.');
  }
  await selectStage(flags.stage, ['keys', 'records', 'deliveries']);
  const [{ alignKeys }, { reconcile }] = await Promise.all([
    import('../../core/reconcile/keys.ts'),
    import('../../core/reconcile/reconcile.ts'),
  ]);
  const keys = [];
  for await (const key of alignKeys()) {
    // If the command fails later, a repeated run does not list this key again.
    console.error(JSON.stringify(key));
    keys.push(key);
  }
  const done = await reconcile({ since, until }, (change) => console.error(JSON.stringify(change)));
  console.log(JSON.stringify({ ...done, keys }));
}

function timeFlag(flag: string, value: string | undefined): number {
  if (value === undefined || !/T.*(Z|[+-]\d\d:\d\d)$/.test(value) || Number.isNaN(Date.parse(value))) {
    throw new UsageError(`${flag} must be a time in ISO 8601, with an offset.`);
  }
  return Date.parse(value);
}

await runCommand(run);
