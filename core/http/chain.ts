/**
 * The middlewares that endpoints share. They run downwards on the way in and upwards on the way out, so the error
 * shape stands below the headers that it needs.
 */
import middy from '@middy/core';
import { fail } from '../errors.ts';
import { errorShape } from './error-shape.ts';
import type { HttpEvent, HttpResult } from './exchange.ts';
import { requestContext, type UnknownKeyUsage } from './request-context.ts';
import { responseHeaders } from './response-headers.ts';

/** Time to still answer in the common shape, rather than to be cut off and answered for by the gateway. */
const answerReserveMs = 500;

export function chain(operation: string, unknownKey?: UnknownKeyUsage) {
  return middy<HttpEvent, HttpResult>({
    timeoutEarlyInMillis: answerReserveMs,
    timeoutEarlyResponse: () => {
      throw fail('temporarily_unavailable', { retryAfter: 2, cause: new Error('The function ran out of time.') });
    },
  })
    .use(requestContext(operation, unknownKey))
    .use(responseHeaders())
    .use(errorShape());
}

/** For what is answered to anyone: preflights and the redirect of the misprinted prefix. */
export function openChain(operation: string) {
  return chain(operation, 'untouched');
}
