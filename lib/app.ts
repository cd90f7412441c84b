/** The whole system as a CDK app. Needs no account: nothing is looked up. */
import { App, Tags, Validations } from 'aws-cdk-lib';
import { AwsSolutionsChecks } from 'cdk-nag';
import type { Bundles } from './bundle.ts';
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
  new ObservabilityStack(app, 'Observability', {
    ...named('observability'),
    stage,
    description: 'Booking: alarms and dashboard',
    watched: {
      apis: [{ title: 'IntegrationApi', apiId: integrationApi.gateway.api.apiId }],
      functions: [...integrationApi.functions, ...delivery.functions].map(({ name }) => name),
      streamFunctions: delivery.streamFunctions.map(({ name }) => name),
      queues: delivery.queues.map(({ name }) => name),
      deadLetterQueues: delivery.deadLetterQueues.map(({ name }) => name),
    },
  });

  Tags.of(app).add('service', 'booking');
  Tags.of(app).add('stage', stage.name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}
