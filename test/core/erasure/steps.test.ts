/** An erasure does not overwrite concurrent changes (docs/rules.md#erasure). */
import { expect, test } from 'vitest';
import { newId } from '../../../core/clock.ts';
import type { Person } from '../../../core/erasure/about-person.ts';
import { noPerson } from '../../../core/erasure/person.ts';
import { steps } from '../../../core/erasure/steps.ts';
import { getItem } from '../../../core/store/read.ts';
import { records } from '../../../core/table-keys.ts';
import { put } from '../../support/pipeline-state.ts';
import { type Call, scripted } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

useTestBusiness();

const newPerson = (): Person => ({ tenantId: newId(), clientId: newId(), contacts: [], since: testNow - 3_600_000 });

/** Runs a step on these items as it read them. */
async function erase(name: string, person: Person, items: readonly object[]): Promise<void> {
  const step = steps.find((one) => one.name === name);
  if (!step) throw new Error(`There is no step ${name}`);
  for (const trace of await step.find(person, items)) await trace.erase();
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
  ['a waiting event', 'outbox', 'data', JSON.stringify],
] as const;
const keyIn = (name: string, tenantId: number) =>
  name === 'answers' ? records.idempotency(tenantId, 9, 'x') : records.outbox({ id: 3, shard: 7 });

test.each(rewritable)(
  'Erasing data of a client does not change %s that was concurrently overwritten with data of another client',
  async (_, name, field, written) => {
    const person = newPerson();
    const { tenantId, clientId } = person;
    const key = keyIn(name, tenantId);
    const item = { ...key, tenantId, [field]: written({ clientId, name: 'Jane' }) };
    const rewritten = { ...item, [field]: written({ clientId: newId(), name: 'Bob' }) };
    await put('records', rewritten);
    await erase(name, person, [item]);
    expect(await getItem('records', key)).toEqual(rewritten);
  },
);

test.each(rewritable)(
  'An erasure that is repeated does not change %s about the client from which it has removed the personal data',
  async (_, name, field, written) => {
    const person = newPerson();
    const { tenantId, clientId } = person;
    const key = keyIn(name, tenantId);
    const item = { ...key, tenantId, [field]: written({ clientId, name: 'Jane' }) };
    const erased = { ...item, [field]: written({ clientId, name: '' }) };
    await put('records', item);
    await erase(name, person, [item]);
    await erase(name, person, [erased]);
    expect(await getItem('records', key)).toEqual(erased);
  },
);

test('An erasure passes over a waiting event that is not valid JSON, and erases the others', async () => {
  const person = newPerson();
  const { tenantId, clientId } = person;
  const key = keyIn('outbox', tenantId);
  const item = { ...key, tenantId, data: JSON.stringify({ clientId, name: 'Jane' }) };
  await put('records', item);
  await erase('outbox', person, [{ ...records.outbox({ id: 4, shard: 7 }), tenantId, data: '{' }, item]);
  expect(await getItem('records', key)).toEqual({ ...item, data: JSON.stringify({ clientId, name: '' }) });
});
