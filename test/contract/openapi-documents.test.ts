/**
 * Responses and events may gain fields (docs/rules.md#versioning): their published schemas allow others; those of
 * requests do not. The documents describe everything, and meet the requirements of code generators and validators.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { accountRoutes } from '../../contract/account/api.ts';
import type { Endpoint } from '../../contract/define.ts';
import { errors } from '../../contract/errors.ts';
import { allRoutes } from '../../contract/integration/api.ts';
import { listEventTypes } from '../../core/events/types.ts';

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** All objects below `value` with their paths; each reference is followed once. */
function* within(document: Json, value: unknown, path = '', seen = new Set<unknown>()): Generator<[string, Json]> {
  if (!isObject(value) || seen.has(value)) return;
  seen.add(value);
  if (typeof value.$ref === 'string') {
    const target = value.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((at, key) => (at as Json)[key], document);
    yield* within(document, target, value.$ref, seen);
  }
  yield [path, value];
  for (const [name, child] of Object.entries(value)) {
    if (name !== 'example' && name !== 'examples') yield* within(document, child, `${path}/${name}`, seen);
  }
}

const closed = (document: Json, value: unknown) =>
  [...within(document, value)].filter(([, { additionalProperties }]) => additionalProperties === false);

const isInteger = ({ type }: Json) => type === 'integer' || (Array.isArray(type) && type.includes('integer'));

/** A `const`, an integer without a format, and one whose format of 32 bits is too small for some of its values. */
const unsuitable = (document: Json) =>
  [...within(document, document)].filter(
    ([, one]) =>
      'const' in one ||
      (isInteger(one) && one.format !== 'int32' && one.format !== 'int64') ||
      (one.format === 'int32' && !one.enum && !(Number(one.maximum) < 2 ** 31)),
  );

interface Document extends Json {
  readonly paths: Record<string, Record<string, Json & { readonly operationId: string; readonly description: string }>>;
  readonly components: { readonly schemas: Record<string, Json> } & Record<string, Record<string, Json>>;
  readonly servers: readonly { readonly url: string }[];
}

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');

const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((path) => Object.values(path));

