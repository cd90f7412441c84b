#!/usr/bin/env node
/** `npm run operate -- drill` follows docs/runbooks/restore.md on this machine. */
import { Teardown } from '../../packages/local-cloud/src/teardown.ts';
import { readFlags, runCommand, stopSignal } from '../command-line.ts';

const help = `Follows docs/runbooks/restore.md on this machine: restores tables to a moment in the past, synthesises the stacks with the
new tables, and checks that bookings and deliveries continue. Takes a minute, and keeps no data.

  npm run operate -- drill

  --help`;

async function drill(args: readonly string[]): Promise<void> {
  readFlags(help, args, {});
  const { beginDrill } = await import('../../local/restore-drill.ts');
  const teardown = new Teardown();
  void stopSignal().then(async () => {
    await teardown.run();
    process.exit(1);
  });
  try {
    const { putBack } = await beginDrill({ teardown, progress: (line) => console.log(line) });
    const found = await putBack();
    if (found.length > 0) throw new Error(`The drill failed: ${found.join('; ')}.`);
    console.log('The drill passed.');
  } finally {
    await teardown.run();
  }
}

await runCommand(drill);
