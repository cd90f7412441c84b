/** Guarantees of every endpoint, in a loop over the rows, with its own handler and a real table. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ErrorCode } from '../../contract/errors.ts';
import { errors, reasons } from '../../contract/errors.ts';
import { rateLimitHeaders } from '../../contract/headers.ts';
import { allRoutes, fileName } from '../../contract/integration/api.ts';
import { errorBody } from '../../contract/integration/resources.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { dynamo } from '../../core/clients.ts';
import { setRuntime } from '../../core/clock.ts';
import type { LambdaHandler } from '../../core/http/context.ts';
import { createKeyValue } from '../../core/keys/key-value.ts';
import { windowsAt } from '../../core/limits/windows.ts';
import { issueKey, readCounted } from '../support/api-keys.ts';
import { call, type Received, requestTo, type Sent } from '../support/http.ts';
import { isLogWrite } from '../support/pending-log-writes.ts';
import { type RecordedCall, scriptDynamo } from '../support/scripted-dynamo.ts';
import { openTables, type Tables } from '../support/tables.ts';

const noon = Date.parse('2026-12-01T12:00:10.000Z');
const { minuteName, dayName } = windowsAt(noon);
const folder = new URL('../../functions/api/', import.meta.url);

let tables: Tables;
let client: DynamoDBDocumentClient;
let calls: RecordedCall[];

beforeAll(async () => {
  tables = await openTables();
  client = dynamo();
  calls = scriptDynamo([], { client: client, attempts: true }).calls;
});
beforeEach(() => setRuntime({ now: () => noon }));
afterEach(() => setRuntime());
afterAll(async () => {
  client.destroy();
  await tables.stop();
});

async function handlerOf(file: string): Promise<LambdaHandler> {
  const module = (await import(new URL(`${file}.ts`, folder).href)) as { handler: LambdaHandler };
  return module.handler;
}

/** The format, status and headers that every refusal has. */
function expectError({ status, headers, json }: Received, code: ErrorCode): void {
  expect(json).toMatchObject({ code });
  expect(errorBody.safeParse(json).error).toBeUndefined();
  expect(status).toBe(errors[code].status);
  expect(json).toMatchObject({
    statusCode: status,
    error: reasons[errors[code].status],
    requestId: headers['x-request-id'],
  });
  for (const name of rateLimitHeaders) expect(headers[name.toLowerCase()]).toMatch(/^\d+$/);
  expect(headers).toMatchObject({ 'content-type': 'application/json', vary: 'Origin', 'cache-control': 'no-store' });
  if (status === 401) {
    expect(headers).toMatchObject({ 'www-authenticate': 'Bearer', 'x-ratelimit-remaining': '0' });
  }
}

/** The calls of the access chain only: a refused request never reaches the function of `core/`. */
async function counted(work: () => Promise<Received>): Promise<{ response: Received; calls: number }> {
  calls.length = 0;
  const response = await work();
  // Once a minute there is one more, which logs refused requests (docs/rules.md#request-log).
  return { response, calls: calls.filter((one) => !isLogWrite(one)).length };
}