describe.each(['openapi.json', 'openapi-account.json'])('%s', (file) => {
  const text = read(file);
  const document = JSON.parse(text) as Document;
  const operations = operationsOf(document);

  test('Every object schema of a request forbids unknown fields', () => {
    const bodies = operations.flatMap(({ requestBody }) => (requestBody ? [requestBody] : []));
    expect(bodies.length).toBeGreaterThan(5);
    for (const body of bodies) {
      const open = [...within(document, body)].filter(
        ([, { properties, additionalProperties }]) => properties && additionalProperties !== false,
      );
      expect(open.map(([path]) => path)).toEqual([]);
    }
  });

  test('Every object schema of a response or webhook message allows unknown fields', () => {
    for (const { responses } of operations) expect(closed(document, responses).map(([path]) => path)).toEqual([]);
    expect(closed(document, document.webhooks).map(([path]) => path)).toEqual([]);
  });

  test('The OpenAPI document lists the header Retry-After for every error that a later retry may resolve', () => {
    const { schemas, responses = {} } = document.components;
    const waiting = (parts: Record<string, Json>, words = /`retryAfter`/) =>
      Object.entries(parts).filter(([, { description }]) => words.test(String(description)));
    // Some cases of the last two end with the hour or the day.
    const mayWait = /`retryAfter`|`invalid_state`|`api_key_limit_reached`/;
    const fields = waiting(schemas).map(([name, { allOf }]) => [name, (allOf as Json[])[1]?.required]);
    const headers = waiting(responses, mayWait).map(([name, response]) => [
      name,
      Object.keys(response.headers as Json),
    ]);
    expect(fields.length).toBeGreaterThan(1);
    for (const [name, required] of fields)
      expect([name, required]).toEqual([name, expect.arrayContaining(['retryAfter'])]);
    for (const [name, sent] of headers) expect([name, sent]).toEqual([name, expect.arrayContaining(['Retry-After'])]);
  });

  test('The OpenAPI document lists the header Idempotent-Replayed for the 404 and 409 of each request with an Idempotency-Key', () => {
    const of = (one: unknown) => [...within(document, one)].map(([path, found]) => ({ path, found }));
    const keyed = operationsOf(document).filter((one) =>
      of(one.parameters).some(({ found }) => found.name === 'Idempotency-Key'),
    );
    expect(keyed.length).toBeGreaterThan(1);
    const lacking = keyed.flatMap(({ operationId, responses }) =>
      ['404', '409']
        .filter((status) => {
          const response = (responses as Json)[status];
          return response && !of(response).some(({ path }) => path.endsWith('/headers/Idempotent-Replayed'));
        })
        .map((status) => `${operationId} ${status}`),
    );
    expect(lacking).toEqual([]);
  });

  test('Every field, parameter, header, schema, response and tag of the OpenAPI document has a description', () => {
    const silent: string[] = [];
    const check = (path: string, value: unknown) => {
      const { description } = value as { description?: string };
      if (typeof description !== 'string' || description.trim().length < 4) silent.push(path);
    };
    for (const [path, { properties, parameters, responses }] of within(document, document)) {
      for (const [name, field] of Object.entries((properties as Json) ?? {})) check(`${path}/${name}`, field);
      if (Array.isArray(parameters)) {
        for (const parameter of parameters as Json[])
          if (!parameter.$ref) check(`${path}/${String(parameter.name)}`, parameter);
      }
      for (const [status, response] of Object.entries(responses ?? {})) {
        if (!(response as Json).$ref) check(`${path}/${status}`, response);
      }
    }
    for (const kind of ['schemas', 'parameters', 'headers', 'responses', 'securitySchemes']) {
      for (const [name, part] of Object.entries(document.components[kind] ?? {})) check(`${kind}/${name}`, part);
    }
    for (const tag of document.tags as Json[]) check(`tag ${String(tag.name)}`, tag);
    for (const { operationId, description } of operations) check(String(operationId), { description });
    expect(silent).toEqual([]);
  });

  test('Every description of an operation begins with what the operation does, and names the permission that it needs', () => {
    expect(operations.length).toBeGreaterThan(30);
    for (const { operationId, summary, description } of operations) {
      expect(description.startsWith(`${summary}.`), operationId).toBe(true);
      expect(description, operationId).toMatch(/^Needs (?:the scope `[a-z]+:[a-z]+`|the role `[a-z]+`|an API key)/m);
    }
  });

  test('The OpenAPI document has no `const`, defines each required field, and gives each integer a format that fits its maximum', () => {
    const lacking = [...within(document, document)].flatMap(([path, { required, properties }]) =>
      (Array.isArray(required) ? required : [])
        .filter((name) => !(name in ((properties as Json) ?? {})))
        .map((name) => `${path} ${name}`),
    );
    expect(lacking).toEqual([]);
    expect([...within(document, document)].filter(([, one]) => isInteger(one)).length).toBeGreaterThan(50);
    expect(unsuitable(document)).toEqual([]);
    // Every JavaScript integer has this maximum anyway.
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('The first server in the OpenAPI document is the host from which the document was loaded', () => {
    expect(document.servers[0]?.url).toMatch(/^\/v1\//);
  });

  test('The schema ErrorCode in the OpenAPI document lists only existing error codes, including route_not_found and method_not_allowed', () => {
    const codes = document.components.schemas.ErrorCode?.enum as string[];
    expect(codes).toEqual(expect.arrayContaining(['route_not_found', 'method_not_allowed']));
    expect(codes.filter((code) => !(code in errors))).toEqual([]);
  });

  test('The OpenAPI document has at most 9.7 KB (integration API) or 5.7 KB (account API) for each operation', () => {
    const bytesPerOperation = file === 'openapi.json' ? 9_700 : 5_700;
    const advice = 'Shorten descriptions in contract/, and let endpoints with the same response share its schema';
    expect(Buffer.byteLength(text) / operationsOf(document).length, advice).toBeLessThanOrEqual(bytesPerOperation);
  });
});

test('GET /webhooks/events returns event schemas that allow unknown fields', () => {
  expect(closed({}, listEventTypes({})).map(([path]) => path)).toEqual([]);
});

test('The schema of webhook messages in the OpenAPI document includes the ping event', () => {
  const { schemas } = (JSON.parse(read('openapi.json')) as Document).components;
  expect(schemas.WebhookEvent?.oneOf).toContainEqual({ $ref: '#/components/schemas/PingEvent' });
});

test('Negative control: the check for code generators reports a `const`, and an integer whose format is missing or too small', () => {
  const document = { a: { type: ['integer', 'null'] }, b: [{ type: 'integer', format: 'int32' }], c: { const: 'x' } };
  expect(unsuitable(document).map(([path]) => path)).toEqual(['/a', '/b/0', '/c']);
});

const undescribed = (routes: readonly (Endpoint & { operation: string })[]) =>
  routes.filter(({ method, description }) => method !== 'GET' && !description).map(({ operation }) => operation);

test('The description of every operation that changes data names the data that the operation changes', () => {
  expect(undescribed([...allRoutes, ...accountRoutes])).toEqual([]);
});

test('Negative control: the check of descriptions reports an operation that has only a summary', () => {
  const [first] = allRoutes;
  expect(undescribed([{ ...first, method: 'POST', description: '' } as (typeof allRoutes)[number]])).toHaveLength(1);
});

test('The description of an API operation names its specific errors, such as not_found and idempotency_key_reused', () => {
  const operations = operationsOf(JSON.parse(read('openapi.json')) as Document);
  const of = (id: string) => operations.find(({ operationId }) => operationId === id)?.description;
  expect(of('getBooking')).toContain('Specific errors: `not_found`.');
  expect(of('createBooking')).toContain('`idempotency_key_reused`');
  expect(of('callMcp')).toContain('Needs an API key of any scope.');
});
