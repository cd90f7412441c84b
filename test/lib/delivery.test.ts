import { describe, expect, test } from 'vitest';
import { fileName } from '../../contract/integration/api.ts';
import { maxReceiveCount, type Queue, queues } from '../../contract/system/queues.ts';
import { type Schedule, schedules } from '../../contract/system/schedules.ts';
import { type Stream, streams } from '../../contract/system/streams.ts';
import { inside, type Json, type Properties, type Resource, synthesised } from '../support/synthesised.ts';

const assembly = await synthesised();

const queueNamed = (name: string) =>
  assembly.ofType('AWS::SQS::Queue').find(({ properties }) => properties.QueueName === name);
const arnOf = (resource: Resource | undefined) => `${resource?.stack}.${resource?.id}.Arn`;
const policyOf = (queue: Resource | undefined) =>
  assembly
    .ofType('AWS::SQS::QueuePolicy')
    .filter((policy) => assembly.named(policy, 'Queues') === `${queue?.stack}.${queue?.id}`);
const sourcesOf = (functionName: string) => {
  const consumer = assembly.byName(functionName);
  return assembly
    .ofType('AWS::Lambda::EventSourceMapping')
    .filter((source) => assembly.named(source, 'FunctionName') === `${consumer?.stack}.${consumer?.id}`);
};

describe.each(Object.entries<Queue>(queues))('the queue %s', (name, row) => {
  test(`The queue ${name} has a dead-letter queue that keeps failed messages for 14 days`, () => {
    const dead = queueNamed(`booking-dev-${name}-dead`);
    const redrive = inside<Properties>(queueNamed(`booking-dev-${name}`), 'RedrivePolicy');
    expect(redrive.maxReceiveCount).toBe(maxReceiveCount);
    expect(dead && assembly.refers(dead, redrive.deadLetterTargetArn)).toBe(arnOf(dead));
    expect(dead?.properties.MessageRetentionPeriod).toBe(14 * 24 * 60 * 60);
  });

  test(`The queue ${name} hides a message for at least six times the time-out of its function`, () => {
    const queue = queueNamed(`booking-dev-${name}`);
    const consumer = assembly.byName(`booking-dev-${row.handler}-${name}`);
    expect(consumer?.properties.Timeout).toBe(row.timeoutSeconds);
    expect(consumer?.properties.MemorySize).toBe(row.memoryMb);
    expect(queue?.properties.VisibilityTimeout).toBeGreaterThanOrEqual(6 * row.timeoutSeconds);
  });

  test(`The queue ${name} invokes its function, which reports failed messages individually`, () => {
    const sources = sourcesOf(`booking-dev-${row.handler}-${name}`);
    expect(sources).toHaveLength(1);
    expect(sources[0] && assembly.named(sources[0], 'EventSourceArn')).toBe(arnOf(queueNamed(`booking-dev-${name}`)));
    expect(sources[0]?.properties).toMatchObject({
      BatchSize: row.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: row.maxConcurrency },
    });
    expect(sources[0]?.properties).not.toHaveProperty('MaximumBatchingWindowInSeconds');
  });

  test(`Lambda's loop detection is off for the function of the queue ${name} only if the function sends to this queue`, () => {
    const sendsToItself = (row.needs.send ?? []).some((target) => target === name);
    const consumer = assembly.byName(`booking-dev-${row.handler}-${name}`);
    expect(consumer?.properties.RecursiveLoop).toBe(sendsToItself ? 'Allow' : undefined);
  });
});

test('Every queue is encrypted and refuses requests without TLS', () => {
  for (const queue of assembly.ofType('AWS::SQS::Queue')) {
    expect(queue.properties.SqsManagedSseEnabled).toBe(true);
    const policies = policyOf(queue);
    expect(policies).toHaveLength(1);
    expect(JSON.stringify(policies[0]?.properties)).toContain('"aws:SecureTransport":"false"');
  }
});

