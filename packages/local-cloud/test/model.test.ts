import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import { createTables } from '../src/dynamodb.ts';
import { readInvokePermissions } from '../src/functions.ts';
import { type Kind, number } from '../src/kind.ts';
import { buildModel } from '../src/model.ts';
import { readPolicies } from '../src/policies.ts';
import { resourceKinds } from '../src/resource-kinds.ts';
import { rateMs } from '../src/schedules.ts';
import type { Resource, Template } from '../src/templates.ts';

function template(resources: Record<string, Resource>, more: Partial<Template> = {}): Template {
  const sections = { outputs: {}, parameters: {}, conditions: {}, mappings: {}, assets: new Map() };
  return { stackName: 'app', resources, ...sections, ...more };
}

const place = { awsEndpoint: 'http://127.0.0.1:1', baseUrl: 'http://127.0.0.1:2' };
const build = (...templates: Template[]) => buildModel(templates, resourceKinds, place);
const way = z.strictObject({ to: z.string() });
const queue = (Properties: Record<string, unknown> = {}): Resource => ({ Type: 'AWS::SQS::Queue', Properties });

describe('unsupported parts of a template', () => {
  const redrive = { deadLetterTargetArn: 'arn', maxReceiveCount: 1, more: 1 };

  test.each<[string, Resource, string]>([
    ['an unsupported resource type', { Type: 'AWS::Kinesis::Stream' }, 'the resource type AWS::Kinesis::Stream (It)'],
    ['an unsupported property', queue({ Colour: 'red' }), 'support property Colour of AWS::SQS::Queue (It).'],
    ['an unsupported nested property', queue({ RedrivePolicy: redrive }), 'support property RedrivePolicy.more of'],
    [
      'an HTTP API without an OpenAPI body',
      { Type: 'AWS::ApiGatewayV2::Api', Properties: {} },
      'an OpenAPI document is needed; the construct HttpApi makes none',
    ],
  ])('A local run refuses a template with %s, with a one-sentence error', (_, resource, message) => {
    expect(() => build(template({ It: resource }))).toThrow(message);
  });

  test('A local run lists all unsupported resources of all templates, each once, except those whose condition is false', () => {
    const conditions = { Never: { 'Fn::Equals': [1, 2] } };
    const not = { Type: 'AWS::S3::Not', Condition: 'Never' };
    const first = template(
      { A: { Type: 'AWS::S3::A' }, not, usesA: queue({ QueueName: { Ref: 'A' } }) },
      { conditions },
    );
    const start = () => build(first, template({ B: queue({ Colour: 'red' }) }));
    const unsupported = ['the resource type AWS::S3::A (A).', 'property Colour of AWS::SQS::Queue (B).'];
    expect(start).toThrow(unsupported.map((part) => `The local run does not support ${part}\n`).join(''));
  });

  test('A local run refuses an IAM policy with an unknown condition operator, and its error names the policy', () => {
    const PolicyDocument = {
      Statement: [{ Effect: 'Allow', Action: '*', Resource: '*', Condition: { IpAddress: { a: 'b' } } }],
    };
    const model = build(
      template({ It: { Type: 'AWS::IAM::Policy', Properties: { PolicyName: 'p', PolicyDocument } } }),
    );
    expect(() => readPolicies(model)).toThrow('IpAddress in the policy of It');
  });

  test('A local run refuses an IAM role with an unknown managed policy, and its error names the role', () => {
    const Properties = {
      AssumeRolePolicyDocument: { Statement: [] },
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'],
    };
    const model = build(template({ It: { Type: 'AWS::IAM::Role', Properties } }));
    expect(() => readPolicies(model)).toThrow('AdministratorAccess (It)');
  });

  test('A local run accepts schedules with a rate of at most 24 days, and refuses longer rates and cron expressions', () => {
    expect(() => rateMs('cron(0 * * * ? *)', 'Hourly')).toThrow('Hourly has cron(0 * * * ? *)');
    expect(rateMs('rate(5 minutes)', 'Five')).toBe(300_000);
    expect(rateMs('rate(24 days)', 'Rare')).toBe(2_073_600_000);
    expect(() => rateMs('rate(25 days)', 'Monthly')).toThrow('Monthly has rate(25 days)');
  });
});

