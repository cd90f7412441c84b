/** Descriptions of operations in the references: what each does, its permission and its errors. */
import { expect, test } from 'vitest';
import { accountRoutes } from '../../contract/account/api.ts';
import type { Endpoint } from '../../contract/define.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import { accountOpenApiDocument, openApiDocument } from '../../contract/openapi.ts';

type Document = { readonly paths: Record<string, Record<string, { operationId: string; description: string }>> };
const described = [openApiDocument(), accountOpenApiDocument()].flatMap((document) =>
  Object.values((document as Document).paths).flatMap((methods) => Object.values(methods)),
);
const silent = (routes: readonly (Endpoint & { operation: string })[]) =>
  routes.filter(({ method, description }) => method !== 'GET' && !description).map(({ operation }) => operation);

test('The description of every operation that changes data names what it changes', () => {
  expect(silent([...allRoutes, ...accountRoutes])).toEqual([]);
});

test('Negative control: if an operation only has a summary, the check of descriptions reports it', () => {
  const [first] = allRoutes;
  expect(silent([{ ...first, method: 'POST', description: '' } as (typeof allRoutes)[number]])).toHaveLength(1);
});

test('The description of every operation names the permission that the operation needs', () => {
  const without = described.filter(
    ({ description }) => !/^Needs (?:the scope `[a-z]+:[a-z]+`|the role `[a-z]+`|an API key)/m.test(description),
  );
  expect(described.length).toBeGreaterThan(100);
  expect(without.map(({ operationId }) => operationId)).toEqual([]);
});

test('The description of an operation names its specific errors, such as not_found and idempotency_key_reused', () => {
  const of = (id: string) => described.find(({ operationId }) => operationId === id)?.description;
  expect(of('getBooking')).toContain('Specific errors: `not_found`.');
  expect(of('createBooking')).toContain('`idempotency_key_reused`');
  expect(of('callMcp')).toContain('Needs an API key of any scope.');
});
