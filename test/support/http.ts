/** Creates HTTP API events (payload 2.0) and parses the responses of a handler. */
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import type { Endpoint } from '../../contract/define.ts';
import { integrationPrefix } from '../../contract/integration/api.ts';
import type { LambdaHandler } from '../../core/http/context.ts';

export interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly params?: Readonly<Record<string, string>>;
  /** Any value but a string is sent as JSON, with its content type. */
  readonly body?: unknown;
  readonly base64?: boolean;
}

export interface Received {
  readonly status: number;
  /** The headers by lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string | undefined;
  readonly json: Record<string, unknown>;
}

/** The context of an invocation that has just begun. */
export const lambdaContext = { awsRequestId: 'invocation', getRemainingTimeInMillis: () => 60_000 } as Context;

let requests = 0;

export function httpEvent(sent: Sent): APIGatewayProxyEventV2 {
  const { method = 'GET', path = '/', query = '', headers = {}, params, body, base64 = false } = sent;
  const json = body !== undefined && typeof body !== 'string';
  return {
    version: '2.0',
    routeKey: `${method} ${path}`,
    rawPath: path,
    rawQueryString: query,
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(params && { pathParameters: { ...params } }),
    ...(body !== undefined && { body: json ? JSON.stringify(body) : (body as string) }),
    isBase64Encoded: base64,
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'api.example.test',
      domainPrefix: 'api',
      http: { method, path, protocol: 'HTTP/1.1', sourceIp: '127.0.0.1', userAgent: 'test' },
      requestId: `request-${++requests}`,
      routeKey: `${method} ${path}`,
      stage: '$default',
      time: '01/Dec/2026:00:00:00 +0000',
      timeEpoch: 0,
    },
  };
}

export async function call(handler: LambdaHandler, sent: Sent): Promise<Received> {
  return received(await handler(httpEvent(sent), lambdaContext));
}

export function received(result: Awaited<ReturnType<LambdaHandler>>): Received {
  const headers = Object.fromEntries(
    Object.entries(result.headers ?? {}).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  return {
    status: result.statusCode ?? 0,
    headers,
    text: result.body,
    json: result.body ? (JSON.parse(result.body) as Record<string, unknown>) : {},
  };
}

/** A request to a row, with `1` for every path parameter. */
export function requestTo(route: Endpoint, sent: Sent = {}): Sent {
  const names = [...route.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
  return {
    method: route.method,
    path: integrationPrefix + route.path.replace(/:[A-Za-z]+/g, '1'),
    ...(names.length > 0 && { params: Object.fromEntries(names.map((name) => [name, '1'])) }),
    ...sent,
  };
}
