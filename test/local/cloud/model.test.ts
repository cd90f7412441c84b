import { describe, expect, test } from 'vitest';
import { buildModel } from '../../../local/cloud/model.ts';
import { readPolicies } from '../../../local/cloud/policies.ts';
import { resourceKinds } from '../../../local/cloud/resource-kinds.ts';
import { rateMs } from '../../../local/cloud/schedules.ts';
import type { Resource, Template } from '../../../local/cloud/templates.ts';

function template(resources: Record<string, Resource>, more: Partial<Template> = {}): Template {
  return {
    stackName: 'app',
    resources,
    outputs: {},
    parameters: {},
    conditions: {},
    mappings: {},
    assets: new Map(),
    ...more,
  };
}

const place = { awsEndpoint: 'http://127.0.0.1:1', baseUrl: 'http://127.0.0.1:2' };
const build = (...templates: Template[]) => buildModel(templates, resourceKinds, place);
const queue = (Properties: Record<string, unknown> = {}): Resource => ({ Type: 'AWS::SQS::Queue', Properties });

describe('what is not known stops the start with one sentence', () => {
  test.each<[string, Resource, string]>([
    [
      'a resource type',
      { Type: 'AWS::Kinesis::Stream' },
      'The local run does not know the resource type AWS::Kinesis::Stream (It)',
    ],
    ['a property', queue({ Colour: 'red' }), 'The local run does not know property Colour of AWS::SQS::Queue (It).'],
    [
      'a nested property',
      queue({ RedrivePolicy: { deadLetterTargetArn: 'arn', maxReceiveCount: 1, more: 1 } }),
      'The local run does not know property RedrivePolicy.more of AWS::SQS::Queue (It).',
    ],
    ['an attribute', queue({ Tags: { 'Fn::GetAtt': ['It', 'Size'] } }), 'the attribute Size of AWS::SQS::Queue'],
    ['an intrinsic function', queue({ Tags: { 'Fn::Cidr': [] } }), 'Fn::Cidr'],
    ['a reference', queue({ Tags: { Ref: 'Nothing' } }), 'stack app has no resource Nothing'],
  ])('%s', (_, resource, message) => {
    expect(() => build(template({ It: resource }))).toThrow(message);
  });

  test('a condition operator of a policy', () => {
    const PolicyDocument = {
      Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', Condition: { IpAddress: { a: 'b' } } }],
    };
    const model = build(
      template({ It: { Type: 'AWS::IAM::Policy', Properties: { PolicyName: 'p', PolicyDocument } } }),
    );
    expect(() => readPolicies(model)).toThrow('IpAddress in the policy of It');
  });

  test('a managed policy', () => {
    const Properties = {
      AssumeRolePolicyDocument: { Statement: [] },
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'],
    };
    const model = build(template({ It: { Type: 'AWS::IAM::Role', Properties } }));
    expect(() => readPolicies(model)).toThrow('AdministratorAccess (It)');
  });

  test('a schedule without a rate', () => {
    expect(() => rateMs('cron(0 * * * ? *)', 'Hourly')).toThrow('cron(0 * * * ? *) of Hourly');
    expect(rateMs('rate(5 minutes)', 'Five')).toBe(300_000);
  });
});

describe('names', () => {
  const kinds = resourceKinds.filter(({ type }) => type === 'AWS::SQS::Queue');
  const names = (...templates: Template[]) =>
    kinds.flatMap((kind) => build(...templates).all(kind)).map(({ name }) => name);

  test('a name that is given is kept; one that is not is the same in every run', () => {
    expect(names(template({ A: queue({ QueueName: 'jobs' }), B: queue() }))).toEqual(['jobs', 'app-B']);
  });

  test('a value crosses stacks by its export', () => {
    const data = template(
      { A: queue() },
      { stackName: 'data', outputs: { Out: { Value: { Ref: 'A' }, Export: { Name: 'data:A' } } } },
    );
    const user = template({
      B: queue({ QueueName: { 'Fn::Select': [4, { 'Fn::Split': ['/', { 'Fn::ImportValue': 'data:A' }] }] } }),
    });
    expect(names(data, user)).toEqual(['data-A', 'data-A']);
  });

  test('a resource whose condition does not hold is not stood up', () => {
    const conditions = { No: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] } };
    const parameters = { Stage: { Type: 'String', Default: 'dev' } };
    expect(names(template({ A: { ...queue(), Condition: 'No' } }, { conditions, parameters }))).toEqual([]);
  });
});
