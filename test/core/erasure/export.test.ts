/** A client's export contains everything that an erasure would clear, and nothing of others (docs/rules.md#erasure). */
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { stores } from '../../../contract/system/needs.ts';
import { now } from '../../../core/clock.ts';
import { decompressText } from '../../../core/compressed-text.ts';
import { writeCursor } from '../../../core/cursor.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { exportClient } from '../../../core/erasure/export-client.ts';
import { steps } from '../../../core/erasure/steps.ts';
import { writingUntil } from '../../../core/time-left.ts';
import { at } from '../../support/account.ts';
import { withFaults } from '../../support/faults.ts';
import { lambdaContext } from '../../support/http.ts';
import { pagesOf } from '../../support/pages.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { kindOfData, type Traced, tracedClient } from './traced-client.ts';

const fixture = useTestBusiness();

type Leaf = readonly [path: string, text: string];

/** Every text of an item by its path, including those in JSON and in compressed bodies. */
function leavesOf(value: unknown, path: string): Leaf[] {
  if (value instanceof Uint8Array) return leavesOf(JSON.parse(decompressText(value)), path);
  if (typeof value === 'string' && /^[[{]/.test(value)) return leavesOf(JSON.parse(value), path);
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, one]) => leavesOf(one, `${path} ${name}`));
}

/** The data of a business in the tables, except for keys and bookings of others, which no export contains. */
async function leaves({ tenantId, clientId }: Traced): Promise<Map<string, string>> {
  const items = (await Promise.all(stores.map((store) => fixture.items(store, { ConsistentRead: true })))).flat();
  const own = items.filter((item) => item.tenantId === tenantId || String(item.pk).startsWith(`T#${tenantId}`));
  const isOthers = (item: (typeof own)[0]) => String(item.sk).startsWith('BOOKING#') && item.clientId !== clientId;
  const ownItems = own.filter((item) => !isOthers(item));
  return new Map(ownItems.flatMap(({ pk, sk, busy: _, ...fields }) => leavesOf(fields, `${pk} ${sk}`)));
}

async function exported(client: Traced, all = steps) {
  const principal = ownerPrincipal(client.tenantId);
  const pages = await pagesOf((cursor) => exportClient(principal, { id: client.clientId }, { cursor }, all));
  return { pages, records: pages.flatMap(({ records }) => records), text: JSON.stringify(pages) };
}

/** The content of one export with all steps, and without each of them; and what an erasure then removes, by path. */
let texts: Map<string, string>;
let taken: (readonly [path: string, value: string])[];

beforeAll(async () => {
  const ends: (() => void)[] = [];
  const client = await tracedClient(fixture, (end) => ends.push(end));
  const before = await leaves(client);
  texts = new Map();
  for (const skipped of ['', ...steps.map(({ name }) => name)]) {
    const { text } = await exported(
      client,
      steps.filter(({ name }) => name !== skipped),
    );
    texts.set(skipped, text);
  }
  await client.owner('eraseClient', at(client.clientId));
  for (const { body } of client.sent.splice(0)) await Promise.all(erase([body], lambdaContext));
  const after = await leaves(client);
  // A booking and a client changed when they were cleared.
  taken = [...before].filter(([path, value]) => after.get(path) !== value && !path.endsWith(' updatedAt'));
  for (const text of texts.values()) expect(text).not.toContain(`other-${client.tenantId}`);
  for (const end of ends) end();
});

/** Texts that the erasure removed more often than an export without a step contains them. */
function missingWithout(step: string): string[] {
  const places = Map.groupBy(taken, ([, value]) => JSON.stringify(value));
  return [...places].flatMap(([value, all]) =>
    String(texts.get(step)).split(value).length - 1 < all.length ? all.map(([path]) => `${path}: ${value}`) : [],
  );
}

test('An export contains all text of the client that an erasure would erase, and no data of other clients', () => {
  expect(taken.length).toBeGreaterThan(40);
  expect(missingWithout('')).toEqual([]);
  const kinds = ['booking', 'contact', 'review', 'refund', 'answer', 'event', 'message'];
  for (const kind of kinds) expect(texts.get('')).toContain(`"kind":"${kind}"`);
});

const exportedSteps = steps.filter(({ name }) => name !== 'contact-bookings');
test.each(exportedSteps.map(({ name }) => [kindOfData[name] ?? name, name] as const))(
  'Negative control: if an export skips %s, it does not contain all data of the client',
  (_, forgotten) => {
    expect(missingWithout(forgotten)).not.toEqual([]);
  },
);

