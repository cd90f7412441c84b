/** Converts HTTP requests and responses to and from the payload format 2.0 of the gateway. Pure. */
import { localAccount } from './arn.ts';

export interface GatewayRequest {
  readonly requestId: string;
  readonly method: string;
  /** The request target as sent, with the query. */
  readonly target: string;
  /** Alternating names and values, as received. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  readonly sourceIp: string;
  readonly protocol: string;
  /** Milliseconds since the epoch. */
  readonly time: number;
}

export interface RouteOfRequest {
  readonly routeKey: string;
  readonly apiId: string;
  readonly stageVariables?: Readonly<Record<string, string>> | undefined;
  readonly pathParameters: Readonly<Record<string, string>>;
  /** The context of the route's authorizer. */
  readonly authorizer?: Readonly<Record<string, unknown>> | undefined;
}

/** The event that the function gets. */
export function toEvent(request: GatewayRequest, route: RouteOfRequest): Record<string, unknown> {
  const { path, query } = splitTarget(request.target);
  const { headers, cookies } = joinHeaders(request.rawHeaders);
  const parameters = queryParameters(query);
  const text = isText(headers['content-type']);
  return {
    version: '2.0',
    routeKey: route.routeKey,
    rawPath: path,
    rawQueryString: query,
    ...(cookies.length > 0 && { cookies }),
    headers,
    ...(Object.keys(parameters).length > 0 && { queryStringParameters: parameters }),
    requestContext: {
      accountId: localAccount,
      apiId: route.apiId,
      ...(route.authorizer && { authorizer: route.authorizer }),
      domainName: headers.host ?? '',
      domainPrefix: (headers.host ?? '').split('.')[0],
      http: {
        method: request.method,
        path,
        protocol: request.protocol,
        sourceIp: request.sourceIp,
        userAgent: headers['user-agent'] ?? '',
      },
      requestId: request.requestId,
      routeKey: route.routeKey,
      stage: '$default',
      time: clf(request.time),
      timeEpoch: request.time,
    },
    ...(Object.keys(route.pathParameters).length > 0 && { pathParameters: route.pathParameters }),
    ...(route.stageVariables && { stageVariables: route.stageVariables }),
    ...(request.body.length > 0 && { body: request.body.toString(text ? 'utf8' : 'base64') }),
    isBase64Encoded: request.body.length > 0 && !text,
  };
}

export interface GatewayAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

export function jsonAnswer(status: number, body: unknown): GatewayAnswer {
  const headers = { 'content-type': 'application/json' };
  return { status, headers, cookies: [], body: Buffer.from(JSON.stringify(body)) };
}

/** Converts the function's result to a response; undefined if it is invalid, for which the gateway returns 500. */
export function fromAnswer(answer: unknown): GatewayAnswer | undefined {
  if (!isRecord(answer) || !('statusCode' in answer)) {
    // Any other result is the body of a 200.
    return jsonAnswer(200, answer);
  }
  const { statusCode, headers = {}, cookies = [], body = '', isBase64Encoded = false } = answer;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) return undefined;
  if (!isRecord(headers) || !Array.isArray(cookies) || (typeof body !== 'string' && body !== null)) return undefined;
  const lowered = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
  );
  return {
    status,
    headers: { 'content-type': 'text/plain;charset=UTF-8', ...lowered },
    cookies: cookies.map(String),
    body: Buffer.from(body ?? '', isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Returns the decoded path, by which the gateway routes; undefined for an invalid encoding, which is a bad request. */
export function decodedPath(target: string): string | undefined {
  try {
    return splitTarget(target).path;
  } catch {
    return undefined;
  }
}

function splitTarget(target: string): { path: string; query: string } {
  const queryStart = target.indexOf('?');
  const path = queryStart === -1 ? target : target.slice(0, queryStart);
  return { path: decodeURIComponent(path), query: queryStart === -1 ? '' : target.slice(queryStart + 1) };
}

function joinHeaders(rawHeaders: readonly string[]): { headers: Record<string, string>; cookies: string[] } {
  const headers: Record<string, string> = {};
  const cookies: string[] = [];
  for (let i = 0; i + 1 < rawHeaders.length; i += 2) {
    const name = (rawHeaders[i] ?? '').toLowerCase();
    const value = rawHeaders[i + 1] ?? '';
    if (name === 'cookie') cookies.push(...value.split(/;\s*/).filter(Boolean));
    else if (!hopByHop.has(name)) headers[name] = Object.hasOwn(headers, name) ? `${headers[name]},${value}` : value;
  }
  return { headers, cookies };
}

const hopByHop = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

function queryParameters(query: string): Record<string, string> {
  const parameters: Record<string, string> = {};
  for (const [name, value] of new URLSearchParams(query)) {
    parameters[name] = Object.hasOwn(parameters, name) ? `${parameters[name]},${value}` : value;
  }
  return parameters;
}

function isText(contentType: string | undefined): boolean {
  return contentType === undefined || /^(?:text\/|application\/(?:json|xml|javascript)\b)/i.test(contentType);
}

/** Formats the time as `21/Nov/2026:07:45:05 +0000`. */
function clf(time: number): string {
  const [, day, month, year, clock] = /(\d{2}) (\w{3}) (\d{4}) ([\d:]+)/.exec(new Date(time).toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
