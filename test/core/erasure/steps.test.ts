/** What each step of an erasure finds, takes out, and leaves alone (docs/rules.md#erasure). */
import { expect, test } from 'vitest';
import { firstIdAt, newId } from '../../../core/clock.ts';
import { compressText, decompressText } from '../../../core/compressed-text.ts';
import { deliveryId } from '../../../core/deliveries/model/delivery-id.ts';
import { noPerson } from '../../../core/erasure/person.ts';
import { type Person, steps } from '../../../core/erasure/steps.ts';
import type { Key } from '../../../core/store/key.ts';
import { getItem, queryAll } from '../../../core/store/read.ts';
import { deliveries, outboxShards, records } from '../../../core/table-keys.ts';
import { overtaken } from '../../support/interfere.ts';
import { newWebhook, put } from '../../support/pipeline-state.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

useTestBusiness();
const hourMs = 3_600_000;
const jane = { name: 'Jane', phone: '+37120000001', email: null };

function newPerson(): Person & { readonly other: number; readonly own: number; readonly strange: number } {
  const [tenantId, clientId, other, own, strange] = [newId(), newId(), newId(), newId(), newId()];
  return { tenantId, clientId, contacts: [], since: testNow - hourMs, other, own, strange };
}

/** A payment of the client and one of another, which refunds name. */
async function withPayments() {
  const person = newPerson();
  const { tenantId, clientId, other, own, strange } = person;
  for (const [id, whose] of [
    [own, clientId],
    [strange, other],
  ] as const) {
    await put('records', { ...records.payment(tenantId, id), id, clientId: whose, refundedAmount: 1 });
  }
  return person;
}

/** What a step finds, and how it deals with that. */
function look(name: string, person: Person) {
  const step = steps.find((one) => one.name === name);
  if (!step) throw new Error(`There is no step ${name}`);
  return {
    async find<Item>() {
      const parts = await step.parts(person);
      for (const { query } of parts) expect(query.ConsistentRead).toBe(true);
      const found = await Promise.all(parts.map(({ query }) => queryAll<Item & Key>(step.store, query)));
      return found.flat();
    },
    erase: async (items: readonly object[]) => {
      for (const trace of await step.find(person, items)) await trace.erase();
    },
  };
}

/** What is at each of these places after a step, where it was before. Once more changes nothing. */
async function after<Item>(
  name: string,
  person: Person,
  places: readonly Key[],
  store: 'records' | 'deliveries' = 'records',
) {
  const { find, erase } = look(name, person);
  const found = await find();
  await erase(found);
  const left = () => Promise.all(places.map((place) => getItem<Item>(store, place)));
  const once = await left();
  await erase(found);
  const writes = (command: string) => {
    expect(command).toMatch(/^(Get|BatchGet|Query)/);
    return false;
  };
  const again = await find();
  await overtaken({ before: writes, next: async () => undefined }, () => erase(again));
  expect(await left()).toEqual(once);
  return { once, found: found.map(({ pk, sk }) => ({ pk, sk })) };
}

test('Erasing a client removes contact and comment from bookings, and the texts of their reviews', async () => {
  const person = newPerson();
  const { tenantId, clientId, other } = person;
  const book = async (whose: number, id: number, more: object = {}) => {
    const times = { start: 1, end: 2, taken: { start: 1, end: 2 }, timeZone: 'Europe/Riga', revision: 1 };
    const item = { id, clientId: whose, client: jane, comment: 'x', cancelReason: null, status: 'completed', ...times };
    await put('records', { ...records.booking(tenantId, id), ...item, ...more });
    return records.booking(tenantId, id);
  };
  const first = firstIdAt(person.since - hourMs);
  const places = [
    await book(clientId, first),
    await book(other, first + 1),
    await book(clientId, first + 2, { client: noPerson, comment: null }),
    await book(clientId, first - 1),
    await book(clientId, first + 3),
  ];
  const review = records.review(tenantId, 5);
  await put('records', { ...review, id: 5, text: 'x', authorName: 'Jane', reply: 'y', rating: 5 });
  await put('records', { ...records.reviewOf(tenantId, first), reviewId: 5 });
  await put('records', { ...records.reviewOf(tenantId, first + 3), reviewId: 6 });
  const { once, found } = await after('bookings', person, [...places, review]);
  expect(found).toEqual([places[0], places[2], places[4]]);
  const reported = { client: jane, comment: 'x', revision: 1 };
  const erased = { client: noPerson, comment: null, revision: 2 };
  expect(once).toMatchObject([erased, reported, { ...erased, revision: 1 }, reported, erased, {}]);
  expect(once[5]).toEqual({ ...review, id: 5, text: '', authorName: '', reply: null, rating: 5 });
});

