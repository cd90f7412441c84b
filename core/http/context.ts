/** One request on its way through the middlewares: what they find out about it, and the types they share. */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { RequestLimits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Usage } from '../limits/counter.ts';
import { windowsAt } from '../limits/windows.ts';
import { log } from '../log.ts';
import type { Principal } from '../principal.ts';

export interface RequestState {
  readonly requestId: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the limit headers report. */
  usage: Usage;
  /** Set as soon as the caller is authenticated. */
  principal?: Principal;
  /** Until when the old value of a regenerated key works, which was sent; epoch milliseconds. */
  keyWorksUntil?: number | undefined;
  /** What lets a browser's script read the response. */
  corsHeaders: Readonly<Record<string, string>>;
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export type HttpResult = APIGatewayProxyStructuredResultV2;
/** `requestContext` puts the state on the event, the only thing middy hands to hooks and handler alike. */
export type HttpEvent = APIGatewayProxyEventV2 & { state: RequestState };
export type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult>;
export type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** The checks before a handler, and what the limit headers report until the caller is authenticated. */
export interface AccessPolicy {
  readonly checks: readonly Middleware[];
  readonly limits: RequestLimits;
  /** Whether they report that nothing is left, or, where nobody is asked for credentials, that nothing is used. */
  readonly usageBefore: 'nothing_left' | 'nothing_used';
}

/** The gateway's id of the request, which the answer and the access log contain. */
export function requestIdOf(event: APIGatewayProxyEventV2, { awsRequestId }: Pick<Context, 'awsRequestId'>): string {
  return event.requestContext?.requestId ?? awsRequestId;
}

/** First in, last out: gives the request its state, and the log its context for as long as the request lasts. */
export function requestContext(operation: string, access: AccessPolicy): Middleware {
  return {
    before: ({ event, context }) => {
      const requestId = requestIdOf(event, context);
      event.state = { requestId, headers: lowerCased(event.headers), usage: initialUsage(access), corsHeaders: {} };
      log.resetKeys();
      log.appendKeys({ requestId, operation });
    },
    after: ({ event: { state } }) => {
      if (state.principal && !operation.startsWith('GET ')) log.info('Changed');
      log.resetKeys();
    },
    onError: () => log.resetKeys(),
  };
}

function initialUsage({ limits, usageBefore }: AccessPolicy): Usage {
  const { minuteEndsMs, dayEndsMs } = windowsAt(now());
  const isUnused = usageBefore === 'nothing_used';
  return {
    limits,
    remaining: isUnused ? limits.perMinute : 0,
    resetsMs: minuteEndsMs,
    dayRemaining: isUnused ? limits.perDay : 0,
    dayResetsMs: dayEndsMs,
  };
}

function lowerCased(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
