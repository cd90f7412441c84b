import { readFileSync } from 'node:fs';
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

describe('what to do with dead letters', () => {
  const document = (name: string) => readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8');

  /** By queue: whether SQS can move its messages back, which is whether a queue gives up messages to it. */
  function redrivable(): [name: string, back: boolean][] {
    const queues = assembly.ofType('AWS::SQS::Queue');
    const sources = queues
      .filter(({ properties }) => properties.RedrivePolicy !== undefined)
      .map((queue) => assembly.refers(queue, inside(queue, 'RedrivePolicy', 'deadLetterTargetArn')));
    return queues
      .map(({ stack, id, properties }) => ({ name: String(properties.QueueName), arn: `${stack}.${id}.Arn` }))
      .filter(({ name }) => name.endsWith('-dead'))
      .map(({ name, arn }) => [name, sources.includes(arn)]);
  }

  test('the alarm says redrive where a queue gave them up, and purge where there is no queue to go back to', () => {
    const found = redrivable();
    expect(new Set(found.map(([, back]) => back)).size).toBe(2);
    const texts = assembly
      .ofType('AWS::CloudWatch::Alarm')
      .map(({ properties }) => String(properties.AlarmDescription));
    for (const [name, back] of found) {
      const text = texts.find((description) => description.startsWith(`${name} holds `));
      expect(text).toMatch(back ? /then redrive\.$/ : /cannot be redriven: .* purge it/);
    }
  });

  test('docs/operating.md says the same in a row for each', () => {
    const rows = [...document('operating.md').matchAll(/^\| `([a-z-]+-dead)` *\|[^|]*\| (redrive|purge) +\|/gm)];
    const said = rows.map(([, name, verb]) => [`booking-dev-${name}`, verb === 'redrive'] as const);
    expect(new Map(said)).toEqual(new Map(redrivable()));
  });

  test('docs/cost.md counts the alarms', () => {
    const alarms = assembly.ofType('AWS::CloudWatch::Alarm');
    const perFunction = 2 * assembly.ofType('AWS::Lambda::Function').length;
    expect(document('cost.md')).toContain(`${alarms.length} alarms at $0.10 are $${(alarms.length / 10).toFixed(2)} a`);
    expect(document('cost.md').replaceAll('\n', ' ')).toContain(
      `${perFunction} of the alarms are two for each function`,
    );
  });
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
