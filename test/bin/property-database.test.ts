import { expect, test } from 'vitest';
import { faultsOf, type PropertyDatabase, type Template } from '../../bin/prove/property-database.ts';

const text = { type: 'string' };
const queue = {
  properties: {
    QueueName: { required: true, type: text },
    Delay: { type: { type: 'integer' } },
    Policy: { type: { type: 'union', types: [text, { type: 'ref', reference: { $ref: 'policy' } }] } },
    Names: { type: { type: 'array', element: text } },
  },
  attributes: { Arn: {} },
};
const database: PropertyDatabase = {
  lookup: (_, __, ___, type) => (type === 'A::B::Queue' ? [queue] : []),
  get: () => ({ properties: { Allow: { required: true, type: { type: 'boolean' } } }, attributes: {} }),
};
const faults = (Properties: object, Type = 'A::B::Queue') => {
  const template: Template = { Resources: { Here: { Type, Properties }, Other: { Type: 'Custom::Anything' } } };
  return faultsOf(template, database);
};

test('The check of CloudFormation templates accepts a resource whose properties have the documented names and types', () => {
  const good = { QueueName: 'a', Delay: '5', Policy: { Allow: true }, Names: ['b', { Ref: 'Other' }] };
  expect(faults(good)).toEqual([]);
  expect(faults({ QueueName: { 'Fn::GetAtt': ['Here', 'Arn'] }, Policy: 'text' })).toEqual([]);
  expect(faults({ QueueName: { 'Fn::GetAtt': ['Other', 'Whatever'] } })).toEqual([]);
});

test.each([
  ['a missing property', {}, 'Here: QueueName is missing'],
  ['an unknown property', { QueueName: 'a', Dealy: 5 }, 'Here: Dealy is no property'],
  ['a wrong type', { QueueName: 'a', Delay: 'soon' }, 'Here.Delay: "soon" is no integer'],
  ['a wrong type inside a list', { QueueName: 'a', Names: [[]] }, 'Here.Names.0: [] is no string'],
  [
    'an unknown attribute',
    { QueueName: { 'Fn::GetAtt': ['Here', 'Url'] } },
    'Here.QueueName: A::B::Queue has no attribute Url',
  ],
  ['an unknown reference', { QueueName: { 'Fn::GetAtt': 'Gone.Arn' } }, 'Here.QueueName: Gone is no resource'],
  ['a value that fits no type in a union', { QueueName: 'a', Policy: { Allow: 'perhaps' } }, expect.any(String)],
  ['an unknown type', {}, 'Here: A::B::Quue is no type', 'A::B::Quue'],
])('The check of CloudFormation templates reports a resource with %s', (_, properties, fault, type?: string) => {
  expect(faults(properties, type)).toEqual([fault]);
});