describe.each(allRoutes)('$method $path', (route) => {
  const send = async (value: string | undefined, sent: Sent = {}) => {
    const handler = await handlerOf(fileName(route.operation));
    const headers = { ...(value && { 'x-api-key': value }), ...sent.headers };
    return counted(() => call(handler, requestTo(route, { ...sent, headers })));
  };

  /** The right that its key lacks, so that it is refused. */
  const withoutRight = route.scope === null ? { agents: false } : { scopes: [] };
  const refusal = route.scope === null ? 'agents_not_allowed' : 'insufficient_scope';

  test.each([
    ['no key', undefined, 'api_key_missing'],
    ['a key whose checksum is wrong', `bk_live_${'a'.repeat(36)}`, 'api_key_invalid'],
  ] as const)('An API request with %s is refused with 401 without a call to DynamoDB', async (_, value, code) => {
    const { response, calls } = await send(value);
    expectError(response, code);
    expect(calls).toBe(0);
  });

  test('A request with an API key that was never issued is refused with 401 after one call to DynamoDB', async () => {
    const { response, calls } = await send(createKeyValue({ test: false }));
    expectError(response, 'api_key_invalid');
    expect(calls).toBe(1);
  });

  test.each([
    ['revoked', { status: 'revoked' }, 'api_key_revoked'],
    ['expired', { expiresAt: noon }, 'api_key_expired'],
  ] as const)(
    'A request with an API key that is %s is refused with 401 after one read of DynamoDB and no write',
    async (_, attributes, code) => {
      const { value, hash } = await issueKey(client, attributes);
      const before = await readCounted(client, hash);
      const { response, calls } = await send(value);
      expectError(response, code);
      expect(calls).toBe(1);
      expect(await readCounted(client, hash)).toEqual(before);
    },
  );

  test.skipIf(route.scope === null)(
    'A request whose API key lacks a scope gets a 403 that names the scope, and counts towards the rate limit',
    async () => {
      const { value, hash } = await issueKey(client, { scopes: scopeNames.filter((name) => name !== route.scope) });
      const { response, calls } = await send(value);
      expectError(response, 'insufficient_scope');
      const { scope } = route;
      expect(response.json).toMatchObject({ message: `The API key lacks the scope ${scope}.`, details: { scope } });
      expect(response.headers['x-ratelimit-remaining']).toBe('59');
      expect(calls).toBe(1);
      expect(await readCounted(client, hash)).toMatchObject({ [minuteName]: 1, [dayName]: 1 });
    },
  );

  test.each([
    ['from another origin', { origin: 'https://evil.example' }],
    ['from the origin null', { origin: 'null' }],
    ['without an Origin header', {}],
  ])(
    'A request %s is refused if its API key has allowed origins, and a web page of any origin may read the error',
    async (_, headers: { origin?: string }) => {
      const { value } = await issueKey(client, { origins: ['shop.example', '*.shop.example'] });
      const { response } = await send(value, { headers });
      expectError(response, 'origin_not_allowed');
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*', vary: 'Origin' });
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    },
  );

  test('CORS lets a web page of any origin read a 401 response, but no other response to an API key without allowed origins', async () => {
    const headers = { origin: 'https://any.example' };
    const revoked = await issueKey(client, { status: 'revoked' });
    for (const value of [revoked.value, createKeyValue({ test: false }), 'no key']) {
      const { response } = await send(value, { headers });
      expect(response.status).toBe(401);
      expect(response.headers).toMatchObject({ 'access-control-allow-origin': '*' });
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
    }
    const { value } = await issueKey(client, withoutRight);
    const { response } = await send(value, { headers });
    expectError(response, refusal);
    expect(response.headers).not.toHaveProperty('access-control-allow-origin');
  });

  test('A web page of an allowed origin may read an error response and its headers', async () => {
    const { value } = await issueKey(client, { origins: ['*.shop.example'], ...withoutRight });
    const { response } = await send(value, { headers: { origin: 'https://www.shop.example' } });
    expectError(response, refusal);
    expect(response.headers).toMatchObject({ 'access-control-allow-origin': 'https://www.shop.example' });
    for (const name of [...rateLimitHeaders, 'X-Request-Id']) {
      expect(response.headers['access-control-expose-headers']).toContain(name);
    }
    expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
  });

  test.each([
    ['minute', { [minuteName]: 60 }, 'rate_limit_exceeded', 50],
    ['day', { [dayName]: 10_000 }, 'daily_limit_exceeded', 43_190],
  ] as const)(
    'Requests beyond the limit per %s of an API key get 429, and only the first costs a DynamoDB call',
    async (_, attributes, code, retryAfter) => {
      const { value, hash } = await issueKey(client, attributes);
      const before = await readCounted(client, hash);
      for (const expected of [1, 0, 0]) {
        const { response, calls } = await send(value);
        expectError(response, code);
        expect(response.json).toMatchObject({ retryAfter });
        expect(response.headers).toMatchObject({ 'retry-after': String(retryAfter), 'x-ratelimit-remaining': '0' });
        expect(calls).toBe(expected);
      }
      expect(await readCounted(client, hash)).toEqual(before);
    },
  );

  test('A request body of more than 64 KiB is refused with 413', async () => {
    const { value } = await issueKey(client);
    expectError((await send(value, { body: 'x'.repeat(65_537) })).response, 'payload_too_large');
  });

  test('A request with an unknown query parameter is refused with 400', async () => {
    const { value } = await issueKey(client);
    const { response } = await send(value, { query: 'no_such_parameter=1', ...(route.body && { body: {} }) });
    expectError(response, 'validation_failed');
    expect(response.json.details).toContainEqual({
      path: 'no_such_parameter',
      message: 'is not a known field or parameter',
    });
  });

  if (route.body) {
    const json = { 'content-type': 'application/json' };

    test.each([
      [
        'of a content type other than JSON',
        { headers: { 'content-type': 'text/plain' }, body: '{}' },
        'unsupported_media_type',
      ],
      ['that is not JSON', { headers: json, body: '{' }, 'invalid_json'],
      ['that is nested too deeply', { headers: json, body: '['.repeat(10_000) }, 'validation_failed'],
      ['with an unknown field', { body: { no_such_field: 1 } }, 'validation_failed'],
      ['that is not an object', { headers: json, body: '[]' }, 'validation_failed'],
    ] as const)('A request body %s is refused after one call to DynamoDB', async (_, sent, code) => {
      const { value } = await issueKey(client);
      const { response, calls } = await send(value, sent);
      expectError(response, code);
      expect(calls).toBe(1);
    });
  }

  if (route.path.includes('/:id')) {
    const malformed = ['0', '01', '-1', '1.0', 'abc', '1e3', ' 1', '9'.repeat(17), '9'.repeat(16), 'ü', '1\n', ''];
    test('A request with a malformed id in its path gets the same 404 as a request with an unknown id', async () => {
      const { value } = await issueKey(client);
      for (const id of malformed) {
        const params = { ...requestTo(route).params, id };
        const { response } = await send(value, { params, ...(route.body && { body: {} }) });
        expectError(response, 'not_found');
        expect(response.json.message, JSON.stringify(id)).toBe(errors.not_found.message);
        expect(response.json).not.toHaveProperty('details');
      }
    });
  }
});

