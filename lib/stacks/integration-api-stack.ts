/** The integration API: one route and one function for each live row of `contract/routes.ts`. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import type { Construct } from 'constructs';
import { bracedPath, fileName, integrationPrefix, liveRoutes } from '../../contract/api.ts';
import { accessChainNeeds } from '../../contract/needs.ts';
import { acknowledge } from '../acknowledgements.ts';
import type { Bundles } from '../bundle.ts';
import { Gateway } from '../constructs/gateway.ts';
import { allOf, type Resources } from '../constructs/needs.ts';
import { RowFunction } from '../constructs/row-function.ts';
import { handlerOf, preflight, routeNotFound } from '../handlers.ts';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';

/** Enough for the slowest chain of calls with the SDK's retries; rows with more to do say so. */
const timeoutSecondsDefault = 10;
/** Half a gigabyte buys the processor time that a start needs. */
const memoryMb = 512;

export interface IntegrationApiStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly resources: Resources;
}

export class IntegrationApiStack extends Stack {
  readonly gateway: Gateway;
  readonly functions: readonly RowFunction[];

  constructor(scope: Construct, id: string, { stage, bundles, resources, ...props }: IntegrationApiStackProps) {
    super(scope, id, props);
    const common = { stage, bundles, resources, memoryMb };
    this.gateway = new Gateway(this, 'Gateway', {
      stage,
      name: 'integration-api',
      description: 'Integration API: bookings and webhooks for sites and CRMs, by API key',
    });
    acknowledge(this.gateway, 'keyCheckedInFunction');

    const endpoints = liveRoutes.map(({ operation, method, path, summary, needs, timeoutSeconds }) => {
      const endpoint = new RowFunction(this, pascalCase(operation), {
        ...common,
        name: fileName(operation),
        handler: handlerOf.route(operation),
        summary,
        needs: allOf(accessChainNeeds, needs),
        timeoutSeconds: timeoutSeconds ?? timeoutSecondsDefault,
      });
      this.gateway.route({
        id: operation,
        method: HttpMethod[method],
        path: `${integrationPrefix}${bracedPath(path)}`,
        function: endpoint,
      });
      return endpoint;
    });

    const fallback = new RowFunction(this, 'RouteNotFound', {
      ...common,
      name: 'route-not-found',
      handler: routeNotFound,
      summary: 'Paths and methods that no row has, and the misprinted prefix',
      needs: accessChainNeeds,
      timeoutSeconds: timeoutSecondsDefault,
    });
    this.gateway.fallback(fallback);

    const cors = new RowFunction(this, 'Preflight', {
      ...common,
      name: 'preflight',
      handler: preflight,
      summary: 'CORS preflight, answered without a key',
      needs: {},
      timeoutSeconds: timeoutSecondsDefault,
    });
    this.gateway.route({
      id: 'preflight',
      method: HttpMethod.OPTIONS,
      path: `${integrationPrefix}/{proxy+}`,
      function: cors,
    });

    this.functions = [...endpoints, fallback, cors];
    new CfnOutput(this, 'ApiUrl', { value: this.gateway.url });
  }
}
