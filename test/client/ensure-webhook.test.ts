/** Two processes ensure the same webhook, with every order of responses to their calls. */
import { beforeEach, expect, test, vi } from 'vitest';
import { ensureWebhook } from '../../client/src/ensure-webhook.ts';

type Api = Parameters<typeof ensureWebhook>[0];
type Webhook = Awaited<ReturnType<Api['updateWebhook']>>;
type Name = 'a' | 'b';

/** A call without a response yet. A sleeping caller does not continue while the other one makes calls. */
interface Waiting {
  readonly go: () => void;
  readonly kind: 'call' | 'sleep';
  readonly since: number;
}

const turns = new Map<Name, Waiting>();
let running: Name = 'a';
let taken = 0;

function turn(name: Name, kind: Waiting['kind'] = 'call'): Promise<void> {
  return new Promise((go) => turns.set(name, { go, kind, since: taken }));
}

vi.mock(import('../../client/src/timeout.ts'), async (original) => ({
  ...(await original()),
  sleep: () => turn(running, 'sleep'),
}));
beforeEach(() => turns.clear());

/** A call of the other may be as slow as a sleep of a second. */
const callsInASleep = 1;
const wanted = { description: 'mirror', delivery: 'poll' as const, events: ['booking.created' as const] };

/** Webhooks of one key. An id is drawn before the webhook exists, so the one with the higher id may exist first. */
class Server {
  readonly webhooks = new Map<number, Webhook>();
  created = 0;
  #lastId = 0;

  apiOf(name: Name, seesOthers: boolean): Api {
    const called = async <T>(answer: () => T): Promise<T> => {
      await turn(name);
      return answer();
    };
    const own = new Set<number>();
    const found = () => [...this.webhooks.values()].filter(({ id }) => seesOthers || own.has(id));
    return {
      listWebhooks: async function* () {
        yield* await called(found);
      },
      createWebhook: async (input: typeof wanted) => {
        const id = await called(() => ++this.#lastId);
        return called(() => {
          const webhook = { ...input, description: input.description.trim(), id } as unknown as Webhook;
          this.webhooks.set(id, webhook);
          own.add(id);
          this.created += 1;
          return { ...webhook, secret: `whsec_${id}` };
        });
      },
      updateWebhook: async ({ id }: { id: number }) => called(() => this.webhooks.get(id)),
      deleteWebhook: ({ id }: { id: number }) => called(() => void this.webhooks.delete(id)),
    } as unknown as Api;
  }
}

/** Runs both callers to their end. Each bit of `order` selects the call that gets the next response. */
async function race(order: number, seesOthers = true, input = wanted) {
  const server = new Server();
  const open = new Set<Name>(['a', 'b']);
  const ended = new Map<Name, Awaited<ReturnType<typeof ensureWebhook>>>();
  taken = 0;
  const calls = (['a', 'b'] as const).map(async (name) => {
    running = name;
    const result = ensureWebhook(server.apiOf(name, seesOthers), input).finally(() => open.delete(name));
    ended.set(name, await result);
  });
  while (open.size > 0) {
    // Code that needs no response runs first.
    await new Promise(setImmediate);
    const ready = [...turns].filter(
      ([, { kind, since }]) => kind === 'call' || turns.size === 1 || taken - since >= callsInASleep,
    );
    const [name, { go }] = ready[(order >> taken) & 1] ?? ready[0] ?? [...turns][0] ?? ['a' as const, { go: () => {} }];
    turns.delete(name);
    running = name;
    taken += 1;
    go();
  }
  await Promise.all(calls);
  const results = [...ended.values()];
  return {
    ids: new Set(results.map(({ webhook }) => webhook.id)),
    secrets: results.filter(({ secret }) => secret !== undefined).length,
    left: server.webhooks.size,
    created: server.created,
  };
}

/** All orders of the first thirteen responses. */
const orders = Array.from({ length: 2 ** 13 }, (_, order) => order);

test('Two concurrent calls of ensureWebhook create one webhook with one secret, in whatever order their requests arrive', async () => {
  let contested = 0;
  for (const order of orders) {
    const { ids, secrets, left, created } = await race(order);
    expect([ids.size, secrets, left], `order ${order.toString(2)}`).toEqual([1, 1, 1]);
    if (created > 1) contested += 1;
  }
  expect(contested).toBeGreaterThan(50);
});

test('Negative control: if ensureWebhook does not see the webhook that another process created, two webhooks are left', async () => {
  expect(await race(0b1010101010, false)).toMatchObject({ left: 2 });
});

test('ensureWebhook ignores spaces around a description when it looks for a webhook, and refuses a blank description', async () => {
  const spaced = { ...wanted, description: ' mirror ' };
  expect(await race(0, true, spaced)).toMatchObject({ secrets: 1, left: 1 });
  const ofSpaces = ensureWebhook(new Server().apiOf('a', true), { ...wanted, description: ' ' });
  await expect(ofSpaces).rejects.toThrow('description must not be empty.');
});

test('ensureWebhook reactivates a disabled webhook, and changes nothing else of it', async () => {
  const changes: object[] = [];
  const api = {
    listWebhooks: async function* () {
      yield { ...wanted, id: 7, status: 'failed' };
    },
    updateWebhook: async (change: object) => {
      changes.push(change);
      return change;
    },
  } as unknown as Api;
  expect(await ensureWebhook(api, wanted)).toMatchObject({ webhook: { id: 7, status: 'active' } });
  expect(changes).toEqual([{ id: 7, status: 'active' }]);
});

test('If other processes create the webhook again and again, ensureWebhook gives up after five attempts and leaves none of its own', async () => {
  const own = new Set<number>();
  let lastId = 0;
  const api = {
    listWebhooks: async function* () {
      if (own.size > 0) yield* [0, ...own].map((id) => ({ ...wanted, id }));
    },
    createWebhook: async () => {
      own.add(++lastId);
      return { ...wanted, id: lastId, secret: 'whsec_' };
    },
    deleteWebhook: async ({ id }: { id: number }) => void own.delete(id),
  } as unknown as Api;
  await expect(ensureWebhook(api, wanted)).rejects.toThrow('Other processes create the webhook mirror');
  expect([lastId, own.size]).toEqual([5, 0]);
});
