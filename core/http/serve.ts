/**
 * A Lambda handler behind the middlewares that all of HTTP shares. They run downwards on the way in and upwards on the
 * way out, so the error shape stands below the headers that it needs.
 */
import middy from '@middy/core';
import { limits } from '../../contract/limits.ts';
import { serving } from '../cause.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import { writeReserveMs, writingUntil } from '../time-left.ts';
import { errorShape } from './error-shape.ts';
import type { HttpEvent, HttpResult, LambdaHandler, Middleware } from './exchange.ts';
import { requestContext, requestIdOf, type Unknown } from './request-context.ts';
import { responseHeaders } from './response-headers.ts';

/** Who is let in, and what the limit headers say until that is known. */
export interface Door extends Unknown {
  readonly checks: readonly Middleware[];
}

/** For what is answered to anyone: preflights and the redirect of the misprinted prefix. */
export function openDoor(): Door {
  return { limits: limits.requests.key, unknownCaller: 'untouched', checks: [] };
}

/** Time to still answer in the common shape, rather than to be cut off and answered for by the gateway. */
const answerReserveMs = 500;

/** `operation` is its name in the log. */
export function serve(
  operation: string,
  { checks, ...unknown }: Door,
  answer: (event: HttpEvent) => Promise<HttpResult>,
): LambdaHandler {
  const handler = middy<HttpEvent, HttpResult>({
    timeoutEarlyInMillis: answerReserveMs,
    timeoutEarlyResponse: () => {
      throw fail('temporarily_unavailable', { cause: new Error('The function ran out of time.') });
    },
  })
    .use([requestContext(operation, unknown), responseHeaders(), errorShape(), ...checks])
    .handler(answer) as unknown as LambdaHandler;

  // The early answer says that nothing was done. So nothing may begin that could still be under way by then.
  return (event, context) => {
    const answersByMs = now() + context.getRemainingTimeInMillis() - answerReserveMs;
    return serving(requestIdOf(event, context), () =>
      writingUntil(answersByMs - writeReserveMs, () => handler(event, context)),
    );
  };
}