describe('requests that match no route', () => {
  const send = async (value: string | undefined, sent: Sent) => {
    const handler = await handlerOf('route-not-found');
    return counted(() =>
      call(handler, { ...sent, headers: { ...(value && { 'x-api-key': value }), ...sent.headers } }),
    );
  };

  test('A request for an unknown path needs an API key and counts towards the rate limit of the key', async () => {
    const { response, calls } = await send(undefined, { path: '/v1/integration/nothing' });
    expectError(response, 'api_key_missing');
    expect(calls).toBe(0);

    const { value, hash } = await issueKey(client, { scopes: [] });
    expectError((await send(value, { path: '/v1/integration/nothing' })).response, 'route_not_found');
    expect(await readCounted(client, hash)).toMatchObject({ [minuteName]: 1 });
  });

  test.each([
    ...['/', '/v1', '/v1/integration', '/v1/integration/webhooks/', '/v1/integration/webhooks/1/2/3'],
    '/V1/INTEGRATION/WEBHOOKS',
  ])('A request for the unknown path %s gets status 404 with the code route_not_found', async (path) => {
    const { value } = await issueKey(client);
    expectError((await send(value, { path })).response, 'route_not_found');
  });

  test.each(allRoutes)(
    'A request to $path with a wrong method gets status 405, with $method in the Allow header',
    async (route) => {
      const { value } = await issueKey(client);
      const { path } = requestTo(route);
      for (const method of ['PUT', 'HEAD', 'TRACE']) {
        const { response } = await send(value, { method, path: path ?? '' });
        expectError(response, 'method_not_allowed');
        const allowed = response.headers.allow?.split(', ') ?? [];
        expect(allowed).toContain(route.method);
        expect(allowed).toEqual([...new Set(allowed)]);
      }
    },
  );

  test('The Allow header of a 405 lists exactly the methods of the path', async () => {
    const { value } = await issueKey(client);
    const { response } = await send(value, { method: 'PUT', path: '/v1/integration/webhooks' });
    expect(response.headers.allow).toBe('GET, POST');
  });

  test.each(['GET', 'POST', 'DELETE'])(
    'A %s request with the undocumented path prefix /api/v1/integration is redirected with status 308, even without an API key',
    async (method) => {
      const { response, calls } = await send(undefined, {
        method,
        path: '/api/v1/integration/webhooks/7',
        query: 'page=2&limit=5',
      });
      expect(response.status).toBe(308);
      expect(response.headers.location).toBe('/v1/integration/webhooks/7?page=2&limit=5');
      expect(response.headers).toMatchObject({ 'x-ratelimit-remaining': '60', 'x-request-id': expect.any(String) });
      expect(calls).toBe(0);
    },
  );
});

describe('preflight requests', () => {
  const send = async (path: string) => {
    const handler = await handlerOf('preflight');
    const headers = { origin: 'https://shop.example', 'access-control-request-method': 'POST' };
    return counted(() => call(handler, { method: 'OPTIONS', path, headers }));
  };

  test.each(allRoutes)(
    'A preflight request for $path allows $method from any origin, without an API key or a call to DynamoDB',
    async (route) => {
      const { response, calls } = await send(requestTo(route).path ?? '');
      expect(response).toMatchObject({ status: 204, text: undefined });
      expect(response.headers['access-control-allow-origin']).toBe('*');
      expect(response.headers['access-control-allow-methods']?.split(', ')).toContain(route.method);
      const allowed = response.headers['access-control-allow-headers']?.split(', ');
      expect(allowed).toEqual(
        expect.arrayContaining([
          ...['X-API-Key', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-None-Match'],
          ...['traceparent', 'tracestate', 'baggage', 'sentry-trace'],
          ...['MCP-Protocol-Version', 'Mcp-Method', 'Mcp-Name'],
        ]),
      );
      expect(Number(response.headers['access-control-max-age'])).toBeGreaterThan(0);
      expect(response.headers).not.toHaveProperty('access-control-allow-credentials');
      expect(response.headers.vary).toContain('Origin');
      for (const name of rateLimitHeaders) expect(response.headers).toHaveProperty(name.toLowerCase());
      expect(calls).toBe(0);
    },
  );

  test.each([
    ['path', 404, '/v1/integration/nothing'],
    ['method', 405, '/v1/integration/slots'],
  ])(
    'A preflight request for an unknown %s succeeds, so that a web page can read the %d response to the real request',
    async (_, __, path) => {
      const { response } = await send(path);
      expect(response).toMatchObject({ status: 204 });
      expect(response.headers['access-control-allow-methods']).toContain('POST');
    },
  );
});
