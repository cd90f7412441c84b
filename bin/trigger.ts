#!/usr/bin/env node
/** Triggers an event in the sandbox of a business by the changes that cause it. */
import { reasonOf } from '../client/src/attempts.ts';
import { eventNames } from '../contract/event-names.ts';
import { modeHeader } from '../contract/modes.ts';
import { accountPrefix } from '../contract/prefixes.ts';
import { readFlagsAndNames, runCommand, UsageError } from './command-line.ts';
import { localOwnerToken } from './local-owner.ts';

const help = `Triggers an event in the sandbox: makes the changes that cause it, through the account API. Live data does not change.

  npm run trigger -- booking.completed [flags]

  --url URL      the host of the account API: http://127.0.0.1:8787 (the default, npm start), or that of a deployed stage
  --token JWT    the ID token of an owner, by default the variable OWNER_TOKEN. A local run needs none.
  --help

Events: ${eventNames.join(', ')}.
The result is printed as one line of JSON.`;

async function trigger(args: readonly string[]): Promise<void> {
  const { flags, names } = readFlagsAndNames(help, args, {
    url: { type: 'string', default: 'http://127.0.0.1:8787' },
    token: { type: 'string', default: process.env.OWNER_TOKEN ?? '' },
  });
  const [event = ''] = names;
  if (names.length !== 1 || !eventNames.some((name) => name === event)) {
    throw new UsageError(names.length === 1 ? `'${event}' is not an event.` : 'Name one event.');
  }
  if (!URL.canParse(flags.url)) throw new UsageError('--url must be the address of an account API.');
  const url = flags.url.replace(/\/$/, '');
  const token = flags.token || (await localOwnerToken(url));
  const answer = await fetch(`${url}${accountPrefix}/sandbox/trigger`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', [modeHeader]: 'test' },
    body: JSON.stringify({ event }),
    signal: AbortSignal.timeout(30_000),
  }).catch((error) => {
    throw new Error(`${url} does not answer: ${reasonOf(error)}`);
  });
  const body = (await answer.json().catch(() => undefined)) as { readonly message?: string } | undefined;
  if (!answer.ok || !body)
    throw new Error(`${event} was not triggered: ${answer.status} ${body?.message ?? 'without JSON'}`);
  console.log(JSON.stringify(body));
}

await runCommand(trigger);