describe('values in a template', () => {
  const anything: Kind = { type: 'Test::Anything', properties: z.unknown() };
  const withNumber: Kind = {
    type: 'Test::Number',
    properties: z.strictObject({ Size: z.optional(number), Way: z.optional(z.union([z.string(), way])) }),
  };
  const more = {
    conditions: { Yes: { 'Fn::Equals': [{ Ref: 'Stage' }, 'dev'] }, No: { 'Fn::Equals': [1, 2] } },
    mappings: { Of: { dev: { name: 'one' } } },
    parameters: { Stage: { Type: 'String', Default: 'dev' }, Open: { Type: 'String' } },
  };
  const resolved = (value: unknown) => {
    const own = template(
      { It: { Type: 'Test::Anything', Properties: { value } }, Jobs: queue(), Topic: { Type: 'AWS::SNS::Topic' } },
      more,
    );
    const [first] = buildModel([own], [anything, withNumber, ...resourceKinds], place).all(anything);
    return (first?.properties as { value?: unknown } | undefined)?.value;
  };
  const arn = 'arn:aws:sqs:us-east-1:000000000000:app-Jobs';
  const [yes, no] = [{ Condition: 'Yes' }, { Condition: 'No' }];
  const statement = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };

  test.each<[string, unknown, unknown]>([
    ['AWS::Partition', { Ref: 'AWS::Partition' }, 'aws'],
    ['AWS::URLSuffix', { Ref: 'AWS::URLSuffix' }, 'amazonaws.com'],
    ['AWS::NotificationARNs', { Ref: 'AWS::NotificationARNs' }, []],
    ['AWS::StackName', { Ref: 'AWS::StackName' }, 'app'],
    ['AWS::StackId', { Ref: 'AWS::StackId' }, 'arn:aws:cloudformation:us-east-1:000000000000:stack/app/local'],
    ['AWS::NoValue', { a: { Ref: 'AWS::NoValue' }, b: [1, { Ref: 'AWS::NoValue' }] }, { b: [1] }],
    ['a parameter with a default', { Ref: 'Stage' }, 'dev'],
    ['a reference to a resource without a name', { Ref: 'It' }, 'app-It'],
    ['Fn::GetAtt with a list', { 'Fn::GetAtt': ['Jobs', 'Arn'] }, arn],
    ['Fn::GetAtt with text', { 'Fn::GetAtt': 'Topic.Some.Name' }, 'app-Topic.Some.Name'],
    ['Fn::Join', { 'Fn::Join': [':', ['a', { Ref: 'Stage' }, 3]] }, 'a:dev:3'],
    ['Fn::Sub', { 'Fn::Sub': `\${Stage}-\${Jobs.Arn}-\${!C}` }, `dev-${arn}-\${C}`],
    [
      'Fn::Sub with variables',
      { 'Fn::Sub': [`\${x}/\${y}/\${Stage}`, { x: { Ref: 'It' }, y: true }] },
      'app-It/true/dev',
    ],
    ['Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
    ['Fn::Split', { 'Fn::Split': [':', { 'Fn::Join': [':', ['x', 'y']] }] }, ['x', 'y']],
    ['Fn::FindInMap', { 'Fn::FindInMap': ['Of', { Ref: 'Stage' }, 'name'] }, 'one'],
    ['Fn::If with a true condition', { 'Fn::If': ['Yes', 1, 2] }, 1],
    ['Fn::If with a false condition', { 'Fn::If': ['No', 1, 2] }, 2],
    ['Fn::Not', { 'Fn::Not': [yes] }, false],
    ['Fn::And with a false condition', { 'Fn::And': [yes, no] }, false],
    ['Fn::And with true conditions', { 'Fn::And': [yes, yes] }, true],
    ['Fn::Or', { 'Fn::Or': [no, yes] }, true],
    ['null', null, null],
    ['an empty object', {}, {}],
    ['an object with two properties, one of them named like a function,', { Ref: 'A', b: 1 }, { Ref: 'A', b: 1 }],
    ['the Condition of a policy statement', statement, statement],
  ])('In a template, a local run gives %s the value that CloudFormation would give', (_, value, expected) => {
    expect(resolved(value)).toEqual(expected);
  });

  test.each<[string, unknown, string]>([
    ['a parameter without a value', { Ref: 'Open' }, 'parameter Open of stack app has no default'],
    ['an unknown resource', { Ref: 'Nothing' }, 'stack app has no resource Nothing'],
    ['an unknown condition', { 'Fn::If': ['Unknown', 1, 2] }, 'stack app has no condition Unknown'],
    ['an unknown entry of a mapping', { 'Fn::FindInMap': ['Of', 'dev', 'size'] }, 'maps nothing to Of.dev.size'],
    ['an unknown part of a mapping', { 'Fn::FindInMap': ['Of', 'us', 'name'] }, 'maps nothing to Of.us.name'],
    ['an unknown mapping', { 'Fn::FindInMap': ['By', 'dev', 'name'] }, 'stack app maps nothing to By.dev.name'],
    ['an unknown export', { 'Fn::ImportValue': { 'Fn::Sub': 'data:A' } }, 'no stack exports data:A'],
    [
      'an unknown attribute',
      { 'Fn::GetAtt': ['It', 'Arn'] },
      'does not support the attribute Arn of Test::Anything (It)',
    ],
    ['an unknown function', { 'Fn::Transform': {} }, 'does not support the intrinsic function Fn::Transform'],
    ['Ref with an object', { Ref: {} }, 'expected text and found {}'],
    ['Fn::ImportValue with null', { 'Fn::ImportValue': null }, 'expected text and found null'],
    ['Fn::Join with text', { 'Fn::Join': 'a' }, 'expected a list and found "a"'],
    ['Fn::GetAtt with an object', { 'Fn::GetAtt': {} }, 'expected a list and found {}'],
    ['Fn::GetAtt with an empty list', { 'Fn::GetAtt': [] }, 'expected text and found undefined'],
    ['Fn::Sub with text as variables', { 'Fn::Sub': ['', 'a'] }, 'expected an object and found "a"'],
    ['Fn::Sub with a list as variables', { 'Fn::Sub': ['', ['a']] }, 'expected an object and found ["a"]'],
    ['Fn::Sub with null as variables', { 'Fn::Sub': ['', null] }, 'expected an object and found null'],
  ])('A local run refuses a template with %s, with an error that contains the cause', (_, value, message) => {
    expect(() => resolved(value)).toThrow('The local run cannot read Test::Anything (It): ');
    expect(() => resolved(value)).toThrow(`${message}.`);
  });

  test.each<[string, Record<string, unknown>, string]>([
    ['text in a property for a number', { Size: 'big' }, 'property Size ('],
    ['two unknown properties', { Size: 1, Colour: 'red', Shape: 'round' }, 'property Colour, property Shape'],
    ['an object that lacks a required property', { Way: { up: 1 } }, 'property Way ('],
    ['an unknown nested property', { Way: { to: 'here', by: 'foot' } }, 'property Way.by'],
  ])('A local run refuses a resource with %s as unsupported', (_, Properties, words) => {
    const start = () => buildModel([template({ It: { Type: 'Test::Number', Properties } })], [withNumber], place);
    expect(start).toThrow(`The local run does not support ${words}`);
    expect(start).toThrow(' of Test::Number (It).');
  });

  test('A local run finds the folder of a CDK asset, whichever stack of the app lists the asset', () => {
    const of = (key: string, folder: string) => template({}, { assets: new Map([[key, folder]]) });
    const model = build(of('a.zip', '/a'), of('b.zip', '/b'));
    expect([model.asset('a.zip'), model.asset('b.zip'), model.asset('c.zip')]).toEqual(['/a', '/b', undefined]);
  });
});

