import {
  InternalServerError,
  ProvisionedThroughputExceededException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { isUnavailable } from '../../../core/http/unavailable.ts';

const named = (name: string) => Object.assign(new Error(name), { name });
const coded = (code: string) => Object.assign(new Error(code), { code });
const service = { message: '', $metadata: {} };
const cancelled = (...codes: string[]) =>
  new TransactionCanceledException({ ...service, CancellationReasons: codes.map((Code) => ({ Code })) });

test.each([
  new ProvisionedThroughputExceededException(service),
  new InternalServerError(service),
  new TransactionConflictException(service),
  named('ThrottlingException'),
  named('RequestLimitExceeded'),
  named('TimeoutError'),
  coded('ECONNREFUSED'),
  coded('ECONNRESET'),
  new Error('wrapped', { cause: coded('ETIMEDOUT') }),
  Object.assign(new Error(), { $metadata: { httpStatusCode: 502 } }),
  cancelled('None', 'TransactionConflict'),
  cancelled('ThrottlingError', 'None'),
])('%s is a service that is briefly away', (error) => expect(isUnavailable(error)).toBe(true));

const circular: { cause?: unknown } = new Error('circular');
circular.cause = new Error('back', { cause: circular });

test.each([
  new TypeError('x is not a function'),
  named('ValidationException'),
  named('AccessDeniedException'),
  named('ResourceNotFoundException'),
  cancelled('ConditionalCheckFailed', 'None'),
  cancelled('ConditionalCheckFailed', 'TransactionConflict'),
  circular,
  null,
  undefined,
  'ECONNREFUSED',
])('%s is a fault of ours', (error) => expect(isUnavailable(error)).toBe(false));
