/** 429, with the number of the limit that is used up and the wait until its window ends (docs/rules.md#limits). */
import { now } from '../clock.ts';
import { type ApiError, fail } from '../errors.ts';
import type { Exhausted } from '../limits/counter.ts';

const windows = {
  minute_exhausted: { code: 'rate_limit_exceeded', limit: 'perMinute', window: 'minute' },
  day_exhausted: { code: 'daily_limit_exceeded', limit: 'perDay', window: 'day' },
} as const;

export function limitExceeded({ outcome, untilMs, usage: { limits } }: Exhausted): ApiError {
  const { code, limit, window } = windows[outcome];
  return fail(code, {
    message: `The limit of ${limits[limit]} requests per ${window} is exceeded.`,
    retryAfter: Math.max(1, Math.ceil((untilMs - now()) / 1_000)),
  });
}
