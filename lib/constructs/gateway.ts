/** An HTTP API with one throttled stage, whose access log contains no key, no id of a path and no query value. */
import { Aws, CfnOutput, Fn, Lazy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  ApiMapping,
  type CfnApi,
  type CfnStage,
  DomainName,
  HttpApi,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { Certificate } from 'aws-cdk-lib/aws-certificatemanager';
import { PolicyStatement } from 'aws-cdk-lib/aws-iam';
import { Construct } from 'constructs';
import { settingsOf } from '../context.ts';
import { type GatewayBodyProps, type GatewayRoute, gatewayBody, type TokenAuthorizer } from '../gateway-body.ts';
import type { LineMetric } from '../metrics.ts';
import type { RouteBounds, Stage } from '../stage.ts';
import { CountedLines } from './counted-lines.ts';
import { OwnRole } from './own-role.ts';
import type { RowFunction } from './row-function.ts';
import { StageLog } from './stage-log.ts';

interface GatewayProps {
  readonly stage: Stage;
  /** The physical name without the stage's prefix: `integration-api`. */
  readonly name: string;
  readonly description: string;
  /** The authorizer of every route. Without it the functions themselves authenticate the caller. */
  readonly authorizer?: TokenAuthorizer;
  /** A host that the operator owns. Without it the API has the gateway's own host, which changes with the gateway. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Whether requests come through the edge: only it then knows the address, and the default endpoint is closed. */
  readonly isFronted: boolean;
}

export const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  // The log has the route instead of the path, because paths and queries contain data of integrators.
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  // This is Lambda's status, not that of the function's response.
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.responseType',
};

export class Gateway extends Construct {
  readonly api: HttpApi;
  readonly url: string;
  /** The host of the endpoint: `abc.execute-api.eu-central-1.amazonaws.com`. */
  readonly host: string;
  /** The DNS target of the domain, through which alone the gateway knows the domain. */
  readonly target: string;
  readonly #stage: HttpStage;
  readonly #routes: GatewayRoute[] = [];
  readonly #reservedRoutes: string[] = [];
  readonly #waitingRoutes: string[] = [];

