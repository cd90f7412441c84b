/** First in, last out: gives the request its exchange, and the log its context for as long as the request lasts. */

import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Usage } from '../keys/check-key.ts';
import { windowsAt } from '../keys/windows.ts';
import { log } from '../log.ts';
import type { Middleware } from './exchange.ts';

/**
 * What the limit headers say while no key is known: nothing is left, or, where no key is asked for, everything. An API
 * without keys has no such headers.
 */
export type UnknownKeyUsage = 'nothing_left' | 'untouched';

export function requestContext(operation: string, unknownKey?: UnknownKeyUsage): Middleware {
  return {
    before: ({ event, context }) => {
      const requestId = event.requestContext?.requestId ?? context.awsRequestId;
      event.exchange = { requestId, headers: lowerCased(event.headers), ...initialUsage(unknownKey), origins: [] };
      log.resetKeys();
      log.appendKeys({ requestId, operation });
    },
    after: () => log.resetKeys(),
    onError: () => log.resetKeys(),
  };
}

function initialUsage(unknownKey?: UnknownKeyUsage): { usage?: Usage } {
  if (!unknownKey) return {};
  const { minuteEndsMs, dayEndsMs } = windowsAt(now());
  const untouched = unknownKey === 'untouched';
  const usage = {
    remaining: untouched ? limits.requestsPerMinute : 0,
    resetsMs: minuteEndsMs,
    dayRemaining: untouched ? limits.requestsPerDay : 0,
    dayResetsMs: dayEndsMs,
  };
  return { usage };
}

function lowerCased(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
