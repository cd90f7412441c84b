/** The whole system as a CDK app. It needs no AWS account, because nothing is looked up. */
import { App, CloudFormationValidatePlugin, type IPolicyValidationPlugin, Tags, Validations } from 'aws-cdk-lib';
import type { ISecret } from 'aws-cdk-lib/aws-secretsmanager';
import { AwsSolutionsChecks } from 'cdk-nag';
import cdkJson from '../cdk.json' with { type: 'json' };
import { stores } from '../contract/system/needs.ts';
import { type Api, apis } from './apis.ts';
import type { Bundles } from './bundle.ts';
import { Owners } from './constructs/owners.ts';
import { refuseUnknown, settingsOf } from './context.ts';
import { assertAllStoresExist, existingStores } from './existing-tables.ts';
import { ApiStack } from './stacks/api-stack.ts';
import { BackupStack } from './stacks/backup-stack.ts';
import { DataStack } from './stacks/data-stack.ts';
import { DeliveryStack } from './stacks/delivery-stack.ts';
import { EdgeStack } from './stacks/edge-stack.ts';
import { FirewallStack } from './stacks/firewall-stack.ts';
import { ObservabilityStack } from './stacks/observability-stack.ts';
import { ReplicaKeyStack } from './stacks/replica-key-stack.ts';
import { stageNamed } from './stage.ts';

/** Loading the rules takes longer than a synth, so they are loaded once per process for all apps. */
let cloudFormationRules: IPolicyValidationPlugin | undefined;

interface BookingAppProps {
  readonly bundles: Bundles;
  /** The folder of the pages that the edge serves. */
  readonly pages: string;
  /** `dev`, `prod` or the name of a branch; the default is the context `stage`, then `dev`. */
  readonly stage?: string;
  /** The folder of the cloud assembly; the default is that of the CDK command or `CDK_OUTDIR`. */
  readonly outdir?: string;
}

export function bookingApp({ bundles, pages, outdir, ...props }: BookingAppProps): App {
  // The CDK's flags are the same however the app starts: by the CDK command, the local run or a test. All have the
  // recommended value but two. Stacks use plain exports: a stack that others depend on cannot be deleted. The tests
  // check the CDK's own rules, where a finding is an error.
  const app = new App({
    analyticsReporting: false,
    context: cdkJson.context,
    // By default the CDK validates every synth with its rules, but reports their errors only as warnings.
    builtinCloudFormationValidation: false,
    ...(outdir && { outdir }),
  });
  const stage = stageNamed(props.stage ?? app.node.tryGetContext('stage') ?? 'dev');
  refuseUnknown(app.node);
  const settings = settingsOf(app.node);
  // A mistyped `prd` would be a stage that is deleted with its data.
  if (!stage.watched && (settings.alarmEmail !== undefined || settings.monthlyBudget !== undefined)) {
    throw new Error(
      `The stage ${stage.name} has no alarms: leave out -c alarmEmail and -c monthlyBudget, or use dev or prod.`,
    );
  }
  const common = { stage, bundles };
  const named = (name: string) => ({
    stackName: `${stage.prefix}-${name}`,
    terminationProtection: stage.protectsStacks,
    ...(settings.region !== undefined && { env: { region: settings.region } }),
  });

  const existing = existingStores(app.node);
  assertAllStoresExist(existing, settings);
  const { replicaRegion } = settings;
  const data = new DataStack(app, 'Data', {
    ...named('data'),
    description: 'Booking: tables',
    stage,
    existing,
    warm: settings.warm,
    replicaRegion,
  });
  if (replicaRegion !== undefined && !existing.tables.secrets) {
    const key = new ReplicaKeyStack(app, 'ReplicaKey', {
      ...named('replica-key'),
      env: { region: replicaRegion },
      description: 'Booking: the key of the secrets in the region of the replicas',
      stage,
    });
    // A replica needs its key first.
    data.addStackDependency(key);
  }
  const delivery = new DeliveryStack(app, 'Delivery', {
    ...named('delivery'),
    ...common,
    description: 'Booking: from events to webhooks',
    stores: data.stores,
    fixedEgress: settings.fixedEgress,
    mailFrom: settings.mailFrom,
    pagesOrigin: settings.consoleDomain && `https://${settings.consoleDomain.name}`,
  });
  const apiStack = (api: Api) =>
    new ApiStack(app, api.id, {
      ...named(api.name),
      ...common,
      api,
      description: `Booking: ${api.description}`,
      resources: delivery.resources,
      domain: settings.domain,
      isFronted: api.callers === 'keys' && settings.apiEdgeCertificateArn !== undefined,
      allowsDirect: settings.allowsDirect,
      signIn: (scope) => {
        const owners = new Owners(scope, 'Owners', { stage, ...settings });
        return settings.ownerIssuer ?? owners;
      },
    });
  const [integration, account] = [apiStack(apis.integration), apiStack(apis.account)];
  const edge =
    account.signIn &&
    new EdgeStack(app, 'Edge', {
      ...named('edge'),
      stage,
      description: 'Booking: console, reference and documents',
      pages,
      signIn: account.signIn,
      hosts: { integration: integration.gateway.host, account: account.gateway.host },
      domain: settings.consoleDomain,
      isPassive: settings.isPassive,
      sendsMail: settings.mailFrom !== undefined,
      apiFront:
        integration.edgeSecret && settings.apiEdgeCertificateArn !== undefined
          ? {
              host: integration.gateway.host,
              target: integration.gateway.target,
              certificateArn: settings.apiEdgeCertificateArn,
              secret: integration.edgeSecret as ISecret,
            }
          : undefined,
      webAclArn: settings.webAclArn,
    });
  if (settings.apiEdgeCertificateArn !== undefined) {
    new FirewallStack(app, 'Firewall', {
      ...named('firewall'),
      stage,
      description: 'Booking: the web ACL of CloudFront',
    });
  }
  if (settings.backupVaultArn !== undefined) {
    new BackupStack(app, 'Backup', {
      ...named('backup'),
      stage,
      description: 'Booking: daily copies of the tables in another account',
      tables: stores.map((store) => data.stores.tables[store]),
      vaultArn: settings.backupVaultArn,
    });
  }
  // A passive deployment has no alarms, because its scheduled functions never run.
  if (stage.watched && !settings.isPassive) {
    const observability = new ObservabilityStack(app, 'Observability', {
      ...named('observability'),
      stage,
      description: 'Booking: alarms and dashboard',
      watched: {
        ...delivery.watched,
        concurrency: settings.lambdaConcurrency,
        apis: [integration, account].map(({ title, gateway }) => ({ title, apiId: gateway.api.apiId })),
        tables: stores.map((store) => ({ store, name: data.stores.tables[store].tableName })),
        replicaRegion,
      },
      alarmEmail: settings.alarmEmail,
      monthlyBudget: settings.monthlyBudget,
      isCopied: settings.backupVaultArn !== undefined,
    });
    // The edge fails most easily, for a certificate, a name or a quota, so the alarms are deployed first.
    edge?.addStackDependency(observability);
  }

  Tags.of(app).add('service', 'booking');
  Tags.of(app).add('stage', stage.name);
  Validations.of(app).addPlugins(new AwsSolutionsChecks(app));
  if (String(app.node.tryGetContext('@aws-cdk/core:validateAgainstDefaultRules')) === 'true') {
    cloudFormationRules ??= new CloudFormationValidatePlugin() as IPolicyValidationPlugin;
    Validations.of(app).addPlugins(cloudFormationRules);
  }
  return app;
}
