/** CloudFormation takes 500 resources in a stack, and a function whose name is pinned can move to no other stack. */
import { beforeAll, expect, test } from 'vitest';
import type { Assembly } from '../support/synthesised.ts';
import { synthesised } from '../support/synthesised.ts';
import { variants } from '../support/variants.ts';

/** Enough room for the change that comes before the stack is full. */
const atMost = 400;

const sizes = ({ resources }: Assembly) => Map.groupBy(resources, ({ stack }) => stack);
const tooLarge = (assembly: Assembly) =>
  [...sizes(assembly)].flatMap(([stack, { length }]) => (length > atMost ? [`${stack}: ${length}`] : []));

let prod: Assembly;
beforeAll(async () => {
  prod = await synthesised('prod');
});

test.each(['dev', 'prod', 'all settings'] as const)(
  'No stack has more than 400 resources: %s',
  async (name) => {
    const { stage, context } = variants[name];
    expect(tooLarge(await synthesised(stage, context))).toEqual([]);
  },
  120_000,
);

test('Negative control: a stack of 401 resources is found', () => {
  const [resource] = prod.resources;
  const resources = Array.from({ length: atMost + 1 }, () => ({ ...resource, stack: 'Full' }));
  expect(tooLarge({ resources } as unknown as Assembly)).toEqual(['Full: 401']);
});

test('The account API has at most 330 resources, four of them for each endpoint, and 121 endpoints fit', () => {
  const resources = sizes(prod).get('AccountApi') ?? [];
  expect(resources.length).toBeLessThanOrEqual(330);
  const routes = resources.filter(({ type }) => type === 'AWS::ApiGatewayV2::Route');
  const fixed = resources.length - 4 * routes.length;
  // The second role that invokes functions.
  expect(fixed + 4 * 121 + 1).toBeLessThanOrEqual(500);
});

test('The rights of the gateway to invoke the functions of an API fit into a policy of its role', () => {
  const arn = 'arn:aws:lambda:ap-southeast-1:123456789012:function:'.length;
  const invoking = prod
    .statementsOf<{ Action: unknown; Resource: unknown[] }>(({ stack }) => stack === 'AccountApi')
    .filter(({ Action }) => Action === 'lambda:InvokeFunction');
  expect(invoking.length).toBeGreaterThan(0);
  for (const { Resource } of invoking) expect(Resource.length * (arn + 64 + '":live",'.length)).toBeLessThan(10_240);
});
