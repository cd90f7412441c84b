/** No malformed request is ever our fault: random ones against every row, with stubbed verbs. */
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import { allRoutes } from '../../contract/api.ts';
import type { Route } from '../../contract/define.ts';
import { rateLimitHeaders } from '../../contract/headers.ts';
import { errorBody } from '../../contract/resources.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { endpoint } from '../../core/http/endpoint.ts';
import { createKeyValue } from '../../core/keys/key-value.ts';
import { call, requestTo } from '../support/http.ts';

const table = mockClient(DynamoDBDocumentClient);

beforeAll(() => {
  vi.stubEnv('TABLE_KEYS', 'keys');
  const key = { id: 1, businessId: 1, status: 'active', scopes: scopeNames, origins: [], test: false };
  table.on(UpdateCommand).resolves({ Attributes: key });
});
afterAll(() => {
  vi.unstubAllEnvs();
  table.restore();
});

const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 60 }),
  fc.constantFrom('__proto__', 'constructor', 'toString', '\u0000', '%', '%zz', '\ud800', '1e999', '-0', 'null', '..'),
);

/** Values of the right and of the wrong shape under the names that the row's body knows, and some it does not. */
function anyBody(route: Route) {
  const known = route.body && 'shape' in route.body ? Object.keys(route.body.shape as object) : [];
  const anyValue = fc.oneof(fc.anything({ withNullPrototype: false, withBigInt: false }), anyText, fc.jsonValue());
  return fc.oneof(
    { weight: 3, arbitrary: fc.dictionary(fc.constantFrom(...known, 'client', '__proto__', 'constructor'), anyValue) },
    fc.jsonValue(),
  );
}

function anyRequest(route: Route) {
  return fc.record({
    id: anyText,
    query: fc.oneof(anyText, fc.webQueryParameters()),
    headers: fc.dictionary(
      fc.constantFrom('content-encoding', 'origin', 'authorization', 'if-none-match', 'idempotency-key', 'accept'),
      anyText,
      { noNullPrototype: true },
    ),
    type: fc.oneof({ weight: 4, arbitrary: fc.constant('application/json') }, anyText),
    body: fc.oneof(
      { weight: 3, arbitrary: anyBody(route).map((value) => JSON.stringify(value) ?? '') },
      anyText,
      fc.nat(40).map((levels) => '{"a":['.repeat(levels)),
    ),
    base64: fc.boolean(),
  });
}

describe.each(allRoutes)('$method $path', (route) => {
  test('answers any request with less than 500, in its shape and with its headers', async () => {
    const handler = endpoint(route as Route).handler(() => ({ id: 1, holdId: 'x' }));
    const key = createKeyValue({ test: false });
    await fc.assert(
      fc.asyncProperty(anyRequest(route), async ({ id, query, headers, type, body, base64 }) => {
        const sent = requestTo(route);
        const answered = await call(handler, {
          ...sent,
          ...(sent.params && { params: Object.fromEntries(Object.keys(sent.params).map((name) => [name, id])) }),
          query,
          headers: { ...headers, 'x-api-key': key, 'content-type': type },
          body,
          base64,
        });
        expect(answered.status).toBeLessThan(500);
        if (answered.status >= 400) expect(z.safeParse(errorBody, answered.json).error).toBeUndefined();
        const { code, details = [] } = answered.json as {
          code?: string;
          details?: { path: string; message: string }[];
        };
        if (code === 'validation_failed') {
          expect(details).not.toEqual([]);
          // Words for people, each problem once.
          for (const { message } of details) expect(message).toMatch(/^must |^is not known here$|is required$/);
          expect(new Set(details.map((one) => JSON.stringify(one))).size).toBe(details.length);
        }
        for (const name of [...rateLimitHeaders, 'X-Request-Id']) {
          expect(answered.headers).toHaveProperty(name.toLowerCase());
        }
      }),
      { numRuns: 400 },
    );
  });
});
