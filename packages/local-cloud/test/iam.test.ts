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
const at = (resource: string): Permission => ({ ...get, resource });
const when = (operator: string, key: string, value: string) => ({ Condition: { [operator]: { [key]: value } } });
const all = when('ForAllValues:StringEquals', 'events:source', 's1');
const whenNull = (value: string) => when('Null', 'events:source', value);
const any = when('ForAnyValue:StringEquals', 'events:source', 's1');

test.each<[string, Written[], Permission, Decision]>([
  ['no statements', [], get, 'implicit deny'],
  ['the action and the resource of the call', [{}], get, 'allow'],
  ['an action other than that of the call', [{}], { ...get, action: 'dynamodb:PutItem' }, 'implicit deny'],
  ['a resource other than that of the call', [{}], at(`${table}2`), 'implicit deny'],
  ['a table, but not the called index of that table,', [{}], at(`${table}/index/a`), 'implicit deny'],
  ['its action in other upper and lower case', [{ Action: 'DynamoDB:getitem' }], get, 'allow'],
  ['a wildcard in its action', [{ Action: 'dynamodb:Get*' }], get, 'allow'],
  ['a wildcard in its resource', [{ Resource: 'arn:aws:dynamodb:*:*:table/rec????' }], get, 'allow'],
  ['a wildcard that only matches parts of the table', [{ Resource: `${table}/*` }], get, 'implicit deny'],
  ['several actions and resources', [{ Action: ['s3:*', get.action], Resource: ['x', table] }], get, 'allow'],
  ['a deny after an allow', [{}, { Effect: 'Deny' }], get, 'explicit deny'],
  ['a deny before an allow', [{ Effect: 'Deny', Action: '*', Resource: '*' }, {}], get, 'explicit deny'],
  ['NotAction of another action', [{ NotAction: 'dynamodb:Delete*' }], get, 'allow'],
  ['NotAction of the action of the call', [{ NotAction: 'dynamodb:Get*' }], get, 'implicit deny'],
  ['NotAction of several actions, with that of the call', [{ NotAction: ['s3:*', get.action] }], get, 'implicit deny'],
  ['NotResource of another resource', [{ NotResource: 'arn:aws:s3:::*' }], get, 'allow'],
  ['NotResource of several resources, with that of the call', [{ NotResource: ['x', table] }], get, 'implicit deny'],
  ['a dot in its resource', [{ Resource: table.replace('000', '...') }], get, 'implicit deny'],
  ['a dot and a wildcard in its resource', [{ Resource: 'arn:a.b*' }], at('arn:a.bc'), 'allow'],
  ['the wildcard ? after the name of the table', [{ Resource: `${table}?` }], get, 'implicit deny'],
  ['a wildcard that matches a line break', [{ Resource: 'arn:*:table/?' }], at('arn:\n:table/\n'), 'allow'],
  ['a deny without TLS', [{}, { Effect: 'Deny', ...when('Bool', 'aws:SecureTransport', 'false') }], get, 'allow'],
  ['a condition that requires TLS', [when('Bool', 'aws:SecureTransport', 'true')], get, 'allow'],
  ['the condition ForAllValues, which all values meet,', [all], from('s1'), 'allow'],
  ['the condition ForAllValues, which one value does not meet,', [all], from('s1', 's2'), 'implicit deny'],
  ['the condition ForAllValues on a key that the call lacks', [all], get, 'allow'],
  ['the condition ForAnyValue, which one value meets,', [any], from('s2', 's1'), 'allow'],
  ['the condition ForAnyValue, which no value meets,', [any], from('s2', 's3'), 'implicit deny'],
  ['a condition on a key that the call lacks', [when('StringEquals', 'kms:ViaService', 'a')], get, 'implicit deny'],
  ['IfExists on a key that the call lacks', [when('StringEqualsIfExists', 'kms:ViaService', 'a')], get, 'allow'],
  ['StringNotEquals on a key that the call lacks', [when('StringNotEquals', 'kms:ViaService', 'a')], get, 'allow'],
  ['a condition key in other upper and lower case', [when('StringEquals', 'Events:SOURCE', 's1')], from('s1'), 'allow'],
  ['the condition Null true on a key that the call lacks', [whenNull('true')], get, 'allow'],
  ['the condition Null true on a key that the call has', [whenNull('true')], from('s1'), 'implicit deny'],
  ['the condition Null false on a key that the call has', [whenNull('false')], from('s1'), 'allow'],
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
  ['StringEqualsIfExists', 'a', 'a', 'b'],
  ['ForAnyValue:StringEquals', 'a', 'a', 'b'],
  ['ForAllValues:StringEquals', 'a', 'a', 'b'],
])('In a local run, IAM condition %s %j holds for the value %s, but not for %s', (operator, expected, holds, fails) => {
  expect(decided(operator, expected, holds)).toBe('allow');
  expect(decided(operator, expected, fails)).toBe('implicit deny');
});

test.each([
  ['keys', { StringEquals: { 'aws:SourceArn': '1', 'ses:FromAddress': '2' } }],
  ['operators', { StringEquals: { 'aws:SourceArn': '1' }, StringLike: { 'ses:FromAddress': '2' } }],
])('In a local run, an IAM condition with two %s is met only if both match', (_, Condition) => {
  const decisionOf = (source: string, sender: string) =>
    decide(policy({ Condition }), { ...get, context: { 'aws:SourceArn': [source], 'ses:FromAddress': [sender] } });
  expect([decisionOf('1', '2'), decisionOf('1', '1'), decisionOf('2', '2')]).toEqual([
    ...['allow', 'implicit deny', 'implicit deny'],
  ]);
});

test('In a local run, an IAM policy statement without a resource applies to every resource', () => {
  const { Statement } = policyDocument.parse({ Statement: { Effect: 'Allow', Action: 'dynamodb:GetItem' } });
  expect(decide(Statement, get)).toBe('allow');
});

test('In a local run, a resource policy applies only to the principals that it names', () => {
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

test('A local run reports unknown condition operators and condition keys in an IAM policy', () => {
  const known = [
    ...['StringEquals', 'StringNotLike', 'ArnLike', 'ArnNotEquals', 'Bool', 'Null'],
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
