#!/usr/bin/env node
/** Brings the records of a deployed stage up to this version, for the platform engineer. */
import { backfill } from '../core/setup/backfill.ts';
import { readFlags, runCommand } from './command-line.ts';
import { findTables } from './operate/stage-tables.ts';

const help = `Writes beside older records what this version writes with new ones: the entries and contacts by which clients are
found, and the places of bookings and payments in indexes. Run it after a deployment, with the credentials and the region of your AWS environment.
It may be run again, and while the stage is in use. What is printed is one line of JSON: how many were brought up.

  npm run backfill -- --stage prod

  --stage NAME  dev (the default), prod, or a branch's
  --help`;

async function run(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, {
    stage: { type: 'string', default: 'dev' },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  await findTables(flags.stage, ['records']);
  console.log(JSON.stringify(await backfill()));
}

await runCommand(run);
