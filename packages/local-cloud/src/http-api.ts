/** HTTP APIs: routes, integrations and stages of the templates, as the gateway would run them. */
import * as z from 'zod/mini';
import { arn, localRegion } from './arn.ts';
import { type Check, readAuthorizers, type Verdict } from './authorizers.ts';
import type { Functions, InvokePermissions, LocalFunction } from './functions.ts';
import { decodedPath, fromAnswer, type GatewayAnswer, type GatewayRequest, toEvent } from './http-event.ts';
import { parseRouteKey, type RouteKey, refuseTwoNamesOfAPosition, selectRoute, sharedSegments } from './http-routes.ts';
import { ignored, type Kind, number } from './kind.ts';
import type { LocalLog } from './log.ts';
import type { Model } from './model.ts';

const api = {
  type: 'AWS::ApiGatewayV2::Api',
  attribute: (attribute, name) =>
    ({ ApiId: name, ApiEndpoint: `https://${name}.execute-api.${localRegion}.amazonaws.com` })[attribute],
  properties: z.strictObject({
    Name: z.string(),
    ProtocolType: z.literal('HTTP'),
    Description: ignored,
    DisableExecuteApiEndpoint: ignored,
    IpAddressType: ignored,
    Tags: ignored,
    Version: ignored,
  }),
} satisfies Kind;

const integration = {
  type: 'AWS::ApiGatewayV2::Integration',
  attribute: (attribute, name) => ({ IntegrationId: name })[attribute],
  properties: z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal('AWS_PROXY'),
    IntegrationUri: z.string(),
    CredentialsArn: z.optional(z.string()),
    IntegrationMethod: ignored,
    PayloadFormatVersion: z.literal('2.0'),
    TimeoutInMillis: z.optional(number),
    Description: ignored,
  }),
} satisfies Kind;

const route = {
  type: 'AWS::ApiGatewayV2::Route',
  attribute: (attribute, name) => ({ RouteId: name })[attribute],
  properties: z.strictObject({
    ApiId: z.string(),
    RouteKey: z.string(),
    Target: z.string(),
    AuthorizationType: z.optional(z.string()),
    AuthorizationScopes: z.optional(z.array(z.string())),
    AuthorizerId: z.optional(z.string()),
    OperationName: ignored,
  }),
} satisfies Kind;

const stage = {
  type: 'AWS::ApiGatewayV2::Stage',
  ref: () => '$default',
  properties: z.strictObject({
    ApiId: z.string(),
    StageName: z.literal('$default'),
    AutoDeploy: ignored,
    StageVariables: z.optional(z.record(z.string(), z.string())),
    // One machine has no neighbours to protect: the stage's throttle is for the account.
    DefaultRouteSettings: ignored,
    RouteSettings: ignored,
    AccessLogSettings: ignored,
    Description: ignored,
    Tags: ignored,
  }),
} satisfies Kind;

export const httpApiKinds: readonly Kind[] = [api, integration, route, stage];

interface LocalRoute extends RouteKey {
  readonly routeKey: string;
  readonly apiId: string;
  readonly stageVariables: Readonly<Record<string, string>> | undefined;
  readonly target: LocalFunction;
  /** Whether the gateway may invoke the target for this route. */
  readonly mayInvoke: boolean;
  readonly timeoutMs: number;
  readonly check: Check | undefined;
}

export interface HttpApis {
  answer(request: GatewayRequest, headers: Parameters<Check>[0]): Promise<GatewayAnswer>;
}

const integrationTimeoutMs = 30_000;
const gateway = 'apigateway.amazonaws.com';

export interface HttpApiOptions {
  readonly functions: Functions;
  readonly permissions: InvokePermissions;
  readonly log: LocalLog;
  /** How long to wait for a function, instead of the time in the templates. */
  readonly timeoutSeconds: number | undefined;
}

