/** The documents meet the requirements of code generators, agents and validators. */
import { describe, expect, test } from 'vitest';
import { errors } from '../../contract/errors.ts';
import { accountOpenApiDocument, openApiDocument } from '../../contract/openapi.ts';

type Json = Readonly<Record<string, unknown>>;

function* objectsIn(value: unknown): Generator<Json> {
  if (typeof value !== 'object' || value === null) return;
  if (!Array.isArray(value)) yield value as Json;
  for (const [name, one] of Object.entries(value)) if (name !== 'example' && name !== 'examples') yield* objectsIn(one);
}

const isInteger = ({ type }: Json) => type === 'integer' || (Array.isArray(type) && type.includes('integer'));
const withoutSize = (document: unknown) =>
  [...objectsIn(document)].filter((one) => isInteger(one) && one.format !== 'int32' && one.format !== 'int64');
/** Restricts a number that may be larger to 32 bits. */
const cut = (document: unknown) =>
  [...objectsIn(document)].filter((one) => one.format === 'int32' && !one.enum && !(Number(one.maximum) < 2 ** 31));
const withConst = (document: unknown) => [...objectsIn(document)].filter((one) => 'const' in one);

interface Operation {
  readonly summary: string;
  readonly description: string;
}

describe.each([
  ['integration', openApiDocument()],
  ['account', accountOpenApiDocument()],
])('the document of the %s API', (_, document) => {
  const { paths, components, servers } = document as {
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, { enum?: string[]; oneOf?: Json[] }> };
    servers: { url: string }[];
  };

  test('Every integer in the OpenAPI document has a format that is large enough for all of its values', () => {
    expect([...objectsIn(document)].filter(isInteger).length).toBeGreaterThan(50);
    expect([withoutSize(document), cut(document)]).toEqual([[], []]);
  });

  test('The OpenAPI document contains no const, which older client generators do not support', () => {
    expect(withConst(document)).toEqual([]);
  });

  test('The first server of the OpenAPI document is the host that serves the document', () => {
    expect(servers[0]?.url).toMatch(/^\/v1\//);
  });

  test('Every description in the OpenAPI document begins with what the operation does', () => {
    const operations = Object.values(paths).flatMap((path) => Object.values(path));
    for (const { summary, description } of operations) expect(description.startsWith(`${summary}.`)).toBe(true);
  });

  test('The schema ErrorCode in the OpenAPI document contains route_not_found and method_not_allowed, and only existing error codes', () => {
    const codes = components.schemas.ErrorCode?.enum ?? [];
    expect(codes).toEqual(expect.arrayContaining(['route_not_found', 'method_not_allowed']));
    expect(codes.filter((code) => !(code in errors))).toEqual([]);
  });
});

test('The schema of webhook messages in the OpenAPI document includes the ping', () => {
  const { schemas } = (openApiDocument() as { components: { schemas: Record<string, { oneOf?: Json[] }> } }).components;
  expect(schemas.WebhookEvent?.oneOf).toContainEqual({ $ref: '#/components/schemas/PingEvent' });
});

test('Negative control: the checks report a const, an integer without a format, and an integer with too small a format', () => {
  const document = { a: { type: ['integer', 'null'] }, b: [{ type: 'integer', format: 'int32' }], c: { const: 'x' } };
  expect([withoutSize(document).length, cut(document).length, withConst(document).length]).toEqual([1, 1, 1]);
});
