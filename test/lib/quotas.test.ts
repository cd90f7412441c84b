/** Sizes that AWS refuses during a deployment. Resources are counted in room-to-grow.test.ts. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { Json, Resource } from '../support/synthesised.ts';
import { synthesisedAs } from '../support/synthesised.ts';
import { type Variant, variants } from '../support/variants.ts';

/** The longest ARN of this system: that of the alias of a function with a name of 64 letters. */
const longestArn = 'a'.repeat(121);

/** A value with its deployed length: references become ARNs, and parts of texts are joined. */
function resolved(value: Json): Json {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const [[intrinsic, argument] = ['', '']] = Object.entries(value);
  if (intrinsic === 'Fn::Join') {
    return (argument as [string, Json[]])[1].map((part) => (typeof part === 'string' ? part : longestArn)).join('');
  }
  return intrinsic === 'Ref' || intrinsic.startsWith('Fn::') ? longestArn : value;
}

function lengthOf(value: Json | undefined): number {
  return Buffer.byteLength(JSON.stringify(value ?? {}, (_, part: Json) => resolved(part)));
}

/** By type of resource: the measured value and its limit. */
const quotas: Readonly<
  Record<string, readonly [of: (properties: Resource['properties']) => Json | undefined, atMost: number]>
> = {
  // https://docs.aws.amazon.com/AmazonCloudWatchLogs/latest/APIReference/API_PutMetricFilter.html
  'AWS::Logs::MetricFilter': [({ FilterPattern }) => FilterPattern, 1_024],
  // https://docs.aws.amazon.com/lambda/latest/dg/gettingstarted-limits.html
  'AWS::Lambda::Function': [({ Environment }) => Environment, 4_096],
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_iam-quotas.html: all inline policies of a role.
  'AWS::IAM::Role': [({ Policies }) => Policies, 10_240],
  // https://docs.aws.amazon.com/AWSSimpleQueueService/latest/SQSDeveloperGuide/quotas-policies.html
  'AWS::SQS::QueuePolicy': [({ PolicyDocument }) => PolicyDocument, 8_192],
  // https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/cloudfront-limits.html
  'AWS::CloudFront::Function': [({ FunctionCode }) => FunctionCode, 10_240],
};

function tooLarge(resources: readonly Resource[]): string[] {
  return resources.flatMap(({ stack, id, type, properties }) => {
    const [of, atMost] = quotas[type] ?? [];
    return of && atMost !== undefined && lengthOf(of(properties)) > atMost ? [`${stack} ${id}`] : [];
  });
}

const assemblyOf = (name: keyof typeof variants) => {
  const { stage, context, laterEndpoints }: Variant = variants[name];
  return synthesisedAs({ stage, context, ...(laterEndpoints && { laterEndpoints }) });
};

test.each<keyof typeof variants>(['all settings', '60 more endpoints'])(
  'With %s, no policy, environment, filter or CloudFront function is larger than AWS allows',
  async (name) => {
    const { resources } = await assemblyOf(name);
    for (const type of Object.keys(quotas))
      expect(
        resources.some((one) => one.type === type),
        type,
      ).toBe(true);
    expect(tooLarge(resources)).toEqual([]);
  },
);

test('Negative control: if a function has an environment of more than 4 KB, the check reports it', () => {
  const properties = { Environment: { Variables: { LONG: 'a'.repeat(4_096) } } };
  const large = { stack: 'Api', id: 'Large', type: 'AWS::Lambda::Function', properties } as unknown as Resource;
  expect(tooLarge([large])).toEqual(['Api Large']);
});

test.each<keyof typeof variants>(['all settings', '60 more endpoints'])(
  'With %s, no template is larger than the 1 MB that CloudFormation takes, or has more than 200 outputs',
  async (name) => {
    for (const { id, templateFullPath } of (await assemblyOf(name)).stacks) {
      const text = readFileSync(templateFullPath, 'utf8');
      expect(Buffer.byteLength(text), id).toBeLessThan(1_000_000);
      expect(Object.keys(JSON.parse(text).Outputs ?? {}).length, id).toBeLessThanOrEqual(200);
    }
  },
);
