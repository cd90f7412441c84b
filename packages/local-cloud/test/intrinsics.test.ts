import { expect, test } from 'vitest';
import { evaluate, noValue, type Scope } from '../src/intrinsics.ts';

const scope: Scope = {
  ref: (name) => (name === 'AWS::NoValue' ? noValue : `ref-${name}`),
  attribute: (id, name) => `${id}/${name}`,
  importValue: (name) => `import-${name}`,
  stackOutput: (stack, output) => `${stack}>${output}`,
  condition: (name) => name === 'Yes',
  mapping: (...path) => path.join('-'),
};

test.each<[string, unknown, unknown]>([
  ['Ref', { Ref: 'Queue' }, 'ref-Queue'],
  ['Fn::GetAtt with a list', { 'Fn::GetAtt': ['Table', 'Arn'] }, 'Table/Arn'],
  ['Fn::GetAtt with text', { 'Fn::GetAtt': 'Table.Stream.Arn' }, 'Table/Stream.Arn'],
  ['Fn::Join', { 'Fn::Join': [':', ['a', { Ref: 'B' }, 3]] }, 'a:ref-B:3'],
  ['Fn::Sub', { 'Fn::Sub': `\${A}-\${B.Arn}-\${!C}` }, `ref-A-B/Arn-\${C}`],
  ['Fn::Sub with variables', { 'Fn::Sub': [`\${x}/\${A}`, { x: { Ref: 'B' } }] }, 'ref-B/ref-A'],
  ['Fn::Select', { 'Fn::Select': [1, { 'Fn::Split': ['/', 'a/b/c'] }] }, 'b'],
  ['Fn::Split', { 'Fn::Split': [':', { 'Fn::Join': [':', ['x', 'y']] }] }, ['x', 'y']],
  ['Fn::ImportValue', { 'Fn::ImportValue': { 'Fn::Sub': 'data' } }, 'import-data'],
  ['Fn::GetStackOutput', { 'Fn::GetStackOutput': { StackName: 'data', OutputName: 'Arn' } }, 'data>Arn'],
  ['Fn::FindInMap', { 'Fn::FindInMap': ['Map', { Ref: 'A' }, 'k'] }, 'Map-ref-A-k'],
  ['Fn::If with a true condition', { 'Fn::If': ['Yes', 1, 2] }, 1],
  ['Fn::If with a false condition', { 'Fn::If': ['No', 1, 2] }, 2],
  ['Fn::Equals', { 'Fn::Equals': [{ Ref: 'A' }, 'ref-A'] }, true],
  ['Fn::Not', { 'Fn::Not': [{ Condition: 'Yes' }] }, false],
  ['Fn::And with a false condition', { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'No' }] }, false],
  ['Fn::And with true conditions', { 'Fn::And': [{ Condition: 'Yes' }, { Condition: 'Yes' }] }, true],
  ['Fn::Or', { 'Fn::Or': [{ Condition: 'No' }, { Condition: 'Yes' }] }, true],
  ['Fn::Sub with a boolean', { 'Fn::Sub': [`\${x}`, { x: true }] }, 'true'],
  ['the value null', null, null],
  ['an empty object', {}, {}],
  ['an object with two properties, one of them named like a function,', { Ref: 'A', b: 1 }, { Ref: 'A', b: 1 }],
  ['Fn::Base64', { 'Fn::Base64': 'abc' }, 'YWJj'],
])('In a template, %s gives the value that CloudFormation would give', (_, value, expected) => {
  expect(evaluate(value, scope)).toEqual(expected);
});

test('A template property or list item that is AWS::NoValue is left out', () => {
  expect(evaluate({ a: { Ref: 'AWS::NoValue' }, b: [1, { Ref: 'AWS::NoValue' }] }, scope)).toEqual({ b: [1] });
});

test('The Condition of a policy statement is not evaluated as an intrinsic function', () => {
  const statement = { Condition: { Bool: { 'aws:SecureTransport': 'false' } } };
  expect(evaluate(statement, scope)).toEqual(statement);
});

test.each<[string, unknown, string]>([
  ['Ref with an object', { Ref: {} }, 'expected text and found {}'],
  ['Fn::Base64 with null', { 'Fn::Base64': null }, 'expected text and found null'],
  ['Fn::Join with text', { 'Fn::Join': 'a' }, 'expected a list and found "a"'],
  ['Fn::GetAtt with an object', { 'Fn::GetAtt': {} }, 'expected a list and found {}'],
  ['Fn::GetAtt with an empty list', { 'Fn::GetAtt': [] }, 'expected text and found undefined'],
  ['Fn::GetStackOutput with text', { 'Fn::GetStackOutput': 'a' }, 'expected an object and found "a"'],
  ['Fn::GetStackOutput with a list', { 'Fn::GetStackOutput': ['a'] }, 'expected an object and found ["a"]'],
  ['Fn::GetStackOutput with null', { 'Fn::GetStackOutput': null }, 'expected an object and found null'],
])('A template that calls %s is refused, because the function does not accept this value', (_, value, message) => {
  expect(() => evaluate(value, scope)).toThrow(message);
});

test('The error about an unknown intrinsic function in a template contains the name of that function', () => {
  expect(() => evaluate({ 'Fn::Transform': {} }, scope)).toThrow('Fn::Transform');
});
