/** Tells a service that is throttled, conflicted or out of reach from a bug (docs/rules.md#errors: 503, not 500). */
const names = new Set<unknown>([
  'ProvisionedThroughputExceededException',
  'ThrottlingException',
  'ThrottledException',
  'Throttling',
  'TooManyRequestsException',
  'RequestLimitExceeded',
  'RequestThrottled',
  'LimitExceededException',
  'InternalServerError',
  'InternalFailure',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'TransactionConflictException',
  'TransactionInProgressException',
  'TimeoutError',
  'AbortError',
]);

const networkCodes = new Set<unknown>([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'EPIPE',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Reasons of a cancelled transaction that say nothing about its conditions. */
const passingReasons = new Set(['None', 'TransactionConflict', 'ThrottlingError', 'ProvisionedThroughputExceeded']);

/** Chains of causes may be circular. */
const causesMax = 5;

interface ServiceError {
  readonly name?: unknown;
  readonly code?: unknown;
  readonly cause?: unknown;
  readonly CancellationReasons?: readonly { readonly Code?: string }[];
  readonly $metadata?: { readonly httpStatusCode?: number };
}

export function isUnavailable(error: unknown, depth = 0): boolean {
  if (depth > causesMax || typeof error !== 'object' || error === null) return false;
  const { name, code, cause, CancellationReasons, $metadata } = error as ServiceError;
  if (name === 'TransactionCanceledException') {
    return CancellationReasons?.every((reason) => passingReasons.has(reason.Code ?? 'None')) ?? false;
  }
  return (
    names.has(name) ||
    networkCodes.has(code) ||
    ($metadata?.httpStatusCode ?? 0) >= 500 ||
    isUnavailable(cause, depth + 1)
  );
}
