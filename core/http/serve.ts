/**
 * A Lambda handler behind the middlewares that all of HTTP shares. They run downwards on the way in and upwards on the
 * way out, so the error step stands below the headers that it needs.
 */
import middy from '@middy/core';
import type { Context } from 'aws-lambda';
import { limits } from '../../contract/limits.ts';
import { serving } from '../cause.ts';
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

/** For what anyone may ask: preflights and the redirect of the misprinted prefix. */
export function publicAccess(): AccessPolicy {
  return { limits: limits.requests.key, usageBefore: 'nothing_used', checks: [] };
}

/** Time to still answer in the common shape, rather than to be cut off and answered for by the gateway. */
const answerReserveMs = 500;

export type Respond = (event: HttpEvent, context: Context) => Promise<HttpResult>;

/** Longer than a name takes to be moved to another region. */
const passiveRetrySeconds = 60;

/** A deployment that stands by in a second region (docs/rules.md#regions) reads and writes nothing, keys included. */
function refuseWhilePassive(): Middleware {
  return {
    before: ({ event: { stageVariables } }) => {
      if (stageVariables?.passive === 'true')
        throw fail('temporarily_unavailable', { retryAfter: passiveRetrySeconds });
    },
  };
}

/** `operation` is its name in the log. */
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

  // The early answer promises that nothing was done. So nothing may begin that could still be under way by then.
  return (event, context) => {
    const answersByMs = now() + context.getRemainingTimeInMillis() - answerReserveMs;
    return serving(requestIdOf(event, context), () =>
      writingUntil(answersByMs - writeReserveMs, () => handler(event, context)),
    );
  };
}

/** The same within a request that is being served: its caller is known and counted, and its headers are added later. */
export function serveWithin(checks: readonly Middleware[], respond: Respond): Respond {
  return middy<HttpEvent, HttpResult>()
    .use([errorResponse(), ...checks])
    .handler(respond) as unknown as Respond;
}
