#!/usr/bin/env node
/** `npm run operate -- drill` follows docs/runbooks/restore.md on this machine. */
import { beginDrill } from '../../local/restore-drill.ts';
import { readFlags, runCommand } from '../command-line.ts';

const help = `Restores tables on this machine, as in docs/runbooks/restore.md: what they held at a moment goes into new tables, the
stacks are synthesised to use those, and bookings and deliveries must go on from there. Takes a minute and keeps nothing.

  npm run operate -- drill`;

async function drill(args: readonly string[]): Promise<void> {
  const flags = readFlags(args, { help: { type: 'boolean', default: false } });
  if (flags.help) return console.log(help);
  const restoring = await beginDrill({ progress: (line) => console.log(line) });
  const found = await restoring.putBack().finally(restoring.end);
  if (found.length > 0) throw new Error(`The drill failed: ${found.join('; ')}.`);
  console.log('The drill passed.');
}

await runCommand(drill);