test('Erasing the text of a review keeps a rating that is changed concurrently', async () => {
  const person = newPerson();
  const { tenantId, clientId } = person;
  const review = { ...records.review(tenantId, 5), id: 5, text: 'x', authorName: 'Jane', rating: 5 };
  await put('records', { ...records.reviewOf(tenantId, 8), reviewId: 5 });
  await put('records', review);
  const { erase } = look('bookings', person);
  const isRead = (command: string, input: object) =>
    command === 'BatchGetItemCommand' && JSON.stringify(input).includes('#REVIEWS');
  await overtaken({ after: isRead, next: () => put('records', { ...review, rating: 1, authorName: '' }) }, () =>
    erase([{ id: 8, clientId, client: noPerson }]),
  );
  expect(await getItem('records', review)).toEqual({ ...review, rating: 1, text: '', authorName: '' });
});

test('Erasing a client removes the reasons of refunds of their payments, but not of others', async () => {
  const person = await withPayments();
  const { tenantId, clientId, own, strange } = person;
  await put('records', { ...records.payment(tenantId, 1), id: 1, clientId, refundedAmount: 1 });
  const unrefunded = newId();
  await put('records', { ...records.payment(tenantId, unrefunded), id: unrefunded, clientId, refundedAmount: 0 });
  const places = [own, own, strange].map((id, i) => records.refund(tenantId, id, i + 1));
  for (const [i, place] of places.entries()) await put('records', { ...place, id: i + 1, reason: 'Late.', amount: 5 });
  const { once, found } = await after('refunds', person, places);
  expect(found).toEqual([records.payment(tenantId, own)]);
  expect(once).toMatchObject([null, null, 'Late.'].map((reason) => ({ reason, amount: 5 })));
});

/** What tells of whom, by a name: the same in remembered answers, in events and in messages. */
const reported = ({ clientId, other, own, strange }: Awaited<ReturnType<typeof withPayments>>) => ({
  client: { clientId, name: 'Jane', phone: '+371', email: null },
  refund: { paymentId: own, reason: 'Late.' },
  'another client': { clientId: other, name: 'Jane' },
  'a refund of another client': { paymentId: strange, reason: 'Late.' },
  'a refund of no payment': { paymentId: 7, reason: 'Late.' },
});
const erased: Readonly<Record<string, object>> = { client: noPerson, refund: { reason: null } };

test('Erasing a client removes personal data from stored idempotent answers about that client only', async () => {
  const person = await withPayments();
  const { tenantId, clientId } = person;
  const place = (name: string) => records.idempotency(tenantId, 9, name);
  const all = Object.entries(reported(person));
  const outcomes = new Map<string, object>(all.map(([name, answer]) => [name, { status: 201, answer }]));
  outcomes.set('refusal', { error: { clientId, name: 'Jane' } });
  outcomes.set('service', { answer: { name: 'Cut' } });
  for (const [name, outcome] of outcomes) await put('records', { ...place(name), outcome: JSON.stringify(outcome) });
  const names = [...outcomes.keys()];
  const { once, found } = await after<{ outcome: string }>('answers', person, names.map(place));
  expect(found.map(({ sk }) => sk?.slice(2)).sort()).toEqual(
    ['client', 'refund', 'a refund of another client', 'a refund of no payment', 'refusal'].sort(),
  );
  const left = once.map((item) => JSON.parse(item?.outcome ?? ''));
  expect(left).toEqual(
    [...outcomes].map(([name, outcome]) =>
      erased[name] && 'answer' in outcome
        ? { ...outcome, answer: { ...Object(outcome.answer), ...erased[name] } }
        : outcome,
    ),
  );
});

