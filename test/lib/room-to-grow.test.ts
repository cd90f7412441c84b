/** CloudFormation allows 500 resources per stack, and a function with a fixed name cannot move to another stack. */
import { expect, test } from 'vitest';
import type { Assembly } from '../support/synthesised.ts';
import { synthesised, synthesisedAs } from '../support/synthesised.ts';
import { type Variant, variants } from '../support/variants.ts';

/** This leaves enough room for the change that is needed before the stack is full. */
const atMost = 400;

const sizeOf = ({ resources }: Assembly, name: string) => resources.filter(({ stack }) => stack === name).length;
const tooLarge = (assembly: Assembly) =>
  [...Map.groupBy(assembly.resources, ({ stack }) => stack)].flatMap(([stack, { length }]) =>
    length > atMost ? [`${stack}: ${length}`] : [],
  );

const prod = await synthesised('prod');

test.each<[string, keyof typeof variants]>([
  ['In the stage dev', 'dev'],
  ['In the stage prod', 'prod'],
  ['With all settings', 'all settings'],
  ['With 60 more endpoints', '60 more endpoints'],
])('%s, every stack has at most 400 resources', async (_, name) => {
  const { stage, context, laterEndpoints }: Variant = variants[name];
  expect(tooLarge(await synthesisedAs({ stage, context, ...(laterEndpoints && { laterEndpoints }) }))).toEqual([]);
});

test('Negative control: if a stack has 401 resources, the check reports it', () => {
  const [resource] = prod.resources;
  const resources = Array.from({ length: atMost + 1 }, () => ({ ...resource, stack: 'Full' }));
  expect(tooLarge({ resources } as unknown as Assembly)).toEqual(['Full: 401']);
});

test('Each endpoint adds two resources to the stack of its API, which has room for 60 more endpoints', async () => {
  const grown = await synthesisedAs({ stage: 'prod', context: {}, laterEndpoints: 60 });
  for (const api of ['AccountApi', 'IntegrationApi']) {
    const routes = (of: Assembly) => of.routes.filter(({ stack }) => stack === api).length;
    expect(routes(grown) - routes(prod)).toBe(60);
    // The role that invokes functions has room for 80 of them; more need a second role.
    expect(sizeOf(grown, api) - sizeOf(prod, api)).toBe(2 * 60 + 1);
  }
  expect(sizeOf(grown, 'AccountApi')).toBeLessThanOrEqual(320);
});
