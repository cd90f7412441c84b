/** The whole system as a CDK app. Needs no account: nothing is looked up. */
import { App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Bundles } from './bundle.ts';
import { AccountApiStack, type OwnerIssuer } from './stacks/account-api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DeliveryStack } from './stacks/delivery-stack.ts';
import { IntegrationApiStack } from './stacks/integration-api-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { stageNamed } from './stage.ts';

export interface BookingAppProps {
  readonly bundles: Bundles;
  /** `dev` or `prod`; otherwise the context `stage`, otherwise `dev`. */
  readonly stage?: string;
  /** Where the cloud assembly goes; otherwise what the CDK command or `CDK_OUTDIR` says. */
  readonly outdir?: string;
}

/** What the app rests on, whoever starts it: the CDK command, the local run or a test. */
const context = {
  // Plain exports between stacks, so that a stack that others stand on cannot be deleted under them.
  '@aws-cdk/core:defaultCrossStackReferences': 'strong',
  // What the CDK's own rules find fails the synth, like what cdk-nag finds.
  '@aws-cdk/core:validateAgainstDefaultRules': true,
};

export function bookingApp({ bundles, outdir, ...props }: BookingAppProps): App {
  const app = new App({ analyticsReporting: false, context, ...(outdir && { outdir }) });
  const stage = stageNamed(props.stage ?? app.node.tryGetContext('stage') ?? 'dev');
  const common = { stage, bundles };
  const named = (name: string) => ({ stackName: `${stage.prefix}-${name}` });

  const data = new DataStack(app, 'Data', {
    ...named('data'),
    description: 'Booking: tables',
    terminationProtection: stage.protectsData,
  });
  const delivery = new DeliveryStack(app, 'Delivery', {
    ...named('delivery'),
    ...common,
    description: 'Booking: from events to webhooks',
    stores: data.stores,
  });
  const integrationApi = new IntegrationApiStack(app, 'IntegrationApi', {
    ...named('integration-api'),
    ...common,
    description: 'Booking: integration API',
    resources: delivery.resources,
  });
  const accountApi = new AccountApiStack(app, 'AccountApi', {
    ...named('account-api'),
    ...common,
    description: 'Booking: account API',
    resources: delivery.resources,
    ...ownerIssuerOf(app),
  });
  new ObservabilityStack(app, 'Observability', {
    ...named('observability'),
    stage,
    description: 'Booking: alarms and dashboard',
    watched: {
      apis: [
        { title: 'IntegrationApi', apiId: integrationApi.gateway.api.apiId },
        { title: 'AccountApi', apiId: accountApi.gateway.api.apiId },
      ],
      functions: [...integrationApi.functions, ...accountApi.functions, ...delivery.functions].map(({ name }) => name),
      streamFunctions: delivery.streamFunctions.map(({ name }) => name),
      queues: delivery.queues.map(({ name }) => name),
      deadLetterQueues: delivery.deadLetterQueues,
    },
  });

  Tags.of(app).add('service', 'booking');
  Tags.of(app).add('stage', stage.name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

/** `-c ownerIssuer=https://… -c ownerAudience=…`: both, or neither and the stack has a user pool of its own. */
function ownerIssuerOf(app: App): { ownerIssuer?: OwnerIssuer } {
  const issuer: unknown = app.node.tryGetContext('ownerIssuer');
  const audience: unknown = app.node.tryGetContext('ownerAudience');
  if (issuer === undefined && audience === undefined) return {};
  if (typeof issuer === 'string' && /^https:\/\/\S+$/.test(issuer) && typeof audience === 'string' && audience !== '') {
    return { ownerIssuer: { issuer, audience } };
  }
  throw new Error('Give both -c ownerIssuer=https://… and -c ownerAudience=…, or neither.');
}
