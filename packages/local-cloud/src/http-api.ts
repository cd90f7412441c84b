/** HTTP APIs: bodies and stages of the templates, executed as by the gateway. */
import { setTimeout as delay } from 'node:timers/promises';
import * as z from 'zod/mini';
import { arn, localRegion } from './arn.ts';
import { type Check, checkOf, type Verdict } from './authorizers.ts';
import type { Outcome } from './function-pool.ts';
import type { Functions, InvokePermissions, LocalFunction } from './functions.ts';
import { httpApiBody, routesOf } from './http-api-body.ts';
import { decodedPath, fromAnswer, type GatewayAnswer, type GatewayRequest, jsonAnswer, toEvent } from './http-event.ts';
import { assertOneNamePerPosition, parseRouteKey, type RouteKey, selectRoute, sharedSegments } from './http-routes.ts';
import { flag, ignored, type Kind } from './kind.ts';
import type { LocalLog } from './log.ts';
import type { Model } from './model.ts';

const api = {
  type: 'AWS::ApiGatewayV2::Api',
  attribute: (attribute, name) =>
    ({ ApiId: name, ApiEndpoint: `https://${name}.execute-api.${localRegion}.amazonaws.com` })[attribute],
  // The gateway accepts no name, tags or resources together with a body.
  properties: z.strictObject({ Body: httpApiBody, FailOnWarnings: z.optional(flag) }),
} satisfies Kind;

