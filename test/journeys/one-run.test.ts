/**
 * Journeys that need no options of their own share one local run, with seconds instead of minutes between attempts.
 * Starting a run and loading its functions takes longer than most journeys. `-t 'the account API'` runs one area.
 */
import { withLocal } from '../support/local.ts';
import { account } from './one-run/account.ts';
import { agents } from './one-run/agents.ts';
import { client } from './one-run/client.ts';
import { commands } from './one-run/commands.ts';
import { erasure } from './one-run/erasure.ts';
import { examples } from './one-run/examples.ts';
import { feeds } from './one-run/feed.ts';
import { followARequest, timeScale } from './one-run/follow-a-request.ts';
import { generatedClients } from './one-run/generators.ts';
import { mirrors } from './one-run/mirror.ts';
import { packed } from './one-run/packed.ts';
import { readme } from './one-run/readme.ts';

const local = withLocal({ timeScale });
const areas = [
  examples,
  account,
  followARequest,
  erasure,
  feeds,
  client,
  packed,
  generatedClients,
  agents,
  mirrors,
  commands,
  readme,
];
for (const area of areas) area(local);
