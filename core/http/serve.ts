/**
 * A Lambda handler with the middlewares that all HTTP functions share. They run in the order of the list before the
 * handler and in reverse order after it, so the error step is listed after the headers that it needs.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { limits } from '../../contract/limits.ts';
import { runWithRequestId } from '../cause.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import { writeReserveMs, writingUntil } from '../time-left.ts';
import { compression } from './compression.ts';
import {
  type AccessPolicy,
  type HttpEvent,
  type HttpResult,
  type LambdaHandler,
  type Middleware,
  requestContext,
  requestIdOf,
} from './context.ts';
import { errorResponse } from './errors.ts';
import { responseHeaders } from './response.ts';

/** For requests without credentials: preflights, and the redirect of the wrong prefix. */
export function publicAccess(): AccessPolicy {
  return { limits: limits.requests.key, checks: [] };
}

/**
 * The time that is kept for an error response of our own, before the function would be stopped and the gateway would
 * respond.
 */
const answerReserveMs = 500;

export type Respond = (event: HttpEvent, context: Context) => Promise<HttpResult>;

/** Longer than it takes to change a host name to another region. */
const passiveRetrySeconds = 60;

/** A passive deployment in a second region (docs/rules.md#regions) reads and writes no data, not even keys. */
function refuseWhilePassive(): Middleware {
  return {
    before: ({ event: { stageVariables } }) => {
      if (stageVariables?.passive === 'true')
        throw fail('temporarily_unavailable', { retryAfter: passiveRetrySeconds });
    },
  };
}

/** `operation` is the name of the endpoint in the log. */
export function serve(operation: string, access: AccessPolicy, respond: Respond): LambdaHandler {
  const handler = middy<HttpEvent, HttpResult>({
    timeoutEarlyInMillis: answerReserveMs,
    timeoutEarlyResponse: () => {
      throw fail('temporarily_unavailable', { cause: new Error('The function ran out of time.') });
    },
  })
    .use([
      requestContext(operation, access),
      compression(),
      responseHeaders(),
      errorResponse(),
      refuseWhilePassive(),
      ...access.checks,
    ])
    .handler(respond) as unknown as LambdaHandler;

  // After an early 503 nothing may change, so no call may begin that could end later.
  return (event, context) => {
    const answersByMs = now() + context.getRemainingTimeInMillis() - answerReserveMs;
    return runWithRequestId(requestIdOf(event, context), () =>
      writingUntil(answersByMs - writeReserveMs, () => handler(event, context)),
    );
  };
}

/**
 * A handler inside a request that is already being handled: the caller is authenticated and counted, and headers are
 * added later.
 */
export function serveWithin(checks: readonly Middleware[], respond: Respond): Respond {
  return middy<HttpEvent, HttpResult>()
    .use([errorResponse(), ...checks])
    .handler(respond) as unknown as Respond;
}
