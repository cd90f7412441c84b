import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isUnavailable } from '../../../core/http/errors.ts';

type Row = readonly [label: string, error: unknown];

const named = (name: string): Row => [name, Object.assign(new Error(name), { name })];
const withCode = (code: string) => Object.assign(new Error(code), { code });
const coded = (code: string): Row => [code, withCode(code)];
const service = { message: '', $metadata: {} };
const failedWith = (httpStatusCode: number): Row => [
  `a response with status ${httpStatusCode}`,
  Object.assign(new Error(), { $metadata: { httpStatusCode } }),
];
/** Wraps an error in this many causes. */
const wrapped = (times: number): Error =>
  times === 0 ? withCode('EPIPE') : new Error(String(times), { cause: wrapped(times - 1) });
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({ ...service, CancellationReasons: codes.map((Code) => ({ Code })) });

test.each<Row>([
  ...[
    ...['ProvisionedThroughputExceededException', 'InternalServerError', 'TransactionConflictException'],
    ...['ThrottlingException', 'ThrottledException', 'Throttling', 'RequestThrottled'],
    ...['TooManyRequestsException', 'RequestLimitExceeded', 'LimitExceededException'],
    ...['InternalFailure', 'ServiceUnavailable', 'ServiceUnavailableException', 'TransactionInProgressException'],
    ...['TimeoutError', 'AbortError'],
  ].map(named),
  ...[
    ...['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'ETIMEDOUT', 'EPIPE'],
    ...['ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'],
  ].map(coded),
  ['EPIPE below five nested causes', wrapped(5)],
  ['ETIMEDOUT as the cause of an error', new Error('wrapped', { cause: withCode('ETIMEDOUT') })],
  ...[500, 502].map(failedWith),
])('If a call to AWS fails with %s, the error counts as a temporary outage, and the request gets a 503', (_, error) =>
  expect(isUnavailable(error)).toBe(true),
);

const circular: { cause?: unknown } = new Error('circular');
circular.cause = new Error('back', { cause: circular });

test.each<Row>([
  ['TypeError', new TypeError('x is not a function')],
  named('ValidationException'),
  named('AccessDeniedException'),
  named('ResourceNotFoundException'),
  ['an unmet condition in a transaction', cancelled('ConditionalCheckFailed', 'None')],
  ['an unmet condition and a transaction conflict', cancelled('ConditionalCheckFailed', 'TransactionConflict')],
  ['a transaction cancelled without a list of reasons', new TransactionCanceledException(service)],
  coded('ENOENT'),
  failedWith(499),
  ['EPIPE below six nested causes', wrapped(6)],
  ['an error that is a cause of itself', circular],
  ['null instead of an error', null],
  ['undefined instead of an error', undefined],
  ['a text instead of an error', 'ECONNREFUSED'],
])('If a call to AWS fails with %s, the error counts as a bug, and the request gets a 500', (_, error) =>
  expect(isUnavailable(error)).toBe(false),
);
