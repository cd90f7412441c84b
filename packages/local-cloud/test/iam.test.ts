import { expect, test } from 'vitest';
import { type Decision, decide, type Permission, policyDocument, statementsFor, unknownOperators } from '../src/iam.ts';

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
const leading = (...keys: string[]): Permission => ({ ...get, context: { 'dynamodb:LeadingKeys': keys } });
const onlyTenant = { Condition: { 'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': ['T#1'] } } };

const anyTenant = { Condition: { 'ForAnyValue:StringEquals': { 'dynamodb:LeadingKeys': ['T#1'] } } };
const viaService: Permission = { ...get, context: { 'kms:ViaService': ['a'] } };

test.each<[string, Written[], Permission, Decision]>([
  ['no statement', [], get, 'implicit deny'],
  ['the exact action and resource', [{}], get, 'allow'],
  ['another action', [{}], { ...get, action: 'dynamodb:PutItem' }, 'implicit deny'],
  ['another resource', [{}], { ...get, resource: `${table}2` }, 'implicit deny'],
  ['an index of an allowed table', [{}], { ...get, resource: `${table}/index/a` }, 'implicit deny'],
  ['actions in any case', [{ Action: 'DynamoDB:getitem' }], get, 'allow'],
  ['a wildcard in the action', [{ Action: 'dynamodb:Get*' }], get, 'allow'],
  ['a wildcard in the resource', [{ Resource: 'arn:aws:dynamodb:*:*:table/rec????' }], get, 'allow'],
  ['a wildcard below the resource', [{ Resource: `${table}/*` }], get, 'implicit deny'],
  [
    'one of several actions and resources',
    [{ Action: ['dynamodb:Query', 'dynamodb:GetItem'], Resource: ['x', table] }],
    get,
    'allow',
  ],
  ['a deny after an allow', [{}, { Effect: 'Deny' }], get, 'explicit deny'],
  ['a deny before an allow', [{ Effect: 'Deny', Action: '*', Resource: '*' }, {}], get, 'explicit deny'],
  ['NotAction', [{ NotAction: 'dynamodb:Delete*' }], get, 'allow'],
  ['NotAction of this action', [{ NotAction: 'dynamodb:Get*' }], get, 'implicit deny'],
  ['NotAction with this action and others', [{ NotAction: ['s3:*', 'dynamodb:Get*'] }], get, 'implicit deny'],
  ['NotResource with this resource and others', [{ NotResource: ['arn:aws:s3:::*', table] }], get, 'implicit deny'],
  ['a dot in a pattern, which matches only a dot', [{ Resource: table.replace('000', '...') }], get, 'implicit deny'],
  ['a dot beside a wildcard', [{ Resource: 'arn:a.b*' }], { ...get, resource: 'arn:a.bc' }, 'allow'],
  ['the wildcard ? without a character to match', [{ Resource: `${table}?` }], get, 'implicit deny'],
  [
    'a wildcard that matches a line break',
    [{ Resource: 'arn:*:table/?' }],
    { ...get, resource: 'arn:\n:table/\n' },
    'allow',
  ],
  ['NotResource', [{ NotResource: 'arn:aws:s3:::*' }], get, 'allow'],
  [
    'a deny that applies only without TLS',
    [{}, { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }],
    get,
    'allow',
  ],
  ['a condition that requires TLS', [{ Condition: { Bool: { 'aws:SecureTransport': 'true' } } }], get, 'allow'],
  ['ForAllValues with only allowed values', [onlyTenant], leading('T#1'), 'allow'],
  ['ForAllValues with one value that is not allowed', [onlyTenant], leading('T#1', 'T#2'), 'implicit deny'],
  ['a key the request lacks', [{ Condition: { StringEquals: { 'kms:ViaService': 'a' } } }], get, 'implicit deny'],
  ['IfExists of an absent key', [{ Condition: { StringEqualsIfExists: { 'kms:ViaService': 'a' } } }], get, 'allow'],
  ['a negated operator', [{ Condition: { StringNotEquals: { 'kms:ViaService': 'a' } } }], get, 'allow'],
  ['ForAllValues without any value', [onlyTenant], get, 'allow'],
  ['a key in lower and upper case', [{ Condition: { StringEquals: { 'KMS:viaservice': 'a' } } }], viaService, 'allow'],
  ['Null of an absent key', [{ Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], get, 'allow'],
  ['Null false, present key', [{ Condition: { Null: { 'dynamodb:LeadingKeys': 'false' } } }], leading('T#1'), 'allow'],
  ['ForAnyValue with one allowed value', [anyTenant], leading('T#2', 'T#1'), 'allow'],
  ['ForAnyValue without an allowed value', [anyTenant], leading('T#2', 'T#3'), 'implicit deny'],
  ['Null', [{ Condition: { Null: { 'dynamodb:LeadingKeys': 'true' } } }], leading('T#1'), 'implicit deny'],
  [
    'ArnLike',
    [{ Condition: { ArnLike: { 'aws:SourceArn': 'arn:*:rule/x' } } }],
    { ...get, context: { 'aws:SourceArn': ['arn:aws:rule/x'] } },
    'allow',
  ],
])('A policy allows and denies the same calls as in IAM: %s', (_, statements, permission, expected) => {
  expect(decide(policy(...statements), permission)).toBe(expected);
});

const decided = (operator: string, expected: unknown, actual: string): Decision =>
  decide(policy({ Condition: { [operator]: { 'a:key': expected } } }), { ...get, context: { 'a:key': [actual] } });

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
  const Condition = { StringEquals: { 'a:one': '1', 'a:two': '2' } };
  const context = { 'a:one': ['1'], 'a:two': ['1'] };
  expect(decide(policy({ Condition }), { ...get, context })).toBe('implicit deny');
});

test('A policy statement with an unknown condition allows nothing', () => {
  expect(() => decided('IpAddress', '10.0.0.0/8', '10.1.1.1')).toThrow('IpAddress');
});

test('A policy condition with several operators is met only if every operator matches', () => {
  const Condition = { StringEquals: { 'a:one': '1' }, StringLike: { 'a:two': '2*' } };
  const decisionOf = (context: Permission['context'] & object) => decide(policy({ Condition }), { ...get, context });
  expect(decisionOf({ 'a:one': ['1'], 'a:two': ['22'] })).toBe('allow');
  expect(decisionOf({ 'a:one': ['1'], 'a:two': ['1'] })).toBe('implicit deny');
  expect(decisionOf({ 'a:one': ['2'], 'a:two': ['22'] })).toBe('implicit deny');
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

test('Unknown condition operators in a policy are reported', () => {
  const known = [
    ...['StringEquals', 'StringNotLike', 'ArnLike', 'ArnNotEquals', 'Bool', 'Null', 'NumericNotEquals'],
    ...['StringLikeIfExists', 'ForAllValues:StringEquals', 'ForAnyValue:StringNotEqualsIfExists'],
  ];
  const statements = known.map((operator) => ({ Condition: { [operator]: { 'a:key': 'x' } } }));
  expect(unknownOperators({ Statement: policy({}, ...statements) })).toEqual([]);
  const IpAddress = { Condition: { 'ForAnyValue:IpAddressIfExists': { 'a:key': 'x' } } };
  expect(unknownOperators({ Statement: policy({}, ...statements, IpAddress) })).toEqual([
    'ForAnyValue:IpAddressIfExists',
  ]);
});
