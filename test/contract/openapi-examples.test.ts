import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { allRoutes } from '../../contract/api.ts';
import type { Schema } from '../../contract/define.ts';
import { type ErrorCode, errors } from '../../contract/errors.ts';
import { examples } from '../../contract/examples.ts';
import * as resources from '../../contract/resources.ts';
import { examplesOf } from '../support/examples-journey.ts';
import { withLocal } from '../support/local.ts';

const local = withLocal();

/** `vitest run test/contract/openapi-examples.test.ts -u` writes the file; then `npm run openapi`. */
test('every example is what the running system is asked and answers', { timeout: 120_000 }, async () => {
  const fresh = await examplesOf(local());
  await expect(`${JSON.stringify(fresh, null, 2)}\n`).toMatchFileSnapshot('../../contract/examples.json');
});

test('every endpoint has its example', () => {
  expect(Object.keys(examples.operations).sort()).toEqual(allRoutes.map(({ operation }) => operation).sort());
});

test.each(allRoutes.filter(({ operation }) => operation in examples.operations))(
  'the example of $operation fits its schemas',
  (route) => {
    const example = examples.operations[route.operation];
    const texts = (fields: object = {}) =>
      Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, String(value)]));
    expectFits(route.params, texts(example?.params));
    expectFits(route.query, texts(example?.query));
    expectFits(route.body, example?.body ?? {});
    expectFits(route.output, example?.answer);
    expect(example?.status).toBe(route.status);
  },
);

test.each(Object.entries(examples.errors))(
  'the example of %s has the shape and the status of every error',
  (code, { answer }) => {
    expectFits(resources.errorBody, answer);
    expect(answer).toMatchObject({ code, statusCode: errors[code as ErrorCode].status });
  },
);

test('there is an example of every status', () => {
  const statuses = (codes: readonly string[]) => new Set(codes.map((code) => errors[code as ErrorCode].status));
  // 405 is answered where there is no endpoint.
  expect(statuses(Object.keys(examples.errors)).add(405)).toEqual(statuses(Object.keys(errors)));
});

function expectFits(schema: Schema | undefined, value: unknown): void {
  if (schema) expect(z.safeParse(schema, value).error?.issues).toBeUndefined();
}