describe.each(Object.entries<Stream>(streams))('the stream %s', (operation, row) => {
  const source = sourcesOf(`booking-dev-${fileName(operation)}`)[0];

  test(`A DynamoDB stream invokes the function ${operation} only for inserted items whose partition keys this function handles`, () => {
    const filters = inside<{ Pattern: string }[]>(source, 'FilterCriteria', 'Filters');
    expect(filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { pk: { S: [{ prefix: row.partitionKeyPrefix }] } } } },
    ]);
  });

  test(`For ${operation}, Lambda retries from the first failed stream record, and drops no record`, () => {
    expect(source?.properties).not.toHaveProperty('MaximumRetryAttempts');
    expect(source?.properties).not.toHaveProperty('MaximumRecordAgeInSeconds');
    expect(source?.properties).toMatchObject({
      BatchSize: row.batchSize,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      StartingPosition: 'TRIM_HORIZON',
    });
  });
});

const rule = assembly.ofType('AWS::Events::Rule').find(({ properties }) => properties.EventPattern);

test('The event bus sends every event to the queue `events`, and undeliverable events to a dead-letter queue', () => {
  const [target] = inside<{ Arn: Json; DeadLetterConfig: { Arn: Json } }[]>(rule, 'Targets');
  expect(rule?.properties.EventPattern).toEqual({ source: ['booking'] });
  const queues = [target?.Arn, target?.DeadLetterConfig.Arn].map((arn) => assembly.text('Delivery', arn));
  expect(queues).toEqual(['booking-dev-events', 'booking-dev-event-rule-dead'].map((name) => arnOf(queueNamed(name))));
});

test('Only the rule of the event bus may send messages to the queue `events` and its dead-letter queue', () => {
  for (const name of ['booking-dev-events', 'booking-dev-event-rule-dead']) {
    const [policy] = policyOf(queueNamed(name));
    const statements = inside<Properties[]>(policy, 'PolicyDocument', 'Statement');
    const allows = statements.filter(({ Effect }) => Effect === 'Allow');
    expect(allows).toHaveLength(1);
    expect(allows[0]).toMatchObject({
      Principal: { Service: 'events.amazonaws.com' },
      Condition: { ArnEquals: { 'aws:SourceArn': { 'Fn::GetAtt': [rule?.id, 'Arn'] } } },
    });
  }
});

describe.each(Object.entries<Schedule>(schedules))('the schedule %s', (operation, row) => {
  test(`Lambda never retries a failed run of ${operation}, and retries a throttled run only until the next scheduled run`, () => {
    const timed = assembly.byName(`booking-dev-${fileName(operation)}`);
    const configured = assembly
      .ofType('AWS::Lambda::EventInvokeConfig')
      .filter((config) => assembly.named(config, 'FunctionName') === `${timed?.stack}.${timed?.id}`);
    expect(configured.map(({ properties }) => properties)).toMatchObject([
      { MaximumRetryAttempts: 0, MaximumEventAgeInSeconds: 60 * row.everyMinutes },
    ]);
  });

  test(`The function ${operation} runs at its configured interval, and only its schedule may invoke it`, () => {
    const timed = assembly.byName(`booking-dev-${fileName(operation)}`);
    const rules = assembly
      .ofType('AWS::Events::Rule')
      .filter((rule) =>
        ((rule.properties.Targets ?? []) as unknown as { Arn: Json }[]).some(
          ({ Arn }) => assembly.refers(rule, Arn) === arnOf(timed),
        ),
      );
    const unit = row.everyMinutes === 1 ? 'minute' : 'minutes';
    expect(rules.map(({ properties }) => properties.ScheduleExpression)).toEqual([`rate(${row.everyMinutes} ${unit})`]);
    const permissions = assembly
      .ofType('AWS::Lambda::Permission')
      .filter((permission) => assembly.named(permission, 'FunctionName') === arnOf(timed));
    expect(permissions.map((permission) => assembly.named(permission, 'SourceArn'))).toEqual([arnOf(rules[0])]);
  });
});