test('Erasing a client removes personal data from waiting events in every shard, but not of others', async () => {
  const person = await withPayments();
  const { tenantId } = person;
  const all = Object.entries(reported(person));
  const place = (i: number) => records.outbox({ id: 50 + i, shard: i * 60 });
  for (const [i, [, data]] of all.entries())
    await put('records', { ...place(i), tenantId, data: JSON.stringify(data) });
  const strange = { ...place(0), sk: 'of another business', tenantId: 1, data: JSON.stringify(all[0]?.[1]) };
  const broken = { ...place(1), sk: 'broken', tenantId, data: '{' };
  for (const item of [strange, broken]) await put('records', item);
  expect(await steps.find(({ name }) => name === 'outbox')?.parts(person)).toHaveLength(outboxShards);
  const { once } = await after<{ data: string }>('outbox', person, [...all.map((_, i) => place(i)), strange, broken]);
  expect(once.slice(all.length)).toEqual([strange, broken]);
  expect(once.slice(0, all.length).map((item) => JSON.parse(item?.data ?? ''))).toEqual(
    all.map(([name, data]) => ({ ...data, ...erased[name] })),
  );
});

test.each([
  ['answers', 'outcome', (data: object) => JSON.stringify({ answer: data })],
  ['outbox', 'data', JSON.stringify],
] as const)('Erasing %s keeps an item that was overwritten concurrently', async (name, field, written) => {
  const person = newPerson();
  const { tenantId, clientId } = person;
  const key = name === 'answers' ? records.idempotency(tenantId, 9, 'x') : records.outbox({ id: 3, shard: 7 });
  const item = { ...key, tenantId, [field]: written({ clientId, name: 'Jane' }) };
  const rewritten = { ...item, [field]: written({ clientId: person.other, name: 'Bob' }) };
  await put('records', rewritten);
  await look(name, person).erase([item]);
  expect(await getItem('records', key)).toEqual(rewritten);
});

test('Erasing a client removes message bodies and receiver answers since the client first appeared', async () => {
  const person = await withPayments();
  const { tenantId } = person;
  const { id } = await newWebhook(tenantId, 8, { lastNumber: 20 });
  const lower = await newWebhook(tenantId, 9, { id: id - 1 });
  const at = (ms: number) => new Date(ms).toISOString();
  const body = (data: object) => compressText(JSON.stringify({ event: 'x', data }));
  const bodies = Object.entries(reported(person));
  const written = [
    { body: body(bodies[0]?.[1] ?? {}), createdAt: at(person.since - hourMs - 1) },
    ...bodies.map(([, data]) => ({ body: body(data), createdAt: at(person.since - hourMs) })),
    { body: body({ ...bodies[0]?.[1], ...noPerson }), responseBody: 'echo' },
    { deliveryId: deliveryId(id, 2), responseBody: 'echo' },
    { deliveryId: deliveryId(id, 4), responseBody: 'echo' },
    { deliveryId: deliveryId(id, 2) },
    { deliveryId: deliveryId(id, 19), responseBody: 'echo' },
    { deliveryId: 'dlv_x', responseBody: 'echo' },
    { body: body(bodies[0]?.[1] ?? {}), trigger: 'ping' },
  ].map((record, i) => ({
    ...{ ...deliveries.record(id, i + 1), id: i + 1, trigger: 'scheduled', responseBody: null, createdAt: at(testNow) },
    ...{ deliveryId: deliveryId(id, i + 1), ...record },
  }));
  for (const record of written) await put('deliveries', record);
  const parts = await steps.find(({ name }) => name === 'messages')?.parts(person);
  expect(parts?.map(({ part }) => part)).toEqual([lower.id, id]);
  const { once, found } = await after<(typeof written)[number]>('messages', person, written, 'deliveries');
  expect(found.map(({ sk }) => sk)).toEqual([2, 3, 4, 5, 6, 7, 8, 9, 11, 12].map((n) => deliveries.record(id, n).sk));
  const dataOf = (item: (typeof written)[number] | undefined) =>
    item && 'body' in item ? JSON.parse(decompressText(item.body)).data : undefined;
  expect(once.slice(1, 6).map(dataOf)).toEqual(bodies.map(([name, data]) => ({ ...data, ...erased[name] })));
  expect(once[1]?.body && JSON.parse(decompressText(once[1].body)).event).toBe('x');
  expect(once.map((item) => item?.responseBody)).toEqual(
    written.map(({ responseBody }, i) => (i === 6 || i === 7 ? null : responseBody)),
  );
  for (const i of [0, 12]) expect(once[i]).toEqual(written[i]);
});
