/** An HTTP API with one stage: throttled, and logged without a key, a path's id or a query's value. */
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
import type { RouteBounds, Stage } from '../stage.ts';
import { CountedLines } from './counted-lines.ts';
import { OwnRole } from './own-role.ts';
import type { RowFunction } from './row-function.ts';
import { StageLog } from './stage-log.ts';

interface GatewayProps {
  readonly stage: Stage;
  /** Physical name behind the stage's prefix: `integration-api`. */
  readonly name: string;
  readonly description: string;
  /** Asked before every route. Without it the functions themselves find out who calls. */
  readonly authorizer?: TokenAuthorizer;
  /** A host that the operator owns. Without it the API has the gateway's own, which another gateway will not have. */
  readonly domain?: { readonly name: string; readonly certificateArn: string } | undefined;
  /** Requests come by the edge: nothing else knows where it answers, and its own address is closed. */
  readonly isFronted: boolean;
}

export const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  // The route and not the path: what an integrator puts into a path or a query stays out of the log.
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  // Lambda's own status, not that of the function's answer.
  integrationStatus: '$context.integrationStatus',
  integrationError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.responseType',
};

export class Gateway extends Construct {
  readonly api: HttpApi;
  readonly url: string;
  /** Where it answers: `abc.execute-api.eu-central-1.amazonaws.com`. */
  readonly host: string;
  /** Where the domain's name points to, without which the gateway does not know the name. */
  readonly target: string;
  readonly #stage: HttpStage;
  readonly #routes: GatewayRoute[] = [];
  readonly #heldRoutes: string[] = [];

  constructor(scope: Construct, id: string, { stage, name, description, authorizer, domain, isFronted }: GatewayProps) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', { createDefaultStage: false });
    this.#describe({ name: `${stage.prefix}-${name}`, description, isFronted, authorizer });
    const accessLog = new StageLog(this, 'AccessLog', {
      stage,
      // The first part keeps the log's resource policy from growing with every API of the account; the last is new with
      // each creation of the stack, so that a log that outlived an earlier one is not in the way.
      name: `/aws/vendedlogs/${stage.prefix}-${name}-${Fn.select(2, Fn.split('/', Aws.STACK_ID))}`,
    });
    if (stage.watched) {
      new CountedLines(this, 'ServerErrors', {
        stage,
        logGroup: accessLog,
        name: 'ServerErrors',
        pattern: Lazy.string({ produce: () => serverErrors(this.#heldRoutes) }),
      });
    }
    const { requestsPerSecond: given, isPassive } = settingsOf(this.node);
    const { rate, burst } = given === undefined ? stage.throttle : { rate: given, burst: Math.min(5_000, 2 * given) };
    this.#stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: rate, burstLimit: burst },
      // Of the stage and not of the functions: what stands by is taken into service without new versions of them. It is
      // said in both cases, because a variable that a template no longer names stays.
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

  route(routeKey: string, { invoked }: RowFunction, bounds: Partial<RouteBounds> | undefined): void {
    const { functionArn } = invoked;
    const role = this.#invoker();
    role.addToPrincipalPolicy(new PolicyStatement({ actions: ['lambda:InvokeFunction'], resources: [functionArn] }));
    this.#routes.push({ routeKey, invocationUri: `${lambdaApi}${functionArn}/invocations`, roleArn: role.roleArn });
    if (bounds) this.#bound(routeKey, bounds);
  }

  /**
   * All of the API is in its body, routes, authorizer and name: the gateway takes no resources and no properties beside
   * it. A warning would leave a part of it out, so that it stops the deployment.
   */
  #describe(props: Omit<GatewayBodyProps, 'tags' | 'routes'>): void {
    const resource = this.api.node.defaultChild as CfnApi;
    for (const property of ['Name', 'ProtocolType', 'Tags']) resource.addPropertyDeletionOverride(property);
    resource.failOnWarnings = true;
    resource.body = Lazy.any({
      produce: () => gatewayBody({ ...props, routes: this.#routes, tags: resource.tags.tagValues() }),
    });
  }

  /** The role with which the gateway invokes the next function: one for so many as its policy has room for. */
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

  /** Fewer requests a second than the stage takes. */
  #bound(routeKey: string, { rate, burst }: Partial<RouteBounds>): void {
    this.#heldRoutes.push(routeKey);
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

/** IAM takes 10 240 letters of policy in a role, and the ARN of an alias has at most 120. */
const functionsPerRole = 80;

/**
 * Answers of 5xx that no customer can cause. Left out are routes that receivers and much work hold, which are 503 when all
 * their functions wait, and bodies between Lambda's 6 MB and the gateway's 10 MB.
 */
function serverErrors(heldRoutes: readonly string[]): string {
  const held = heldRoutes.map((routeKey) => ` && ($.route != "${routeKey}")`).join('');
  return `{ ($.status = "5*") && ($.integrationStatus != "413")${held} }`;
}
