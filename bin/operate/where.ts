#!/usr/bin/env node
/** `npm run operate -- where` converts a line of a deployed function's stack trace to a line of the sources. */
import { sourceAt } from '../../lib/source-position.ts';
import { runCommand, UsageError } from '../command-line.ts';

const help = `Which line of the sources a stack trace means.

  npm run operate -- where queues/deliver-webhook 12:3456 [FOLDER]

The first is the handler's file in functions/, the second line and column of index.mjs as the trace has them. FOLDER is the
.build of the build that was deployed, which has the source maps. Without it, run this at the commit that was deployed.`;

async function where([handler = '', position = '', maps]: readonly string[]): Promise<void> {
  if (handler === '--help') return console.log(help);
  const [, line, column] = /^(\d+):(\d+)$/.exec(position) ?? [];
  if (!line || !column) throw new UsageError('Give a handler and a position: queues/deliver-webhook 12:3456.');
  console.log(await sourceAt(handler, Number(line), Number(column), maps));
}

await runCommand(where);
