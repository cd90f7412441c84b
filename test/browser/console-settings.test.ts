/** The console in a real browser: colleagues, the screens for developers, and the language. */
import { inConsole } from '../support/console.ts';
import { apiKeys } from './console/api-keys.ts';
import { language } from './console/language.ts';
import { requests } from './console/requests.ts';
import { team } from './console/team.ts';
import { webhooks } from './console/webhooks.ts';

inConsole([webhooks, apiKeys, team, requests, language]);
