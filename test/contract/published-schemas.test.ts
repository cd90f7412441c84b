/**
 * Responses and events may gain fields (docs/rules.md#versioning): their published schemas allow others; those of
 * requests do not. Everything in the documents has a description.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
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

describe.each(['openapi.json', 'openapi-account.json'])('%s', (file) => {
  const text = readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
  const document = JSON.parse(text) as Json & { paths: Record<string, Record<string, Json>>; components: Json };
  const operations = Object.values(document.paths).flatMap((path) => Object.values(path));

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

  test('Every error that a later retry may resolve is documented with the header Retry-After', () => {
    const { schemas, responses } = document.components as Record<'schemas' | 'responses', Record<string, Json>>;
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
      for (const [name, part] of Object.entries((document.components[kind] as Json) ?? {}))
        check(`${kind}/${name}`, part);
    }
    for (const tag of document.tags as Json[]) check(`tag ${String(tag.name)}`, tag);
    for (const { operationId, description } of operations) check(String(operationId), { description });
    expect(silent).toEqual([]);
  });

  test('The OpenAPI document states no maximum of 9007199254740991, which every JavaScript integer has anyway', () => {
    expect(text).not.toContain(String(Number.MAX_SAFE_INTEGER));
  });

  test('The OpenAPI document is at most 378 KB (integration API) or 434 KB (account API)', () => {
    // The account API has twice as many endpoints.
    const kilobytes = file === 'openapi.json' ? 378 : 434;
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(kilobytes * 1_000);
  });
});

test('The event schemas that GET /webhooks/events returns allow unknown fields', () => {
  expect(closed({}, listEventTypes({})).map(([path]) => path)).toEqual([]);
});
