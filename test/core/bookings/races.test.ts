import { describe, expect, test } from 'vitest';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { ApiError } from '../../../core/errors.ts';
import { useBench } from '../../support/tenant.ts';

const bench = useBench();

/** Tuesday 09:00 in Riga, when one member's shift begins. */
const at = (clock: string) => `2026-12-01T${clock}:00+02:00`;

const client = (n: number) => ({ name: `Client ${n}`, phone: `+3712000${String(n).padStart(4, '0')}` });

async function outcomes<T>(calls: readonly Promise<T>[]) {
  const settled = await Promise.allSettled(calls);
  const won = settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const lost = settled.flatMap((one) => (one.status === 'rejected' ? [one.reason as unknown] : []));
  const codes = lost.map((error) => (error instanceof ApiError ? error.code : String(error)));
  return { won, lost, codes };
}

describe('of many bookings for one slot', () => {
  test('exactly one wins, every other is offered what is free next', async () => {
    const { tenant, key } = await bench.tenant();
    const serviceId = tenant.services[0]?.id ?? 0;
    const staffId = tenant.staff[0]?.id ?? 0;
    const { won, lost, codes } = await outcomes(
      Array.from({ length: 200 }, (_, n) =>
        createBooking(key, { serviceId, staffId, startTime: at('10:00'), client: client(n) }),
      ),
    );
    expect(won).toHaveLength(1);
    expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
    const details = (lost[0] as ApiError).extras.details as { nextAvailable: string[] };
    expect(details.nextAvailable).toEqual([at('10:45'), at('11:00'), at('11:15')]);
    const events = await bench.events(key.businessId);
    expect(events.filter(({ name }) => name === 'booking.created')).toHaveLength(1);
    expect(events.filter(({ name }) => name === 'booking.confirmed')).toHaveLength(1);
    expect(events.filter(({ name }) => name === 'client.created')).toHaveLength(1);
  });

  test('with any staff as many win as there are members on duty', async () => {
    const { tenant, key } = await bench.tenant();
    const serviceId = tenant.services[0]?.id ?? 0;
    const { won, codes } = await outcomes(
      Array.from({ length: 50 }, (_, n) =>
        createBooking(key, { serviceId, startTime: at('12:45'), client: client(n) }),
      ),
    );
    expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
    const booked = won.map((answer) => ('staffId' in answer ? answer.staffId : 0));
    expect(new Set(booked).size).toBe(booked.length);
    expect(booked.length).toBe(3);
  });
});

test('96 bookings of one day that do not overlap all succeed, placed at once', async () => {
  const { tenant, key } = await bench.tenant((one) => ({
    ...one,
    business: { ...one.business, bookingRules: { ...one.business.bookingRules, slotStepMinutes: 5 } },
    services: one.services.map((service) => ({
      ...service,
      durationMinutes: 5,
      bufferBeforeMinutes: 0,
      bufferAfterMinutes: 0,
    })),
    staff: one.staff.map((member) => ({
      ...member,
      schedule: {
        ...member.schedule,
        weekly: { ...member.schedule.weekly, wednesday: [{ from: '08:00', to: '16:00' }] },
      },
    })),
  }));
  const serviceId = tenant.services[0]?.id ?? 0;
  const staffId = tenant.staff[0]?.id ?? 0;
  const first = Date.UTC(2026, 11, 2, 6);
  const { won, codes } = await outcomes(
    Array.from({ length: 96 }, (_, n) =>
      createBooking(key, {
        serviceId,
        staffId,
        startTime: new Date(first + n * 300_000).toISOString(),
        client: client(n),
      }),
    ),
  );
  expect(codes).toEqual([]);
  expect(won).toHaveLength(96);
});

test('two concurrent first bookings of one person make one client', async () => {
  const { tenant, key } = await bench.tenant();
  const serviceId = tenant.services[0]?.id ?? 0;
  const { won, codes } = await outcomes(
    ['10:00', '11:00', '13:00', '14:00'].map((clock, n) =>
      createBooking(key, {
        serviceId,
        startTime: at(clock),
        client: { name: 'Jane', phone: n % 2 ? '+371 2000-9999' : '+37120009999' },
      }),
    ),
  );
  expect(codes).toEqual([]);
  expect(new Set(won.map((answer) => ('clientId' in answer ? answer.clientId : 0))).size).toBe(1);
  const created = (await bench.events(key.businessId)).filter(({ name }) => name === 'client.created');
  expect(created).toHaveLength(1);
});

test('200 concurrent calls with one Idempotency-Key make one booking and get equal answers', async () => {
  const { tenant, key } = await bench.tenant();
  const body = { serviceId: tenant.services[0]?.id ?? 0, startTime: at('10:00'), client: client(1) };
  const { won, codes } = await outcomes(Array.from({ length: 200 }, () => createBooking(key, body, 'same')));
  expect(codes).toEqual([]);
  const bookings = won.map((answer) => ('value' in answer ? answer.value : answer));
  expect(new Set(bookings.map((one) => JSON.stringify(one))).size).toBe(1);
  const events = await bench.events(key.businessId);
  expect(events.filter(({ name }) => name === 'booking.created')).toHaveLength(1);
});

test('cancelled by many at once, a booking is cancelled once and its time is free again', async () => {
  const { tenant, key } = await bench.tenant();
  const body = {
    serviceId: tenant.services[0]?.id ?? 0,
    staffId: tenant.staff[0]?.id ?? 0,
    startTime: at('10:00'),
    client: client(1),
  };
  const first = await createBooking(key, body);
  const id = 'id' in first ? first.id : 0;
  const { won, codes } = await outcomes(
    Array.from({ length: 20 }, () => cancelBooking(key, id, { by: 'integration', reason: 'ill' })),
  );
  expect(codes).toEqual([]);
  for (const answer of won) expect(answer).toEqual(won[0]);
  const events = await bench.events(key.businessId);
  expect(events.filter(({ name }) => name === 'booking.cancelled')).toHaveLength(1);
  await expect(createBooking(key, body)).resolves.toMatchObject({ status: 'confirmed' });
});

test('moved into one slot by many, one booking arrives, and the others stay where they were', async () => {
  const { tenant, key } = await bench.tenant();
  const staffId = tenant.staff[0]?.id ?? 0;
  const serviceId = tenant.services[0]?.id ?? 0;
  const starts = ['09:00', '09:45', '10:30', '13:00', '13:45'];
  const bookings = await Promise.all(
    starts.map((clock, n) => createBooking(key, { serviceId, staffId, startTime: at(clock), client: client(n) })),
  );
  const { won, codes } = await outcomes(
    bookings.map((one) =>
      rescheduleBooking(key, 'id' in one ? one.id : 0, { startTime: at('15:00'), by: 'integration' }),
    ),
  );
  expect(won).toHaveLength(1);
  expect(new Set(codes)).toEqual(new Set(['slot_unavailable']));
  const moved = (await bench.events(key.businessId)).filter(({ name }) => name === 'booking.rescheduled');
  expect(moved).toHaveLength(1);
});
