import { expect, test } from 'vitest';
import {
  type Decision,
  decide,
  type Permission,
  policyDocument,
  statementsFor,
  unknownConditions,
} from '../src/iam.ts';

const table = 'arn:aws:dynamodb:us-east-1:000000000000:table/records';

interface Written {
  Effect?: string;
  Action?: string | string[];
  NotAction?: string | string[];
  Resource?: string | string[];
  NotResource?: string | string[];
  Condition?: Record<string, Record<string, unknown>>;
}

function policy(...statements: Written[]) {
  return policyDocument.parse({
    Version: '2012-10-17',
    Statement: statements.map((statement) => ({
      Effect: 'Allow',
      ...(!statement.NotAction && { Action: 'dynamodb:GetItem' }),
      ...(!statement.NotResource && { Resource: table }),
      ...statement,
    })),
  }).Statement;
}

const get: Permission = { action: 'dynamodb:GetItem', resource: table };
const from = (...keys: string[]): Permission => ({ ...get, context: { 'events:source': keys } });
const onlySource = { Condition: { 'ForAllValues:StringEquals': { 'events:source': ['s1'] } } };

const anySource = { Condition: { 'ForAnyValue:StringEquals': { 'events:source': ['s1'] } } };
const viaService: Permission = { ...get, context: { 'kms:ViaService': ['a'] } };

