/** Sizes that AWS refuses during a deployment, and the number of resources in a stack. */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type Assembly, type Json, type Resource, synthesised, synthesisedAs } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

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

test.each<keyof typeof variants>(['all settings', '60 more endpoints'])(
  'With %s, no policy, environment, filter or CloudFront function is larger than AWS allows',
  async (name) => {
    const { resources } = await synthesisedAs(variants[name]);
    for (const type of Object.keys(quotas))
      expect(
        resources.some((one) => one.type === type),
        type,
      ).toBe(true);
    expect(tooLarge(resources)).toEqual([]);
  },
);

test('Negative control: the check of AWS quotas reports a function with more than 4 KB of environment variables', () => {
  const properties = { Environment: { Variables: { LONG: 'a'.repeat(4_096) } } };
  const large = { stack: 'Api', id: 'Large', type: 'AWS::Lambda::Function', properties } as unknown as Resource;
  expect(tooLarge([large])).toEqual(['Api Large']);
});

test.each<keyof typeof variants>(['all settings', '60 more endpoints'])(
  'With %s, no template is larger than the 1 MB that CloudFormation takes, or has more than 200 outputs',
  async (name) => {
    for (const { id, templateFullPath } of (await synthesisedAs(variants[name])).stacks) {
      const text = readFileSync(templateFullPath, 'utf8');
      expect(Buffer.byteLength(text), id).toBeLessThan(1_000_000);
      expect(Object.keys(JSON.parse(text).Outputs ?? {}).length, id).toBeLessThanOrEqual(200);
    }
  },
);

/**
 * CloudFormation allows 500 resources per stack, and a function with a fixed name cannot move to another stack. This
 * leaves enough room for the change that is needed before the stack is full.
 */
const resourcesAtMost = 400;

const sizeOf = ({ resources }: Assembly, name: string) => resources.filter(({ stack }) => stack === name).length;
const tooManyIn = (assembly: Assembly) =>
  [...Map.groupBy(assembly.resources, ({ stack }) => stack)].flatMap(([stack, { length }]) =>
    length > resourcesAtMost ? [`${stack}: ${length}`] : [],
  );

const prod = await synthesised('prod');

test.each<[string, keyof typeof variants]>([
  ['in the stage dev', 'dev'],
  ['in the stage prod', 'prod'],
  ['with all settings', 'all settings'],
  ['with 60 more endpoints', '60 more endpoints'],
])('Every CloudFormation stack has at most 400 resources %s', async (_, name) => {
  expect(tooManyIn(await synthesisedAs(variants[name]))).toEqual([]);
});

test('Negative control: the check of quotas reports a CloudFormation stack with more than 400 resources', () => {
  const [resource] = prod.resources;
  const resources = Array.from({ length: resourcesAtMost + 1 }, () => ({ ...resource, stack: 'Full' }));
  expect(tooManyIn({ resources } as unknown as Assembly)).toEqual(['Full: 401']);
});

test('A new endpoint adds two resources to the CloudFormation stack of its API, and the stack has room for 60 more endpoints', async () => {
  const grown = await synthesisedAs(variants['60 more endpoints']);
  for (const api of ['AccountApi', 'IntegrationApi']) {
    const routes = (of: Assembly) => of.routes.filter(({ stack }) => stack === api).length;
    expect(routes(grown) - routes(prod)).toBe(60);
    // The role that invokes functions has room for 80 of them; more need a second role.
    expect(sizeOf(grown, api) - sizeOf(prod, api)).toBe(2 * 60 + 1);
  }
  expect(sizeOf(grown, 'AccountApi')).toBeLessThanOrEqual(320);
});
