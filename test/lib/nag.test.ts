import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { type CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stageNamed, stageNames } from '../../lib/stage.ts';
import { passiveContext } from '../support/passive-context.ts';
import { type Context, stubApp } from '../support/stub-app.ts';
import { synthesised, temporaryFolder } from '../support/synthesised.ts';

beforeEach(() => {
  vi.stubEnv('CDK_VALIDATION', 'true');
  // The report of a failed validation goes to stderr; the error says enough here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** Left out of every other synth, of which they are most. */
const withRules = { '@aws-cdk/core:validateAgainstDefaultRules': true };
const code = temporaryFolder('code');
function app(stage = 'dev', context: Context = withRules): { app: App; folder: string } {
  const folder = temporaryFolder('assembly');
  return { app: stubApp({ stage, context, outdir: folder, code }), folder };
}

/** All that an operator may switch on, for `prod`. First of all, because the rules are read again for a type of resource they do not know yet. */
const everything = {
  egress: 'nat',
  apiDomain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
  apiEdgeCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  consoleDomain: 'console.example.com',
  consoleCertificateArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1',
  alarmEmail: 'operator@booking.example',
  monthlyBudget: '250',
  sourceMaps: 'shipped',
  traces: 'on',
  ownerPool: 'eu-central-1_AbCd12345',
  warmWrites: '20000',
  warmReads: '40000',
};

// The library of the CDK rules takes seconds to load, and a synth itself many on a busy machine.
vi.setConfig({ testTimeout: 300_000 });

const replicas = { region: 'eu-central-1', replicaRegion: 'eu-west-1' };

describe('a synth', () => {
  const others = [...stageNames.filter((stage) => stage !== 'prod'), 'pr-42'];
  const issuer = {
    ownerIssuer: 'https://issuer.example',
    ownerAudience: 'booking',
    ownerOrigins: 'https://login.example',
  };
  const passive = { ...everything, ...passiveContext };
  test.each([
    ['prod', everything] as const,
    ['prod', issuer] as const,
    ['prod', replicas] as const,
    ['prod', passive] as const,
    ...others.map((stage) => [stage, {}] as const),
  ])('The templates of the stage %s pass cdk-nag and the rules of the CDK: %j', (stage, given) => {
    const { app: valid, folder } = app(stage, { ...withRules, ...given });
    valid.synth();
    expect(JSON.parse(readFileSync(join(folder, 'validation-report.json'), 'utf8')).pluginReports).toEqual([]);
  });

  test('Negative control: a queue without a dead-letter queue, and an invalid property, are reported', () => {
    const { app: faulty } = app();
    const delivery = faulty.node.findChild('Delivery') as Stack;
    new Queue(delivery, 'Injected');
    const queue = delivery.node.findChild('RetriesQueue').node.findChild('Queue') as Queue;
    (queue.node.defaultChild as CfnQueue).addPropertyOverride('VisibilityTimeout', 50_000);
    expect(() => faulty.synth()).toThrow(/^(?=.*not used as a dead-letter queue)(?=.*VisibilityTimeout)/s);
  });
});

describe('every accepted finding', () => {
  test('Every accepted finding has a reason and belongs to an existing construct', () => {
    const accepted = app()
      .app.node.findAll()
      .flatMap((construct) =>
        construct.node.metadata
          .filter(({ type }) => type === Validations.ACKNOWLEDGED_RULES_METADATA_KEY)
          .flatMap(({ data }) =>
            Object.entries<string>(data).map(([rule, reason]) => ({ rule, reason: JSON.stringify(reason) })),
          ),
      );
    expect(accepted.length).toBeGreaterThan(0);
    for (const { reason } of accepted) expect(reason.split(' ').length).toBeGreaterThan(8);
  });

  test('Negative control: an accepted `*` does not hide another one', () => {
    const { app: faulty } = app();
    const role = faulty.node
      .findAll()
      .find(
        (construct): construct is Role => construct instanceof Role && construct.node.path.includes('CreateWebhook'),
      );
    role?.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: ['*'] }));
    expect(role).toBeDefined();
    const { violations } = new AwsSolutionsChecks(faulty).validateScope(faulty);
    expect(violations.map(({ ruleName }) => ruleName)).toEqual(['AwsSolutions-IAM5[Resource::*]']);
  });
});

test('Two syntheses of the same sources give the same files', async () => {
  vi.stubEnv('CDK_VALIDATION', 'false');
  const { app: again, folder } = app('dev', {});
  again.synth();
  const filesOf = (assembly: string) =>
    readdirSync(assembly)
      .filter((name) => name.endsWith('.template.json') || name.startsWith('asset.'))
      .sort()
      .map((name) => (name.endsWith('.json') ? `${name} ${readFileSync(join(assembly, name), 'utf8')}` : name));
  expect(filesOf(folder).length).toBeGreaterThan(5);
  expect(filesOf(folder)).toEqual(filesOf((await synthesised()).folder));
});

test.each(['Prod', 'pr_42', '', 'pr-', 'a'.repeat(21), 42, 'aws-try', 'my-amazon', 'cognito'])(
  'The name %j is refused for a stage',
  async (stage) => {
    expect(() => stageNamed(stage)).toThrow('cannot be a stage');
  },
);
