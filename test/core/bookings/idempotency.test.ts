import { afterEach, describe, expect, test } from 'vitest';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';
import { bookingOf } from './races.ts';

const fixture = useTestBusiness();
afterEach(() => setRuntime({ now: () => testNow }));

const hourMs = 3_600_000;

async function testBusiness() {
  const { tenant, key } = await fixture.tenant();
  const body = {
    serviceId: tenant.services[0]?.id ?? 0,
    staffId: tenant.staff[0]?.id ?? 0,
    startTime: '2026-12-03T10:00:00+02:00',
    client: { name: 'Jane', email: 'jane@example.com' },
  };
  return { key, body };
}

describe('an Idempotency-Key', () => {
  test('An Idempotency-Key returns the first booking again, also after it was cancelled, marked as replayed', async () => {
    const { key, body } = await testBusiness();
    const first = bookingOf(await createBooking(key, body, 'k'));
    await cancelBooking(key, first, {});
    const again = await createBooking(key, body, 'k');
    expect(again).toEqual({ value: first, replayed: true });
    expect(JSON.stringify(bookingOf(again))).toBe(JSON.stringify(first));
  });

  test('An Idempotency-Key returns the first refusal again, also when the time is free now, marked as replayed', async () => {
    const { key, body } = await testBusiness();
    const { id } = bookingOf(await createBooking(key, body));
    const refused = await createBooking(key, body, 'k').catch((error) => error);
    await cancelBooking(key, { id }, {});
    const { code, message, extras } = refused;
    await expect(createBooking(key, body, 'k')).rejects.toMatchObject({
      code,
      message,
      extras: { details: extras.details, replayed: true },
    });
  });

  test('An Idempotency-Key is kept for 24 hours and not longer', async () => {
    const { key, body } = await testBusiness();
    const first = bookingOf(await createBooking(key, body, 'k'));
    setRuntime({ now: () => testNow + 24 * hourMs - 1_000 });
    expect(bookingOf(await createBooking(key, body, 'k'))).toEqual(first);
    setRuntime({ now: () => testNow + 24 * hourMs });
    await expect(createBooking(key, body, 'k')).rejects.toMatchObject({ code: 'slot_unavailable' });
  });

  test('An Idempotency-Key belongs to its API key', async () => {
    const { key, body } = await testBusiness();
    const first = bookingOf(await createBooking(key, body, 'k'));
    const later = { ...body, startTime: '2026-12-03T13:00:00+02:00' };
    const other = bookingOf(await createBooking(keyPrincipal(key.tenantId, newId()), later, 'k'));
    expect(other.id).not.toBe(first.id);
    await expect(createBooking(key, later, 'k')).rejects.toMatchObject({ code: 'idempotency_key_reused' });
  });
});
