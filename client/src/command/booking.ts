#!/usr/bin/env node
/** The command of this package: `npx booking listen --to http://localhost:3000/hooks`. */
import { listen, listenHelp } from './listen.ts';

const [command, ...args] = process.argv.slice(2);
const run = command === 'listen' ? listen(args, console.log) : Promise.resolve(console.log(listenHelp));
run.catch((error: unknown) => {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
});
