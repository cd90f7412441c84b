/** Where an erasure looks, where it goes on, and what it takes out (docs/rules.md#erasure). */
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { newId, setRuntime } from '../../../core/clock.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { beginErasure, type Erasure, type ErasurePosition, parseErasure } from '../../../core/erasure/message.ts';
import { noPerson, withoutPerson } from '../../../core/erasure/person.ts';
import type { Step } from '../../../core/erasure/steps.ts';
import { log } from '../../../core/log.ts';
import { records } from '../../../core/table-keys.ts';
import { put } from '../../support/pipeline-state.ts';
import { intercept, queueAndBusEnvironment } from '../../support/queue-and-bus.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

useTestBusiness();

interface Sent {
  readonly body: Erasure;
  readonly delaySeconds: number;
}

/** What goes to the queue from here on. It takes no more than so many messages. */
function queue(taken = Number.POSITIVE_INFINITY): Sent[] {
  const sent: Sent[] = [];
  Object.assign(process.env, queueAndBusEnvironment);
  onTestFinished(
    intercept({
      toBus: async () => ({}),
      toQueue: async () => ({}),
      toErasures: async (entries) => {
        const some = entries.slice(0, Math.max(0, taken - sent.length));
        for (const { MessageBody = '', DelaySeconds = 0 } of some) {
          sent.push({ body: JSON.parse(MessageBody), delaySeconds: DelaySeconds });
        }
        const Failed = entries.slice(some.length).map(({ Id = '' }) => ({ Id, Code: 'Down', SenderFault: false }));
        return { Successful: some.map(({ Id }) => ({ Id })), Failed } as never;
      },
    }),
  );
  return sent;
}

/** An erased client, and two steps of two parts, each part with two items, one on a page. Says what is looked at. */
async function erased() {
  const [tenantId, clientId] = [newId(), newId()];
  const createdAt = '2026-11-30T00:00:00.000Z';
  await put('records', { ...records.client(tenantId, clientId), id: clientId, createdAt, erasedAt: createdAt });
  const pk = (step: string, part: number) => `ERASURE-TEST#${tenantId}#${step}#${part}`;
  for (const step of ['one', 'two']) {
    for (const part of [3, 5]) for (const sk of ['a', 'b']) await put('records', { pk: pk(step, part), sk });
  }
  const looked: string[] = [];
  const stepOf = (name: string): Step => ({
    name,
    store: 'records',
    parts: async (person) => {
      expect(person).toEqual({ tenantId, clientId, contacts: [], since: Date.parse(createdAt) });
      return [3, 5].map((part) => ({
        part,
        query: {
          ...{ KeyConditionExpression: 'pk = :pk', ExpressionAttributeValues: { ':pk': pk(name, part) } },
          Limit: 1,
        },
      }));
    },
    find: async (_person, items) => {
      for (const { pk, sk } of items as { pk: string; sk: string }[]) {
        looked.push(`${pk.split('#').slice(2).join('')}${sk}`);
      }
      return [];
    },
  });
  const look = async (leftMs: number, from?: ErasurePosition) => {
    const message = { tenantId, clientId, ...(from && { from }) };
    await Promise.all(erase([message], { getRemainingTimeInMillis: () => leftMs }, ['one', 'two'].map(stepOf)));
    return looked.splice(0);
  };
  return { tenantId, clientId, pk, look };
}

const everywhere = ['one3a', 'one3b', 'one5a', 'one5b', 'two3a', 'two3b', 'two5a', 'two5b'];

