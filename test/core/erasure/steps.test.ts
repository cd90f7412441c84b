/** The steps of an erasure find all personal data, and overwrite no concurrent changes (docs/rules.md#erasure). */
import { expect, test } from 'vitest';
import { contactHashes } from '../../../core/bookings/clients.ts';
import { newId } from '../../../core/clock.ts';
import type { Person } from '../../../core/erasure/about-person.ts';
import { noPerson } from '../../../core/erasure/person.ts';
import { steps, type Trace } from '../../../core/erasure/steps.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { put } from '../../support/pipeline-state.ts';
import { type Call, scriptDynamo, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

useTestBusiness();

const newPerson = (): Person => ({ tenantId: newId(), clientId: newId(), contacts: [], since: testNow - 3_600_000 });

/** The data that a step finds in these items. */
function find(name: string, person: Person, items: readonly object[]): Promise<readonly Trace[]> {
  const step = steps.find((one) => one.name === name);
  if (!step) throw new Error(`There is no step ${name}`);
  return step.find(person, items);
}

async function erase(name: string, person: Person, items: readonly object[]): Promise<void> {
  for (const trace of await find(name, person, items)) await trace.erase();
}

test("The erasure of a review's text does not undo a concurrent change of the rating in this review", async () => {
  const person = newPerson();
  const { tenantId, clientId } = person;
  const review = { ...records.review(tenantId, 5), id: 5, text: 'x', authorName: 'Jane', rating: 5 };
  await put('records', { ...records.reviewOf(tenantId, 8), reviewId: 5 });
  await put('records', review);
  const when = ({ operation, input }: Call) =>
    operation === 'BatchGetItem' && JSON.stringify(input).includes('#REVIEWS');
  const after = () => put('records', { ...review, rating: 1, authorName: '' });
  await scripted([{ when, nth: 1, after }], () => erase('bookings', person, [{ id: 8, clientId, client: noPerson }]));
  expect(await getItem('records', review)).toEqual({ ...review, rating: 1, text: '', authorName: '' });
});

const rewritable = [
  ['a stored response', 'answers', 'outcome', (data: object) => JSON.stringify({ answer: data })],
  ['an unsent event', 'outbox', 'data', JSON.stringify],
] as const;

/** A client, and an item of this kind as a function of the name of the client that its data is about. */
function itemsOf([, step, field, written]: (typeof rewritable)[number]) {
  const person = newPerson();
  const { tenantId } = person;
  const key = step === 'answers' ? records.idempotency(tenantId, 9, 'x') : records.outbox({ id: 3, shard: 7 });
  const about = (name: string, clientId = person.clientId) => ({
    ...key,
    tenantId,
    [field]: written({ clientId, name }),
  });
  return { person, key, about };
}

test.for(rewritable)(
  'Erasing data of a client does not change %s that was concurrently overwritten with data of another client',
  async (kind) => {
    const { person, key, about } = itemsOf(kind);
    const rewritten = about('Bob', newId());
    await put('records', rewritten);
    await erase(kind[1], person, [about('Jane')]);
    expect(await getItem('records', key)).toEqual(rewritten);
  },
);

test.for(rewritable)(
  'A repeated erasure of a client does not change %s from which the personal data of the client is already removed',
  async (kind) => {
    const { person, key, about } = itemsOf(kind);
    await put('records', about('Jane'));
    await erase(kind[1], person, [about('Jane')]);
    await erase(kind[1], person, [about('')]);
    expect(await getItem('records', key)).toEqual(about(''));
  },
);

test('An erasure skips an unsent event that is not valid JSON, and erases personal data in the other events', async () => {
  const { person, key, about } = itemsOf(rewritable[1]);
  await put('records', about('Jane'));
  await erase('outbox', person, [
    { ...about('Jane'), ...records.outbox({ id: 4, shard: 7 }), data: '{' },
    about('Jane'),
  ]);
  expect(await getItem('records', key)).toEqual(about(''));
});

test("An erasure reads once for each page of bookings, and not for each booking, who now has the erased client's phone", async () => {
  const phone = '+37120000001';
  const tenantId = newId();
  const person = { ...newPerson(), tenantId, contacts: contactHashes(tenantId, { phone }) };
  const client = { name: 'Bob', phone, email: null };
  const items = Array.from({ length: 50 }, (_, id) => ({ id, clientId: 7, client }));
  using script = scriptDynamo([]);
  expect(await find('bookings', person, items)).toHaveLength(50);
  expect(script.operations).toEqual(['BatchGetItem']);
});

test("An erasure deletes the stored booking counts of the client's phone, except those of another client who now has it", async () => {
  const person = newPerson();
  const { tenantId, clientId } = person;
  const owner = { ...records.client(tenantId, 5), id: 5, name: 'Bob', phone: '+37120000001', email: null };
  await put('records', owner);
  const [contact] = contactHashes(tenantId, owner);
  const lists = [[5], [6], [5, clientId]].map((clientIds) => ({ contact, clientIds }));
  const deleted = await find('contact-bookings', person, lists);
  expect(deleted.map(({ data }) => data.clientIds)).toEqual([[6], [5, clientId]]);
});
