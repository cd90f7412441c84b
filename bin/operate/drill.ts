#!/usr/bin/env node
/** `npm run operate -- drill` follows docs/runbooks/restore.md on this machine. */
import { beginDrill } from '../../local/restore-drill.ts';
import { readFlags, runCommand } from '../command-line.ts';

const help = `Follows docs/runbooks/restore.md on this machine: restores tables to a moment in the past, synthesises the stacks with the
new tables, and checks that bookings and deliveries continue. Takes a minute, and keeps no data.

  npm run operate -- drill

  --help`;

async function drill(args: readonly string[]): Promise<void> {
  readFlags(help, args, {});
  const restoring = await beginDrill({ progress: (line) => console.log(line) });
  const found = await restoring.putBack().finally(restoring.end);
  if (found.length > 0) throw new Error(`The drill failed: ${found.join('; ')}.`);
  console.log('The drill passed.');
}

await runCommand(drill);