describe('names of resources', () => {
  const kinds = resourceKinds.filter(({ type }) => type === 'AWS::SQS::Queue');
  const names = (...templates: Template[]) =>
    kinds.flatMap((kind) => build(...templates).all(kind)).map(({ name }) => name);

  test('A local run names a resource as the template does, or else after its stack and logical id', () => {
    const given = {
      A: queue({ QueueName: 'jobs' }),
      B: queue(),
      C: queue({ QueueName: '' }),
      D: { Type: 'AWS::SQS::Queue' },
    };
    expect(names(template(given))).toEqual(['jobs', 'app-B', 'app-C', 'app-D']);
  });

  test('In a local run, a stack can read a value that another stack exports', () => {
    const data = template(
      { A: queue() },
      { stackName: 'data', outputs: { Own: { Value: 1 }, Out: { Value: { Ref: 'A' }, Export: { Name: 'data:A' } } } },
    );
    const user = template({
      B: queue({ QueueName: { 'Fn::Select': [4, { 'Fn::Split': ['/', { 'Fn::ImportValue': 'data:A' }] }] } }),
    });
    expect(names(data, user)).toEqual(['data-A', 'data-A']);
  });

  test('A resource whose condition is false is not created in a local run', () => {
    const conditions = { No: { 'Fn::Equals': [{ Ref: 'Stage' }, 'prod'] } };
    const parameters = { Stage: { Type: 'String', Default: 'dev' } };
    expect(names(template({ A: { ...queue(), Condition: 'No' } }, { conditions, parameters }))).toEqual([]);
  });
});

test('A local run refuses a data folder in which an index of a table has other keys than in the template', async () => {
  const keys = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
  const shape = (key: string) => ({
    KeySchema: keys('pk'),
    GlobalSecondaryIndexes: [{ IndexName: 'byTime', KeySchema: keys(key), Projection: {} }],
  });
  const Properties = { ...shape('day'), AttributeDefinitions: [] };
  const model = build(template({ Items: { Type: 'AWS::DynamoDB::Table', Properties } }));
  const kept = (key: string) => {
    const body = Buffer.from(JSON.stringify({ Table: shape(key) }));
    return createTables(model, { raw: async () => ({ status: 200, headers: {}, body }), close: () => undefined });
  };
  expect((await kept('day')).names).toEqual(['app-Items']);
  await expect(kept('month')).rejects.toThrow('has other keys or indexes than in the templates');
});

test.each([
  ['may invoke a function for its own account', { Ref: 'AWS::AccountId' }, true],
  ['may not invoke a function for another account', '123456789012', false],
])('With a permission for an account, a service of a local run %s', (_, SourceAccount, allowed) => {
  const Properties = { Action: 'lambda:InvokeFunction', FunctionName: 'hello', Principal: 'events.amazonaws.com' };
  const model = build(
    template({ It: { Type: 'AWS::Lambda::Permission', Properties: { ...Properties, SourceAccount } } }),
  );
  const functionArn = 'arn:aws:lambda:us-east-1:000000000000:function:hello';
  const permissions = readInvokePermissions(model, readPolicies(model));
  expect(permissions.allows('events.amazonaws.com', functionArn, 'arn:rule')).toBe(allowed);
});
