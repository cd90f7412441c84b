/** One request on its way through the middlewares: what they learn of it, and the types they share. */
import type middy from '@middy/core';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2, Context } from 'aws-lambda';
import type { ApiKey } from '../keys/api-key.ts';
import type { Usage } from '../limits/counter.ts';
import type { Owner } from '../owner.ts';

export interface Exchange {
  readonly requestId: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** What the limit headers say. */
  usage: Usage;
  /** Set as soon as the key is accepted. */
  key?: ApiKey;
  /** Set as soon as the token is accepted, on the owner's side. */
  owner?: Owner;
  /** The origins the key lists, known also when a limit refuses it. */
  origins: readonly string[];
  params?: unknown;
  query?: unknown;
  body?: unknown;
}

export type HttpResult = APIGatewayProxyStructuredResultV2;
/** `requestContext` puts the exchange on the event, the only thing middy hands to hooks and handler alike. */
export type HttpEvent = APIGatewayProxyEventV2 & { exchange: Exchange };
export type Middleware = middy.MiddlewareObj<HttpEvent, HttpResult>;
export type LambdaHandler = (event: APIGatewayProxyEventV2, context: Context) => Promise<HttpResult>;
