#!/usr/bin/env node
/** `npm run operate -- where` converts a line of a deployed function's stack trace to a line of the sources. */
import { readFlagsAndNames, runCommand, UsageError } from '../command-line.ts';

const help = `Prints the source line of a position in a stack trace.

  npm run operate -- where queues/deliver-webhook 12:3456 [FOLDER]

  --help

The first argument is the file of the handler in functions/, and the second the line and column of index.mjs in the trace.
FOLDER is the folder .build of the deployed build, which contains the source maps. Without FOLDER, run the command at the
deployed commit.`;

async function where(args: readonly string[]): Promise<void> {
  const [handler = '', position = '', maps] = readFlagsAndNames(help, args, {}).names;
  const [, line, column] = /^(\d+):(\d+)$/.exec(position) ?? [];
  if (!line || !column) throw new UsageError('Give a handler and a position: queues/deliver-webhook 12:3456.');
  const { sourceAt } = await import('../../lib/source-position.ts');
  console.log(await sourceAt(handler, Number(line), Number(column), maps));
}

await runCommand(where);