const stage = {
  type: 'AWS::ApiGatewayV2::Stage',
  ref: () => '$default',
  properties: z.strictObject({
    ApiId: z.string(),
    StageName: z.literal('$default'),
    AutoDeploy: ignored,
    StageVariables: z.optional(z.record(z.string(), z.string())),
    // Throttling is ignored: a local run shares its capacity with no other account.
    DefaultRouteSettings: ignored,
    RouteSettings: z._default(z.record(z.string(), z.unknown()), {}),
    AccessLogSettings: ignored,
    Description: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

export const httpApiKinds: readonly Kind[] = [api, stage];

interface LocalRoute extends RouteKey {
  readonly routeKey: string;
  readonly apiId: string;
  readonly stageVariables: Readonly<Record<string, string>> | undefined;
  readonly target: LocalFunction;
  /** Whether the gateway may invoke the function for this route. */
  readonly mayInvoke: boolean;
  readonly timeoutMs: number;
  readonly check: Check | undefined;
}

export interface HttpApis {
  /** Without `apiId`, the path selects the API. */
  answer(request: GatewayRequest, headers: Parameters<Check>[0], apiId?: string): Promise<GatewayAnswer>;
}

const gateway = 'apigateway.amazonaws.com';

export interface HttpApiOptions {
  readonly functions: Functions;
  readonly permissions: InvokePermissions;
  readonly log: LocalLog;
  /** The timeout of a function in seconds, instead of that in the templates. */
  readonly timeoutSeconds: number | undefined;
}

export function createHttpApis(model: Model, options: HttpApiOptions): HttpApis {
  const { log, timeoutSeconds } = options;
  const apis = readApis(model, options);
  for (const routes of apis) assertOneNamePerPosition(routes);

  return {
    async answer(request, headers, asked) {
      const path = decodedPath(request.target);
      if (path === undefined) return gatewayAnswer(400, 'Bad Request');
      const routes = asked === undefined ? apiFor(apis, path) : apis.flat().filter(({ apiId }) => apiId === asked);
      const match = selectRoute(routes, request.method, path);
      if (!match) return gatewayAnswer(404, 'Not Found');
      const { routeKey, apiId, stageVariables, target, mayInvoke, timeoutMs, check } = match.route;
      const verdict = check ? await check(headers) : undefined;
      if (verdict?.ok === false) return refusal(verdict);
      if (!mayInvoke) {
        log.write('denied', target.name, `${gateway} has no permission to invoke ${target.name} for ${routeKey}.`);
        return gatewayAnswer(500, 'Internal Server Error');
      }
      const event = toEvent(request, {
        routeKey,
        apiId,
        stageVariables,
        pathParameters: match.parameters,
        authorizer: verdict?.context,
      });
      const outcome = isTooLarge(event)
        ? tooLarge('RequestEntityTooLargeException')
        : await within(timeoutSeconds === undefined ? timeoutMs : timeoutSeconds * 1_000, target.pool.invoke(event));
      if (outcome === undefined) return gatewayAnswer(503, 'Service Unavailable');
      const result = outcome.ok && isTooLarge(outcome.payload) ? tooLarge('Function.ResponseSizeTooLarge') : outcome;
      if (result.ok) {
        const answer = fromAnswer(result.payload);
        if (answer) return answer;
      }
      const reason = result.ok
        ? 'its response does not have the form that an HTTP API expects'
        : `${result.errorType}: ${result.errorMessage}`;
      log.write('local', target.name, `${request.method} ${path}: ${reason}`);
      return gatewayAnswer(500, 'Internal Server Error');
    },
  };
}

/** The limit of a synchronous invocation: https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html */
const payloadBytesMax = 6 * 1_024 * 1_024;

/** Only the body can be large. Its size is measured only if 6 bytes for each character in JSON exceed the limit. */
function isTooLarge(payload: unknown): boolean {
  const { body } = (payload ?? {}) as { readonly body?: unknown };
  if (typeof body !== 'string' || body.length * 6 <= payloadBytesMax) return false;
  return Buffer.byteLength(JSON.stringify(payload)) > payloadBytesMax;
}

function tooLarge(errorType: string): Outcome & { ok: false } {
  return { ok: false, errorType, errorMessage: `the payload is larger than the ${payloadBytesMax} bytes of Lambda` };
}

/** A 401 names the scheme (RFC 9110), as that of the gateway does. */
function refusal({ status, message }: Verdict & { ok: false }): GatewayAnswer {
  const answer = gatewayAnswer(status, message);
  return status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } } : answer;
}

/** A response of the gateway itself. */
export function gatewayAnswer(status: number, message: string): GatewayAnswer {
  return jsonAnswer(status, { message });
}

/** Returns the routes by API. An API without a stage has none, as in the account. */
function readApis(model: Model, { functions, permissions }: HttpApiOptions): LocalRoute[][] {
  const staged = new Map(model.all(stage).map(({ properties }) => [properties.ApiId, properties]));
  return model.all(api).flatMap(({ name: apiId, properties: { Body: body } }) => {
    const settings = staged.get(apiId);
    if (!settings) return [];
    const checks = new Map(
      Object.entries(body.components?.securitySchemes ?? {}).map(([name, scheme]) => [name, checkOf(scheme)]),
    );
    const routes = routesOf(body).map(({ routeKey, integration, scheme }): LocalRoute => {
      const key = parseRouteKey(routeKey);
      const invoked = functionOf(integration.uri);
      const target = functions.find(invoked);
      const source = sourceArn(apiId, routeKey, key);
      return {
        ...key,
        routeKey,
        apiId,
        stageVariables: settings.StageVariables,
        target,
        mayInvoke:
          integration.credentials === undefined
            ? permissions.allows(gateway, target.arn, source)
            : permissions.allowsRole(gateway, invoked, integration.credentials, source),
        timeoutMs: integration.timeoutInMillis,
        check: scheme === undefined ? undefined : checks.get(scheme),
      };
    });
    refuseSettingsOfNoRoute(Object.keys(settings.RouteSettings), routes);
    return [routes];
  });
}

/** The gateway rejects a stage with limits for a route that the API does not have. */
function refuseSettingsOfNoRoute(limited: readonly string[], routes: readonly LocalRoute[]): void {
  const unknown = limited.filter((limit) => !routes.some(({ routeKey }) => routeKey === limit));
  if (unknown.length > 0)
    throw new Error(`A stage has settings for ${unknown.join(', ')}, but its API has no such route.`);
}

/** In the account every API has its own host; here one port serves all, and the start of the path selects the API. */
function apiFor(apis: readonly LocalRoute[][], path: string): readonly LocalRoute[] {
  const [first = [], ...others] = apis;
  return others.reduce((best, one) => (sharedSegments(one, path) > sharedSegments(best, path) ? one : best), first);
}

/** Accepts the function's ARN, or the gateway's invocation path with that ARN. */
function functionOf(uri: string): string {
  return /functions\/(.+)\/invocations$/.exec(uri)?.[1] ?? uri;
}

function sourceArn(apiId: string, routeKey: string, { method, path }: RouteKey): string {
  return arn('execute-api', `${apiId}/$default/${routeKey === '$default' ? routeKey : `${method}${path}`}`);
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  const ended = new AbortController();
  return Promise.race([promise, delay(ms, undefined, { signal: ended.signal })]).finally(() => ended.abort());
}
