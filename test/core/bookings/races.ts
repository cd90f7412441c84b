/** The races of bookings (docs/rules.md#bookings), for more than one emulator. */
import { describe, expect, test } from 'vitest';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { confirmBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { atOnce, outcomes } from '../../support/outcomes.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, type BusinessOptions, bookOnce, type TestBusinesses } from '../../support/test-business.ts';

const client = (n: number) => ({ name: `Client ${n}`, phone: `+3712000${String(n).padStart(4, '0')}` });

export interface RaceCounts {
  readonly racesOfEight: number;
  /** The number of requests for one slot, and with one `Idempotency-Key`. */
  readonly crowd: number;
  /** The number of concurrent appointments on one day, 96 at most. */
  readonly disjoint: number;
}

export function bookingRaces(fixture: TestBusinesses, { racesOfEight, crowd, disjoint }: RaceCounts): void {
  async function testBusiness(options?: BusinessOptions) {
    const { key, owner, offered, staff: members, state } = await fixture.business(options);
    const staff = members.map(({ id }) => id);
    const book = (clock: string, n = 1, more: Partial<Parameters<typeof createBooking>[1]> = {}) =>
      createBooking(key, { ...offered, startTime: at(clock), client: client(n), ...more });
    return { key, owner, ...offered, staff, book, state };
  }

  describe('concurrent bookings of one slot', () => {
    test(`Of ${crowd} concurrent bookings of one slot exactly one succeeds, and the others get the next free start times`, async () => {
      const { book, state } = await testBusiness();
      const { won, lost, codes } = await atOnce(crowd, (n) => book('10:00', n));
      expect(won).toHaveLength(1);
      expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
      for (const { extras } of lost) {
        expect(extras.details).toEqual({ nextAvailable: [at('10:45'), at('11:00'), at('11:15')] });
      }
      expect((await state()).events.toSorted()).toEqual(['booking.confirmed', 'booking.created', 'client.created']);
    });

    test(`Of ${crowd} concurrent bookings of one time with any staff member, one succeeds for each who works then`, async () => {
      const { book, state, staff } = await testBusiness();
      const { won, codes } = await atOnce(crowd, (n) => book('12:45', n, { staffId: undefined }));
      expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
      expect(won.map(({ staffId }) => staffId).sort()).toEqual(staff.toSorted());
      expect((await state()).live).toHaveLength(3);
    });

    test(`Of eight concurrent bookings of one slot exactly one succeeds, in each of ${racesOfEight} repetitions`, {
      timeout: 600_000,
    }, async () => {
      const { key, serviceId, staffId, book, state } = await testBusiness({ times: {} });
      const { clientId } = await book('18:00', 0);
      const winners: number[] = [];
      for (let i = 0; i < racesOfEight; i += 30) {
        const round = Array.from({ length: Math.min(30, racesOfEight - i) }, (_, n) => startOf(i + n));
        const results = await Promise.all(
          round.map((startTime) => atOnce(8, () => createBooking(key, { serviceId, staffId, startTime, clientId }))),
        );
        for (const { won, codes } of results) {
          winners.push(won.length);
          expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
        }
      }
      expect(winners).toEqual(Array.from({ length: racesOfEight }, () => 1));
      expect((await state()).live).toHaveLength(racesOfEight + 1);
    });
  });

  test(`All of ${disjoint} concurrent bookings of one day succeed if their times do not overlap`, async () => {
    const { book, state } = await testBusiness({
      rules: { slotStepMinutes: 5 },
      times: { durationMinutes: 5, bufferAfterMinutes: 0 },
    });
    const first = Date.UTC(2026, 11, 2, 6);
    const calls = scriptDynamo([], { attempts: true }).calls;
    const { won, codes } = await atOnce(disjoint, (n) =>
      book('', n, { startTime: new Date(first + n * 300_000).toISOString() }),
    );
    const commits = calls.filter(({ operation }) => operation === 'TransactWriteItems').length;
    expect(codes).toEqual([]);
    expect(won).toHaveLength(disjoint);
    // If all met each other, it would be half the square. On slow machines they meet more often.
    expect(commits).toBeLessThan(disjoint * 20);
    expect((await state()).live).toHaveLength(disjoint);
  });

  test('Two concurrent first bookings of a new client create one client', async () => {
    const { book, state } = await testBusiness();
    const { won, codes } = await outcomes(
      ['10:00', '11:00', '13:00', '14:00'].map((clock, n) =>
        book(clock, n, {
          staffId: undefined,
          client: { name: 'Jane', phone: n % 2 ? '+371 2000-9999' : '+37120009999', email: `jane${n % 3}@example.com` },
        }),
      ),
    );
    expect(codes).toEqual([]);
    expect(new Set(won.map(({ clientId }) => clientId)).size).toBe(1);
    expect((await state()).events.filter((name) => name === 'client.created')).toHaveLength(1);
  });

  describe('concurrent requests with one Idempotency-Key', () => {
    test(`${crowd} concurrent requests with one Idempotency-Key make one booking and get equal responses`, async () => {
      const { key, serviceId, state } = await testBusiness();
      const body = { serviceId, startTime: at('12:45'), client: client(1) };
      const { won, codes } = await atOnce(crowd, () => bookOnce(key, body, 'one key'));
      expect(codes).toEqual([]);
      expect(new Set(won.map(({ value }) => JSON.stringify(value))).size).toBe(1);
      const first = won.filter(({ replayed }) => !replayed);
      expect(first).toHaveLength(1);
      expect((await state()).live).toHaveLength(1);
    });

    test('Of concurrent requests with one Idempotency-Key and different bodies, one books, and those with another body are refused', async () => {
      const { key, serviceId, state } = await testBusiness();
      const { won, codes } = await atOnce(20, (n) =>
        bookOnce(key, { serviceId, startTime: at('12:45'), client: client(n % 4) }, 'k'),
      );
      expect(new Set(won.map(({ value }) => JSON.stringify(value))).size).toBe(1);
      expect(won).toHaveLength(5);
      expect(new Set(codes)).toEqual(new Set(['idempotency_key_reused']));
      expect((await state()).live).toHaveLength(1);
    });

    test('After a refusal of concurrent bookings with one Idempotency-Key, a repeated request gets the same error', async () => {
      const { key, book, serviceId, staffId, state } = await testBusiness();
      const taken = await book('10:00', 0);
      const body = { serviceId, staffId, startTime: at('10:00'), client: client(1) };
      const during = await atOnce(20, () => bookOnce(key, body, 'k'));
      await cancelBooking(key, taken, {});
      const after = await outcomes([bookOnce(key, body, 'k')]);
      const lost = [...during.lost, ...after.lost];
      expect(lost).toHaveLength(21);
      for (const { code, message, extras } of lost) {
        expect([code, message, extras.details]).toEqual([lost[0]?.code, lost[0]?.message, lost[0]?.extras.details]);
      }
      expect((await state()).live).toEqual([]);
    });
  });

  describe('changes that exclude each other', () => {
    test('A booking that is cancelled many times concurrently is cancelled once, and its time is free again', async () => {
      const { key, book, state } = await testBusiness();
      const { id } = await book('10:00');
      const { won, codes } = await atOnce(20, (n) => cancelBooking(key, { id }, { reason: `ill ${n}` }));
      expect(codes).toEqual([]);
      for (const answer of won) expect(answer).toEqual(won[0]);
      expect((await state()).events.filter((name) => name === 'booking.cancelled')).toHaveLength(1);
      await expect(book('10:00')).resolves.toMatchObject({ status: 'confirmed' });
    });

    test('A booking that is confirmed and cancelled concurrently ends cancelled, and is never confirmed after the cancellation', async () => {
      const { key, owner, book, state } = await testBusiness({ rules: { confirmation: 'manual' } });
      const bookings = await Promise.all(['09:00', '10:00', '11:00', '13:00'].map((clock, n) => book(clock, n)));
      for (const { id } of bookings) {
        const [confirmed, cancelled] = await Promise.all([
          atOnce(3, () => confirmBooking(owner, { id })),
          atOnce(3, () => cancelBooking(key, { id }, {})),
        ]);
        expect(cancelled.codes).toEqual([]);
        expect(new Set(confirmed.codes)).toEqual(new Set(confirmed.codes.length > 0 ? ['invalid_state'] : []));
      }
      const { live, events } = await state();
      expect(live).toEqual([]);
      expect(events.filter((name) => name === 'booking.cancelled')).toHaveLength(4);
      expect(events.filter((name) => name === 'booking.confirmed').length).toBeLessThanOrEqual(4);
    });

    test('If a booking is cancelled while other requests book its slot, the slot ends with at most one booking', async () => {
      const { key, book, state } = await testBusiness();
      for (let round = 0; round < 6; round++) {
        const before = await book('10:00', 90);
        const [cancelled, rebooked] = await Promise.all([
          outcomes([cancelBooking(key, before, {})]),
          atOnce(4, (n) => book('10:00', n)),
        ]);
        expect(cancelled.won).toHaveLength(1);
        expect(rebooked.won.length).toBeLessThanOrEqual(1);
        expect((await state()).live.map(({ id }) => id)).toEqual(rebooked.won.map(({ id }) => id));
        for (const { id } of rebooked.won) await cancelBooking(key, { id }, {});
      }
    });

    test('When moves and new bookings compete for one slot, one succeeds, and a booking whose move is refused keeps its time', async () => {
      const { key, book, state, staff } = await testBusiness();
      const bookings = await Promise.all(['09:00', '09:45', '10:30'].map((clock, n) => book(clock, n)));
      const elsewhere = await book('13:00', 5, { staffId: staff[2] });
      const moves = [...bookings, elsewhere].map(({ id }) =>
        rescheduleBooking(key, { id }, { startTime: at('15:00'), staffId: staff[0] }),
      );
      const { won, codes } = await outcomes([...moves, ...[10, 11, 12, 13].map((n) => book('15:00', n))]);
      expect(won).toHaveLength(1);
      expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
      const { live, events } = await state();
      expect(live.filter(({ id }) => id === won[0]?.id)).toMatchObject([{ segments: [{ staffId: staff[0] }] }]);
      const isMove = [...bookings, elsewhere].some(({ id }) => id === won[0]?.id);
      expect(events.filter((name) => name === 'booking.rescheduled')).toHaveLength(isMove ? 1 : 0);
      expect(live).toHaveLength(isMove ? 4 : 5);
    });

    test('If a booking is cancelled and moved concurrently, both its old and its new time are free', async () => {
      const { key, book, state, staff } = await testBusiness();
      for (const clock of ['09:00', '10:00', '11:00', '13:00']) {
        const { id } = await book(clock);
        const move = { startTime: at('15:00'), staffId: staff[2] };
        const [cancelled, moved] = await Promise.all([
          outcomes([cancelBooking(key, { id }, {})]),
          outcomes([rescheduleBooking(key, { id }, move), rescheduleBooking(key, { id }, move)]),
        ]);
        expect(cancelled.won).toHaveLength(1);
        expect(new Set([...moved.codes, 'invalid_state'])).toEqual(new Set(['invalid_state']));
        expect((await state()).live).toEqual([]);
      }
    });
  });

  describe('slot holds', () => {
    test('Of concurrent slot holds and bookings of one slot exactly one succeeds', async () => {
      const { key, serviceId, staffId, book, state } = await testBusiness();
      for (const clock of ['09:00', '10:00', '11:00', '13:00']) {
        const held = atOnce(4, () => createHold(key, { serviceId, staffId, startTime: at(clock) }));
        const booked = atOnce(4, (n) => book(clock, n));
        const [holds, bookings] = await Promise.all([held, booked]);
        expect(holds.won.length + bookings.won.length).toBe(1);
        expect(new Set([...holds.codes, ...bookings.codes])).toEqual(new Set(['slot_unavailable']));
      }
      const { live, holds } = await state();
      expect(live.length + holds.length).toBe(4);
    });

    test('If one API key tries to hold thirty slots concurrently, it gets exactly the ten slot holds that its limit allows', async () => {
      const { key, serviceId, staffId, state } = await testBusiness({ times: {} });
      const { won, codes } = await atOnce(30, (n) => createHold(key, { serviceId, staffId, startTime: startOf(n) }));
      expect(won).toHaveLength(10);
      expect(new Set(codes)).toEqual(new Set(['hold_limit_reached']));
      expect((await state()).holds).toHaveLength(10);
    });

    test('If a slot hold is released many times concurrently, only one request succeeds', async () => {
      const { key, serviceId, staffId, book, state } = await testBusiness();
      const { holdId } = await createHold(key, { serviceId, staffId, startTime: at('10:00') });
      const { won, codes } = await atOnce(8, () => releaseHold(key, { holdId }));
      expect(won).toHaveLength(1);
      expect(codes).toEqual(Array.from({ length: 7 }, () => 'not_found'));
      expect((await state()).holds).toEqual([]);
      await expect(book('10:00')).resolves.toMatchObject({ staffId });
    });

    test('Of concurrent bookings with one slot hold and a concurrent release of this hold, exactly one request succeeds', async () => {
      const { key, serviceId, staffId, book, state } = await testBusiness();
      for (const clock of ['09:00', '10:00', '11:00', '13:00']) {
        const { holdId } = await createHold(key, { serviceId, staffId, startTime: at(clock) });
        const [booked, released] = await Promise.all([
          atOnce(4, (n) => book(clock, n, { holdId })),
          outcomes([releaseHold(key, { holdId })]),
        ]);
        expect(booked.won.length + released.won.length).toBe(1);
        for (const code of [...booked.codes, ...released.codes]) expect(refusalsOfHolds).toContain(code);
      }
      expect((await state()).holds).toEqual([]);
    });
  });
}

const refusalsOfHolds = ['hold_expired', 'slot_unavailable', 'not_found'];

/** A start of its own for each number; of consecutive ones each is on another day. */
function startOf(n: number): string {
  return new Date(Date.UTC(2026, 11, 2, 6) + (n % 50) * 86_400_000 + Math.floor(n / 50) * 3_600_000).toISOString();
}
