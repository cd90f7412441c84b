/** One request on its way through the middlewares: what they find out about it, and the types they share. */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RequestLimits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Usage } from '../limits/counter.ts';
import { windowsAt } from '../limits/windows.ts';
import { log } from '../log.ts';
import type { Principal } from '../principal.ts';
import type { Requester, RequestLog } from '../requests/record.ts';

export interface RequestState {
  readonly requestId: string;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the limit headers report. */
  usage: Usage;
  /** Set as soon as the caller is authenticated. */
  principal?: Principal;
  /** In whose log the request is (docs/rules.md#request-log): known before a caller is let in. */
  requester?: Requester;
  /** Whether it counts against the limits. */
  isCounted?: boolean;
  /** Of the error that is answered. */
  code?: ErrorCode;
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
  /** Keeps what became of a request whose `requester` is known. */
  readonly requestLog?: RequestLog;
}

/** The gateway's id of the request, which the answer and the access log contain. */
export function requestIdOf(event: APIGatewayProxyEventV2, { awsRequestId }: Pick<Context, 'awsRequestId'>): string {
  return event.requestContext?.requestId ?? awsRequestId;
}

/** First in, last out: gives the request its state, and the log its context for as long as the request lasts. */
export function requestContext(operation: string, access: AccessPolicy): Middleware {
  const record = async (event: HttpEvent, status: number) => {
    const { requester, requestId, startedAt: at, code, principal, isCounted = false } = event.state;
    // Of the account API, changes are on record (docs/rules.md#audit), and what is read nobody looks for.
    if (!requester || (requester.keyId === 0 && status < 400)) return;
    await access.requestLog?.end({
      ...requester,
      at,
      requestId,
      status,
      code,
      isCounted,
      durationMs: Math.max(0, now() - at),
      bySession: principal?.actor.kind === 'session',
      operation: loggedOperation(operation, event, status, code),
    });
  };
  return {
    before: ({ event, context }) => {
      const requestId = requestIdOf(event, context);
      event.state = {
        requestId,
        startedAt: now(),
        headers: lowerCased(event.headers),
        usage: initialUsage(access),
        corsHeaders: {},
      };
      log.resetKeys();
      log.appendKeys({ requestId, operation });
      access.requestLog?.begin();
    },
    after: async ({ event, response }) => {
      if (event.state.principal && !operation.startsWith('GET ')) log.info('Changed');
      log.resetKeys();
      await record(event, response?.statusCode ?? 200);
    },
    onError: async ({ event, response }) => {
      log.resetKeys();
      await record(event, response?.statusCode ?? 500);
    },
  };
}

/** Kinds of resources that are no people: their ids may be in the log. */
const impersonal = /^(\S+ (?:\/v1\/account)?\/(?:api-keys|bookings|payments|services|webhooks)\/):id(?=\/|$)/;
const methods = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/**
 * Method and path, with the id in it where it is surely one of ours: what was not found may be anything, a phone number
 * included. What has no endpoint shows its method alone.
 */
function loggedOperation(operation: string, event: HttpEvent, status: number, code: ErrorCode | undefined): string {
  const { method } = event.requestContext.http;
  if (!operation.includes(' ')) return methods.test(method) ? method : 'OTHER';
  const isFound = status < 400 || (status === 409 && code !== 'idempotency_in_progress');
  const { id } = event.pathParameters ?? {};
  return isFound && id !== undefined && /^[0-9]{1,16}$/.test(id) ? operation.replace(impersonal, `$1${id}`) : operation;
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