test.each<[string, Written[], Permission, Decision]>([
  ['no statements', [], get, 'implicit deny'],
  ['the action and the resource of the call', [{}], get, 'allow'],
  ['an action other than that of the call', [{}], { ...get, action: 'dynamodb:PutItem' }, 'implicit deny'],
  ['a resource other than that of the call', [{}], { ...get, resource: `${table}2` }, 'implicit deny'],
  ['a table, but not the called index of that table,', [{}], { ...get, resource: `${table}/index/a` }, 'implicit deny'],
  ['its action in other upper and lower case', [{ Action: 'DynamoDB:getitem' }], get, 'allow'],
  ['a wildcard in its action', [{ Action: 'dynamodb:Get*' }], get, 'allow'],
  ['a wildcard in its resource', [{ Resource: 'arn:aws:dynamodb:*:*:table/rec????' }], get, 'allow'],
  ['a wildcard that only matches parts of the table', [{ Resource: `${table}/*` }], get, 'implicit deny'],
  [
    'several actions and resources',
    [{ Action: ['dynamodb:Query', 'dynamodb:GetItem'], Resource: ['x', table] }],
    get,
    'allow',
  ],
  ['a deny after an allow', [{}, { Effect: 'Deny' }], get, 'explicit deny'],
  ['a deny before an allow', [{ Effect: 'Deny', Action: '*', Resource: '*' }, {}], get, 'explicit deny'],
  ['NotAction of another action', [{ NotAction: 'dynamodb:Delete*' }], get, 'allow'],
  ['NotAction of the action of the call', [{ NotAction: 'dynamodb:Get*' }], get, 'implicit deny'],
  [
    'NotAction of several actions, with that of the call',
    [{ NotAction: ['s3:*', 'dynamodb:Get*'] }],
    get,
    'implicit deny',
  ],
  [
    'NotResource of several resources, with that of the call',
    [{ NotResource: ['arn:aws:s3:::*', table] }],
    get,
    'implicit deny',
  ],
  [
    'a dot in its resource, which matches only a dot,',
    [{ Resource: table.replace('000', '...') }],
    get,
    'implicit deny',
  ],
  ['a dot and a wildcard in its resource', [{ Resource: 'arn:a.b*' }], { ...get, resource: 'arn:a.bc' }, 'allow'],
  ['the wildcard ? after the name of the table', [{ Resource: `${table}?` }], get, 'implicit deny'],
  [
    'a wildcard that matches a line break',
    [{ Resource: 'arn:*:table/?' }],
    { ...get, resource: 'arn:\n:table/\n' },
    'allow',
  ],
  ['NotResource of another resource', [{ NotResource: 'arn:aws:s3:::*' }], get, 'allow'],
  [
    'a deny that applies only without TLS',
    [{}, { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
    get,
    'allow',
  ],
  ['a condition that requires TLS', [{ Condition: { Bool: { 'aws:SecureTransport': 'true' } } }], get, 'allow'],
  ['the condition ForAllValues, which all values meet,', [onlySource], from('s1'), 'allow'],
  ['the condition ForAllValues, which one value does not meet,', [onlySource], from('s1', 's2'), 'implicit deny'],
  [
    'a condition on a key that the call lacks',
    [{ Condition: { StringEquals: { 'kms:ViaService': 'a' } } }],
    get,
    'implicit deny',
  ],
  [
    'the condition IfExists on a key that the call lacks',
    [{ Condition: { StringEqualsIfExists: { 'kms:ViaService': 'a' } } }],
    get,
    'allow',
  ],
  [
    'the condition StringNotEquals on a key that the call lacks',
    [{ Condition: { StringNotEquals: { 'kms:ViaService': 'a' } } }],
    get,
    'allow',
  ],
  ['the condition ForAllValues on a key that the call lacks', [onlySource], get, 'allow'],
  [
    'a condition key in other upper and lower case',
    [{ Condition: { StringEquals: { 'KMS:viaservice': 'a' } } }],
    viaService,
    'allow',
  ],
  [
    'the condition Null true on a key that the call lacks',
    [{ Condition: { Null: { 'events:source': 'true' } } }],
    get,
    'allow',
  ],
  [
    'the condition Null false on a key that the call has',
    [{ Condition: { Null: { 'events:source': 'false' } } }],
    from('s1'),
    'allow',
  ],
  ['the condition ForAnyValue, which one value meets,', [anySource], from('s2', 's1'), 'allow'],
  ['the condition ForAnyValue, which no value meets,', [anySource], from('s2', 's3'), 'implicit deny'],
  [
    'the condition Null true on a key that the call has',
    [{ Condition: { Null: { 'events:source': 'true' } } }],
    from('s1'),
    'implicit deny',
  ],
  [
    'the condition ArnLike',
    [{ Condition: { ArnLike: { 'aws:SourceArn': 'arn:*:rule/x' } } }],
    { ...get, context: { 'aws:SourceArn': ['arn:aws:rule/x'] } },
    'allow',
  ],
])('Under a policy with $0, the local run decides a call as IAM does: $3', (_, statements, permission, expected) => {
  expect(decide(policy(...statements), permission)).toBe(expected);
});

const decided = (operator: string, expected: unknown, actual: string): Decision =>
  decide(policy({ Condition: { [operator]: { 'kms:ViaService': expected } } }), {
    ...get,
    context: { 'kms:ViaService': [actual] },
  });

test.each<[operator: string, expected: unknown, holds: string, fails: string]>([
  ['StringEquals', 'a', 'a', 'A'],
  ['StringEquals', ['a', 'b'], 'b', 'c'],
  ['StringEqualsIgnoreCase', 'a', 'A', 'b'],
  ['StringLike', 'a*', 'abc', 'ba'],
  ['StringNotEquals', 'a', 'A', 'a'],
  ['StringNotEquals', ['a', 'b'], 'c', 'b'],
  ['StringNotEqualsIgnoreCase', 'a', 'b', 'A'],
  ['StringNotLike', 'a*', 'ba', 'abc'],
  ['ArnEquals', 'arn:*:x', 'arn:aws:x', 'arn:aws:y'],
  ['ArnLike', 'arn:*:x', 'arn:aws:x', 'arn:aws:y'],
  ['ArnNotEquals', 'arn:*:x', 'arn:aws:y', 'arn:aws:x'],
  ['ArnNotLike', 'arn:*:x', 'arn:aws:y', 'arn:aws:x'],
  ['Bool', 'true', 'true', 'false'],
  ['Bool', false, 'false', 'true'],
  ['NumericEquals', '10', '10.0', '11'],
  ['NumericNotEquals', 10, '11', '10.0'],
  ['NumericLessThanEquals', 10, '9', '11'],
  ['NumericLessThanEquals', 10, '10', '10.5'],
  ['NumericGreaterThanEquals', 10, '10', '9'],
  ['StringEqualsIfExists', 'a', 'a', 'b'],
  ['ForAnyValue:StringEquals', 'a', 'a', 'b'],
  ['ForAllValues:StringEquals', 'a', 'a', 'b'],
])('The policy condition %s %j is met by the value %s and not by the value %s', (operator, expected, holds, fails) => {
  expect(decided(operator, expected, holds)).toBe('allow');
  expect(decided(operator, expected, fails)).toBe('implicit deny');
});

test('A policy condition with several keys is met only if every key matches', () => {
  const Condition = { StringEquals: { 'aws:SourceArn': '1', 'ses:FromAddress': '2' } };
  const context = { 'aws:SourceArn': ['1'], 'ses:FromAddress': ['1'] };
  expect(decide(policy({ Condition }), { ...get, context })).toBe('implicit deny');
});

test('A policy statement with an unknown condition allows nothing', () => {
  expect(() => decided('IpAddress', '10.0.0.0/8', '10.1.1.1')).toThrow('IpAddress');
});

test('A policy condition with several operators is met only if every operator matches', () => {
  const Condition = { StringEquals: { 'aws:SourceArn': '1' }, StringLike: { 'ses:FromAddress': '2*' } };
  const decisionOf = (context: Permission['context'] & object) => decide(policy({ Condition }), { ...get, context });
  expect(decisionOf({ 'aws:SourceArn': ['1'], 'ses:FromAddress': ['22'] })).toBe('allow');
  expect(decisionOf({ 'aws:SourceArn': ['1'], 'ses:FromAddress': ['1'] })).toBe('implicit deny');
  expect(decisionOf({ 'aws:SourceArn': ['2'], 'ses:FromAddress': ['22'] })).toBe('implicit deny');
});

test('A policy statement without a resource applies to every resource', () => {
  const { Statement } = policyDocument.parse({ Statement: { Effect: 'Allow', Action: 'dynamodb:GetItem' } });
  expect(decide(Statement, get)).toBe('allow');
});

test('A resource policy applies only to the principals that it names', () => {
  const document = policyDocument.parse({
    Statement: [
      { Sid: 'all', Effect: 'Deny', Principal: { AWS: '*' }, Action: '*', Resource: '*' },
      { Sid: 'each', Effect: 'Allow', Principal: '*', Action: '*', Resource: '*' },
      { Sid: 'nobody', Effect: 'Allow', Action: '*', Resource: '*' },
      {
        Sid: 'some',
        Effect: 'Allow',
        Principal: { AWS: ['arn:x', 'arn:y'], Service: 'events.amazonaws.com' },
        Action: '*',
        Resource: '*',
      },
      { Sid: 'bus', Effect: 'Allow', Principal: { Service: 'events.amazonaws.com' }, Action: '*', Resource: '*' },
    ],
  });
  const sids = (principal: string) => statementsFor(document, principal).map(({ Sid }) => Sid);
  expect(sids('events.amazonaws.com')).toEqual(['all', 'each', 'some', 'bus']);
  expect(sids('sns.amazonaws.com')).toEqual(['all', 'each']);
  expect(sids('arn:y')).toEqual(['all', 'each', 'some']);
});

test('Unknown condition operators and condition keys in a policy are reported', () => {
  const known = [
    ...['StringEquals', 'StringNotLike', 'ArnLike', 'ArnNotEquals', 'Bool', 'Null', 'NumericNotEquals'],
    ...['StringLikeIfExists', 'ForAllValues:StringEquals', 'ForAnyValue:StringNotEqualsIfExists'],
  ];
  const statements = known.map((operator) => ({ Condition: { [operator]: { 'kms:ViaService': 'x' } } }));
  expect(unknownConditions({ Statement: policy({}, ...statements) })).toEqual([]);
  const unknown = { 'ForAnyValue:IpAddressIfExists': { 'KMS:viaservice': 'x', 'dynamodb:LeadingKeys': 'x' } };
  expect(unknownConditions({ Statement: policy({}, ...statements, { Condition: unknown }) })).toEqual([
    'operator ForAnyValue:IpAddressIfExists',
    'key dynamodb:LeadingKeys',
  ]);
});
