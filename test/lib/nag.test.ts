import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { App, Stack } from 'aws-cdk-lib';
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { type CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeEach, expect, test, vi } from 'vitest';
import { stageNamed } from '../../lib/stage.ts';
import { type Context, stubApp } from '../support/stub-app.ts';
import { synthesised, temporaryFolder } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

beforeEach(() => {
  vi.stubEnv('CDK_VALIDATION', 'true');
  // The report of a failed validation goes to stderr; the error says enough here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

/** This is omitted in every other synthesis because it takes most of the time. */
const withRules = { '@aws-cdk/core:validateAgainstDefaultRules': true };
const code = temporaryFolder('code');
function app(stage = 'dev', context: Context = withRules): { app: App; folder: string } {
  const folder = temporaryFolder('assembly');
  return { app: stubApp({ stage, context, outdir: folder, code }), folder };
}

// `npm run prove -- templates` checks all variants, and `npm run verify` synthesises the stage dev.
test('The CloudFormation templates of a stage that uses every setting pass cdk-nag and the check of resource properties', () => {
  const { stage, context } = variants['all settings'];
  const { app: valid, folder } = app(stage, { ...withRules, ...context });
  valid.synth();
  expect(JSON.parse(readFileSync(join(folder, 'validation-report.json'), 'utf8')).pluginReports).toEqual([]);
});

test('Negative control: the check of templates reports a queue without a dead-letter queue, and an invalid property', () => {
  const { app: faulty } = app();
  const delivery = faulty.node.findChild('Delivery') as Stack;
  new Queue(delivery, 'Injected');
  const queue = delivery.node.findChild('RetriesQueue').node.findChild('Queue') as Queue;
  (queue.node.defaultChild as CfnQueue).addPropertyOverride('VisibilityTimeout', 50_000);
  expect(() => faulty.synth()).toThrow(/^(?=.*not used as a dead-letter queue)(?=.*VisibilityTimeout)/s);
});

test('Every accepted cdk-nag finding has a written reason of more than eight words', () => {
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

test('Negative control: cdk-nag reports a new wildcard in an IAM policy in which another wildcard is accepted', () => {
  const { app: faulty } = app();
  const role = faulty.node
    .findAll()
    .find((construct): construct is Role => construct instanceof Role && construct.node.path.includes('CreateWebhook'));
  role?.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: ['*'] }));
  expect(role).toBeDefined();
  const { violations } = new AwsSolutionsChecks(faulty).validateScope(faulty);
  expect(violations.map(({ ruleName }) => ruleName)).toEqual(['AwsSolutions-IAM5[Resource::*]']);
});

test('Two CDK syntheses of the same source files produce identical templates and assets', async () => {
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

const refused = ['Prod', 'pr_42', 'pr-', 'a'.repeat(21), 42, 'aws-try', 'my-amazon', 'cognito', 'prod-eu'];
test.each([...refused.map((name) => [`the name ${name}`, name]), ['an empty name', '']])(
  'A stage cannot have %s',
  async (_, stage) => {
    expect(() => stageNamed(stage)).toThrow('cannot be a stage');
  },
);
