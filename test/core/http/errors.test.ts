import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isUnavailable } from '../../../core/http/errors.ts';

const named = (name: string) => Object.assign(new Error(name), { name });
const coded = (code: string) => Object.assign(new Error(code), { code });
const service = { message: '', $metadata: {} };
const failedWith = (httpStatusCode: number) => Object.assign(new Error(), { $metadata: { httpStatusCode } });
/** Wraps an error in this many causes. */
const wrapped = (times: number): Error =>
  times === 0 ? coded('EPIPE') : new Error(String(times), { cause: wrapped(times - 1) });
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({ ...service, CancellationReasons: codes.map((Code) => ({ Code })) });

test.each([
  new ProvisionedThroughputExceededException(service),
  new InternalServerError(service),
  new TransactionConflictException(service),
  ...[
    ...['ThrottlingException', 'ThrottledException', 'Throttling', 'RequestThrottled'],
    ...['TooManyRequestsException', 'RequestLimitExceeded', 'LimitExceededException'],
    ...['InternalFailure', 'ServiceUnavailable', 'ServiceUnavailableException', 'TransactionInProgressException'],
    ...['TimeoutError', 'AbortError'],
  ].map(named),
  ...[
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE'],
    ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ].map(coded),
  wrapped(5),
  new Error('wrapped', { cause: coded('ETIMEDOUT') }),
  ...[500, 502].map(failedWith),
  cancelled('None', 'TransactionConflict'),
  cancelled('ThrottlingError', 'None', 'ProvisionedThroughputExceeded'),
  new TransactionCanceledException({ ...service, CancellationReasons: [{}] }),
])('The error %s counts as a temporary outage and gets a 503 (case %#)', (error) =>
  expect(isUnavailable(error)).toBe(true),
);

const circular: { cause?: unknown } = new Error('circular');
circular.cause = new Error('back', { cause: circular });

test.each([
  new TypeError('x is not a function'),
  named('ValidationException'),
  named('AccessDeniedException'),
  named('ResourceNotFoundException'),
  cancelled('ConditionalCheckFailed', 'None'),
  cancelled('ConditionalCheckFailed', 'TransactionConflict'),
  new TransactionCanceledException(service),
  coded('ENOENT'),
  failedWith(499),
  wrapped(6),
  circular,
  null,
  undefined,
  'ECONNREFUSED',
])('The error %s counts as a bug and gets a 500 (case %#)', (error) => expect(isUnavailable(error)).toBe(false));
