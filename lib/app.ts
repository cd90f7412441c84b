/** The whole system as a CDK app. Needs no account: nothing is looked up. */
import { App, Tags, Validations } from 'aws-cdk-lib';
import { HttpJwtAuthorizer } from 'aws-cdk-lib/aws-apigatewayv2-authorizers';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import { acknowledge } from './acknowledgements.ts';
import { type Api, apis } from './apis.ts';
import type { Bundles } from './bundle.ts';
import { Owners } from './constructs/owners.ts';
import type { WarmThroughput } from './constructs/stores.ts';
import { givenStores } from './given-tables.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DeliveryStack } from './stacks/delivery-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { stageNamed } from './stage.ts';

export interface BookingAppProps {
  readonly bundles: Bundles;
  /** `dev`, `prod` or a branch's; otherwise the context `stage`, otherwise `dev`. */
  readonly stage?: string;
  /** Where the cloud assembly goes; otherwise what the CDK command or `CDK_OUTDIR` says. */
  readonly outdir?: string;
}

export function bookingApp({ bundles, outdir, ...props }: BookingAppProps): App {
  // What the CDK's flags are is the same whoever starts the app: its command, the local run or a test. All are as the CDK
  // recommends but one: plain exports between stacks, so that a stack that others stand on cannot be deleted under them.
  const app = new App({ analyticsReporting: false, context: cdkJson.context, ...(outdir && { outdir }) });
  const stage = stageNamed(props.stage ?? app.node.tryGetContext('stage') ?? 'dev');
  const common = { stage, bundles };
  const named = (name: string) => ({ stackName: `${stage.prefix}-${name}` });

  const data = new DataStack(app, 'Data', {
    ...named('data'),
    description: 'Booking: tables',
    terminationProtection: stage.protectsStacks,
    stage,
    given: givenStores(app.node),
    warm: warmThroughputOf(app),
  });
  const delivery = new DeliveryStack(app, 'Delivery', {
    ...named('delivery'),
    ...common,
    description: 'Booking: from events to webhooks',
    stores: data.stores,
  });
  const ownerIssuer = ownerIssuerOf(app);
  const apiStacks = Object.values<Api>(apis).map((api) => {
    const stack = new ApiStack(app, api.id, {
      ...named(api.name),
      ...common,
      api,
      description: `Booking: ${api.description}`,
      resources: delivery.resources,
      authorizer: (scope) => {
        const { issuer, audience } = ownerIssuer ?? new Owners(scope, 'Owners', { stage });
        return new HttpJwtAuthorizer('OwnerToken', issuer, { jwtAudience: [audience] });
      },
    });
    if (api.callers === 'keys') acknowledge(stack.gateway, 'keyCheckedInFunction');
    return stack;
  });
  if (stage.watched) {
    new ObservabilityStack(app, 'Observability', {
      ...named('observability'),
      stage,
      description: 'Booking: alarms and dashboard',
      watched: {
        apis: apiStacks.map(({ node, gateway }) => ({ title: node.id, apiId: gateway.api.apiId })),
        functions: [...apiStacks, delivery].flatMap(({ functions }) => functions.map(({ name }) => name)),
        streamFunctions: delivery.streamFunctions.map(({ name }) => name),
        queues: delivery.queues.map(({ name }) => name),
        deadLetterQueues: delivery.deadLetterQueues,
      },
    });
  }

  Tags.of(app).add('service', 'booking');
  Tags.of(app).add('stage', stage.name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  return app;
}

/** `-c ownerIssuer=https://… -c ownerAudience=…`: both, or neither and the stack has a user pool of its own. */
function ownerIssuerOf(app: App): Pick<Owners, 'issuer' | 'audience'> | undefined {
  const issuer: unknown = app.node.tryGetContext('ownerIssuer');
  const audience: unknown = app.node.tryGetContext('ownerAudience');
  if (issuer === undefined && audience === undefined) return undefined;
  if (typeof issuer === 'string' && /^https:\/\/\S+$/.test(issuer) && typeof audience === 'string' && audience !== '') {
    return { issuer, audience };
  }
  throw new Error('Give both -c ownerIssuer=https://… and -c ownerAudience=…, or neither.');
}

/** `-c warmWrites=20000 -c warmReads=40000`: both, or neither and a table grows with its traffic. Paid once. */
function warmThroughputOf(app: App): WarmThroughput | undefined {
  const [writes, reads] = ['warmWrites', 'warmReads'].map((key) => app.node.tryGetContext(key));
  if (writes === undefined && reads === undefined) return undefined;
  const warm = { writes: Number(writes), reads: Number(reads) };
  if (warm.writes >= 4_000 && warm.reads >= 12_000) return warm;
  throw new Error('Give both -c warmWrites=… (at least 4000) and -c warmReads=… (at least 12000), or neither.');
}
