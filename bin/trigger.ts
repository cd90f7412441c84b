#!/usr/bin/env node
/** Triggers an event in the sandbox of a business by the changes that cause it. */
import { eventNames } from '../contract/event-names.ts';
import { modeHeader } from '../contract/modes.ts';
import { accountPrefix } from '../contract/prefixes.ts';
import { readFlags, runCommand, UsageError } from './command-line.ts';
import { localOwnerToken } from './local-owner.ts';

const help = `Raises an event in the sandbox, through the account API: real changes, and nothing live is touched.

  npm run trigger -- booking.completed [flags]

  --url URL      the account API's host: http://127.0.0.1:8787 (the default, npm start), or that of a deployed stage
  --token JWT    an owner's ID token; or set OWNER_TOKEN. A local run needs none.
  --help

Events: ${eventNames.join(', ')}.
What was made is printed as one line of JSON.`;

async function trigger([event = '', ...args]: readonly string[]): Promise<void> {
  if (event === '--help') return console.log(help);
  if (!eventNames.some((name) => name === event)) throw new UsageError(`'${event}' is no event.`);
  const flags = readFlags(args, {
    url: { type: 'string', default: 'http://127.0.0.1:8787' },
    token: { type: 'string', default: process.env.OWNER_TOKEN ?? '' },
    help: { type: 'boolean', default: false },
  });
  if (flags.help) return console.log(help);
  if (!URL.canParse(flags.url)) throw new UsageError('--url must be the address of an account API.');
  const url = flags.url.replace(/\/$/, '');
  const token = flags.token || (await localOwnerToken(url));
  const answer = await fetch(`${url}${accountPrefix}/sandbox/trigger`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', [modeHeader]: 'test' },
    body: JSON.stringify({ event }),
  });
  const body = (await answer.json()) as { readonly message?: string };
  if (!answer.ok) throw new Error(`${event} was not triggered: ${answer.status} ${body.message ?? ''}`);
  console.log(JSON.stringify(body));
}

await runCommand(trigger);
