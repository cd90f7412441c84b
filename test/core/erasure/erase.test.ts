/** The erasure of a client removes their personal data from every table (docs/rules.md#erasure). */
import type { Context } from 'aws-lambda';
import { expect, onTestFinished, test } from 'vitest';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { isOpen } from '../../../core/bookings/state.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { beginErasure, type Erasure } from '../../../core/erasure/message.ts';
import { noPerson } from '../../../core/erasure/person.ts';
import { steps } from '../../../core/erasure/steps.ts';
import { at } from '../../support/account.ts';
import { lambdaContext } from '../../support/http.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import { type Destinations, intercept, sendBatch } from '../../support/queue-and-bus.ts';
import { type Call, type Row, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';
import { kindOfData, type Traced, tracedClient, writeLate } from './traced-client.ts';

const fixture = useTestBusiness();
const traced = () => tracedClient(fixture, onTestFinished);
const noTime = { getRemainingTimeInMillis: () => 0 } as Context;

/** Handles messages of the queue, and those that result, until it is empty. Returns the number of runs. */
async function work({ sent }: Traced, time = lambdaContext, places = steps): Promise<number> {
  let runs = 0;
  for (let next = sent.shift(); next; next = sent.shift()) {
    await Promise.all(erase([next.body], time, places));
    runs += 1;
  }
  return runs;
}

test('The erasure of a client deletes all personal data of the client from all tables, and no data of other clients', async () => {
  const client = await traced();
  const others = await client.othersTraces();
  const entriesOfSearch = async () => (await client.leaks()).filter((leak) => / (NAME|CONTACT)#/.test(leak));
  expect((await client.leaks()).length).toBeGreaterThan(20);
  expect((await entriesOfSearch()).length).toBeGreaterThan(1);
  const answer = await client.owner('eraseClient', at(client.clientId));
  expect(answer).toMatchObject({ status: 202, json: { id: client.clientId, name: '', phone: null, email: null } });
  // As soon as the request is answered, no client search finds the client.
  expect(await entriesOfSearch()).toEqual([]);
  expect(client.sent.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 35, 90]);
  client.sent.splice(0, 2);
  expect(await work(client, noTime)).toBeGreaterThan(steps.length);
  expect(await client.leaks()).toEqual([]);
  expect(await client.othersTraces()).toEqual(others);
  // Lists by the client's id still contain the bookings, without personal data.
  const visits = await listBookings(ownerPrincipal(client.tenantId), { clientId: client.clientId });
  expect(visits.data.length).toBeGreaterThan(1);
  expect(visits.data.map((visit) => visit.client)).toEqual(visits.data.map(() => noPerson));
});

const isCancellation = ({ operation, input }: Call) =>
  operation === 'TransactWriteItems' && JSON.stringify(input).includes('cancelledBy');

test("Erasing a client cancels the client's upcoming bookings only on request, and never bookings of other clients", async () => {
  const { owner, clientId, otherId, tenantId } = await traced();
  const from = new Date(testNow).toISOString();
  const open = async (id: number) =>
    (await listBookings(ownerPrincipal(tenantId), { clientId: id, from })).data.filter(isOpen).length;
  const cancelled = async () => {
    const events = await fixture.events(tenantId);
    return events.filter(
      ({ name, data }) => name === 'booking.cancelled' && 'clientId' in data && data.clientId === clientId,
    ).length;
  };
  const [own, others, before] = [await open(clientId), await open(otherId), await cancelled()];
  expect(own).toBeGreaterThan(0);
  await owner('eraseClient', at(clientId));
  expect(await open(clientId)).toBe(own);
  expect((await owner('eraseClient', { ...at(clientId), body: { cancelBookings: true } })).status).toBe(202);
  expect([await open(clientId), await open(otherId)]).toEqual([0, others]);
  expect(await cancelled()).toBe(before + own);
  expect((await owner('eraseClient', { ...at(1), body: { cancelBookings: true } })).status).toBe(404);
  // Each of the two requests has one entry, although the second one committed several transactions at the same time.
  const { data: entries } = (await owner('listAudit')).json as { data: { operation: string }[] };
  expect(entries.filter(({ operation }) => operation === 'POST /v1/account/clients/:id/erase').length).toBe(2);
});

test('An erasure whose cancellation of a booking fails gets a 503, erases nothing, and can be repeated', async () => {
  const { owner, clientId, tenantId } = await traced();
  const openBookings = async () => (await listBookings(ownerPrincipal(tenantId), { clientId })).data.filter(isOpen);
  const erased = () => owner('eraseClient', { ...at(clientId), body: { cancelBookings: true } });
  await scripted([{ when: isCancellation, nth: 1, fail: 'ThrottlingException' }], async () => {
    expect((await erased()).status).toBe(503);
  });
  expect((await owner('getClient', at(clientId))).json).toMatchObject({ erased: false });
  expect(await openBookings()).not.toEqual([]);
  expect((await erased()).status).toBe(202);
  expect(await openBookings()).toEqual([]);
});

test("If a booking is completed while the erasure of its client cancels the client's bookings, this booking stays completed", async () => {
  const { owner, clientId, tenantId } = await traced();
  const bookings = () => listBookings(ownerPrincipal(tenantId), { clientId });
  const ahead = (await bookings()).data.filter(isOpen);
  const [first] = ahead;
  let completed = 0;
  const before = async () => {
    completed = (await owner('completeBooking', at(first?.id ?? 0))).status;
  };
  await scripted([{ when: isCancellation, nth: 1, before }], async () => {
    expect((await owner('eraseClient', { ...at(clientId), body: { cancelBookings: true } })).status).toBe(202);
  });
  expect(completed).toBe(200);
  const statuses = (await bookings()).data.map(({ id, status }) => [id, status]);
  expect(statuses.filter(([id]) => ahead.some((one) => one.id === id))).toEqual(
    ahead.map(({ id }) => [id, id === first?.id ? 'completed' : 'cancelled']),
  );
});

test.each<[string, boolean[], string, string?]>([
  ['with `cancelBookings`: cancelled', [true], 'cancelled'],
  ['repeated with `cancelBookings`: cancelled', [false, true], 'cancelled'],
  ['without `cancelBookings`: kept', [false, false], 'confirmed'],
  ['with `cancelBookings`, after the start: kept', [true], 'confirmed', '2026-12-03T10:00:01+02:00'],
])('A booking made during an erasure is cancelled only on request (%s)', async (_, requests, status, workedAt) => {
  const client = await traced();
  const { clientId, tenantId, owner } = client;
  const [service] = (await owner('listServices')).json.data as { id: number }[];
  let id = 0;
  const before = async () => {
    const body = { serviceId: service?.id, startTime: '2026-12-03T10:00:00+02:00', clientId };
    const { status, json } = await owner('createBooking', { body });
    expect(status).toBe(201);
    id = Number(json.id);
  };
  const script: Row[] = [
    { when: ({ input }) => 'TransactItems' in input && JSON.stringify(input).includes('erasedAt'), nth: 1, before },
    // The index does not contain the booking yet.
    { when: ({ input }) => input.IndexName === 'byClient', answer: () => ({ Items: [] }) },
  ];
  await scripted(script, async () => {
    for (const cancelBookings of requests) await owner('eraseClient', { ...at(clientId), body: { cancelBookings } });
  });
  if (workedAt) setRuntime({ now: () => Date.parse(workedAt) });
  await work(client);
  const { data } = await listBookings(ownerPrincipal(tenantId), { ids: [id] });
  expect(data).toMatchObject([{ status, client: noPerson }]);
  expect(await client.leaks()).toEqual([]);
});

test("A booking that is made with an erased client's phone right after the erasure keeps this phone", async () => {
  const client = await traced();
  const { owner, phone } = client;
  await owner('eraseClient', at(client.clientId));
  const [service] = (await owner('listServices')).json.data as [{ id: number }];
  const body = { serviceId: service.id, startTime: '2026-12-07T10:00:00+02:00', client: { name: 'Jane', phone } };
  const book = () => owner('createBooking', { headers: { 'idempotency-key': 'again' }, body });
  const { json: booking } = await book();
  const website = keyPrincipal(client.tenantId, newId(), ['bookings:write']);
  const bookOnline = () => createBooking(website, { ...body, startTime: '2026-12-08T10:00:00+02:00' });
  await bookOnline();
  await work(client);
  expect(booking.client).toMatchObject({ phone });
  expect((await owner('getBooking', at(booking.id))).json).toEqual(booking);
  expect((await book()).json).toEqual(booking);
  // The limit of bookings for this phone through the website still counts the booking.
  await expect(bookOnline()).rejects.toMatchObject({ code: 'contact_limit_reached' });
});

test('An erasure also removes the stored response to the request that added the client, but no response about another one', async () => {
  const client = await traced();
  const { owner } = client;
  // Responses about bookings have a field with the name of this metadata.
  const add = (name: string) => {
    const body = { name, email: `${name}@example.com`, metadata: { clientId: `crm-${name}` } };
    return owner('createClient', { headers: { 'idempotency-key': name }, body });
  };
  const [{ json: added }, { json: other }] = [await add('Max'), await add('Eva')];
  await owner('eraseClient', at(added.id));
  await work(client);
  expect((await add('Max')).json).toMatchObject({ id: added.id, name: '', email: null });
  expect((await add('Eva')).json).toEqual(other);
});

test('After the erasure of a client, no review, reply, or reason for a cancellation or refund can be stored for the client', async () => {
  const client = await traced();
  const { owner, clientId, tenantId } = client;
  await owner('eraseClient', at(clientId));
  await work(client);
  const { data } = await listBookings(ownerPrincipal(tenantId), { clientId, status: 'confirmed' });
  const [first = { id: 0 }, second = { id: 0 }] = data;
  const firstOf = async (list: 'listReviews' | 'listPayments') =>
    ((await owner(list)).json.data as { id: number }[])[0] ?? { id: 0 };
  const [review, payment] = [await firstOf('listReviews'), await firstOf('listPayments')];
  await owner('completeBooking', at(first.id));
  const erased = { status: 409, json: { code: 'invalid_state', message: 'The client of this booking was erased.' } };
  expect(await owner('createReview', { body: { bookingId: first.id, rating: 1, text: 'Rude' } })).toMatchObject(erased);
  expect(await owner('replyToReview', { ...at(review.id), body: { text: 'Rude' } })).toMatchObject(erased);
  const body = { reason: 'Rude' };
  expect((await owner('cancelBooking', { ...at(second.id), body })).json).toMatchObject({ cancelReason: null });
  expect((await owner('refundPayment', { ...at(payment.id), body })).json).toMatchObject({ reason: null });
});

test.each(steps.map(({ name }) => [kindOfData[name] ?? name, name] as const))(
  'Negative control: if an erasure skips %s, data of the client remains stored',
  async (_, forgotten) => {
    const client = await traced();
    const others = steps.filter(({ name }) => name !== forgotten);
    await client.owner('eraseClient', at(client.clientId));
    await work(client, lambdaContext, others);
    expect(await client.leaks()).not.toEqual([]);
  },
);

test("Negative control: if an erasure searches only for the client's id, and not for phone and email, data of the client remains", async () => {
  const client = await traced();
  await client.owner('eraseClient', at(client.clientId));
  for (const { body } of client.sent) {
    expect(body.contacts).toHaveLength(2);
    delete body.contacts;
  }
  await work(client);
  const places = (await client.leaks()).map((leak) => /(BOOKING|KEY-CONTACT|IDEMPOTENCY)/.exec(leak)?.[0]);
  expect(new Set(places)).toEqual(new Set(['BOOKING', 'KEY-CONTACT', 'IDEMPOTENCY']));
});

test.each([
  ['After the deletion of a webhook and the erasure of a client, no data of the client is stored', true],
  ['Negative control: if the delivery log of a deleted webhook is kept, an erasure leaves data of the client', false],
])('%s', async (_, deletesLog) => {
  const client = await traced();
  const { json } = await client.owner('listWebhooks');
  for (const { id } of json.data as { id: number }[]) {
    expect((await client.owner('deleteWebhook', at(id))).status).toBe(204);
  }
  if (deletesLog) await work(client);
  else client.sent.length = 0;
  await client.owner('eraseClient', at(client.clientId));
  await work(client);
  expect((await client.leaks()).length === 0).toBe(deletesLog);
});

test('If a slow process stores personal data again after an erasure, the last scheduled pass of the erasure deletes it', async () => {
  const client = await traced();
  await client.owner('eraseClient', at(client.clientId));
  const [first, , last] = client.sent.splice(0);
  const pass = (one: { body: Erasure } | undefined) => Promise.all(erase(one ? [one.body] : [], lambdaContext));
  await pass(first);
  await writeLate(fixture, client);
  const leaks = await client.leaks();
  const hashes = leaks.filter((leak) => !leak.startsWith('late-'));
  expect(leaks.length).toBeGreaterThan(hashes.length);
  // A repeated erasure request needs the hashes of phone and email until the last pass has ended.
  expect(new Set(hashes).size).toBe(2);
  await pass(last);
  expect(await client.leaks()).toEqual([]);
});

test("If all queue messages of an erasure are lost, a repeated request still removes the client's contacts from all bookings", async () => {
  const client = await traced();
  await client.owner('eraseClient', at(client.clientId));
  client.sent.length = 0;
  setRuntime({ now: () => testNow + 300_000 });
  await client.owner('eraseClient', at(client.clientId));
  await work(client);
  expect(await client.leaks()).toEqual([]);
});

test('An erasure of a client raises client.updated once, even if it is repeated, and frees phone and email for other clients', async () => {
  const { owner, clientId, tenantId, phone, sent } = await traced();
  const before = (await fixture.events(tenantId)).length;
  await owner('eraseClient', at(clientId));
  expect(sent.splice(0)).toHaveLength(3);
  setRuntime({ now: () => testNow + 299_999 });
  const again = await owner('eraseClient', at(clientId));
  const erasedAt = new Date(testNow).toISOString();
  const who = { name: '', phone: null, email: null, createdAt: expect.any(String), updatedAt: erasedAt };
  expect(again).toMatchObject({ status: 202, json: { id: clientId, ...who, erasedAt, erased: true } });
  expect(sent).toEqual([]);
  setRuntime({ now: () => testNow + 300_000 });
  await owner('eraseClient', at(clientId));
  setRuntime({ now: () => testNow });
  expect(sent).toHaveLength(3);
  const raised = (await fixture.events(tenantId)).slice(before);
  const data = { clientId, ...who, changedFields: ['name', 'phone', 'email'], erased: true };
  const { revision } = again.json;
  expect(raised).toMatchObject([{ name: 'client.updated', occurredAt: erasedAt }]);
  expect(raised[0]?.data).toEqual({ ...data, revision });
  expect((await owner('updateClient', { ...at(clientId), body: { name: 'Jane' } })).json).toMatchObject({
    code: 'invalid_state',
  });
  const created = await owner('createClient', { body: { name: 'Jane', phone } });
  expect(created).toMatchObject({ status: 201 });
  expect(created.json.id).not.toBe(clientId);
});

test('Negative control: if the time of an erasure is not stored, a request that is repeated at once searches all data again', async () => {
  const { owner, clientId, sent } = await traced();
  const setsMark = ({ input }: Call) => Object.values(input.ExpressionAttributeNames ?? {}).includes('searchedAt');
  const eraseTwice = async () => {
    await owner('eraseClient', at(clientId));
    await owner('eraseClient', at(clientId));
  };
  await scripted([{ when: setsMark, answer: () => ({}) }], eraseTwice);
  expect(sent).toHaveLength(6);
});

test('A queue message that asks to erase a client does nothing if no owner has asked for the erasure', async () => {
  const client = await traced();
  const before = await client.leaks();
  const { tenantId, otherId: clientId } = client;
  await expect(Promise.all(erase([{ tenantId, clientId }], lambdaContext))).rejects.toThrow('no owner requested');
  expect(await client.leaks()).toEqual(before);
});

test.each([
  ['none', 0],
  ['only two', 2],
] as const)(
  'A request to erase a client gets 503 and can be repeated if some of its three queue messages were not sent (%s sent)',
  async (_, taken) => {
    setRuntime({ now: () => testNow, sleep: async () => undefined });
    let entries = 0;
    const takes = () => ++entries <= taken;
    const toErasures: Destinations['toErasures'] = async (all) => sendBatch(all, takes, () => undefined);
    onTestFinished(intercept({ toBus: async () => ({}), toQueue: async () => ({}), toErasures }));
    const refusal = { code: 'temporarily_unavailable', extras: { retryAfter: 1 } };
    await expect(beginErasure({ tenantId: 7, clientId: 8 })).rejects.toMatchObject(refusal);
  },
);
