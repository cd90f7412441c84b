/** A mirror that reads changes in order has everything, whatever is written at the same time (docs/rules.md#changes). */
import { afterEach, expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createClient, listClients, updateClient } from '../../../core/bookings/client-book.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { completeBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { writeCursor } from '../../../core/cursor.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { context } from '../../support/pipeline.ts';
import { intercept, queueAndBusEnvironment } from '../../support/queue-and-bus.ts';
import { scriptDynamo, scripted } from '../../support/scripted-dynamo.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const settleMs = limits.changesSettleSeconds * 1_000;

/** Time stands still but for `advance`, which lets the commits go that waited until then. */
let clock = testNow;
let waiting: { readonly until: number; readonly go: () => void; readonly done: Promise<unknown> }[] = [];

async function advance(ms: number): Promise<void> {
  clock += ms;
  const due = waiting.filter(({ until }) => until <= clock);
  waiting = waiting.filter(({ until }) => until > clock);
  for (const { go } of due) go();
  await Promise.all(due.map(({ done }) => done));
}

/** Starts a change, which decides now and commits after `delayMs`. Returns when it waits, or has ended. */
async function change(verb: () => Promise<unknown>, delayMs: number): Promise<void> {
  await new Promise<void>((resolve) => {
    const until = clock + delayMs;
    const begun: Promise<unknown> = scripted(
      [
        {
          when: 'TransactWriteItems',
          nth: 1,
          before: () =>
            new Promise<void>((go) => {
              waiting.push({ until, go, done: Promise.resolve().then(() => begun) });
              resolve();
            }),
        },
      ],
      verb,
    )
      // A change that another one forbids is no change.
      .catch(() => undefined)
      .finally(resolve);
  });
}

afterEach(() => {
  waiting = [];
  setRuntime({ now: () => testNow });
});

