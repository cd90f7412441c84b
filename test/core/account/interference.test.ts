import { describe, expect, test } from 'vitest';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { checkKey } from '../../../core/keys/check-key.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { parseKeyValue } from '../../../core/keys/key-value.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { getPayment } from '../../../core/payments/read-payments.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import { putBusyElsewhere } from '../../../core/setup/busy-elsewhere.ts';
import { updateStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { createService, deleteService } from '../../../core/setup/change-service.ts';
import { deleteStaffMember, updateStaffMember } from '../../../core/setup/change-staff.ts';
import { updateBusiness } from '../../../core/setup/update-business.ts';
import { type Interference, interfering, unconditional } from '../../support/interfere.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function business() {
  const { owner, staff, bookAsOwner } = await fixture.business();
  const bookAt = (clock: string) => bookAsOwner(at(clock));
  return { owner, staff: staff[0], bookAt, book: () => bookAt('10:00') };
}

const bare = (writes: Parameters<NonNullable<Interference['instead']>>[0]) => writes.map(unconditional);

describe('a booking that is placed while its staff member is being deleted', () => {
  const deletes: Interference['when'] = (writes) => writes.some(({ Delete }) => Delete);

  test('A staff member who is booked while being deleted is not deleted', async () => {
    const { owner, staff, book } = await business();
    await expect(
      interfering({ when: deletes, first: book }, () => deleteStaffMember(owner, staff)),
    ).rejects.toMatchObject({ code: 'future_bookings' });
  });

  test('Negative control: a deletion that only checked for bookings first would delete a booked staff member', async () => {
    const { owner, staff, book } = await business();
    await interfering({ when: deletes, first: book, instead: bare }, () => deleteStaffMember(owner, staff));
    expect((await listBookings(owner, {})).data).toHaveLength(1);
  });
});

