/** Isolation between a business and its sandbox, in both directions, for every row of both APIs. */
import { beforeAll, expect, test, vi } from 'vitest';
import * as z from 'zod/mini';
import type { Endpoint } from '../../contract/define.ts';
import type { Mode } from '../../contract/modes.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { stores } from '../../contract/system/needs.ts';
import { newId } from '../../core/clock.ts';
import { parseKeyValue } from '../../core/keys/key-value.ts';
import { isSandbox, liveOf, tenantIn } from '../../core/mode.ts';
import { deliveries, records } from '../../core/table-keys.ts';
import { type Api, apis } from '../../lib/apis.ts';
import { type AccountOperation, callRow, invoke } from '../support/account.ts';
import { setUse } from '../support/api-keys.ts';
import type { Received, Sent } from '../support/http.ts';
import { recordedRequest } from '../support/recorded-requests.ts';
import { useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

beforeAll(() => {
  vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
  for (const queue of ['EVENTS', 'DELIVERIES', 'RETRIES']) vi.stubEnv(`QUEUE_${queue}`, 'http://127.0.0.1:9/none');
});

/** The sum of the payments of a side, so large that it is recognised in any total. */
const paid: Readonly<Record<Mode, number>> = { live: 77_777_000, test: 88_888_000 };
const sumOf = (mode: Mode) => new RegExp(`(?<!\\d)${paid[mode] / 1_000}\\d{3}(?!\\d)`);

type Send = (row: { readonly operation: string }, sent?: Sent) => Promise<Received>;

/** The data of a business in one mode: one resource of each kind, whose texts begin with the name of the mode. */
interface Side {
  readonly mode: Mode;
  readonly tenantId: number;
  readonly owner: Send;
  readonly integrator: Send;
  /** The ids by the first segment of a path. */
  readonly ids: Readonly<Record<string, number | string>>;
  readonly deliveryId: string;
  readonly hash: string;
  /** Bodies with ids of this side, which replace those of the documents. */
  readonly bodies: Readonly<Record<string, unknown>>;
}

async function sideOf(businessId: number, mode: Mode): Promise<Side> {
  const tenantId = tenantIn(mode, businessId);
  const claims = { sub: 'owner', 'custom:businessId': String(businessId) };
  const owner: Send = ({ operation }, sent = {}) =>
    invoke(operation as AccountOperation, claims, { ...sent, headers: { ...sent.headers, 'booking-mode': mode } });
  const done = async (operation: AccountOperation, sent: Sent = {}) => {
    const { status, json } = await owner({ operation }, sent);
    expect(status, `${operation}: ${JSON.stringify(json)}`).toBeLessThan(300);
    return json as { id: number; clientId?: number; key?: string; data?: { id: number; staffIds: number[] }[] };
  };
  const at = (id: number) => ({ id: String(id) });

  const all = await done('createApiKey', { body: { name: `${mode}-side key`, scopes: scopeNames, agents: true } });
  const value = String(all.key);
  expect(value).toMatch(`bk_${mode}_`);
  const integrator: Send = ({ operation }, sent = {}) =>
    callRow({ folder: 'api', operation }, { tenantId, key: value }, sent);

  const [service] = (await done('listServices')).data ?? [];
  const serviceId = service?.id ?? 0;
  const staffId = service?.staffIds[0] ?? 0;
  const client = { name: `${mode}-side client`, email: `${mode}-side@example.com` };
  const slot = (hour: number, day = 2) => ({ serviceId, staffId, startTime: `2026-12-0${day}T${hour}:00:00+02:00` });
  const visited = async (hour: number) => {
    const visit = await done('createBooking', { body: { ...slot(hour), client, comment: `${mode}-side comment` } });
    await done('completeBooking', { params: at(visit.id) });
    return visit.id;
  };
  const visit = await visited(10);
  const review = await done('createReview', { body: { bookingId: visit, rating: 5, text: `${mode}-side words` } });
  const booking = await done('createBooking', { body: { ...slot(11), client } });
  const payment = await done('recordPayment', { body: { amount: paid[mode], method: `${mode}-side cash` } });
  const resource = await done('createResource', { body: { name: `${mode}-side room`, kind: 'room' } });
  const webhook = await integrator({ operation: 'createWebhook' }, { body: webhookBody(mode) });
  const webhookId = Number(webhook.json.id);
  await integrator({ operation: 'pingWebhook' }, { params: at(webhookId) });
  expect(webhook.status, webhook.text).toBe(201);
  const session = await integrator({ operation: 'createSession' }, { body: { kind: 'booker' } });
  const log = await integrator({ operation: 'listDeliveries' }, { params: at(webhookId) });
  const deliveryId = (log.json as { data: { deliveryId: string }[] }).data[0]?.deliveryId ?? '';
  const hold = await integrator({ operation: 'createHold' }, { body: slot(14) });
  expect([log.status, hold.status]).toEqual([200, 201]);

  return {
    mode,
    tenantId,
    owner,
    integrator,
    deliveryId,
    hash: parseKeyValue(value)?.hash ?? '',
    ids: {
      visits: visit,
      services: serviceId,
      resources: resource.id,
      staff: staffId,
      clients: Number(booking.clientId),
      bookings: booking.id,
      reviews: review.id,
      payments: payment.id,
      'api-keys': all.id,
      webhooks: webhookId,
      deliveries: deliveryId,
      slots: String(hold.json.holdId),
      sessions: Number(session.json.id),
    },
    bodies: {
      'account createWebhook': { ...webhookBody(mode), apiKeyId: all.id },
      'account createBooking': { ...slot(15), client },
      createBooking: { ...slot(16), client: { ...client, name: `${mode}-side again` } },
      createHold: slot(10, 3),
      createSession: { kind: 'booker' },
      createWebhook: webhookBody(mode),
      createClient: { name: `${mode}-side other`, email: `${mode}-side.other@example.com` },
      createReview: { bookingId: await visited(13), rating: 1 },
    },
  };
}

function webhookBody(mode: Mode) {
  return { targetUrl: 'http://127.0.0.1:1999/hooks', events: ['booking.created'], description: `${mode}-side webhook` };
}

/** All stored data of a side: its tenant's items and events, its key, its webhooks' logs and secrets. */
async function storedOf({ tenantId, hash, ids }: Side): Promise<readonly string[]> {
  const log = deliveries.log(Number(ids.webhooks));
  const places = [...records.partitionsOf(tenantId), log, hash];
  const all = await Promise.all(stores.map((store) => fixture.items(store, { ConsistentRead: true })));
  return (
    all
      .flat()
      .filter((item) => places.includes(String(item.pk)) || item.tenantId === tenantId)
      // With any request, a container writes the collected entries of all principals, each to its own log.
      .filter((item) => !String(item.pk).endsWith('#REQUESTS'))
      .map((item) => JSON.stringify(item, inOrder))
      .sort()
  );
}

/** Sorts the fields of an item, which an emulator returns in any order. */
function inOrder(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

type Row = Endpoint & Pick<Api, 'folder'> & { readonly operation: string };

/** Moves deletions to the end, because they affect later rows. */
function deletionsLast(rows: readonly Row[]): readonly Row[] {
  return rows.toSorted((a, b) => Number(a.method === 'DELETE') - Number(b.method === 'DELETE'));
}

/** The response to a request with an id in its path, without the id of the request. */
async function answerTo(side: Side, send: Send, row: Row, id: number | string, deliveryId: string) {
  const { body } = await requestOf(side, row);
  const params = Object.fromEntries(
    [...row.path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => [
      name,
      name === 'deliveryId' ? deliveryId : String(id),
    ]),
  );
  const { status, text = '', json } = await send(row, { params, body });
  return { status, text: text.replaceAll(String(json.requestId), '') };
}

/** The request of the documents with ids of this side and texts that begin with its name. */
async function requestOf({ mode, ids, bodies }: Side, row: Row) {
  const { query, body } = await recordedRequest(row, (collection) => ids[collection.split('/')[1] ?? ''] ?? 0);
  const given = bodies[`${row.folder} ${row.operation}`] ?? bodies[row.operation];
  // A filter could hide data of the other side.
  const needed = row.query && !z.safeParse(row.query, {}).success ? query : {};
  return {
    query: new URLSearchParams(needed as Record<string, string>).toString(),
    body: given ?? labelled(body, mode),
  };
}

const texts = ['name', 'description', 'comment', 'text', 'position'];

function labelled(body: unknown, mode: Mode): unknown {
  if (typeof body !== 'object' || body === null) return body;
  return Object.fromEntries(
    Object.entries(body).map(([field, value]) => [field, texts.includes(field) ? `${mode}-side ${value}` : value]),
  );
}

/** The team belongs to the business, in both modes. */
const isOfOneMode = ({ operation, path }: Row) => operation !== 'resetSandbox' && !path.startsWith('/team');

/** All requests by which one side reached the other. */
async function breaches(here: Side, there: Side): Promise<string[]> {
  const found: string[] = [];
  const before = await storedOf(there);
  for (const { folder, prefix, callers, rows } of Object.values<Api>(apis)) {
    const send = callers === 'owners' ? here.owner : here.integrator;
    for (const row of deletionsLast(rows.map((one) => ({ ...one, folder }))).filter(isOfOneMode)) {
      const name = `${here.mode} ${row.method} ${prefix}${row.path}`;
      await setUse(fixture.admin, here.hash, 0);
      if (row.path.includes(':')) {
        const id = there.ids[row.path.split('/')[1] ?? ''];
        if (id === undefined) throw new Error(`The test has no id for ${row.path}`);
        const unknown = await answerTo(
          here,
          send,
          row,
          typeof id === 'number' ? newId() : 'hld_unknown',
          'dlv_unknown',
        );
        const foreign = await answerTo(here, send, row, id, there.deliveryId);
        if (unknown.status !== 404) found.push(`${name} answers ${unknown.status} to an unknown id: ${unknown.text}`);
        if (JSON.stringify(foreign) !== JSON.stringify(unknown)) found.push(`${name} knows an id: ${foreign.text}`);
        continue;
      }
      const { query, body } = await requestOf(here, row);
      const { status, text = '' } = await send(row, { query, body });
      const expected = here.mode === 'live' && row.operation === 'triggerEvent' ? 409 : row.status;
      if (status !== expected) found.push(`${name} answers ${status}: ${text}`);
      for (const seeded of [`${there.mode}-side`, String(there.tenantId)]) {
        if (text.includes(seeded)) found.push(`${name} shows ${seeded}: ${text}`);
      }
      if (sumOf(there.mode).test(text)) found.push(`${name} counts what was paid in ${there.mode} mode: ${text}`);
      const foreign = row.body ? withIdsOf(body, there, here) : body;
      if (JSON.stringify(foreign) === JSON.stringify(body)) continue;
      const refused = await send(row, { body: foreign });
      if (refused.status !== 404) found.push(`${name} takes ids of ${there.mode}: ${refused.text}`);
    }
  }
  const after = await storedOf(there);
  found.push(...after.filter((item) => !before.includes(item)).map((item) => `${here.mode} wrote ${item}`));
  found.push(...before.filter((item) => !after.includes(item)).map((item) => `${here.mode} changed ${item}`));
  return found;
}

/** The body, with each id of one mode replaced by the id of the same resource in the other mode. */
function withIdsOf(body: unknown, there: Side, here: Side): unknown {
  const names = Object.keys(here.ids).filter((name) => typeof here.ids[name] === 'number');
  const other = new Map(names.map((name) => [here.ids[name], there.ids[name]]));
  return JSON.parse(JSON.stringify(body), (_, value) => other.get(value) ?? value);
}

async function bothSides(): Promise<Readonly<Record<Mode, Side>>> {
  const { tenant } = await fixture.tenant();
  // The sandbox is created before the live side has anything to copy.
  const test = await sideOf(tenant.business.id, 'test');
  return { live: await sideOf(tenant.business.id, 'live'), test };
}

test.each([
  ['live', 'test'],
  ['test', 'live'],
] as const)(
  'A request in $0 mode neither reads nor changes data of $1 mode, and does not count towards limits of $1 mode',
  async (mode, otherMode) => {
    const sides = await bothSides();
    const other = sides[otherMode];
    expect(await breaches(sides[mode], other)).toEqual([]);
  },
);

test('A reset of the sandbox changes no live data', async () => {
  const { live, test } = await bothSides();
  const before = await storedOf(live);
  expect(await test.owner({ operation: 'resetSandbox' })).toMatchObject({ status: 202, json: { status: 'done' } });
  expect(await storedOf(live)).toEqual(before);
  expect((await live.owner({ operation: 'resetSandbox' })).json).toMatchObject({ code: 'invalid_state' });
  expect(await storedOf(live)).toEqual(before);
});

type Shape = (tenantId: number, ...rest: number[]) => unknown;

/** An injected bug: keys of one shape ignore the mode, so that a function uses live data instead of the sandbox's. */
function forgetMode(keys: object, name: string): void {
  const shapes = keys as Record<string, Shape>;
  const right = shapes[name] as Shape;
  vi.spyOn(shapes, name).mockImplementation((tenantId, ...rest) =>
    right(isSandbox(tenantId) && !isSandbox(rest[0] ?? 0) ? liveOf(tenantId) : tenantId, ...rest),
  );
}

/** For each control: what uses live data, the violation that must be found, and the shapes of its keys. */
const controls: readonly [string, RegExp, object, string[]][] = [
  ['a client', /./, records, ['client']],
  ['a service', /./, records, ['service']],
  // The revision item of a staff member is replaced together with it.
  ['a staff member', /./, records, ['staff', 'staffRevision']],
  ['a payment', /./, records, ['payment']],
  ['a review', /./, records, ['review']],
  ['an API key', /./, records, ['key']],
  ['the list of bookings', /shows live-side/, records, ['bookingByStart']],
  ['the sum of payments', /account\/statistics counts what was paid in live mode/, records, ['paymentByTime']],
  ['webhooks and their statistics', /webhooks\/:id\/statistics knows an id/, deliveries, ['tenant']],
];

test.each(controls)(
  'Negative control: the isolation check of test mode reports a violation if test requests use live data (%s)',
  async (_, finds, keys, names) => {
    const sides = await bothSides();
    for (const name of names) forgetMode(keys, name);
    try {
      const found = await breaches(sides.test, sides.live);
      expect(found.filter((breach) => finds.test(breach))).not.toEqual([]);
    } finally {
      vi.restoreAllMocks();
    }
  },
);
