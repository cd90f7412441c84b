/** Makes a Lambda handler of an endpoint's row and a function of `core/`. */
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
import type { AccessPolicy, HttpEvent, LambdaHandler, Middleware } from './context.ts';
import { readBody, validateRequest } from './request.ts';
import { isDryRun, responseTo } from './response.ts';
import { type Respond, serve } from './serve.ts';

/** The arguments of the function: the principal, and the parsed parts of the request. */
interface Call<A extends Actor, R extends Endpoint> {
  readonly principal: Principal<A>;
  readonly params: InputOf<R, 'params'>;
  readonly query: InputOf<R, 'query'>;
  readonly body: InputOf<R, 'body'>;
  /** Method and path of the endpoint, such as `POST /v1/account/services`. */
  readonly operation: string;
  /** The header `Idempotency-Key`, if there was one and the request is not a dry run. */
  readonly idempotencyKey: string | undefined;
}

type ResultOf<R extends Endpoint> = R extends { idempotent: true } ? IdempotentResult<OutputOf<R>> : OutputOf<R>;
/** If the row has no `output`, the result of the function is ignored. */
type Verb<A extends Actor, R extends Endpoint> = (
  call: Call<A, R>,
) => R extends { output: Schema } ? ResultOf<R> | Promise<ResultOf<R>> : unknown;

/** The principals of an endpoint: those of its API, and sessions if the row has a right for them. */
type ActorOf<A extends Actor, R extends Endpoint> = R extends { session: string } ? A | SessionActor : A;

/** A handler, with the parts from which tools for agents are made (core/agents). */
export interface EndpointHandler<R extends Endpoint = Endpoint> extends LambdaHandler {
  readonly route: R;
  /** The checks except for the caller, and the function that runs after them. */
  readonly checks: readonly Middleware[];
  readonly respond: Respond;
}

/**
 * The endpoints of one API: its path prefix, and the access policy of a row. Their names in the log begin with `name`.
 */
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
        const { principal, params, query, body, headers } = state;
        // A dry run changes nothing, so it has no entry in the audit log, and does not use up the key.
        const isDry = isDryRun(state);
        const idempotencyKey = isDry ? undefined : headers['idempotency-key'];
        // The checks have authenticated the principal, and parsed every part with the schemas of the row.
        const call = { principal, params, query, body, operation, idempotencyKey } as Call<ActorOf<A, R>, R>;
        const run = () => verb(call);
        const result = await (isAudited(route) && !isDry ? recorded(changeOf(call), run) : run());
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

/**
 * An endpoint of the account API. A separate function, so that a bundle contains only the access policy of its own API.
 */
export const accountEndpoint = /* @__PURE__ */ endpointsOf<OwnerActor, AccountRoute>(
  accountPrefix,
  ({ role = 'owner' }) => ownerAccess(role),
  accountPrefix,
);

function changeOf({ principal, operation, params, body }: Call<Actor, Endpoint>): AuditedChange {
  const { id } = (params ?? {}) as { readonly id?: number };
  return { principal, operation, resourceId: id, fields: Object.keys(body ?? {}) };
}
