/** From a row of a route table and a verb of the domain to a Lambda handler. */
import {
  type AccountRoute,
  type Endpoint,
  type InputOf,
  isAudited,
  type OutputOf,
  type Route,
  type Schema,
} from '../../contract/define.ts';
import { accountPrefix, integrationPrefix } from '../../contract/prefixes.ts';
import type { IdempotentResult } from '../idempotency/idempotently.ts';
import type { Actor, KeyActor, OwnerActor, Principal, SessionActor } from '../principal.ts';
import { type AuditedChange, recorded } from '../store/audit-trail.ts';
import { keyAccess } from './access/key.ts';
import { ownerAccess } from './access/owner.ts';
import { requirePersonalDataAccess } from './access/scope.ts';
import type { AccessPolicy, HttpEvent, LambdaHandler, Middleware, RequestState } from './context.ts';
import { readBody, validateRequest } from './request.ts';
import { isDryRun, responseTo } from './response.ts';
import { type Respond, serve } from './serve.ts';

/** What a verb is called with: the principal, and the parsed parts of the request. */
interface Call<A extends Actor, R extends Endpoint> {
  readonly principal: Principal<A>;
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  /** The header `Idempotency-Key`, if there was one. */
  readonly idempotencyKey: string | undefined;
}

type ResultOf<R extends Endpoint> = R extends { idempotent: true } ? IdempotentResult<OutputOf<R>> : OutputOf<R>;
/** What a verb returns to a row without `output` is not looked at. */
type Verb<A extends Actor, R extends Endpoint> = (
  call: Call<A, R>,
) => R extends { output: Schema } ? ResultOf<R> | Promise<ResultOf<R>> : unknown;

/** Who calls the verb of a row: what the API knows, and sessions where the row names a right of theirs. */
type ActorOf<A extends Actor, R extends Endpoint> = R extends { session: string } ? A | SessionActor : A;

/** A handler, and what agents' tools are made of (core/agents). */
export interface EndpointHandler<R extends Endpoint = Endpoint> extends LambdaHandler {
  readonly route: R;
  /** Its checks but for who calls, and what it does behind them. */
  readonly checks: readonly Middleware[];
  readonly respond: Respond;
}

/** The endpoints of one API: its prefix, and the access policy of a row. `name` begins their names in the log. */
function endpointsOf<A extends Actor, Row extends Endpoint>(
  prefix: string,
  accessOf: (route: Row) => AccessPolicy,
  name = '',
) {
  /** Curried, because a function of two arguments would widen the row's literal types. */
  return <const R extends Row>(route: R) => ({
    handler(verb: Verb<ActorOf<A, R>, R>): EndpointHandler<R> {
      const access = accessOf(route);
      const checks = [readBody(route), validateRequest(route), requirePersonalDataAccess(route)];
      const operation = `${route.method} ${prefix}${route.path}`;
      const respond = async ({ state }: HttpEvent) => {
        const call = callOf<ActorOf<A, R>, R>(state);
        const run = () => verb(call);
        // A dry run changes nothing, so nothing is on record of it.
        const isRecorded = isAudited(route) && !isDryRun(state);
        const result = await (isRecorded ? recorded(changeOf(operation, call), run) : run());
        return responseTo(prefix, route, result, state);
      };
      const all = { ...access, checks: [...access.checks, ...checks] };
      const handler = serve(`${route.method} ${name}${route.path}`, all, respond);
      return Object.assign(handler, { route, checks, respond });
    },
  });
}

/**
 * An endpoint of the integration API.
 *
 * @example
 * export const handler = endpoint(routes.createWebhook).handler(({ principal, body }) => createWebhook(principal, body));
 */
export const endpoint = /* @__PURE__ */ endpointsOf<KeyActor, Route>(integrationPrefix, ({ scope, session }) =>
  keyAccess(scope, session),
);

/** An endpoint of the account API. Pure, like the other, so that a function bundles the access policy of its own API alone. */
export const accountEndpoint = /* @__PURE__ */ endpointsOf<OwnerActor, AccountRoute>(
  accountPrefix,
  ({ role = 'owner' }) => ownerAccess(role),
  accountPrefix,
);

function changeOf(operation: string, { principal, params, body }: Call<Actor, Endpoint>): AuditedChange {
  const { id } = (params ?? {}) as { readonly id?: number };
  return { principal, operation, resourceId: id, fields: Object.keys(body ?? {}) };
}

/** The middlewares have authenticated the principal, and parsed every part by the row's own schemas. */
function callOf<A extends Actor, R extends Endpoint>({
  principal,
  params,
  query,
  body,
  headers,
}: RequestState): Call<A, R> {
  return { principal, params, query, body, idempotencyKey: headers['idempotency-key'] } as Call<A, R>;
}
