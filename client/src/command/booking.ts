#!/usr/bin/env node
/** The command of this package: `npx booking listen --to http://localhost:3000/hooks`. */
import { listen, listenHelp, messageOf } from './listen.ts';

const [command, ...args] = process.argv.slice(2);

async function run(): Promise<void> {
  if (command === 'listen') return listen(args, console.log);
  if (command !== undefined && command !== '--help') throw new Error(`There is no command ${command}. See --help.`);
  console.log(listenHelp);
}

run().catch((error: unknown) => {
  console.error(messageOf(error));
  process.exitCode = 1;
});
