/**
 * Every error response has the same form (docs/rules.md#errors). An unexpected error becomes 503 if an AWS service is
 * throttled or unreachable, and 500 otherwise; its cause is only logged.
 */
import { reasons } from '../../contract/errors.ts';
import { replayedHeader } from '../../contract/headers.ts';
import { now } from '../clock.ts';
import { ApiError, fail } from '../errors.ts';
import type { Exhausted } from '../limits/counter.ts';
import { log } from '../log.ts';
import type { HttpResult, Middleware } from './context.ts';

/** `Retry-After` of a 503 without a time of its own. */
const unavailableRetrySeconds = 2;

/**
 * How many refused requests without a valid key a container logs in a minute. Such callers have no request limits, so
 * they could fill the log.
 */
const anonymousRefusalsLoggedPerMinute = 10;

export function errorResponse(): Middleware {
  const anonymous = { minute: 0, refusals: 0 };
  const isLogged = () => {
    const minute = Math.floor(now() / 60_000);
    if (minute !== anonymous.minute) Object.assign(anonymous, { minute, refusals: 0 });
    anonymous.refusals += 1;
    return anonymous.refusals <= anonymousRefusalsLoggedPerMinute;
  };
  return {
    // Assigned and not returned, because after a returned value middy would skip the hooks that add the headers.
    onError: (request) => {
      const error = asApiError(request.error);
      const { principal, requestId } = request.event.state;
      request.event.state.code = error.code;
      const { functionVersion: version } = request.context;
      if (error.status >= 500) log.error(error.message, { code: error.code, cause: error.cause, version });
      else if (principal || isLogged()) log.info('Refused', { code: error.code });
      request.response = toResponse(error, requestId);
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
    body: JSON.stringify({ statusCode: status, error: reasons[status], message, code, details, retryAfter, requestId }),
  };
}

const windows = {
  minute_exhausted: { code: 'rate_limit_exceeded', limit: 'perMinute', window: 'minute' },
  day_exhausted: { code: 'daily_limit_exceeded', limit: 'perDay', window: 'day' },
} as const;

/** 429 with the limit that is used up and the time until its window ends (docs/rules.md#limits). */
export function limitExceeded({ outcome, untilMs, usage: { limits } }: Exhausted): ApiError {
  const { code, limit, window } = windows[outcome];
  return fail(code, {
    message: `The limit of ${limits[limit]} requests per ${window} is exceeded.`,
    retryAfter: Math.max(1, Math.ceil((untilMs - now()) / 1_000)),
  });
}

const passingNames = new RegExp(
  '^(?:(?:ProvisionedThroughputExceeded|Throttling|Throttled|TooManyRequests|LimitExceeded|ServiceUnavailable)Exception|' +
    'Transaction(?:Conflict|InProgress)Exception|Throttling|RequestLimitExceeded|RequestThrottled|ServiceUnavailable|' +
    'Internal(?:ServerError|Failure)|TimeoutError|AbortError)$',
);
const networkCodes = /^E(?:CONN(?:REFUSED|RESET|ABORTED)|TIMEDOUT|PIPE|NOTFOUND|AI_AGAIN|(?:HOST|NET)UNREACH)$/;

/** Chains of causes may be circular. */
const causesMax = 5;

interface ServiceError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly $metadata?: { readonly httpStatusCode?: number };
}

/**
 * Whether an AWS service is throttled, reports a conflict or is unreachable: then the response is 503. Otherwise the
 * error is a bug: 500.
 */
export function isUnavailable(error: unknown, depth = 0): boolean {
  if (depth > causesMax || typeof error !== 'object' || error === null) return false;
  const { name, code, cause, $metadata } = error as ServiceError;
  return (
    passingNames.test(String(name)) ||
    networkCodes.test(String(code)) ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    isUnavailable(cause, depth + 1)
  );
}
