import { describe, expect, test } from 'vitest';
import { stageNames } from '../../lib/stage.ts';
import { inside, type Json, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

describe.each(stageNames)('on the stage %s', async (stage) => {
  const assembly = await synthesised(stage);

  test('Every function uses the current runtime, has tracing disabled, and logs JSON', () => {
    for (const found of assembly.functions) {
      expect(found.properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) }, SystemLogLevel: 'INFO' },
        Timeout: expect.any(Number),
        MemorySize: expect.any(Number),
      });
      expect(found.properties).not.toHaveProperty('TracingConfig');
    }
  });

  test('The functions of one API share a log group, and each function that delivers webhook messages has a log group of its own', () => {
    for (const stack of new Set(assembly.functions.map((found) => found.stack))) {
      const inStack = assembly.functions.filter((found) => found.stack === stack);
      const groups = new Set(
        inStack.map((found) => assembly.refers(found, inside(found, 'LoggingConfig', 'LogGroup'))),
      );
      expect(groups.size, stack).toBe(stack === 'Delivery' ? inStack.length : 1);
      const [query, ...more] = assembly.ofType('AWS::Logs::QueryDefinition').filter((found) => found.stack === stack);
      expect(more).toEqual([]);
      expect(query && new Set(assembly.named(query, 'LogGroupNames').split(',')), stack).toEqual(groups);
    }
  });

  test('Only the stacks of the stage prod are protected from deletion', () => {
    const stacks = Object.values(assembly.artifacts).filter(({ type }) => type === 'aws:cloudformation:stack');
    expect(stacks).toHaveLength(6);
    for (const { properties } of stacks) expect(properties.terminationProtection ?? false).toBe(stage === 'prod');
  });

  test('Every log group has a retention time and a removal policy', () => {
    for (const { properties, deletionPolicy } of assembly.ofType('AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays).toBe(stage === 'prod' ? 90 : 14);
      expect(deletionPolicy).toBe(stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete');
    }
  });

  test('The name of a CloudWatch dashboard contains the region, because names are shared by all regions of an account', () => {
    for (const { properties } of assembly.ofType('AWS::CloudWatch::Dashboard')) {
      expect(JSON.stringify(properties.DashboardName)).toContain('{"Ref":"AWS::Region"}');
    }
  });
});

test('In a stage deployed with `-c traces=on`, every function is traced and has the permission to send its traces', async () => {
  const traced = await synthesisedAs(variants['all settings']);
  for (const { id, properties } of traced.functions) {
    expect(properties.TracingConfig, id).toEqual({ Mode: 'Active' });
  }
  const sending = traced
    .statementsOf<{ Action: Json }>(() => true)
    .filter(({ Action }) => String(Action).includes('xray:PutTraceSegments'));
  expect(sending).toHaveLength(traced.functions.length);
});

const branch = await synthesised('pr-42');

test('Deleting the stage of a Git branch deletes everything that the stage stores', () => {
  for (const { id, type, properties, deletionPolicy } of branch.resources) {
    expect(deletionPolicy ?? 'Delete', id).toBe('Delete');
    expect(properties.DeletionProtection ?? 'INACTIVE', id).toBe('INACTIVE');
    if (type !== 'AWS::DynamoDB::GlobalTable') continue;
    for (const replica of properties.Replicas as { DeletionProtectionEnabled?: boolean }[]) {
      expect(replica.DeletionProtectionEnabled, id).toBe(false);
    }
  }
});

test('The stage of a Git branch keeps logs only for days and sends no alarms', () => {
  for (const { properties } of branch.ofType('AWS::Logs::LogGroup')) expect(properties.RetentionInDays).toBe(3);
  expect(branch.resources.filter(({ stack }) => stack === 'Observability')).toEqual([]);
});

test('The stage of a Git branch with the longest allowed name has function names that Lambda accepts', async () => {
  const longest = await synthesised('a'.repeat(20));
  for (const { properties } of longest.functions) {
    expect(String(properties.FunctionName).length).toBeLessThanOrEqual(64);
  }
});