export function createHttpApis(model: Model, options: HttpApiOptions): HttpApis {
  const { log, timeoutSeconds } = options;
  const apis = readApis(model, options);
  for (const routes of apis) refuseTwoNamesOfAPosition(routes);

  return {
    async answer(request, headers) {
      const path = decodedPath(request.target);
      if (path === undefined) return gatewayAnswer(400, 'Bad Request');
      const match = selectRoute(apiFor(apis, path), request.method, path);
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
        stage: '$default',
        stageVariables,
        pathParameters: match.parameters,
        authorizer: verdict?.context,
      });
      const outcome = await within(
        timeoutSeconds === undefined ? timeoutMs : timeoutSeconds * 1_000,
        target.pool.invoke(event),
      );
      if (outcome === undefined) return gatewayAnswer(503, 'Service Unavailable');
      if (outcome.ok) {
        const answer = fromAnswer(outcome.payload);
        if (answer) return answer;
      }
      const reason = outcome.ok
        ? 'its answer is not one of an HTTP API'
        : `${outcome.errorType}: ${outcome.errorMessage}`;
      log.write('local', target.name, `${request.method} ${path}: ${reason}`);
      return gatewayAnswer(500, 'Internal Server Error');
    },
  };
}

/** A 401 names the scheme (RFC 9110), as the gateway's do. */
function refusal({ status, message }: Verdict & { ok: false }): GatewayAnswer {
  const answer = gatewayAnswer(status, message);
  return status === 401 ? { ...answer, headers: { ...answer.headers, 'www-authenticate': 'Bearer' } } : answer;
}

/** What the gateway answers itself. */
export function gatewayAnswer(status: number, message: string): GatewayAnswer {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

/** Routes by API. An API without a stage answers nothing, as in the account. */
function readApis(model: Model, { functions, permissions }: HttpApiOptions): LocalRoute[][] {
  const checks = readAuthorizers(model);
  const integrations = new Map(model.all(integration).map((one) => [one.name, one.properties]));
  const staged = new Map(model.all(stage).map(({ properties }) => [properties.ApiId, properties.StageVariables]));
  return model
    .all(api)
    .filter(({ name }) => staged.has(name))
    .map(({ name: apiId }) =>
      model
        .all(route)
        .filter(({ properties }) => properties.ApiId === apiId)
        .map(({ logicalId, properties }): LocalRoute => {
          const target = integrations.get(properties.Target.replace(/^integrations\//, ''));
          if (!target) throw new Error(`The route ${properties.RouteKey} (${logicalId}) has no integration.`);
          const { AuthorizationType: authorization = 'NONE', AuthorizerId: authorizerId } = properties;
          const check = authorizerId === undefined ? undefined : checks.get(authorizerId);
          if (authorization !== 'NONE' && !check) {
            throw new Error(
              `The local run does not know the authorization ${authorization} of ${route.type} (${logicalId}).`,
            );
          }
          const { RouteKey: routeKey } = properties;
          const key = parseRouteKey(routeKey);
          const invoked = functionOf(target.IntegrationUri);
          const one = functions.find(invoked);
          return {
            ...key,
            routeKey,
            apiId,
            stageVariables: staged.get(apiId),
            target: one,
            mayInvoke:
              target.CredentialsArn === undefined
                ? permissions.allows(gateway, one.arn, sourceArn(apiId, routeKey, key))
                : permissions.allowsRole(gateway, invoked, target.CredentialsArn),
            timeoutMs: Math.min(target.TimeoutInMillis ?? integrationTimeoutMs, integrationTimeoutMs),
            check,
          };
        }),
    );
}

/** In the account every API has a host of its own; on one port the beginning of the path distinguishes them. */
function apiFor(apis: readonly LocalRoute[][], path: string): readonly LocalRoute[] {
  const [first = [], ...others] = apis;
  return others.reduce((best, one) => (sharedSegments(one, path) > sharedSegments(best, path) ? one : best), first);
}

/** The function's arn itself, or wrapped in the gateway's path to Lambda. */
function functionOf(uri: string): string {
  return /functions\/(.+)\/invocations$/.exec(uri)?.[1] ?? uri;
}

function sourceArn(apiId: string, routeKey: string, { method, path }: RouteKey): string {
  return arn('execute-api', `${apiId}/$default/${routeKey === '$default' ? routeKey : `${method}${path}`}`);
}

async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, ms, undefined);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
