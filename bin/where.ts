#!/usr/bin/env node
/** `npm run where`: which line of the sources a stack trace of a deployed function means. */
import { sourceAt } from '../lib/source-position.ts';
import { runCommand, UsageError } from './command-line.ts';

const help = `Which line of the sources a stack trace means. Run it at the commit that was deployed.

  npm run where -- queues/deliver-webhook 12:3456

The first is the handler's file in functions/, the second line and column of index.mjs as the trace has them.`;

async function where([handler = '', place = '']: readonly string[]): Promise<void> {
  if (handler === '--help') return console.log(help);
  const [, line, column] = /^(\d+):(\d+)$/.exec(place) ?? [];
  if (!line || !column) throw new UsageError('Give a handler and a place: queues/deliver-webhook 12:3456.');
  console.log(await sourceAt(handler, Number(line), Number(column)));
}

await runCommand(where);
