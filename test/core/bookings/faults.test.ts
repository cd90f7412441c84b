import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, test } from 'vitest';
import { errorAdvice } from '../../../contract/error-advice.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { dynamo } from '../../../core/clients.ts';
import { setRuntime } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import { isUnavailable } from '../../../core/http/errors.ts';
import type { Write } from '../../../core/store/write.ts';
import type { BookingState } from '../../support/booking-state.ts';
import { atBarrier, barrierOf, type Fault, faults, withFaults } from '../../support/faults.ts';
import { atOnce } from '../../support/outcomes.ts';
import { scripted } from '../../support/scripted-dynamo.ts';
import { at, bookOnce, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function testBusiness() {
  const { key, offered: first, staff, state } = await fixture.tenant();
  const offered = { ...first, startTime: at('10:00') };
  const body = { ...offered, client: { name: 'Jane', phone: '+37120000001', email: 'jane@example.com' } };
  return { key, offered, body, staff, state };
}

type TestBusiness = Awaited<ReturnType<typeof testBusiness>>;

interface Case {
  /** Prepares the state; returns the call that meets the fault. */
  readonly begin: (one: TestBusiness) => Promise<() => Promise<unknown>>;
  /** The expected effect of the successful call, however often it was made. */
  readonly effect: (state: BookingState) => unknown;
  /** Refusals of a repeated call that finds the effect of the first. */
  readonly again?: readonly string[];
}

const count = (events: readonly string[], name: string) => events.filter((event) => event === name).length;
const hold = ({ key, offered }: TestBusiness) => createHold(key, offered);

const cases: Record<string, Case> = {
  'a booking with an Idempotency-Key': {
    begin:
      async ({ key, body }) =>
      () =>
        bookOnce(key, body, 'k').then(({ value }) => value),
    effect: ({ live, events }) => [live.length, count(events, 'booking.created'), count(events, 'client.created')],
  },
  'a booking with a slot hold': {
    begin: async (one) => {
      const { holdId } = await hold(one);
      return () => bookOnce(one.key, { ...one.body, holdId }, 'k').then(({ value }) => value);
    },
    effect: ({ live, holds, events }) => [live.length, holds.length, count(events, 'booking.created')],
  },
  'a refused booking with an Idempotency-Key': {
    begin: async ({ key, body }) => {
      await createBooking(key, body);
      return () => bookOnce(key, body, 'k');
    },
    effect: ({ live, events }) => [live.length, count(events, 'booking.created')],
    again: ['slot_unavailable'],
  },
  'a cancellation': {
    begin: async ({ key, body }) => {
      const { id } = await createBooking(key, body);
      return () => cancelBooking(key, { id }, { reason: 'ill' });
    },
    effect: ({ live, events }) => [live.length, count(events, 'booking.cancelled')],
  },
  'a move of a booking': {
    begin: async ({ key, body, staff }) => {
      const { id } = await createBooking(key, body);
      return () => rescheduleBooking(key, { id }, { startTime: at('15:00'), staffId: staff[2].id });
    },
    effect: ({ live, events }) => [
      live.map(({ segments: [{ staffName }] }) => staffName),
      count(events, 'booking.rescheduled'),
    ],
  },
  'a slot hold': {
    begin: async (one) => () => hold(one),
    effect: ({ holds }) => holds.length,
    again: ['slot_unavailable'],
  },
  'the release of a slot hold': {
    begin: async (one) => {
      const { holdId } = await hold(one);
      return () => releaseHold(one.key, { holdId });
    },
    effect: ({ holds }) => holds.length,
    again: ['not_found'],
  },
};

/** A caller may see nothing of a fault, or 503. */
function isHarmless(error: unknown): boolean {
  return error instanceof ApiError ? error.status === 503 : isUnavailable(error);
}

const settle = (call: Promise<unknown>) =>
  call.then(
    (value) => ({ value, error: undefined }),
    (error: unknown) => ({ value: undefined, error }),
  );

/** How a title names a fault. */
const readable: Partial<Record<Fault, string>> = {
  ProvisionedThroughputExceeded: 'exceeded throughput',
  Throttling: 'throttling',
  LostAnswer: 'a lost response',
  Unreachable: 'a refused connection',
};

describe.each(Object.entries(cases))('%s', (label, { begin, effect, again = [] }) => {
  const isRefusal = (error: unknown) => error instanceof ApiError && again.includes(error.code);

  // The tests run concurrently because the SDK waits before its retries.
  test.concurrent.each((Object.keys(faults) as Fault[]).map((fault) => [readable[fault] ?? fault, fault] as const))(
    `If any DynamoDB call of ${label} fails with %s, the request can safely be repeated`,
    async (_, fault) => {
      const undisturbed = await testBusiness();
      const plain = await begin(undisturbed);
      const { calls } = await withFaults(undefined, () => settle(plain()));
      const expected = effect(await undisturbed.state());
      expect(calls).toBeGreaterThan(2);

      // One fault, which the SDK retries; where the effect matters, also as many faults as it has tries.
      const times = fault === 'LostAnswer' || fault === 'Unreachable' ? [1, 3] : [1];
      const plans = Array.from({ length: calls }, (_, k) =>
        times.map((most) => ({ fault, hits: (call: number) => call >= k && call < k + most })),
      ).flat();
      await Promise.all(
        plans.map(async (plan) => {
          const one = await testBusiness();
          const call = await begin(one);
          const { value: first } = await withFaults(plan, () => settle(call()));
          if (first.error && !isHarmless(first.error) && !isRefusal(first.error)) throw first.error;
          const second = await settle(call());
          if (second.error && !isRefusal(second.error)) throw second.error;
          if (first.value && second.value) expect(second.value).toEqual(first.value);
          expect(effect(await one.state())).toEqual(expected);
        }),
      );
    },
  );
});

test('A booking request whose transaction always conflicts gets 503, or 409 if it has an Idempotency-Key, and stores no booking', async () => {
  setRuntime({ now: () => testNow, sleep: async () => undefined });
  const one = await testBusiness();
  const conflicts = { fault: 'TransactionConflict', hits: (_: number, isCommit: boolean) => isCommit } as const;
  const book = async (idempotencyKey?: string) =>
    (await withFaults(conflicts, () => settle(bookOnce(one.key, one.body, idempotencyKey)))).value.error;
  expect(await book()).toMatchObject({ code: 'temporarily_unavailable', extras: { retryAfter: 1 } });
  expect(await book('k')).toMatchObject({ code: 'idempotency_in_progress', extras: { retryAfter: 1 } });
  expect((await one.state()).bookings).toEqual([]);
});

test('After a 503 a booking may exist, and the advice for the error is to send the same Idempotency-Key again', async () => {
  const one = await testBusiness();
  const { staffId: _, ...anyStaff } = one.body;
  const losing = async (_: unknown, send: () => Promise<unknown>) => {
    await send();
    throw faults.LostAnswer();
  };
  const book = () => createBooking(one.key, anyStaff);
  const { error } = await scripted([{ when: 'TransactWriteItems', answer: losing }], () => settle(book()));
  expect(isUnavailable(error)).toBe(true);
  await book();
  expect((await one.state()).live).toHaveLength(2);
  expect(errorAdvice.temporarily_unavailable).toContain(
    'a `POST` that takes an `Idempotency-Key` (send the same key again)',
  );
});

/**
 * Eight bookings of one slot, all of which read the data before one commits. `change` is an injected bug in their
 * commits.
 */
async function eightAtOnce(
  idempotencyKey: string | undefined,
  change?: (writes: Write[]) => Write[] | Promise<Write[]>,
) {
  const { key, body: oneStaff, state } = await testBusiness();
  const { staffId: _, ...anyStaff } = oneStaff;
  const body = idempotencyKey === undefined ? oneStaff : { ...anyStaff, startTime: at('12:45') };
  const barrier = barrierOf(8);
  const { won } = await atOnce(8, () => atBarrier(barrier, () => bookOnce(key, body, idempotencyKey), change));
  return { won, ids: new Set(won.map(({ value }) => value.id)), state };
}

test('Of eight concurrent requests that all find the same slot free, only one makes a booking', async () => {
  const { won, state } = await eightAtOnce(undefined);
  expect(won).toHaveLength(1);
  expect((await state()).live).toHaveLength(1);
});

test('Eight concurrent requests with the same Idempotency-Key make one booking', async () => {
  const { ids, state } = await eightAtOnce('k');
  expect(ids.size).toBe(1);
  expect((await state()).live).toHaveLength(1);
});

test.each([
  [
    'the calendar of a day is written without checking its version',
    undefined,
    (writes: Write[]) => writes.map(withoutVersion),
  ],
  ['the Idempotency-Key is stored outside the transaction', 'k', withRecordApart],
])('Negative control: concurrent requests make several bookings if %s', async (_, idempotencyKey, change) => {
  expect((await eightAtOnce(idempotencyKey, change)).ids.size).toBeGreaterThan(1);
});

/** Check-then-write. The client already exists, so that only the day keeps the eight bookings apart. */
function withoutVersion(write: Write): Write {
  const { Item, ConditionExpression: _, ExpressionAttributeValues: __, ...put } = write.Put ?? {};
  const isDay = String(Item?.pk).endsWith('#DAYS') || String(Item?.sk).startsWith('CONTACT#');
  return isDay ? ({ Put: { ...put, Item } } as Write) : write;
}

async function withRecordApart(writes: Write[]): Promise<Write[]> {
  const isRecord = ({ Put }: Write) => String(Put?.Item?.pk).endsWith('#IDEMPOTENCY');
  for (const { Put } of writes.filter(isRecord)) {
    if (Put) await dynamo().send(new PutCommand({ TableName: Put.TableName, Item: Put.Item }));
  }
  // The claim of the client's phone and the choice of the staff member do not keep the eight apart either.
  return writes.filter((write) => !isRecord(write)).map(withoutVersion);
}
