/** CloudFormation takes 500 resources in a stack, and a function whose name is pinned can move to no other stack. */
import { beforeAll, expect, test } from 'vitest';
import type { Assembly } from '../support/synthesised.ts';
import { synthesised } from '../support/synthesised.ts';

/** Enough room for the change that comes before the stack is full. */
const atMost = 400;

const sizes = ({ resources }: Assembly) => Map.groupBy(resources, ({ stack }) => stack);
const tooLarge = (assembly: Assembly) =>
  [...sizes(assembly)].flatMap(([stack, { length }]) => (length > atMost ? [`${stack}: ${length}`] : []));

let prod: Assembly;
beforeAll(async () => {
  prod = await synthesised('prod');
});

const everything = {
  egress: 'nat',
  apiDomain: 'api.example.com',
  certificateArn: 'arn:aws:acm:eu-central-1:123456789012:certificate/1',
};

test.each([
  ['prod', {}],
  ['prod', everything],
  ['dev', {}],
  ['pr-42', {}],
])('No stack of %s has more than 400 resources, with the settings %j', async (stage, context) => {
  expect(tooLarge(await synthesised(stage, context))).toEqual([]);
});

test('The account API has at most 320 resources, five of them for each endpoint', () => {
  const resources = sizes(prod).get('AccountApi') ?? [];
  expect(resources.length).toBeLessThanOrEqual(320);
  const routes = resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Route');
  expect(resources.length).toBeLessThanOrEqual(5 * routes.length);
});

test('The rights of the gateway to invoke the functions of an API fit into a policy of its role', () => {
  const arn = 'arn:aws:lambda:ap-southeast-1:123456789012:function:'.length;
  const invoking = prod
    .statementsOf<{ Action: unknown; Resource: unknown[] }>(({ stack }) => stack === 'AccountApi')
    .filter(({ Action }) => Action === 'lambda:InvokeFunction');
  expect(invoking.length).toBeGreaterThan(0);
  for (const { Resource } of invoking) expect(Resource.length * (arn + 64 + '":live",'.length)).toBeLessThan(10_240);
});
