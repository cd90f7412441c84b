/**
 * A mirror of the bookings reads `GET /bookings?sort=updatedAt` and webhooks, of which half are lost, during eight
 * concurrent writers (docs/rules.md#changes). It polls at random times and is restarted in between; at the end it
 * equals the source. `CHANGES=10000` makes more changes, `SEED=7` others.
 */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { type BookingsQuery, listBookings } from '../../../core/bookings/list.ts';
import { completeBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import { erase } from '../../../core/erasure/erase.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import type { Erasure } from '../../../core/erasure/message.ts';
import { ApiError } from '../../../core/errors.ts';
import { type Event, eventOf, type OutboxItem } from '../../../core/events/event.ts';
import type { KeyActor, Principal } from '../../../core/principal.ts';
import { records } from '../../../core/table-keys.ts';
import { Random } from '../../simulation/random.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { lambdaContext } from '../../support/http.ts';
import { pagesOf } from '../../support/pages.ts';
import { interceptErasures } from '../../support/queue-and-bus.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const changes = Number(process.env.CHANGES ?? 400);
const seed = Number(process.env.SEED ?? 1);

const fixture = useTestBusiness();
const writers = 8;
const people = 60;

/** The longest time from a decision to its commit: well below `changesSettleSeconds`. */
const slowestCommitMs = 15_000;

let time = testNow;
const turn = () => new Promise(setImmediate);
beforeEach(() => setRuntime({ now: () => time, sleep: turn }));

/** How a mirror polls for changes, and what it stores until the next poll. */
interface Way {
  readonly query: (position: string | undefined) => BookingsQuery;
  readonly markAfter: (position: string | undefined, page: Page) => string | undefined;
  readonly hasMore: (page: Page) => boolean;
}
type Page = Awaited<ReturnType<typeof listBookings>>;

const byCursor: Way = {
  query: (position) => ({ sort: 'updatedAt', limit: 20, cursor: position }),
  markAfter: (position, { nextCursor }) => nextCursor ?? position,
  hasMore: ({ hasMore }) => hasMore === true,
};

/** A mirror of bookings by id. A restart finds the bookings and the checkpoint that were saved last, both together. */
function mirrorOf(key: Principal<KeyActor>, way: Way) {
  let copy = new Map<number, Booking>();
  let position: string | undefined;
  let saved = { copy: new Map(copy), position };
  const keep = (booking: Booking) => {
    if (booking.revision > (copy.get(booking.id)?.revision ?? 0)) copy.set(booking.id, booking);
  };
  const restart = () => {
    copy = new Map(saved.copy);
    position = saved.position;
  };
  return {
    restart,
    bookings: () => [...copy.values()].sort((a, b) => a.id - b.id),
    async poll(isStopped = () => false): Promise<void> {
      for (let more = true; more; ) {
        const page = await listBookings(key, way.query(position));
        for (const booking of page.data) keep(booking);
        position = way.markAfter(position, page);
        if (isStopped()) return restart();
        saved = { copy: new Map(copy), position };
        more = way.hasMore(page);
      }
    },
    async receive({ name, data }: Event): Promise<void> {
      if (!name.startsWith('booking.') || !('bookingId' in data) || data.bookingId === null) return;
      keep(await getBooking(key, { id: data.bookingId }));
    },
  };
}

/** Makes this many changes by eight writers while a mirror polls, and then polls once more. */
async function live(way: Way, count: number, name: string) {
  const { key, owner, serviceId, staff } = await fixture.business({ times: { durationMinutes: 10 } });
  const mirror = mirrorOf(key, way);
  const random = new Random(seed, name);
  const bookings: number[] = [];
  const clients = new Set<number>();
  const messages: Event[] = [];
  const erasures: { dueAt: number; body: Erasure }[] = [];
  let writes = 0;
  let erased = 0;

  onTestFinished(
    interceptErasures(({ MessageBody = '', DelaySeconds = 0 }) => {
      erasures.push({ dueAt: time + DelaySeconds * 1_000, body: JSON.parse(MessageBody) });
    }),
  );
  using _ = scriptDynamo([
    {
      when: 'TransactWriteItems',
      before: async () => {
        const end = time + (random.chance(0.2) ? random.below(slowestCommitMs) : 0);
        for (; time < end && writes < count; await turn()) time += 50;
      },
      after: ({ input: { TransactItems = [] } }) => {
        for (const { Put } of TransactItems) {
          const item = (Put?.Item ?? {}) as OutboxItem;
          if (item.tenantId === key.tenantId && item.pk?.startsWith(records.outboxPrefix) && random.chance(0.5))
            messages.push(eventOf(item));
        }
      },
    },
  ]);

  const start = () => new Date(testNow + 86_400_000 + random.below(60 * 96) * 900_000).toISOString();
  const anyBooking = () => ({ id: random.pick(bookings) });
  const create = async () => {
    const n = random.below(people);
    const client = { name: `Client ${n}`, phone: `+37120000${String(n).padStart(3, '0')}` };
    const body = { serviceId, staffId: random.pick(staff).id, startTime: start(), client };
    const { id, clientId } = await createBooking(key, { ...body, comment: `of client ${n}` });
    bookings.push(id);
    clients.add(clientId ?? 0);
  };
  const eraseOne = async () => {
    const id = random.pick([...clients]);
    clients.delete(id);
    await eraseClient(owner, { id });
    erased += 1;
  };
  const actions: readonly [number, () => Promise<unknown>][] = [
    [40, create],
    [30, () => rescheduleBooking(key, anyBooking(), { startTime: start() })],
    [15, () => cancelBooking(key, anyBooking(), { reason: 'ill' })],
    [10, () => completeBooking(owner, anyBooking())],
    [3, eraseOne],
  ];
  const drawn = actions.flatMap(([weight, action]) => Array.from({ length: weight }, () => action));

  const write = async () => {
    while (writes < count) {
      time += random.below(400);
      await (bookings.length < 20 ? create : random.pick(drawn))().then(
        () => (writes += 1),
        (error: unknown) => {
          if (!(error instanceof ApiError && error.status === 409)) throw error;
        },
      );
      await turn();
    }
  };
  const lookThrough = async (isDue: (dueAt: number) => boolean) => {
    for (const message of erasures.filter(({ dueAt }) => isDue(dueAt))) {
      erasures.splice(erasures.indexOf(message), 1);
      await Promise.all(erase([message.body], lambdaContext));
    }
  };
  const eraseTraces = async () => {
    for (; writes < count; await turn()) await lookThrough((dueAt) => dueAt <= time);
  };
  const keepMirror = async () => {
    for (; writes < count; await turn()) {
      if (random.chance(0.3)) await mirror.poll(() => random.chance(0.1));
      // Messages arrive out of order, or long after the change.
      if (messages.length > 0) await mirror.receive(messages.splice(random.below(messages.length), 1)[0] as Event);
      if (random.chance(0.02)) mirror.restart();
    }
  };
  await Promise.all([...Array.from({ length: writers }, write), eraseTraces(), keepMirror()]);
  await lookThrough(() => true);
  time += limits.changesSettleSeconds * 1_000 + 1;
  await mirror.poll();

  const pages = await pagesOf((cursor) => listBookings(key, { limit: 100, cursor }));
  const source = pages.flatMap(({ data }) => data);
  return { mirror: mirror.bookings(), source: source.sort((a, b) => a.id - b.id), erased };
}

const longest = { timeout: 600_000 };
/** This many changes suffice for the negative controls. */
const fewer = Math.min(changes, 100);

test(
  'A program that reads all changes of bookings by cursor ends up with an exact copy of the bookings, including erasures',
  longest,
  async () => {
    const { mirror, source, erased } = await live(byCursor, changes, 'cursor');
    expect(mirror).toEqual(source);
    expect(erased).toBeGreaterThan(0);
    expect(mirror.filter(({ client }) => client.name === '').length).toBeGreaterThan(0);
  },
);

test(
  'Negative control: a program that asks for changes after its newest updatedAt, instead of by cursor, misses changes',
  longest,
  async () => {
    let latest = '';
    const { mirror, source } = await live(
      {
        // An obvious design with one checkpoint for a whole pass: the newest time that was seen.
        query: (position) => JSON.parse(position ?? '{"limit":20}'),
        markAfter: (position, { data, nextCursor }) => {
          const query: BookingsQuery = JSON.parse(position ?? '{"limit":20}');
          latest = data.reduce((max, { updatedAt }) => (updatedAt > max ? updatedAt : max), latest);
          if (nextCursor) return JSON.stringify({ ...query, cursor: nextCursor });
          return JSON.stringify({ limit: 20, ...(latest && { updatedFrom: latest }) });
        },
        hasMore: ({ nextCursor }) => nextCursor !== null,
      },
      fewer,
      'max(updatedAt)',
    );
    expect(mirror).not.toEqual(source);
  },
);

test(
  'Negative control: if the list of changes has no delay, a program that copies bookings misses some changes',
  longest,
  async () => {
    limitsDuringTest({ changesSettleSeconds: 0 });
    const { mirror, source } = await live(byCursor, fewer, 'unsettled');
    expect(mirror).not.toEqual(source);
  },
);
