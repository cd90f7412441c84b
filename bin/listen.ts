#!/usr/bin/env node
/** `npm run listen`: with `--to` runs the client's command, by default for a local run; without it runs a receiver. */
import { join } from 'node:path';
import { listen, messageOf } from '../client/src/command/listen.ts';
import { ApiError } from '../client/src/errors.ts';
import { integrationPrefix } from '../contract/prefixes.ts';
import { runCommand } from './command-line.ts';
import { localKey } from './local-key.ts';

const run = 'http://127.0.0.1:8787';
const keyFile = join(import.meta.dirname, '../.build/listen/key');

const has = (name: string) => process.argv.some((one) => one === name || one.startsWith(`${name}=`));
if (has('--to')) {
  await runCommand(async (args) => {
    const isElsewhere = has('--url') || process.env.BOOKING_API_URL !== undefined;
    const key =
      has('--help') || has('--key') || isElsewhere ? process.env.BOOKING_API_KEY : await localKey(run, keyFile);
    const defaults = { BOOKING_API_URL: `${run}${integrationPrefix}`, BOOKING_API_KEY: key };
    await listen(args, console.log, { ...defaults, ...process.env }).catch((error: unknown) => {
      throw error instanceof ApiError ? new Error(messageOf(error)) : error;
    });
  });
} else {
  await import('./receiver.ts');
}
