/** CloudFormation takes 500 resources in a stack, and a function whose name is pinned can move to no other stack. */
import { beforeAll, expect, test, vi } from 'vitest';
import type { Assembly } from '../support/synthesised.ts';
import { synthesised, temporaryFolder } from '../support/synthesised.ts';

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

test('Fifty more endpoints fit into the account API, and are reported because they leave too little room', async () => {
  vi.resetModules();
  vi.doMock('../../lib/apis.ts', async (original) => {
    const { apis } = await original<typeof import('../../lib/apis.ts')>();
    const { account } = apis;
    const [row] = account.rows;
    const more = Array.from({ length: 50 }, (_, i) => ({
      ...row,
      method: 'GET',
      operation: `more${i}`,
      path: `/more-${i}`,
    }));
    return { apis: { ...apis, account: { ...account, rows: [...account.rows, ...more] } } };
  });
  vi.stubEnv('CDK_VALIDATION', 'false');
  const { stubApp } = await import('../support/stub-app.ts');
  const { Assembly: Read } = await import('../support/synthesised.ts');
  const folder = temporaryFolder('fifty-more');
  stubApp({ stage: 'prod', outdir: folder, code: temporaryFolder('code') }).synth();
  const larger = new Read(folder);
  const size = sizes(larger).get('AccountApi')?.length ?? 0;
  expect(size).toBe((sizes(prod).get('AccountApi')?.length ?? 0) + 50 * 4 + 1);
  expect(size).toBeLessThan(500);
  expect(tooLarge(larger)).toEqual([`AccountApi: ${size}`]);

  // No role's policies pass what IAM takes.
  const arn = 'arn:aws:lambda:ap-southeast-1:123456789012:function:'.length;
  const invoking = larger
    .statementsOf<{ Action: unknown; Resource: unknown[] }>(({ stack }) => stack === 'AccountApi')
    .filter(({ Action }) => Action === 'lambda:InvokeFunction');
  expect(invoking.flatMap(({ Resource }) => Resource)).toHaveLength(
    larger.functions.filter(({ stack }) => stack === 'AccountApi').length,
  );
  for (const { Resource } of invoking) expect(Resource.length * (arn + 64 + '":live",'.length)).toBeLessThan(10_240);
});
