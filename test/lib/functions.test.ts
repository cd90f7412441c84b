import { beforeAll, describe, expect, test } from 'vitest';
import { stageNames } from '../../lib/stage.ts';
import { type Assembly, inside, synthesised } from '../support/synthesised.ts';

describe.each(stageNames)('on the stage %s', (stage) => {
  let assembly: Assembly;
  beforeAll(async () => {
    assembly = await synthesised(stage);
  });

  test('every function runs on the current runtime, is traced and logs JSON to a log group of its own, its starts and memory too', () => {
    const groups = assembly.functions.map((found) => {
      expect(found.properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Handler: 'index.handler',
        TracingConfig: { Mode: 'Active' },
        LoggingConfig: { LogFormat: 'JSON', LogGroup: { Ref: expect.any(String) }, SystemLogLevel: 'INFO' },
        Timeout: expect.any(Number),
        MemorySize: expect.any(Number),
      });
      return assembly.refers(found, inside(found, 'LoggingConfig', 'LogGroup'));
    });
    expect(new Set(groups).size).toBe(groups.length);
  });

  test('every log group has a retention and says what becomes of it', () => {
    for (const { properties, deletionPolicy } of assembly.ofType('AWS::Logs::LogGroup')) {
      expect(properties.RetentionInDays).toBe(stage === 'prod' ? 90 : 14);
      expect(deletionPolicy).toBe(stage === 'prod' ? 'RetainExceptOnCreate' : 'Delete');
    }
  });

  test('nothing that outlives its stack has a fixed name: the next stack of that name would find it in its way', () => {
    const perStack = new RegExp(/"Ref":"AWS::StackId"/);
    const kept = assembly.resources.filter(({ deletionPolicy }) => /^Retain/.test(deletionPolicy ?? ''));
    expect(kept.length).toBeGreaterThan(0);
    for (const { id, properties } of kept) {
      for (const name of ['TableName', 'LogGroupName', 'AliasName']) {
        if (properties[name] !== undefined) expect(JSON.stringify(properties[name]), id).toMatch(perStack);
      }
    }
  });

  test('a dashboard, which the account names once, says its region', () => {
    for (const { properties } of assembly.ofType('AWS::CloudWatch::Dashboard')) {
      expect(JSON.stringify(properties.DashboardName)).toContain('{"Ref":"AWS::Region"}');
    }
  });

  test('no template knows the switches of the local run', () => {
    const everything = JSON.stringify(assembly.resources);
    expect(everything).not.toContain('ALLOW_LOOPBACK_TARGETS');
    expect(everything).not.toContain('TIME_SCALE');
    expect(everything).not.toContain('AWS_ENDPOINT_URL');
  });

  test('every physical name begins with the stage, so that stages live side by side in one account', () => {
    const names = assembly.resources.flatMap(({ properties }) =>
      ['FunctionName', 'QueueName']
        .map((property) => properties[property])
        .filter((name): name is string => typeof name === 'string'),
    );
    expect(names.length).toBeGreaterThan(0);
    for (const name of names) expect(name).toMatch(new RegExp(`^booking-${stage}`));
  });
});

describe('a stage of a branch', () => {
  let assembly: Assembly;
  beforeAll(async () => {
    assembly = await synthesised('pr-42');
  });

  test('leaves nothing behind: everything with state goes with its stack', () => {
    for (const { id, type, properties, deletionPolicy } of assembly.resources) {
      expect(deletionPolicy ?? 'Delete', id).toBe('Delete');
      expect(properties.DeletionProtection ?? 'INACTIVE', id).toBe('INACTIVE');
      if (type !== 'AWS::DynamoDB::GlobalTable') continue;
      for (const replica of properties.Replicas as { DeletionProtectionEnabled?: boolean }[]) {
        expect(replica.DeletionProtectionEnabled, id).toBe(false);
      }
    }
  });

  test('keeps its logs for days and wakes nobody', () => {
    for (const { properties } of assembly.ofType('AWS::Logs::LogGroup')) expect(properties.RetentionInDays).toBe(3);
    expect(assembly.resources.filter(({ stack }) => stack === 'Observability')).toEqual([]);
  });

  test('with the longest name still has names that Lambda takes', async () => {
    const longest = await synthesised('a'.repeat(20));
    for (const { properties } of longest.functions) {
      expect(String(properties.FunctionName).length).toBeLessThanOrEqual(64);
    }
  });
});
