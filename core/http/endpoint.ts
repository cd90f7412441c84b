/**
 * From a row of the route table and a verb of the domain to a Lambda handler.
 *
 * @example
 * export const handler = endpoint(routes.createWebhook).handler(({ key, body }) => createWebhook(key, body));
 */
import type { InputOf, OutputOf, Route, Schema } from '../../contract/define.ts';
import { integrationPrefix } from '../../contract/prefixes.ts';
import type { ApiKey } from '../keys/api-key.ts';
import { answer } from './answer.ts';
import type { Exchange, HttpEvent, LambdaHandler } from './exchange.ts';
import { keyedChain } from './keyed-chain.ts';
import { readBody } from './read-body.ts';
import type { Reply } from './reply.ts';
import { requireScope } from './require-scope.ts';
import { validateRequest } from './validate-request.ts';

/** What a verb may read of the request beyond its parsed parts. */
export interface HttpRequest {
  readonly id: string;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

export interface Call<R extends Route> {
  readonly key: ApiKey;
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  readonly request: HttpRequest;
}

type Served<R extends Route> = OutputOf<R> | Reply<OutputOf<R>>;
/** What a verb returns to a row without `output` is not looked at. */
type Verb<R extends Route> = (call: Call<R>) => R extends { output: Schema } ? Served<R> | Promise<Served<R>> : unknown;

/** Curried, because a function of two arguments would widen the row's literal types. */
export function endpoint<const R extends Route>(route: R): { handler(verb: Verb<R>): LambdaHandler } {
  return {
    handler: (verb) =>
      keyedChain(`${route.method} ${route.path}`)
        .use(requireScope(route.scope))
        .use(readBody(route))
        .use(validateRequest(route))
        .handler(async ({ exchange }: HttpEvent) =>
          answer(integrationPrefix, route, await verb(callOf<R>(exchange)), exchange.headers),
        ) as unknown as LambdaHandler,
  };
}

/** The chain has parsed every part by the row's own schemas, which is what the types of a call are made of. */
function callOf<R extends Route>({ key, params, query, body, requestId, headers }: Exchange): Call<R> {
  return { key, params, query, body, request: { id: requestId, headers } } as Call<R>;
}
