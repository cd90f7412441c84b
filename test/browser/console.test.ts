/** The console's screens in a real browser. `-t 'the calendar'` runs those of one area. */
import { inConsole } from '../support/console.ts';
import { apiKeys } from './console/api-keys.ts';
import { calendar } from './console/calendar.ts';
import { people } from './console/people.ts';
import { session } from './console/session.ts';
import { setUp } from './console/set-up.ts';
import { webhooks } from './console/webhooks.ts';

inConsole([session, setUp, calendar, people, apiKeys, webhooks], {
  // A webhook's six attempts are over in a moment.
  timeScale: 100_000,
  // One person asks for little at once, and each further worker would load the function's code anew.
  workersPerFunction: 1,
});
