/**
 * Journeys that need no more than a plain local run share one: to start it, and to load the code of its functions, takes
 * longer than most of them. `-t 'the account API'` runs those of one area.
 */
import { withLocal } from '../support/local.ts';
import { account } from './one-run/account.ts';
import { client } from './one-run/client.ts';
import { examples } from './one-run/examples.ts';
import { hostile } from './one-run/hostile.ts';
import { limits } from './one-run/limits.ts';
import { packed } from './one-run/packed.ts';
import { privacy } from './one-run/privacy.ts';
import { signIn } from './one-run/sign-in.ts';
import { npmRunSmoke } from './one-run/smoke.ts';

const local = withLocal();
for (const area of [examples, account, signIn, hostile, limits, privacy, client, packed, npmRunSmoke]) area(local);
