import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Stack } from 'aws-cdk-lib';
import { Validations } from 'aws-cdk-lib';
import { PolicyStatement, Role } from 'aws-cdk-lib/aws-iam';
import { type CfnQueue, Queue } from 'aws-cdk-lib/aws-sqs';
import { AwsSolutionsChecks } from 'cdk-nag';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { stageNamed, stageNames } from '../../lib/stage.ts';
import { stubApp, synthesised } from '../support/synthesised.ts';

beforeEach(() => {
  vi.stubEnv('CDK_VALIDATION', 'true');
  // Left out of every other synth, of which they are a third.
  vi.stubEnv('CDK_CONTEXT_JSON', JSON.stringify({ '@aws-cdk/core:validateAgainstDefaultRules': true }));
  // The report of a failed validation goes to stderr; the error says enough here.
  vi.spyOn(console, 'error').mockImplementation(() => undefined);
});

// The engine of the CDK's rules takes seconds to load, and many on a busy machine.
const timeout = 120_000;

describe('a synth', { timeout }, () => {
  test.each([...stageNames, 'pr-42'])(
    'of the stage %s passes cdk-nag and the rules of the CDK, with nothing to report',
    async (stage) => {
      const { app, folder } = await stubApp(stage);
      app.synth();
      expect(JSON.parse(readFileSync(join(folder, 'validation-report.json'), 'utf8')).pluginReports).toEqual([]);
    },
  );

  test('twin: fails on a queue without a dead-letter queue, and on a value that the schema of its resource refuses', async () => {
    const { app } = await stubApp();
    const delivery = app.node.findChild('Delivery') as Stack;
    new Queue(delivery, 'Planted');
    const queue = delivery.node.findChild('RetriesQueue').node.findChild('Queue') as Queue;
    (queue.node.defaultChild as CfnQueue).addPropertyOverride('VisibilityTimeout', 50_000);
    expect(() => app.synth()).toThrow(/^(?=.*not used as a dead-letter queue)(?=.*VisibilityTimeout)/s);
  });

  test('twin: an accepted `*` does not hide another beside it', async () => {
    const { app } = await stubApp();
    const role = app.node
      .findAll()
      .find(
        (construct): construct is Role => construct instanceof Role && construct.node.path.includes('CreateWebhook'),
      );
    role?.addToPrincipalPolicy(new PolicyStatement({ actions: ['dynamodb:Scan'], resources: ['*'] }));
    expect(role).toBeDefined();
    const { violations } = new AwsSolutionsChecks(app).validateScope(app);
    expect(violations.map(({ ruleName }) => ruleName)).toEqual(['AwsSolutions-IAM5[Resource::*]']);
  });
});

test('every accepted finding has a reason of a sentence, and lies on a construct that has it', async () => {
  const { app } = await stubApp();
  const accepted = app.node
    .findAll()
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

test('two synths of the same sources give the same files', async () => {
  vi.stubEnv('CDK_VALIDATION', 'false');
  const { app, folder } = await stubApp();
  app.synth();
  const filesOf = (assembly: string) =>
    readdirSync(assembly)
      .filter((name) => name.endsWith('.template.json') || name.startsWith('asset.'))
      .sort()
      .map((name) => (name.endsWith('.json') ? `${name} ${readFileSync(join(assembly, name), 'utf8')}` : name));
  expect(filesOf(folder).length).toBeGreaterThan(5);
  expect(filesOf(folder)).toEqual(filesOf((await synthesised()).folder));
});

test.each(['Prod', 'pr_42', '', 'pr-', 'a'.repeat(21), 42])('%j cannot be a stage', async (stage) => {
  expect(() => stageNamed(stage)).toThrow('cannot be a stage');
});
