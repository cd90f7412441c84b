/** An HTTP API with one stage: throttled, and logged without a key, a path's id or a query's value. */
import { RemovalPolicy } from 'aws-cdk-lib';
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  type HttpMethod,
  HttpRoute,
  HttpRouteKey,
  HttpStage,
  type IHttpRouteAuthorizer,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';
import type { RowFunction } from './row-function.ts';

export interface GatewayProps {
  readonly stage: Stage;
  /** Physical name behind the stage's prefix: `integration-api`. */
  readonly name: string;
  readonly description: string;
  /** Asked before every route. Without it the functions themselves find out who calls. */
  readonly authorizer?: IHttpRouteAuthorizer;
}

export interface GatewayRoute {
  /** Names the route: `CreateWebhook`. */
  readonly id: string;
  readonly method: HttpMethod;
  /** As the gateway writes it: `/v1/integration/webhooks/{id}`. */
  readonly path: string;
  readonly function: RowFunction;
}

const accessLogFields = {
  time: '$context.requestTime',
  requestId: '$context.requestId',
  sourceIp: '$context.identity.sourceIp',
  // The route and not the path: what an integrator puts into a path or a query stays out of the log.
  route: '$context.routeKey',
  status: '$context.status',
  responseBytes: '$context.responseLength',
  latencyMs: '$context.responseLatency',
  integrationLatencyMs: '$context.integrationLatency',
  integrationError: '$context.integrationErrorMessage',
  gatewayError: '$context.error.responseType',
};

export class Gateway extends Construct {
  readonly api: HttpApi;
  readonly url: string;
  readonly #authorizer: IHttpRouteAuthorizer | undefined;

  constructor(scope: Construct, id: string, { stage, name, description, authorizer }: GatewayProps) {
    super(scope, id);
    this.#authorizer = authorizer;
    this.api = new HttpApi(this, 'Api', {
      apiName: `${stage.prefix}-${name}`,
      description,
      createDefaultStage: false,
    });
    const accessLog = new LogGroup(this, 'AccessLog', {
      // This prefix keeps the log's resource policy from growing with every API of the account.
      logGroupName: `/aws/vendedlogs/${stage.prefix}-${name}`,
      retention: stage.logRetentionDays,
      removalPolicy: stage.keepsLogs ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY,
    });
    const deployed = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle: { rateLimit: stage.throttle.rate, burstLimit: stage.throttle.burst },
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: AccessLogFormat.custom(JSON.stringify(accessLogFields)),
      },
    });
    this.url = deployed.url;
  }

  route({ id, method, path, function: target }: GatewayRoute): HttpRoute {
    return this.#connect(id, HttpRouteKey.with(path, method), target);
  }

  /** What no other route matches. */
  fallback(target: RowFunction): HttpRoute {
    return this.#connect('Fallback', HttpRouteKey.DEFAULT, target);
  }

  /** The integration also permits this API, and of it this path, to invoke the function. */
  #connect(id: string, routeKey: HttpRouteKey, target: RowFunction): HttpRoute {
    return new HttpRoute(this, `${pascalCase(id)}Route`, {
      httpApi: this.api,
      routeKey,
      ...(this.#authorizer && { authorizer: this.#authorizer }),
      integration: new HttpLambdaIntegration(`${pascalCase(id)}Integration`, target.lambda),
    });
  }
}