describe('an erasure', () => {
  test('An erasure reads every page of every part of every step while there is time', async () => {
    const sent = queue();
    const { tenantId, clientId, look } = await erased();
    const said = vi.spyOn(log, 'info').mockReturnValue(undefined);
    onTestFinished(() => said.mockRestore());
    expect(await look(20_000)).toEqual(everywhere);
    expect(said).toHaveBeenCalledWith(expect.any(String), { tenantId, clientId });
    expect(sent).toEqual([]);
  });

  test.each<[string, Omit<ErasurePosition, 'after'> & { sk?: string }, number]>([
    ['in the middle of a part', { step: 'one', part: 3, sk: 'a' }, 1],
    ['at a later part', { step: 'one', part: 5 }, 2],
    ['behind a part that was removed', { step: 'one', part: 4 }, 2],
    ['in the last part of a step', { step: 'one', part: 5, sk: 'a' }, 3],
    ['at a later step', { step: 'two', part: 3 }, 4],
    ['behind all parts', { step: 'two', part: 6 }, 8],
    ['from the start when its step is unknown', { step: 'three', part: 5, sk: 'a' }, 0],
  ])('An erasure continues %s', async (_name, { sk, ...place }, skipped) => {
    const { pk, look } = await erased();
    const after = sk === undefined ? undefined : { pk: pk(place.step, place.part), sk };
    expect(await look(20_000, { ...place, after })).toEqual(everywhere.slice(skipped));
  });

  test('An erasure with little time left hands its position to the next run', async () => {
    const sent = queue();
    const { tenantId, clientId, pk, look } = await erased();
    const after = { pk: pk('one', 3), sk: 'a' };
    expect(await look(19_999)).toEqual(['one3a']);
    const next = { step: 'one', part: 3, after };
    expect(sent.splice(0)).toEqual([{ body: { tenantId, clientId, from: next }, delaySeconds: 0 }]);
    let runs = 1;
    const looked: string[] = [];
    for (let from: ErasurePosition | undefined = next; from; from = sent.shift()?.body.from, runs++) {
      looked.push(...(await look(19_999, from)));
    }
    expect(looked).toEqual(everywhere.slice(1));
    expect(runs).toBeGreaterThan(everywhere.length);
  });

  test('An erasure answers 503 to be repeated when the queue refuses one of its passes', async () => {
    setRuntime({ now: () => testNow, sleep: async () => undefined });
    onTestFinished(() => setRuntime({ now: () => testNow }));
    const [tenantId, clientId] = [7, 8];
    for (const taken of [0, 2]) {
      queue(taken);
      await expect(beginErasure({ tenantId, clientId })).rejects.toMatchObject({
        ...{ code: 'temporarily_unavailable', extras: { retryAfter: 1 } },
      });
    }
    const sent = queue();
    await beginErasure({ tenantId, clientId });
    expect(sent).toEqual([0, 35, 90].map((delaySeconds) => ({ body: { tenantId, clientId }, delaySeconds })));
  });
});

describe('a message', () => {
  const message = { tenantId: 7, clientId: 8 };
  const from = { step: 'messages', part: 0, after: { pk: 'a', sk: 'b' } };

  test.each([message, { ...message, from }, { ...message, from: { step: 'x', part: 1 } }])(
    'The erasure message %j is accepted',
    (body) => expect(parseErasure(JSON.stringify(body))).toEqual(body),
  );

  test.each([
    {},
    { tenantId: 7 },
    { ...message, clientId: 0 },
    { ...message, tenantId: -7 },
    { ...message, clientId: 1.5 },
    { ...message, from: {} },
    { ...message, from: { ...from, part: 'x' } },
    { ...message, from: { ...from, after: {} } },
  ])('The erasure message %j is refused', (body) => expect(() => parseErasure(JSON.stringify(body))).toThrow());
});

test('Removing a client from stored data keeps all other fields and their order', () => {
  const rest = { clientId: 2, status: 'cancelled', constructor: 'x' };
  const reported = { name: 'Jane', phone: '+371', email: 'j@example.com', client: { name: 'Jane' }, comment: 'x' };
  const said = { cancelReason: 'x', reason: 'x', text: 'x', authorName: 'Jane', reply: 'x' };
  const erased = {
    ...{ id: 1, name: '', phone: null, email: null, client: noPerson, comment: null, cancelReason: null, reason: null },
    ...{ text: '', authorName: '', reply: null, clientId: 2, status: 'cancelled', constructor: 'x' },
  };
  const result = withoutPerson({ id: 1, ...reported, ...said, ...rest });
  expect(JSON.stringify(result)).toBe(JSON.stringify(erased));
  expect(withoutPerson(erased)).toBeUndefined();
  expect(withoutPerson(rest)).toBeUndefined();
  for (const [name, value] of Object.entries({ ...reported, ...said }))
    expect(withoutPerson({ [name]: value })).toBeDefined();
});