test('An export that runs out of time returns a cursor, from which the next request continues without losing a record', async () => {
  const client = await tracedClient(fixture, onTestFinished);
  const whole = await exported(client);
  expect(whole.pages).toHaveLength(1);
  const short = await writingUntil(now() + 1_000, () => exported(client));
  expect(short.pages.length).toBeGreaterThan(steps.length);
  expect(short.records).toEqual(whole.records);
});

test("An export of a client's data does not decompress webhook messages about other clients", async () => {
  const client = await tracedClient(fixture, onTestFinished);
  const unpacked: unknown[] = [];
  const find: (typeof steps)[0]['find'] = async (_, items) => {
    for (const { body } of items as { body?: Uint8Array }[])
      if (body) unpacked.push(JSON.parse(decompressText(body)).data.clientId);
    return [];
  };
  const messages = steps.filter(({ name }) => name === 'messages').map((step) => ({ ...step, find }));
  await exported(client, messages);
  // A refund names only its payment.
  expect(new Set(unpacked)).toEqual(new Set([client.clientId, undefined]));
});

test("An export of a client's data contains no database keys or tenant ids, and refuses a cursor of another client's export", async () => {
  const [client, other] = [await tracedClient(fixture, onTestFinished), await tracedClient(fixture, onTestFinished)];
  const { json, status } = await client.owner('exportClient', at(client.clientId));
  expect([status, json.client]).toMatchObject([200, { id: client.clientId, phone: client.phone }]);
  expect(JSON.stringify(json)).not.toMatch(/"(pk|sk|by(Start|Client)[PS]k|tenantId)"/);
  for (const { tenantId, id } of [
    { tenantId: other.tenantId, id: other.clientId },
    { tenantId: client.tenantId, id: client.otherId },
  ]) {
    const foreign = await writingUntil(now() + 1_000, () => exportClient(ownerPrincipal(tenantId), { id }, {}));
    const body = { cursor: foreign.nextCursor };
    expect((await client.owner('exportClient', { ...at(client.clientId), body })).status).toBe(400);
  }
});

test("If the audit log entry for an export of a client's data cannot be written, the export is refused with 503", async () => {
  const client = await tracedClient(fixture, onTestFinished);
  const { value } = await withFaults({ fault: 'TransactionConflict', hits: (_, isCommit) => isCommit }, () =>
    client.owner('exportClient', at(client.clientId)),
  );
  expect([value.status, value.json]).toMatchObject([503, { code: 'temporarily_unavailable', retryAfter: 1 }]);
  expect(value.text).not.toContain(client.phone);
});

test("A long export of a client's data is divided into responses of about a million characters", async () => {
  const client = await tracedClient(fixture, onTestFinished);
  const long = { kind: 'message', data: { text: 'x'.repeat(600_000) }, erase: async () => undefined } as const;
  const longSteps = steps.slice(0, 3).map((step) => ({ ...step, find: async () => [long] }));
  const { pages } = await exported(client, longSteps);
  expect(pages.map(({ records }) => records.length)).toEqual([2, 1]);
});

test("An export of a client's data is refused with 400 if the position in its cursor was forged", async () => {
  const { tenantId, clientId, owner } = await tracedClient(fixture, onTestFinished);
  const scope = { tenantId, clientId, list: 'export' };
  const exportFrom = (position: string) =>
    owner('exportClient', { ...at(clientId), body: { cursor: writeCursor(scope, position) } });
  for (const position of ['nonsense', '{}']) {
    const { status, json } = await exportFrom(position);
    expect([status, json.details]).toMatchObject([400, [{ path: 'cursor' }]]);
  }
  expect((await exportFrom('{"step":"messages","part":0}')).status).toBe(200);
  // DynamoDB returns this for a start key outside of the range.
  const find = () => Promise.reject(Object.assign(new Error('start key'), { name: 'ValidationException' }));
  const refused = steps.map((step) => ({ ...step, find }));
  const cursor = writeCursor(scope, JSON.stringify({ step: 'bookings', part: 0, after: { pk: 'T#1', sk: 'A' } }));
  const exportPage = (body: { cursor?: string }) =>
    exportClient(ownerPrincipal(tenantId), { id: clientId }, body, refused);
  await expect(exportPage({ cursor })).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(exportPage({})).rejects.toMatchObject({ name: 'ValidationException' });
});