describe('a deletion that comes while its staff member is being booked', () => {
  test('A booking for a staff member who is deleted concurrently is refused', async () => {
    const { owner, staff, book } = await business();
    const books: Interference['when'] = (writes) =>
      writes.some(({ Put }) => String(Put?.Item?.sk).startsWith('BOOKING'));
    await expect(
      interfering({ when: books, first: () => deleteStaffMember(owner, staff) }, book),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect((await listBookings(owner, {})).data).toEqual([]);
  });
});

describe('a schedule that changes while its staff member is being booked', () => {
  const books: Interference['when'] = (writes) => writes.some(({ Put }) => String(Put?.Item?.sk).startsWith('BOOKING'));
  const dayOff = { exceptions: { '2026-12-01': [] } };

  test('A booking finds no time when its day was taken off the schedule before it was committed', async () => {
    const { owner, staff, book } = await business();
    const first = () => updateStaffSchedule(owner, staff, dayOff);
    await expect(interfering({ when: books, first }, book)).rejects.toMatchObject({ code: 'slot_unavailable' });
    expect((await listBookings(owner, {})).data).toEqual([]);
  });

  test('A booking finds no time when its staff member became inactive before it was committed', async () => {
    const { owner, staff, book } = await business();
    const first = () => updateStaffMember(owner, staff, { active: false });
    await expect(interfering({ when: books, first }, book)).rejects.toMatchObject({ code: 'slot_unavailable' });
  });

  test('A booking moved while the schedule changes finds no time either', async () => {
    const { owner, staff, book } = await business();
    const { id } = await book();
    const first = () => updateStaffSchedule(owner, staff, dayOff);
    const move = () => rescheduleBooking(owner, { id }, { startTime: '2026-12-01T12:00:00+02:00' });
    await expect(interfering({ when: books, first }, move)).rejects.toMatchObject({ code: 'slot_unavailable' });
  });

  const busyDay =
    (owner: Parameters<typeof putBusyElsewhere>[0], { id }: { id: number }) =>
    () =>
      putBusyElsewhere(owner, { id, source: 'google' }, { blocks: [{ startTime: at('00:00'), endTime: at('23:59') }] });

  test('A booking or a move finds no time when another calendar took it before the commit', async () => {
    const { owner, staff, book } = await business();
    const { id } = await book();
    const move = () => rescheduleBooking(owner, { id }, { startTime: at('12:30') });
    const first = busyDay(owner, staff);
    await expect(interfering({ when: books, first }, move)).rejects.toMatchObject({ code: 'slot_unavailable' });
    const other = await business();
    const taken = interfering({ when: books, first: busyDay(other.owner, other.staff) }, other.book);
    await expect(taken).rejects.toMatchObject({ code: 'slot_unavailable' });
    expect((await listBookings(other.owner, {})).data).toEqual([]);
    expect((await listBookings(owner, {})).data).toHaveLength(1);
  });

  test('A booking would be made in a block if its transaction did not check the staff member (negative control)', async () => {
    const { owner, staff, book } = await business();
    await interfering({ when: books, first: busyDay(owner, staff), instead: bare }, book);
    expect((await listBookings(owner, {})).data).toHaveLength(1);
  });

  test('A booking would be made on a day off if its transaction did not check the schedule (negative control)', async () => {
    const { owner, staff, book } = await business();
    const first = () => updateStaffSchedule(owner, staff, dayOff);
    await interfering({ when: books, first, instead: bare }, book);
    expect((await listBookings(owner, {})).data).toHaveLength(1);
  });
});

test('A booking with a staff member takes as many write units with 365 exceptions in the schedule as with none', async () => {
  const { owner, staff, bookAt } = await business();
  const unitsOf = async (clock: string) => {
    using script = scriptDynamo([], { units: true });
    await bookAt(clock);
    return script.units('write');
  };
  await bookAt('09:00');
  const without = await unitsOf('10:00');
  const date = (n: number) => new Date(Date.UTC(2027, 0, 1 + n)).toISOString().slice(0, 10);
  const exceptions = Object.fromEntries(
    Array.from({ length: 365 }, (_, n) => [date(n), [{ from: '09:00', to: '17:00' }]]),
  );
  await updateStaffSchedule(owner, staff, { exceptions });
  expect(await unitsOf('13:15')).toBe(without);
});

describe('a booking that is placed while the time zone is being changed', () => {
  const changesZone: Interference['when'] = (writes) =>
    writes.some(({ Update }) => Update?.UpdateExpression?.includes('#timeZone'));

  test('The time zone of a business does not change when a booking is made concurrently', async () => {
    const { owner, book } = await business();
    await expect(
      interfering({ when: changesZone, first: book }, () => updateBusiness(owner, { timeZone: 'Europe/Berlin' })),
    ).rejects.toMatchObject({ code: 'future_bookings' });
  });

  test('Negative control: a change of the time zone that only checked for bookings first would overlook a booking', async () => {
    const { owner, book } = await business();
    const changed = await interfering({ when: changesZone, first: book, instead: bare }, () =>
      updateBusiness(owner, { timeZone: 'Europe/Berlin' }),
    );
    const [booking] = (await listBookings(owner, {})).data;
    expect(booking?.timeZone).not.toBe(changed.timeZone);
  });

  test('A booking made while the time zone of the business changes uses the new time zone', async () => {
    const { owner, book } = await business();
    const books: Interference['when'] = (writes) =>
      writes.some(({ Put }) => String(Put?.Item?.sk).startsWith('BOOKING'));
    const booking = await interfering(
      { when: books, first: () => updateBusiness(owner, { timeZone: 'Europe/Berlin' }) },
      book,
    );
    expect(booking.timeZone).toBe('Europe/Berlin');
  });
});

describe('a service that is added while the currency is being changed', () => {
  const changesCurrency: Interference['when'] = (writes) => writes.some(({ Put }) => Put?.Item?.currency === 'USD');

  async function racing(instead?: Interference['instead']) {
    const { tenant } = await fixture.tenant();
    const owner = ownerPrincipal(tenant.business.id);
    for (const service of tenant.services) await deleteService(owner, service);
    const price = { amount: 100, currency: 'EUR' };
    const first = () => createService(owner, { name: 'x', durationMinutes: 30, price });
    return interfering({ when: changesCurrency, first, ...(instead && { instead }) }, () =>
      updateBusiness(owner, { currency: 'USD' }),
    );
  }

  test('The currency of a business does not change when a service is added concurrently', async () => {
    await expect(racing()).rejects.toMatchObject({ code: 'invalid_state' });
  });

  test('Negative control: a change of the currency that only checked for services first would overlook a service', async () => {
    expect((await racing(bare)).currency).toBe('USD');
  });
});

describe('a refund that comes between another one’s read and its commit', () => {
  const refunds: Interference['when'] = (writes) =>
    writes.some(({ Update }) => Update?.UpdateExpression?.includes('refunded'));

  test('A refund is refused when a concurrent refund has left too little of the payment', async () => {
    const { owner } = await business();
    const { value: payment } = await recordPayment(owner, { amount: 100, method: 'card' });
    const first = () => refundPayment(owner, payment, { amount: 60 });
    await expect(
      interfering({ when: refunds, first }, () => refundPayment(owner, payment, { amount: 60 })),
    ).rejects.toMatchObject({ code: 'refund_exceeds_payment', extras: { details: { refundable: 40 } } });
  });

  test('Negative control: two refunds that only checked the payment first would exceed it together', async () => {
    const { owner } = await business();
    const { value: payment } = await recordPayment(owner, { amount: 100, method: 'card' });
    const first = () => refundPayment(owner, payment, { amount: 60 });
    await interfering({ when: refunds, first, instead: bare }, () => refundPayment(owner, payment, { amount: 60 }));
    expect((await getPayment(owner, payment)).refundedAmount).toBe(120);
  });
});

describe('a request that is counted while its key is being regenerated', () => {
  const regenerates: Interference['when'] = (writes) => writes.some(({ Delete }) => Delete?.TableName === 'test-keys');
  const hashOf = (value: string) => parseKeyValue(value)?.hash ?? '';

  test('A request that is counted while its API key is regenerated counts for the new key value', async () => {
    const { owner } = await business();
    const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'booking_widget' });
    const regenerated = await interfering({ when: regenerates, first: () => checkKey(hashOf(key)) }, () =>
      regenerateApiKey(owner, { id }),
    );
    expect(await checkKey(hashOf(key))).toEqual({ outcome: 'unknown' });
    expect(await checkKey(hashOf(regenerated.key))).toMatchObject({ outcome: 'accepted', usage: { remaining: 58 } });
  });

  test('Negative control: a regeneration that just copied the API key would forget a concurrent request', async () => {
    const { owner } = await business();
    const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'booking_widget' });
    const regenerated = await interfering(
      { when: regenerates, first: () => checkKey(hashOf(key)), instead: bare },
      () => regenerateApiKey(owner, { id }),
    );
    expect(await checkKey(hashOf(regenerated.key))).toMatchObject({ outcome: 'accepted', usage: { remaining: 59 } });
  });
});
