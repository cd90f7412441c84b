#!/usr/bin/env node
/** `npm run listen`: with `--to` runs the client's command, by default for a local run; without it runs a receiver. */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listen, messageOf } from '../client/src/command/listen.ts';
import { ApiError } from '../client/src/errors.ts';
import { modeHeader } from '../contract/modes.ts';
import { accountPrefix, integrationPrefix } from '../contract/prefixes.ts';
import { scopeNames } from '../contract/scopes.ts';
import { runCommand } from './command-line.ts';
import { localOwnerToken } from './local-owner.ts';

const run = 'http://127.0.0.1:8787';
const folder = join(import.meta.dirname, '../.build/listen');

/** Returns a key for the sandbox of the local run: the previous key while it is valid. */
async function localKey(): Promise<string> {
  const file = join(folder, 'key');
  const known = await readFile(file, 'utf8').catch(() => '');
  const response = await fetch(`${run}${integrationPrefix}/webhooks`, { headers: { 'X-API-Key': known } }).catch(
    () => undefined,
  );
  if (!response) throw new Error(`No local run answers at ${run}. Start one with npm start, or give --url and --key.`);
  if (response.ok) return known;
  const answer = await fetch(`${run}${accountPrefix}/api-keys`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${await localOwnerToken(run)}`,
      'Content-Type': 'application/json',
      [modeHeader]: 'test',
    },
    body: JSON.stringify({ name: 'listen', scopes: scopeNames }),
  });
  const { key, message } = (await answer.json()) as { key?: string; message?: string };
  if (!key) throw new Error(`No test key was created: ${message}`);
  await mkdir(folder, { recursive: true });
  await writeFile(file, key, { mode: 0o600 });
  return key;
}

const has = (name: string) => process.argv.some((one) => one === name || one.startsWith(`${name}=`));
if (has('--to')) {
  await runCommand(async (args) => {
    const isElsewhere = has('--url') || process.env.BOOKING_API_URL !== undefined;
    const key = has('--help') || has('--key') || isElsewhere ? process.env.BOOKING_API_KEY : await localKey();
    const defaults = { BOOKING_API_URL: `${run}${integrationPrefix}`, BOOKING_API_KEY: key };
    await listen(args, console.log, { ...defaults, ...process.env }).catch((error: unknown) => {
      throw error instanceof ApiError ? new Error(messageOf(error)) : error;
    });
  });
} else {
  await import('./receiver.ts');
}
