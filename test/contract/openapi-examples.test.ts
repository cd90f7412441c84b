import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { accountRoutes } from '../../contract/account/api.ts';
import type { Endpoint, Schema } from '../../contract/define.ts';
import { errorDetails } from '../../contract/error-details.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import type { Examples } from '../../contract/examples.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import * as resources from '../../contract/integration/resources.ts';
import { openApiDocument } from '../../contract/openapi.ts';
import { committed } from '../support/recorded.ts';

const recorded = () => JSON.parse(committed('contract/integration/examples.json')) as Examples;
const recordedOfOwners = () => JSON.parse(committed('contract/account/examples.json')) as Examples['operations'];

const apis = [
  { name: 'integration', routes: allRoutes, examples: () => recorded().operations },
  { name: 'account', routes: accountRoutes, examples: recordedOfOwners },
];
const rows = apis.flatMap(({ name, routes, examples }) =>
  (routes as readonly (Endpoint & { operation: string })[]).map((route) => ({
    name,
    operation: route.operation,
    route,
    // An operation of both APIs may have one example.
    examples: () => ({ ...recorded().operations, ...examples() }),
  })),
);

test.each(apis)('Every recorded example of the $name API belongs to an existing endpoint', ({ routes, examples }) => {
  const known = new Set<string>(routes.map(({ operation }) => operation));
  expect(Object.keys(examples()).filter((operation) => !known.has(operation))).toEqual([]);
});

test.each(rows)(
  'The endpoint $operation of the $name API has an example that fits the schemas of the endpoint',
  ({ route, examples }) => {
    const example = examples()[route.operation];
    if (!example) throw new Error(`No example of ${route.operation} is recorded: run \`npm run docs\` and commit it.`);
    const texts = (fields: object = {}) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    expectFits(route.params, texts(example.params));
    expectFits(route.query, texts(example.query));
    expectFits(route.body, example.body ?? {});
    expectFits(route.output, example.answer);
    expect(example.status).toBe(route.status);
  },
);

test('A request may omit each field whose description names a default', () => {
  const omissions = rows.flatMap(({ operation, route: { body }, examples }) => {
    const { shape = {} } = (body?._zod.def ?? {}) as { shape?: Record<string, Schema> };
    const withDefault = Object.keys(shape).filter((name) =>
      /Without it|Default:/.test(z.globalRegistry.get(shape[name] as Schema)?.description ?? ''),
    );
    return withDefault.map((name) => {
      const request = { ...(examples()[operation]?.body ?? {}), [name]: undefined };
      return { operation, name, isAccepted: z.safeParse(body as Schema, request).success };
    });
  });
  expect(omissions.length).toBeGreaterThan(20);
  expect(omissions.filter(({ isAccepted }) => !isAccepted)).toEqual([]);
});

test('The OpenAPI document has a valid example of every error status', () => {
  const { components } = openApiDocument() as { components: { examples: Record<string, { value: object }> } };
  const examples = Object.entries(components.examples) as [ErrorCode, { value: { details?: unknown } }][];
  for (const [code, { value }] of examples) {
    expectFits(resources.errorBody, value);
    expect(value).toMatchObject({ code, statusCode: errors[code].status });
    const details = code in errorDetails ? errorDetails[code as keyof typeof errorDetails] : z.undefined();
    expectFits(details, value.details);
  }
  // 405 is the status of unknown endpoints.
  const statuses = new Set(Object.values(errors).map(({ status }) => status));
  expect(new Set([...examples.map(([code]) => errors[code].status), 405])).toEqual(statuses);
});

function expectFits(schema: Schema | undefined, value: unknown): void {
  const { error } = schema ? z.safeParse(schema, value) : {};
  expect(error?.issues, 'If you changed the schema: run `npm run docs`, and commit the examples').toBeUndefined();
}
