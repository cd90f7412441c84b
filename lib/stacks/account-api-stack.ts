/** The account API: one route and one function for each row of `contract/account-routes.ts`, behind a JWT authorizer. */
import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib';
import { HttpMethod } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import type { Construct } from 'constructs';
import { accountPrefix, accountRoutes } from '../../contract/account-api.ts';
import { bracedPath, fileName } from '../../contract/api.ts';
import type { Bundles } from '../bundle.ts';
import { Gateway } from '../constructs/gateway.ts';
import { allOf, type Resources } from '../constructs/needs.ts';
import { Owners } from '../constructs/owners.ts';
import { RowFunction } from '../constructs/row-function.ts';
import { accountRouteNotFound, handlerOf } from '../handlers.ts';
import { pascalCase } from '../names.ts';
import type { Stage } from '../stage.ts';

const timeoutSecondsDefault = 10;
const memoryMb = 512;

/** An OpenID Connect issuer of one's own. Its tokens must carry `custom:businessId`. */
export interface OwnerIssuer {
  readonly issuer: string;
  readonly audience: string;
}

export interface AccountApiStackProps extends StackProps {
  readonly stage: Stage;
  readonly bundles: Bundles;
  readonly resources: Resources;
  /** Without it the stack has a Cognito user pool. */
  readonly ownerIssuer?: OwnerIssuer;
}

export class AccountApiStack extends Stack {
  readonly gateway: Gateway;
  readonly functions: readonly RowFunction[];

  constructor(scope: Construct, id: string, props: AccountApiStackProps) {
    const { stage, bundles, resources, ownerIssuer, ...stackProps } = props;
    super(scope, id, stackProps);
    const common = { stage, bundles, resources, memoryMb };
    const { issuer, audience } = ownerIssuer ?? new Owners(this, 'Owners', { stage });
    this.gateway = new Gateway(this, 'Gateway', {
      stage,
      name: 'account-api',
      description: 'Account API: the business as its signed-in owner sees it',
      authorizer: new HttpJwtAuthorizer('OwnerToken', issuer, { jwtAudience: [audience] }),
    });

    const endpoints = accountRoutes.map(({ operation, method, path, summary, needs, timeoutSeconds }) => {
      const endpoint = new RowFunction(this, pascalCase(operation), {
        ...common,
        name: `account-${fileName(operation)}`,
        handler: handlerOf.account(operation),
        summary,
        needs: allOf(needs),
        timeoutSeconds: timeoutSeconds ?? timeoutSecondsDefault,
      });
      this.gateway.route({
        id: operation,
        method: HttpMethod[method],
        path: `${accountPrefix}${bracedPath(path)}`,
        function: endpoint,
      });
      return endpoint;
    });

    const fallback = new RowFunction(this, 'RouteNotFound', {
      ...common,
      name: 'account-route-not-found',
      handler: accountRouteNotFound,
      summary: 'Paths and methods of the account API that no row has',
      needs: {},
      timeoutSeconds: timeoutSecondsDefault,
    });
    this.gateway.fallback(fallback);

    this.functions = [...endpoints, fallback];
    new CfnOutput(this, 'ApiUrl', { value: this.gateway.url });
  }
}
