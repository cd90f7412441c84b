/**
 * From a row of the account API and a verb of the domain to a Lambda handler.
 *
 * @example
 * export const handler = accountEndpoint(routes.getBusiness).handler(({ owner }) => getBusiness(owner));
 */
import type { AccountRoute, InputOf, OutputOf, Schema } from '../../contract/define.ts';
import { accountPrefix } from '../../contract/prefixes.ts';
import type { Owner } from '../owner.ts';
import { accountChain } from './account-chain.ts';
import { answer } from './answer.ts';
import type { HttpRequest } from './endpoint.ts';
import type { Exchange, HttpEvent, LambdaHandler } from './exchange.ts';
import { readBody } from './read-body.ts';
import type { Reply } from './reply.ts';
import { validateRequest } from './validate-request.ts';

export interface AccountCall<R extends AccountRoute> {
  readonly owner: Owner;
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  readonly request: HttpRequest;
}

type Served<R extends AccountRoute> = OutputOf<R> | Reply<OutputOf<R>>;
/** What a verb returns to a row without `output` is not looked at. */
type Verb<R extends AccountRoute> = (
  call: AccountCall<R>,
) => R extends { output: Schema } ? Served<R> | Promise<Served<R>> : unknown;

/** Curried, because a function of two arguments would widen the row's literal types. */
export function accountEndpoint<const R extends AccountRoute>(route: R): { handler(verb: Verb<R>): LambdaHandler } {
  return {
    handler: (verb) =>
      accountChain(`${route.method} ${accountPrefix}${route.path}`)
        .use(readBody(route))
        .use(validateRequest(route))
        .handler(async ({ exchange }: HttpEvent) =>
          answer(accountPrefix, route, await verb(callOf<R>(exchange)), exchange.headers),
        ) as unknown as LambdaHandler,
  };
}

/** The chain has parsed every part by the row's own schemas, which is what the types of a call are made of. */
function callOf<R extends AccountRoute>({ owner, params, query, body, requestId, headers }: Exchange): AccountCall<R> {
  return { owner, params, query, body, request: { id: requestId, headers } } as AccountCall<R>;
}
