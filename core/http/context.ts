/** The state of one request in the middlewares, and the types that they share. */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ErrorCode } from '../../contract/errors.ts';
import type { RequestLimits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import type { Problem } from '../errors.ts';
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
  /** The values of the rate limit headers. */
  usage: Usage;
  /** Set as soon as the caller is authenticated. */
  principal?: Principal;
  /** Whose request log contains the request (docs/rules.md#request-log); known before the caller is authorized. */
  requester?: Requester;
  /** Whether the request counts against the limits. */
  isCounted?: boolean;
  /** The code of the error response. */
  code?: ErrorCode;
  /** If the request has the old value of a regenerated key: until when the value is valid, in epoch milliseconds. */
  keyWorksUntil?: number | undefined;
  /** The CORS headers of the response. */
  corsHeaders: Readonly<Record<string, string>>;
  /** Problems that were found before the request is parsed, and are listed with those of its parts. */
  problems?: readonly Problem[];
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export type HttpResult = APIGatewayProxyStructuredResultV2;
/** `requestContext` stores the state in the event, because middy passes only the event to all hooks and the handler. */
export type HttpEvent = APIGatewayProxyEventV2 & { state: RequestState };
export type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult>;
export type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;

/** The checks before a handler: none if it needs no credentials. */
export interface AccessPolicy {
  readonly checks: readonly Middleware[];
  readonly limits: RequestLimits;
  /** Stores the result of a request whose `requester` is known in the request log. */
  readonly requestLog?: RequestLog;
}

/** The gateway's id of the request, which the response and the access log contain. */
export function requestIdOf(event: APIGatewayProxyEventV2, { awsRequestId }: Pick<Context, 'awsRequestId'>): string {
  return event.requestContext?.requestId ?? awsRequestId;
}

/** The outermost middleware: creates the state of the request, and adds its id to all log lines of the request. */
export function requestContext(operation: string, access: AccessPolicy): Middleware {
  const record = async (event: HttpEvent, status: number) => {
    const { requester, requestId, startedAt: at, code, principal, isCounted = false } = event.state;
    // For the account API, changes are in the audit log (docs/rules.md#audit), and successful reads are not logged.
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
      operation: loggedOperation(operation, event, status),
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

/** Kinds of objects that are not people: their ids may be in the log. */
const impersonal = /^(\S+ (?:\/v1\/account)?\/(?:api-keys|bookings|payments|services|webhooks)\/):id(?=\/|$)/;
const methods = /^(?:GET|POST|PUT|PATCH|DELETE|HEAD|OPTIONS)$/;

/**
 * Method and path. An id is kept only if its object exists, because any other value may be personal data, such as a
 * phone number. Every 409 is about an object that was found. For a path without an endpoint only the method is kept.
 */
function loggedOperation(operation: string, event: HttpEvent, status: number): string {
  const { method } = event.requestContext.http;
  if (!operation.includes(' ')) return methods.test(method) ? method : 'OTHER';
  const isFound = status < 400 || status === 409;
  const { id } = event.pathParameters ?? {};
  return isFound && id !== undefined && /^[0-9]{1,16}$/.test(id) ? operation.replace(impersonal, `$1${id}`) : operation;
}

/** The usage until the caller is authenticated: nothing is left, or, if no credentials are needed, everything. */
function initialUsage({ limits, checks }: AccessPolicy): Usage {
  const { minuteEndsMs, dayEndsMs } = windowsAt(now());
  const isPublic = checks.length === 0;
  return {
    limits,
    remaining: isPublic ? limits.perMinute : 0,
    resetsMs: minuteEndsMs,
    dayRemaining: isPublic ? limits.perDay : 0,
    dayResetsMs: dayEndsMs,
  };
}

function lowerCased(headers: Readonly<Record<string, string | undefined>> = {}): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
}
