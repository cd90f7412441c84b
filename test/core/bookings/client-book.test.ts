/** How owners manage clients, and how bookings find them (docs/rules.md#clients). */
import { describe, expect, test } from 'vitest';
import { listClients } from '../../../core/bookings/client-book.ts';
import { entriesOf } from '../../../core/bookings/client-names.ts';
import { countUnfinishedBookings } from '../../../core/bookings/unfinished-bookings.ts';
import { set, writeOne } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { at } from '../../support/account.ts';
import { type Interference, interfering, withoutConditions } from '../../support/interfere.ts';
import { type BusinessOptions, testNow, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const now = new Date(testNow).toISOString();
const jane = { name: 'Jane', phone: '+371 2000 0001', email: 'Jane@example.com' };

async function testBusiness(options?: BusinessOptions) {
  const { serviceId, staff: members, key, account: owner, events: emitted } = await fixture.business(options);
  const create = async (body: object) => (await owner('createClient', { body })).json as { id: number };
  const update = async (id: number, body: object) => (await owner('updateClient', { ...at(id), body })).json;
  const book = async (who: object, clock = '10:00', staff = 0) => {
    const body = { serviceId, staffId: members[staff]?.id, startTime: timeOf(clock), ...who };
    return (await owner('createBooking', { body })).json as { id: number; clientId: number };
  };
  return { members, key, owner, create, update, book, emitted };
}

test("Creating a client returns all fields of the client and raises the event client.created with the client's data", async () => {
  const { owner, create, emitted } = await testBusiness();
  const full = await create(jane);
  const plain = { metadata: {}, createdAt: now, updatedAt: now, erasedAt: null, erased: false, revision: 1 };
  expect(full).toEqual({ ...jane, ...plain, id: expect.any(Number) });
  expect(await create({ name: 'Bob', phone: '112233' })).toMatchObject({ name: 'Bob', email: null });
  const third = await create({ name: 'Eve', email: 'eve@example.com' });
  expect(third).toMatchObject({ phone: null });
  const raised = (await emitted('client.created')).map(({ data }) => data);
  expect(raised[0]).toEqual({ ...jane, clientId: full.id, createdAt: now, revision: 1 });
  expect(raised[2]).toEqual({
    ...{ clientId: third.id, name: 'Eve', phone: null, email: 'eve@example.com', createdAt: now, revision: 1 },
  });
  expect((await owner('getClient', at(full.id))).json).toEqual(full);
});

test('A client can get a phone or email that another client no longer has, but not one that another client still has', async () => {
  const { create, update, emitted } = await testBusiness();
  const { id } = await create(jane);
  const after = await update(id, { email: 'j@example.com' });
  const client = { id, metadata: {}, createdAt: now, updatedAt: now, erasedAt: null, erased: false, revision: 2 };
  expect(after).toEqual({ ...jane, email: 'j@example.com', ...client });
  const exists = { statusCode: 409, code: 'client_exists', details: { clientId: id } };
  const contacts = [{ phone: '0037120000001' }, { email: 'J@example.com' }, { phone: '1234', email: 'j@example.com' }];
  for (const contact of contacts) {
    expect(await create({ name: 'Bob', ...contact })).toMatchObject(exists);
  }
  const { id: other } = await create({ name: 'Bob', email: jane.email });
  expect(await update(other, { phone: '+37120000001' })).toMatchObject(exists);
  expect(await update(other, { phone: '5678', email: 'j@example.com' })).toMatchObject(exists);
  expect(await update(id, { email: 'j@example.com', metadata: { never: null } })).toEqual(after);
  const raised = (await emitted('client.updated')).map(({ data }) => data);
  const data = { ...jane, email: 'j@example.com', createdAt: now, updatedAt: now, erased: false, revision: 2 };
  expect(raised).toEqual([{ ...data, clientId: id, changedFields: ['email'] }]);
});

test('A client whose stored phone number belongs to another client can change it, and no third client can get the former number', async () => {
  const { key, create, update } = await testBusiness();
  const [{ id }, { id: second }] = [await create(jane), await create({ name: 'Bob', phone: '112233' })];
  await writeOne(set('records', records.client(key.tenantId, second), { phone: '0037120000001' }));
  expect(await update(second, { phone: '445566' })).toMatchObject({ id: second, phone: '445566' });
  const exists = { code: 'client_exists', details: { clientId: id } };
  expect(await create({ name: 'Eve', phone: jane.phone })).toMatchObject(exists);
  await writeOne(set('records', records.client(key.tenantId, second), { phone: '778899' }));
  expect(await update(second, { phone: '1234' })).toMatchObject({ id: second, phone: '1234' });
});

describe('an email address that passes to another client during a change', () => {
  async function passing(instead?: Interference['instead']) {
    const { create, update } = await testBusiness();
    const { id } = await create(jane);
    const first = async () => {
      await update(id, { email: null });
      await create({ name: 'Bob', email: jane.email });
    };
    await interfering({ when: () => true, first, instead }, () => update(id, { email: 'j@example.com' }));
    return await create({ name: 'Eve', email: jane.email });
  }

  test('If a client gives up an email address and another client concurrently gets it, no third client can get this address', async () =>
    expect(await passing()).toMatchObject({ code: 'client_exists' }));
  test('Negative control: if an email address is checked only before the transaction, two clients can have it', async () =>
    expect(await passing(withoutConditions)).toMatchObject({ name: 'Eve' }));
});

type Business = Awaited<ReturnType<typeof testBusiness>>;

describe.each<[string, ({ create, update, book }: Business, id: number) => Promise<unknown>]>([
  ['is added', ({ create }) => create({ name: 'Eve', phone: '112233' })],
  ['is updated', ({ update }, id) => update(id, { phone: '112233' })],
  ['books for the first time', ({ book }) => book({ client: { name: 'Eve', phone: '112233' } })],
])('a phone number that one client gets while another client %s with it', (happens, claim) => {
  async function phonesAfter(instead?: Interference['instead']) {
    const business = await testBusiness();
    const { key, create } = business;
    const { id } = await create(jane);
    const first = () => create({ name: 'Bob', phone: '11 22 33' });
    await interfering({ when: () => true, first, instead }, () => claim(business, id));
    return (await listClients(key, {})).data.map(({ phone }) => phone);
  }

  test(`If two clients get one phone number concurrently, only one of them has it afterwards (one client ${happens})`, async () =>
    expect((await phonesAfter()).sort()).toEqual([jane.phone, '11 22 33']));
  test(`Negative control: if a phone number is checked only before the transaction, two clients can have it (one client ${happens})`, async () =>
    expect(await phonesAfter(withoutConditions)).toEqual(expect.arrayContaining(['112233', '11 22 33'])));
});

test('A client keeps at least a phone number or an email address, and cannot be changed after an erasure', async () => {
  const { key, owner, create, update, book } = await testBusiness();
  const { id } = await create(jane);
  expect(await update(id, { email: null })).toMatchObject({ email: null, phone: jane.phone });
  expect(await update(id, { phone: null })).toMatchObject({
    ...{ statusCode: 400, code: 'validation_failed' },
    details: [{ path: 'phone', message: 'phone and email cannot both be null' }],
  });
  expect(await update(id, { phone: null, email: jane.email })).toMatchObject({ email: jane.email, phone: null });
  expect((await owner('getClient', at(id))).json).toMatchObject({ email: jane.email, phone: null });
  await writeOne(set('records', records.client(key.tenantId, id), { erasedAt: now }));
  expect(await update(id, { name: 'J.' })).toMatchObject({
    ...{ statusCode: 409, code: 'invalid_state', message: 'The client was erased.' },
  });
  expect(await book({ clientId: id })).toMatchObject({ statusCode: 404, message: 'There is no such client.' });
});

test('After a client is renamed, a search finds the client only by the new name', async () => {
  const { key, create, update } = await testBusiness();
  const { id } = await create({ ...jane, name: 'Anna Maria Berg' });
  await update(id, { name: 'Anna Berg' });
  const isEntry = ({ pk, sk }: Record<string, unknown>) => pk === `T#${key.tenantId}` && /^NAME#/.test(String(sk));
  const left = (await fixture.items('records')).filter(isEntry);
  const named = entriesOf('Anna Berg').map((entry) => records.clientName(key.tenantId, entry, id));
  const bySk = (a: { sk?: unknown }, b: { sk?: unknown }) => (String(a.sk) < String(b.sk) ? -1 : 1);
  expect(left.sort(bySk)).toEqual(named.map((key) => ({ ...key, clientId: id })).sort(bySk));
});

test('The list of clients is newest first, can be filtered, and refuses a cursor of another business', async () => {
  const { owner, create } = await testBusiness();
  const clients: { id: number }[] = [];
  for (const name of ['A', 'B']) clients.unshift(await create({ name, email: `${name}@example.com` }));
  clients.unshift(await create({ ...jane, name: 'C' }));
  const list = async (query: string, who = owner) => (await who('listClients', { query })).json;
  for (const [query, found] of [
    ['phone=0037120000001', [clients[0]]],
    ['email=b%40EXAMPLE.com', [clients[1]]],
    ['email=b%40example.com&phone=0037120000001', []],
    ['phone=%2B371999999', []],
    ['updatedFrom=2026-12-01T05:00:00.001Z', []],
    ['updatedFrom=2026-12-01T05:00:00Z', clients],
    [`ids=${clients[2]?.id},1,${clients[0]?.id}`, [clients[2], clients[0]]],
    ['phone=0037120000001&updatedFrom=2026-12-01T05:00:00.001Z', []],
    [`ids=${clients[0]?.id}&updatedFrom=2026-12-01T05:00:00.001Z`, []],
  ] as const) {
    expect((await list(query)).data, query).toEqual(found);
  }
  const { data, nextCursor } = await list('limit=2');
  expect(data).toEqual(clients.slice(0, 2));
  expect(await list(`limit=2&cursor=${nextCursor}`)).toEqual({ data: clients.slice(2), nextCursor: null });
  expect(await list('')).toEqual({ data: clients, nextCursor: null });
  const { nextCursor: ofSearch } = await list('search=b&limit=1&updatedFrom=2026-12-01T05:00:00Z');
  for (const [query, path] of [
    [`search=b&cursor=${ofSearch}`, 'cursor'],
    [`ids=1&cursor=${nextCursor}`, 'cursor'],
    ['search=b&phone=0037120000001', 'phone'],
    ['search=b&email=b%40example.com', 'email'],
    ['search=b&ids=1', 'search'],
  ] as const) {
    expect(await list(query), query).toMatchObject({ code: 'validation_failed', details: [{ path }] });
  }
  const { owner: stranger } = await testBusiness();
  expect(await list(`cursor=${nextCursor}`, stranger)).toMatchObject({ code: 'validation_failed' });
  expect(await list(`ids=${clients[0]?.id}`, stranger)).toEqual({ data: [], nextCursor: null });
});

test('A booking request finds an existing client by id, phone number or email address, and otherwise creates a new client', async () => {
  const { create, update, book } = await testBusiness();
  const { id } = await create({ name: 'Jane', phone: jane.phone });
  await update(id, { email: jane.email });
  const clocks = ['09:00', '10:00', '11:00', '12:30'];
  for (const who of [
    { clientId: id },
    { client: { name: 'J.', phone: '+37120000001', email: 'new@example.com' } },
    { client: { name: 'J.', email: 'JANE@example.com' } },
    { client: { name: 'J.', phone: '+37120000009', email: jane.email } },
  ]) {
    // The booking contains the contact that was sent, and the stored client is unchanged.
    expect(await book(who, clocks.shift())).toMatchObject({ ...who, clientId: id });
  }
  const strange = await (await testBusiness()).create(jane);
  const missing = { statusCode: 404, code: 'not_found', message: 'There is no such client.' };
  for (const clientId of [1, strange.id]) expect(await book({ clientId }, '14:00')).toMatchObject(missing);
  const fresh = await book({ client: { name: 'Bob', phone: '+37120000002' } }, '14:00');
  expect(fresh).toMatchObject({ client: { name: 'Bob', phone: '+37120000002', email: null } });
  expect(fresh.clientId).not.toBe(id);
  expect(await book({ clientId: id }, '15:00')).toMatchObject({
    client: { name: 'Jane', phone: jane.phone, email: jane.email },
  });
});

test('A booking counts as unfinished until its end time has passed or it is completed, cancelled or marked as no-show', async () => {
  const { members, key, owner, book } = await testBusiness({ rules: { confirmation: 'manual' } });
  const client = { client: jane };
  // Each takes 45 minutes, two hours ahead of UTC.
  const [first, second] = [await book(client, '09:00'), await book(client, '12:30')];
  await book(client, '09:00', 2);
  const [anna, , janis] = members.map(({ id }) => `${id}`);
  const left = async (clock: string, ...calendars: (string | undefined)[]) =>
    Promise.all(calendars.map((id) => countUnfinishedBookings(key.tenantId, Date.parse(timeOf(clock)), id)));
  expect(await left('08:00', undefined, anna, janis)).toEqual([3, 2, 1]);
  expect(await left('09:44', undefined, anna, janis)).toEqual([3, 2, 1]);
  expect(await left('09:45', undefined, anna, janis)).toEqual([1, 1, 0]);
  expect(await left('13:15', undefined, anna, janis)).toEqual([0, 0, 0]);
  for (const { id } of [first, second]) await owner('confirmBooking', at(id));
  expect(await left('08:00', undefined, anna, janis)).toEqual([3, 2, 1]);
  await owner('completeBooking', at(first.id));
  expect(await left('08:00', undefined, anna, janis)).toEqual([2, 1, 1]);
  await owner('markNoShow', at(second.id));
  expect(await left('08:00', undefined, anna, janis)).toEqual([1, 0, 1]);
});

test('A booking of several services counts as unfinished for a staff member until the last service by this staff member has ended', async () => {
  const { services, staff, book, tenantId } = await fixture.business();
  const [[cut, , beard], [anna, , janis]] = [services, staff];
  const visit = [
    { serviceId: cut.id, staffId: anna.id },
    { serviceId: beard.id, staffId: janis.id },
  ];
  await book(timeOf('10:00'), { serviceId: undefined, staffId: undefined, services: visit });
  await book(timeOf('12:30'));
  const left = (id?: number) =>
    countUnfinishedBookings(tenantId, Date.parse(timeOf('10:50')), id === undefined ? id : `${id}`);
  expect(await Promise.all([left(), left(anna.id), left(janis.id)])).toEqual([2, 1, 1]);
});
