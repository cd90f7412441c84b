/**
 * Every error leaves in one shape (docs/rules.md#errors). An error that is not ours becomes 503 when a service we stand
 * on is throttled or away, and 500 otherwise; its cause goes to the log and nowhere else.
 */
import { reasons } from '../../contract/errors.ts';
import { replayedHeader } from '../../contract/headers.ts';
import { now } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import { log } from '../log.ts';
import type { HttpResult, Middleware } from './exchange.ts';
import { isUnavailable } from './unavailable.ts';

/** Of each 503 that does not know better: none leaves without a time. */
const unavailableRetrySeconds = 2;

/** Who is let in has limits. Of those who are not, a container tells so many in a minute: they could fill the log. */
const strangersToldPerMinute = 10;

export function errorShape(): Middleware {
  const strangers = { minute: 0, told: 0 };
  const tellsOfStranger = () => {
    const minute = Math.floor(now() / 60_000);
    if (minute !== strangers.minute) Object.assign(strangers, { minute, told: 0 });
    strangers.told += 1;
    return strangers.told <= strangersToldPerMinute;
  };
  return {
    // Assigned, not returned: a value returned from onError would skip the hooks that add the headers.
    onError: (request) => {
      const error = asApiError(request.error);
      const { key, owner } = request.event.exchange;
      const { functionVersion: version } = request.context;
      if (error.status >= 500) log.error(error.message, { code: error.code, cause: error.cause, version });
      else if ((key ?? owner) || tellsOfStranger()) log.info('Refused', { code: error.code });
      request.response = toResponse(error, request.event.exchange.requestId);
    },
  };
}

function asApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isUnavailable(error)) return fail('temporarily_unavailable', { cause: error });
  return fail('internal_error', { cause: error });
}

function toResponse({ code, status, message, extras }: ApiError, requestId: string): HttpResult {
  const { details, headers, replayed } = extras;
  const retryAfter = extras.retryAfter ?? (status === 503 ? unavailableRetrySeconds : undefined);
  return {
    statusCode: status,
    headers: {
      'Content-Type': 'application/json',
      ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
      ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
      ...(replayed && replayedHeader),
      ...headers,
    },
    body: JSON.stringify({
      statusCode: status,
      error: reasons[status],
      message,
      code,
      details,
      retryAfter,
      requestId,
    }),
  };
}