  constructor(scope: Construct, id: string, { stage, name, description, authorizer, domain, isFronted }: GatewayProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    this.#describe({ name: `${stage.prefix}-${name}`, description, isFronted, authorizer });
    const accessLog = new StageLog(this, 'AccessLog', {
      stage,
      // The prefix keeps the log's resource policy from growing with every API of the account. The last part is new for
      // each creation of the stack, so that the log of an earlier stack does not conflict.
      name: `/aws/vendedlogs/${stage.prefix}-${name}-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
    });
    if (stage.watched) {
      const count = (name: LineMetric, pattern: () => string) =>
        new CountedLines(this, name, { stage, logGroup: accessLog, name, pattern: Lazy.string({ produce: pattern }) });
      count('ServerErrors', () => serverErrors(this.#reservedRoutes));
      // Both APIs would count in the same metric, and slow responses of one could not be compared with its requests.
      if (!authorizer) count('SlowAnswers', () => slowAnswers(this.#waitingRoutes));
    }
    const { requestsPerSecond: given, isPassive } = settingsOf(this.node);
    const { rate, burst } = given === undefined ? stage.throttle : { rate: given, burst: Math.min(5_000, 2 * given) };
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
      // This is a variable of the stage and not of the functions, so that a passive deployment is activated without new
      // versions of them. It is set in both cases, because a variable that a template no longer contains stays.
      stageVariables: { passive: String(isPassive) },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    this.host = domain?.name ?? `${this.api.apiId}.execute-api.${Aws.REGION}.${Aws.URL_SUFFIX}`;
    this.url = domain ? `https://${domain.name}/` : this.#stage.url;
    this.target = domain ? this.#at(domain, isFronted) : this.host;
  }

  /** Responses of a route that waits by design are not slow. */
  route(routeKey: string, { invoked }: RowFunction, bounds: Partial<RouteBounds> | undefined, waits: boolean): void {
    const { functionArn } = invoked;
    const role = this.#invoker();
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }));
    this.#routes.push({ routeKey, invocationUri: `${lambdaApi}${functionArn}/invocations`, roleArn: role.roleArn });
    if (bounds) this.#bound(routeKey, bounds);
    if (waits) this.#waitingRoutes.push(routeKey);
  }

  /**
   * The whole API is in its body: routes, authorizer and name, because the gateway accepts no other resources or
   * properties beside it. A warning would omit a part of the body, so it fails the deployment.
   */
  #describe(props: Omit<GatewayBodyProps, 'tags' | 'routes'>): void {
    const resource = this.api.node.defaultChild as CfnApi;
    for (const property of ['Name', 'ProtocolType', 'Tags']) resource.addPropertyDeletionOverride(property);
    resource.failOnWarnings = true;
    resource.body = Lazy.any({
      produce: () => gatewayBody({ ...props, routes: this.#routes, tags: resource.tags.tagValues() }),
    });
  }

  /** The role with which the gateway invokes the next function, for as many functions as its policy can list. */
  #invoker(): OwnRole {
    const id = `Invoke${Math.floor(this.#routes.length / functionsPerRole) || ''}`;
    const known = this.node.tryFindChild(id) as OwnRole | undefined;
    return (
      known ??
      new OwnRole(this, id, {
        description: `Invokes functions of ${this.node.path}`,
        service: 'apigateway.amazonaws.com',
      })
    );
  }

  /** Limits a route to fewer requests per second than the stage. */
  #bound(routeKey: string, { rate, burst, atOnce }: Partial<RouteBounds>): void {
    if (atOnce !== undefined) this.#reservedRoutes.push(routeKey);
    if (rate === undefined || burst === undefined) return;
    const stage = this.#stage.node.defaultChild as CfnStage;
    stage.routeSettings = {
      ...stage.routeSettings,
      [routeKey]: { ThrottlingRateLimit: rate, ThrottlingBurstLimit: burst },
    };
  }

  #at({ name, certificateArn }: NonNullable<GatewayProps['domain']>, isFronted: boolean): string {
    const domainName = new DomainName(this, 'Domain', {
      domainName: name,
      certificate: Certificate.fromCertificateArn(this, 'Certificate', certificateArn),
    });
    new ApiMapping(this, 'Mapping', { api: this.api, domainName, stage: this.#stage });
    if (!isFronted)
      new CfnOutput(this, 'DomainTarget', {
        description: `Where the name ${name} must point: a CNAME, or an alias of Route 53`,
        value: domainName.regionalDomainName,
      });
    return domainName.regionalDomainName;
  }
}

const lambdaApi = `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}:lambda:path/2015-03-31/functions/`;

/** IAM allows 10 240 characters of policy in a role, and the ARN of an alias has at most 120. */
const functionsPerRole = 80;

/**
 * Counts 5xx responses that no customer can cause. It excludes routes with reserved concurrency, which return 503 when
 * all their functions are busy, and bodies between Lambda's 6 MB and the gateway's 10 MB.
 */
function serverErrors(reservedRoutes: readonly string[]): string {
  return `{ ($.status = "5*") && ($.integrationStatus != "413")${except(reservedRoutes)} }`;
}

/**
 * Counts responses that took 1.5 seconds or longer. The gateway logs the latency as text, so the pattern is a regular
 * expression.
 */
function slowAnswers(waitingRoutes: readonly string[]): string {
  const slow = String.raw`^1[5-9]\d\d$|^[2-9]\d\d\d$|^\d\d\d\d\d`;
  return `{ ($.latencyMs = %${slow}%)${except(waitingRoutes)} }`;
}

function except(routeKeys: readonly string[]): string {
  return routeKeys.map((routeKey) => ` && ($.route != "${routeKey}")`).join('');
}
