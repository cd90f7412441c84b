/** Texts in requests are well-formed and remain so (docs/rules.md#requests): no 5xx, no half character is stored. */
import { expect, test } from 'vitest';
import type { Schema } from '../../contract/define.ts';
import { limits } from '../../contract/limits.ts';
import { createClient } from '../../core/bookings/client-book.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { callRow } from '../support/account.ts';
import { issueKey } from '../support/api-keys.ts';
import { requestTo } from '../support/http.ts';
import { useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

interface Definition {
  readonly type: string;
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
  readonly innerType?: Schema;
  readonly valueType?: Schema;
  readonly checks?: readonly { readonly _zod: { readonly def: { readonly maximum?: number } } }[];
}

type Path = readonly (string | number)[];

interface TextField {
  readonly path: Path;
  /** The length of its longest text. */
  readonly bound: number;
}

function textsOf(schema: Schema, path: Path = []): TextField[] {
  const { type, shape, element, innerType, valueType, checks = [] } = schema._zod.def as Definition;
  if (type === 'string') {
    const bounds = checks.flatMap(({ _zod }) => _zod.def.maximum ?? []);
    return [{ path, bound: Math.min(...bounds, limits.textLength) }];
  }
  if (innerType) return textsOf(innerType, path);
  if (element) return textsOf(element, [...path, 0]);
  if (valueType) return textsOf(valueType, [...path, '2026-12-24']);
  return Object.entries(shape ?? {}).flatMap(([name, field]) => textsOf(field, [...path, name]));
}

function bodyWith(path: Path, text: string): unknown {
  return path.reduceRight<unknown>((inner, name) => (typeof name === 'number' ? [inner] : { [name]: inner }), text);
}

const rows = Object.values<Api>(apis).flatMap(({ folder, rows }) =>
  rows.flatMap((endpoint) => {
    const row = { ...endpoint, folder };
    const texts = row.body ? textsOf(row.body) : [];
    return texts.map((text) => ({ row, ...text, name: `${folder}/${row.operation} ${text.path.join('.')}` }));
  }),
);

/** A new business with a key, which may make sixty requests a minute. */
async function newBusiness() {
  const business = await fixture.business();
  const { tenantId } = business;
  return { ...business, by: { tenantId, key: (await issueKey(fixture.admin.db, { tenantId })).value } };
}

test('A request with invalid Unicode or U+0000 in any text field gets a 400 that names the field', async () => {
  expect(rows.length).toBeGreaterThan(40);
  expect(new Set(rows.map(({ bound }) => bound)).size).toBeGreaterThan(5);
  let { by } = await newBusiness();
  for (const [i, { row, path, bound, name }] of rows.entries()) {
    if (i % 6 === 0) ({ by } = await newBusiness());
    for (const text of ['a\ud800', '\udc00a', 'a\u0000']) {
      const { status, json } = await callRow(row, by, requestTo(row, { body: bodyWith(path, text) }));
      expect([name, status]).toEqual([name, 400]);
      const problem = { path: path.join('.'), message: 'must be well-formed Unicode without U+0000' };
      expect(json.details, name).toContainEqual(problem);
    }
    for (const text of ['a\u202eb', ...[60, bound - 1, bound].map(atBound)]) {
      const { status } = await callRow(row, by, requestTo(row, { body: bodyWith(path, text) }));
      expect([name, status < 500]).toEqual([name, true]);
    }
  }
});

test('A request with invalid Unicode in a field name gets a 400 whose message is valid Unicode', async () => {
  const withBody = [...new Map(rows.map((one) => [one.row, one])).values()];
  for (const [i, { row, name }] of withBody.entries()) {
    const { by } = await newBusiness();
    const half = i % 2 === 0 ? 'a\ud800' : '\udc00a';
    for (const body of [{ [half]: 'x' }, { metadata: { [half]: 'x' } }, { client: { [half]: { [half]: 1 } } }]) {
      const { status, json } = await callRow(row, by, requestTo(row, { body }));
      expect([name, status]).toEqual([name, 400]);
      for (const { path } of json.details as { path: string }[]) expect(path.isWellFormed(), name).toBe(true);
    }
  }
});

test('A field named __proto__ is refused with a 400, even in objects that allow any other field name', async () => {
  const { by, account, services } = await newBusiness();
  const body = JSON.parse('{ "name": "Jane", "email": "jane@example.com", "metadata": { "__proto__": "x" } }');
  const refusal = {
    status: 400,
    json: { details: [{ path: 'metadata.__proto__', message: 'is not a known field or parameter' }] },
  };
  expect(await account('createClient', { body })).toMatchObject(refusal);
  const free = rows.filter(({ path }) => path.includes('metadata'));
  expect(free.length).toBeGreaterThan(3);
  for (const { row, path, name } of free) {
    const at = path.with(-1, '__proto__');
    const sent = JSON.parse(JSON.stringify(bodyWith(path, 'x')).replace('2026-12-24', '__proto__')) as object;
    const params = { id: String(services[0].id) };
    const { status, json } = await callRow(row, by, requestTo(row, { params, body: sent }));
    expect([name, status]).toEqual([name, 400]);
    expect(json.details, name).toContainEqual({ path: at.join('.'), message: 'is not a known field or parameter' });
  }
});

/** A text whose last character crosses the limit. */
function atBound(bound: number): string {
  return `${'a'.repeat(bound - 1)}\u{20000}`;
}

async function halves(): Promise<number> {
  const stored = JSON.stringify([await fixture.items('records'), await fixture.items('deliveries')]);
  // JSON writes half a character as an escape.
  return [...stored.matchAll(/(?<!\\)(?:\\\\)*\\ud[89a-f][0-9a-f]{2}/g)].length;
}

test('No stored text contains half an emoji, even if the emoji ends at the maximum length or lies where the text is shortened', async () => {
  const { account, services, staff } = await fixture.business();
  const at = ({ id }: { id: number }) => ({ params: { id: String(id) } });
  for (const bound of [2, 60, 61, limits.nameLength - 1]) {
    const name = atBound(bound);
    const client = { name, email: `${bound}@example.com` };
    expect(await account('createClient', { body: client })).toMatchObject({ status: 201, json: { name } });
    const search = new URLSearchParams({ search: atBound(60) }).toString();
    expect((await account('listClients', { query: search })).status).toBe(200);
    expect(await account('updateService', { ...at(services[0]), body: { name } })).toMatchObject({
      status: 200,
      json: { name },
    });
  }
  for (const bound of [1_899, 1_900, 1_901]) {
    const body = { description: atBound(bound) };
    expect((await account('updateService', { ...at(services[0]), body })).status).toBe(200);
  }
  const body = { position: atBound(60) };
  expect((await account('updateStaffMember', { ...at(staff[0]), body })).status).toBe(200);
  expect(await halves()).toBe(0);
});

test("Negative control: without validation, invalid Unicode in a client's name is stored or causes a 5xx response", async () => {
  const { owner } = await fixture.business();
  const isStored = await createClient(owner, { name: 'a\ud800', email: 'half@example.com' }).then(
    () => true,
    (error: Error) => error.name === 'ApiError',
  );
  expect(!isStored || (await halves()) > 0).toBe(true);
});