/** A small generator, so that every run is the same. */
function drawer(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

type Mirror = Map<number, Booking>;
type Source = Awaited<ReturnType<typeof source>>;
type Poll = (source: Source, mirror: Mirror) => Promise<void>;

async function source() {
  clock = testNow;
  setRuntime({ now: () => clock });
  const { owner, services, staff } = await fixture.business({ times: {} });
  const all = async () => {
    const found: Booking[] = [];
    for (let cursor: string | undefined | null; cursor !== null; ) {
      const page: Awaited<ReturnType<typeof listBookings>> = await listBookings(owner, { limit: 100, cursor });
      found.push(...page.data);
      cursor = page.nextCursor;
    }
    return found.sort((a, b) => a.id - b.id);
  };
  return { owner, services, staff, all };
}

/** Reads on from where the last poll ended. */
function inOrder(): Poll {
  let cursor: string | undefined;
  return async ({ owner }, mirror) => {
    for (let hasMore = true; hasMore; ) {
      const page = await listBookings(owner, { sort: 'updatedAt', limit: 3, cursor });
      for (const booking of page.data) mirror.set(booking.id, booking);
      cursor = page.nextCursor ?? undefined;
      hasMore = page.hasMore ?? false;
    }
  };
}

/** Asks for what changed since the newest change that it has seen. */
function sinceTheNewest(): Poll {
  let updatedFrom: string | undefined;
  return async ({ owner }, mirror) => {
    const { data } = await listBookings(owner, { updatedFrom, limit: 100 });
    for (const booking of data) {
      mirror.set(booking.id, booking);
      if (updatedFrom === undefined || booking.updatedAt > updatedFrom) updatedFrom = booking.updatedAt;
    }
  };
}

/** Random changes whose commits come late by up to `latestMs`, and polls between them. */
async function mirrored(poll: Poll, latestMs: number, seed: number) {
  const draw = drawer(seed);
  const from = await source();
  const { owner, services, staff } = from;
  const mirror: Mirror = new Map();
  for (let step = 0; step < 60; step++) {
    const known = [...(await from.all())];
    const booking = known[draw(known.length)];
    const day = 2 + draw(20);
    const startTime = at(`${String(9 + draw(9)).padStart(2, '0')}:00`, day);
    const kind = booking ? draw(5) : 0;
    await change(() => {
      if (!booking || kind < 2) {
        const client = { name: 'Jane', email: `jane-${seed}-${step}@example.com` };
        return createBooking(owner, { serviceId: services[0].id, staffId: staff[draw(3)]?.id, startTime, client });
      }
      if (kind === 2) return cancelBooking(owner, booking, {});
      if (kind === 3) return completeBooking(owner, booking);
      return rescheduleBooking(owner, booking, { startTime });
    }, draw(latestMs));
    await advance(draw(4_000));
    if (draw(3) === 0) await poll(from, mirror);
  }
  // What lost against another commit has decided again by now.
  await advance(latestMs);
  await advance(settleMs + 1);
  await poll(from, mirror);
  const expected = await from.all();
  const got = [...mirror.values()].sort((a, b) => a.id - b.id);
  const missed = expected.filter(({ id, revision }) => mirror.get(id)?.revision !== revision).length;
  return { expected, got, missed };
}

test('A mirror that reads changes in order is equal to its source, whatever commits late', {
  timeout: 60_000,
}, async () => {
  for (const seed of [1, 2, 3]) {
    const { expected, got } = await mirrored(inOrder(), settleMs - 5_000, seed);
    expect(expected.length).toBeGreaterThan(10);
    expect(got).toEqual(expected);
  }
});

test('Negative control: a mirror that takes its newest change as the mark misses changes', {
  timeout: 60_000,
}, async () => {
  expect((await mirrored(sinceTheNewest(), settleMs - 5_000, 1)).missed).toBeGreaterThan(0);
});

test('Negative control: commits later than a list waits for are missed in order, too', {
  timeout: 60_000,
}, async () => {
  expect((await mirrored(inOrder(), 4 * settleMs, 1)).missed).toBeGreaterThan(0);
});

test('A change is read once, after it has settled, and its cursor reads on for ever', async () => {
  const { owner, services } = await source();
  const client = { name: 'Jane', email: 'jane@example.com' };
  const book = async (clockTime: string) =>
    (await createBooking(owner, { serviceId: services[0].id, startTime: at(clockTime, 3), client })).value;
  const read = async (cursor?: string | null) =>
    await listBookings(owner, { sort: 'updatedAt', limit: 2, cursor: cursor ?? undefined });
  const one = await book('10:00');
  const early = await read();
  expect(early).toEqual({ data: [], nextCursor: expect.any(String), hasMore: false });
  clock += settleMs + 1;
  const first = await read(early.nextCursor);
  expect(first).toEqual({ data: [one], nextCursor: expect.any(String), hasMore: false });
  clock += 365 * 86_400_000;
  expect(await read(first.nextCursor)).toEqual({ data: [], nextCursor: first.nextCursor, hasMore: false });
  clock = testNow + settleMs + 2;
  const [two, three] = [await book('11:00'), await book('12:00')];
  const moved = await rescheduleBooking(owner, two, { startTime: at('15:00', 3) });
  clock += settleMs + 1;
  const second = await read(first.nextCursor);
  // The first entry of the moved booking is an older revision: it comes at its newest change.
  const third = await read(second.nextCursor);
  expect([...second.data, ...third.data].sort((a, b) => a.id - b.id)).toEqual([moved, three]);
  expect([second.hasMore, third.hasMore]).toEqual([true, false]);
  await expect(
    listBookings(owner, { sort: 'updatedAt', status: 'confirmed', cursor: first.nextCursor ?? '' }),
  ).rejects.toMatchObject({ code: 'validation_failed' });
  const scope = { tenantId: owner.tenantId, list: 'BOOKING changes' };
  await expect(read(writeCursor(scope, 'T#1'))).rejects.toMatchObject({ code: 'validation_failed' });
  expect(
    (await listBookings(owner, { sort: 'updatedAt', updatedFrom: new Date(testNow + 1).toISOString() })).data
      .map(({ id }) => id)
      .sort(),
  ).toEqual([two.id, three.id].sort());
});

test('A poll without changes costs the same with four bookings and with forty', async () => {
  const { owner, services } = await source();
  const costs: number[] = [];
  for (const count of [4, 36]) {
    for (let i = 0; i < count; i++) {
      const startTime = at(`${10 + (i % 6)}:00`, 2 + Math.floor(i / 6) + costs.length * 10);
      await createBooking(owner, { serviceId: services[0].id, startTime, client: { name: 'Jane', phone: `1000${i}` } });
    }
    clock += settleMs + 1;
    const { nextCursor } = await listBookings(owner, { sort: 'updatedAt', limit: 100 });
    using script = scriptDynamo([], { units: true });
    await listBookings(owner, { sort: 'updatedAt', cursor: nextCursor ?? '' });
    expect(script.operations).toEqual(['Query']);
    costs.push(script.units());
  }
  expect(costs[1]).toBe(costs[0]);
});

test('An erasure is a change of the client and of each booking, which mirrors read in order', async () => {
  const { owner, services } = await source();
  const messages: unknown[] = [];
  Object.assign(process.env, queueAndBusEnvironment);
  const end = intercept({
    toBus: async () => ({}),
    toQueue: async (_name, entries) => ({ Successful: entries.map(({ Id }) => ({ Id })) }),
    toErasures: async (entries) => {
      messages.push(...entries.map(({ MessageBody = '' }) => JSON.parse(MessageBody)));
      return { Successful: entries.map(({ Id }) => ({ Id })) };
    },
  });
  const client = { name: 'Jane', email: 'jane@example.com' };
  const body = { serviceId: services[0].id, startTime: at('10:00', 3), client, comment: 'Note' };
  const { value: booking } = await createBooking(owner, body);
  const { id: other } = await createClient(owner, { name: 'Bob', phone: '112233' });
  await updateClient(owner, { id: other }, { name: 'Rob' });
  clock += settleMs + 1;
  const [bookings, clients] = [
    await listBookings(owner, { sort: 'updatedAt' }),
    await listClients(owner, { sort: 'updatedAt' }),
  ];
  expect(clients.data.map(({ name, revision, erased }) => [name, revision, erased])).toEqual([
    ['Jane', 1, false],
    ['Rob', 2, false],
  ]);
  await eraseClient(owner, { id: booking.clientId });
  await Promise.all(erase([messages[0] as never], context));
  end();
  clock += settleMs + 1;
  const read = { sort: 'updatedAt' } as const;
  const [after] = (await listBookings(owner, { ...read, cursor: bookings.nextCursor ?? '' })).data;
  expect(after).toMatchObject({ id: booking.id, revision: 2, comment: null, client: { name: '', email: null } });
  expect(after?.updatedAt).not.toBe(booking.updatedAt);
  const [erased] = (await listClients(owner, { ...read, cursor: clients.nextCursor ?? '' })).data;
  expect(erased).toMatchObject({ id: booking.clientId, revision: 2, erased: true, name: '' });
  const both = { sort: 'updatedAt', search: 'x' } as const;
  await expect(listClients(owner, both)).rejects.toMatchObject({ code: 'validation_failed' });
  await expect(listClients(owner, { updatedFrom: at('10:00') })).rejects.toMatchObject({ code: 'validation_failed' });
});
