import { beforeAll, describe, expect, test } from 'vitest';
import { type Assembly, inside, type Json, type Resource, synthesised } from '../support/synthesised.ts';

let assembly: Assembly;
beforeAll(async () => {
  assembly = await synthesised();
});

interface MetricStat {
  readonly Metric: { readonly MetricName: string; readonly Dimensions: readonly { readonly Value: Json }[] };
}

/** `MetricName of what it watches`, of every alarm. */
function watched(): string[] {
  return assembly.ofType('AWS::CloudWatch::Alarm').map((alarm) => {
    const [metric] = inside<{ MetricStat: MetricStat }[]>(alarm, 'Metrics');
    if (!metric) throw new Error(`The alarm ${alarm.id} watches nothing.`);
    const { MetricName, Dimensions } = metric.MetricStat.Metric;
    return `${MetricName} of ${Dimensions.map(({ Value }) => assembly.refers(alarm, Value)).join()}`;
  });
}

const names = (type: string, property: string) =>
  assembly.ofType(type).map(({ properties }) => String(properties[property]));

test('every dead-letter queue raises an alarm at its first message', () => {
  const dead = names('AWS::SQS::Queue', 'QueueName').filter((name) => name.endsWith('-dead'));
  expect(dead.length).toBeGreaterThan(0);
  for (const name of dead) expect(watched()).toContain(`ApproximateNumberOfMessagesVisible of ${name}`);
});

test('every function raises an alarm when it crashes and when it is throttled', () => {
  for (const name of names('AWS::Lambda::Function', 'FunctionName')) {
    expect(watched()).toContain(`Errors of ${name}`);
    expect(watched()).toContain(`Throttles of ${name}`);
  }
});

test('every queue at work raises an alarm when its messages grow old', () => {
  for (const name of names('AWS::SQS::Queue', 'QueueName').filter((queue) => !queue.endsWith('-dead'))) {
    expect(watched()).toContain(`ApproximateAgeOfOldestMessage of ${name}`);
  }
});

test('a stream that falls behind and an API that answers 5xx raise an alarm', () => {
  expect(watched()).toContain('IteratorAge of booking-dev-relay-events');
  for (const { stack, id } of assembly.ofType('AWS::ApiGatewayV2::Api')) {
    expect(watched()).toContain(`5xx of ${stack}.${id}`);
  }
});

describe('each alarm', () => {
  test('tells the topic, says what it means, and takes silence for health', () => {
    const [topic] = assembly.ofType('AWS::SNS::Topic');
    const alarmed = (alarm: Resource) => assembly.named(alarm, 'AlarmActions');
    for (const alarm of assembly.ofType('AWS::CloudWatch::Alarm')) {
      expect(alarmed(alarm)).toBe(`${topic?.stack}.${topic?.id}`);
      expect(alarm.properties.AlarmDescription).toEqual(expect.any(String));
      expect(alarm.properties.TreatMissingData).toBe('notBreaching');
    }
  });
});
