#!/usr/bin/env node
/** Manages API keys of a deployed stage for the platform engineer, with the functions of the account API. */
import { scopeNames, scopeSets } from '../../contract/scopes.ts';
import { readFlagsAndNames, runCommand, UsageError } from '../command-line.ts';

const help = `API keys of a deployed stage, with the credentials and the region of your AWS environment.

  npm run operate -- keys create --stage NAME --business ID --name TEXT (--scopes A,B | --scope-set NAME) [flags]
  npm run operate -- keys list --stage NAME --business ID
  npm run operate -- keys regenerate --stage NAME --business ID --id ID
  npm run operate -- keys revoke --stage NAME --business ID --id ID
  npm run operate -- keys invite --stage NAME --business ID --email ADDRESS --user-pool ID
  npm run operate -- keys offboard --stage NAME --business ID [--confirm NAME] [--user-pool ID]
  npm run operate -- keys onboard --stage NAME --name TEXT --time-zone ZONE --currency CODE
                                  [--email ADDRESS --user-pool ID]

  --stage NAME        prod, dev, or the stage of a branch
  --business ID       the business that the key belongs to
  --scopes A,B        ${scopeNames.join(', ')}
  --scope-set NAME    ${Object.keys(scopeSets).join(', ')}
  --origins A,B       allowed origins: all other requests are refused; leave it out for a key on a server
  --expires TIME      when the key expires: ISO 8601, with an offset
  --confirm NAME      the name of the business that offboard deletes; without it, offboard lists the data
  --test              test mode: the sandbox of the business, and keys that begin with bk_test_
  --help

onboard creates a business, and with --email and --user-pool also invites its first owner; invite invites another owner.
offboard deletes all data of a business and its sandbox, and with --user-pool its owners; this takes at least two minutes.
Signed-in owners can send requests for up to an hour more, which leave counters: run offboard again after an hour.
The commands read the names of the tables from the Data stack of the stage, with the AWS command line. A key is printed
only once, and is not stored. The result on stdout is one line of JSON.`;

const flagTypes = {
  stage: { type: 'string' },
  business: { type: 'string' },
  id: { type: 'string' },
  name: { type: 'string' },
  scopes: { type: 'string' },
  'scope-set': { type: 'string' },
  origins: { type: 'string' },
  expires: { type: 'string' },
  test: { type: 'boolean', default: false },
  'time-zone': { type: 'string' },
  currency: { type: 'string' },
  email: { type: 'string' },
  'user-pool': { type: 'string' },
  confirm: { type: 'string' },
} as const;

export type KeyFlags = ReturnType<typeof readFlagsAndNames<typeof flagTypes>>['flags'];

async function keys(args: readonly string[]): Promise<void> {
  const { flags, names } = readFlagsAndNames(help, args, flagTypes);
  const [name, ...others] = names;
  if (name === undefined) return console.log(help);
  if (others.length > 0) throw new UsageError(`Name one command, not ${names.join(' ')}.`);
  const { runKeyCommand } = await import('./key-commands.ts');
  await runKeyCommand(name, flags);
}

await runCommand(keys);
