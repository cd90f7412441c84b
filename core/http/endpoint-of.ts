/** From a row of a route table and a verb of the domain to a Lambda handler. */
import type { Endpoint, InputOf, OutputOf, Schema } from '../../contract/define.ts';
import type { Once } from '../idempotency/idempotently.ts';
import type { Principal } from '../principal.ts';
import { answer } from './answer.ts';
import type { Exchange, HttpEvent, LambdaHandler } from './exchange.ts';
import { requireSight } from './people.ts';
import { readBody } from './read-body.ts';
import { type Door, serve } from './serve.ts';
import { validateRequest } from './validate-request.ts';

/** What a verb is called with: who calls, and the parsed parts of the request. */
export type Call<Caller, R extends Endpoint> = Caller & {
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  /** The header `Idempotency-Key`, if there was one. */
  readonly idempotencyKey: string | undefined;
};

type Served<R extends Endpoint> = R extends { idempotent: true } ? Once<OutputOf<R>> : OutputOf<R>;
/** What a verb returns to a row without `output` is not looked at. */
type Verb<Caller, R extends Endpoint> = (
  call: Call<Caller, R>,
) => R extends { output: Schema } ? Served<R> | Promise<Served<R>> : unknown;

/** The endpoints of one API: below its prefix, behind its door. `named` begins their names in the log. */
export function endpointOf<Caller, Row extends Endpoint>(prefix: string, doorOf: (route: Row) => Door, named = '') {
  /** Curried, because a function of two arguments would widen the row's literal types. */
  return <const R extends Row>(route: R) => ({
    handler(verb: Verb<Caller, R>): LambdaHandler {
      const { checks, ...door } = doorOf(route);
      const middlewares = [...checks, readBody(route), validateRequest(route), requireSight(route)];
      return serve(
        `${route.method} ${named}${route.path}`,
        { ...door, checks: middlewares },
        async ({ exchange }: HttpEvent) => answer(prefix, route, await verb(callOf<Caller, R>(exchange)), exchange),
      );
    },
  });
}

/** The middlewares have set the caller, and parsed every part by the row's own schemas, which a call's types are made of. */
function callOf<Caller, R extends Endpoint>(exchange: Exchange): Call<Caller, R> {
  const { key, owner, params, query, body, headers } = exchange;
  const caller: unknown = { key, owner, principal: principalOf(exchange) };
  return { ...(caller as Caller), params, query, body, idempotencyKey: headers['idempotency-key'] } as Call<Caller, R>;
}

function principalOf({ key, owner }: Exchange): Principal | undefined {
  if (key) return { tenantId: key.tenantId, actor: { kind: 'key', id: key.id, scopes: key.scopes } };
  if (!owner) return undefined;
  const { tenantId, ...actor } = owner;
  return { tenantId, actor: { kind: 'owner', ...actor } };
}
