/** The console in a real browser. `-t 'the calendar'` runs one area. */
import { inConsole } from '../support/console.ts';
import { apiKeys } from './console/api-keys.ts';
import { calendar } from './console/calendar.ts';
import { language } from './console/language.ts';
import { people } from './console/people.ts';
import { requests } from './console/requests.ts';
import { session } from './console/session.ts';
import { setUp } from './console/set-up.ts';
import { taking } from './console/taking.ts';
import { team } from './console/team.ts';
import { webhooks } from './console/webhooks.ts';

inConsole([session, setUp, calendar, taking, people, apiKeys, team, webhooks, requests, language], {
  // A webhook's six attempts are over in a moment.
  timeScale: 100_000,
  // One user needs few workers, and each worker loads the code of the function again.
  workersPerFunction: 1,
});
