import { expect, test } from 'vitest';
import { limits } from '../../../contract/limits.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import type { ServiceItem } from '../../../core/catalog/items.ts';
import { setRuntime } from '../../../core/clock.ts';
import type { CountedKey } from '../../../core/keys/api-key.ts';
import { checkKey } from '../../../core/keys/check-key.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { parseKeyValue } from '../../../core/keys/key-value.ts';
import { regenerateApiKey } from '../../../core/keys/regenerate-key.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { refundPayment } from '../../../core/payments/refund-payment.ts';
import type { Principal } from '../../../core/principal.ts';
import { refuseEarlierDecisions } from '../../../core/setup/assignments.ts';
import { putBusyElsewhere } from '../../../core/setup/busy-elsewhere.ts';
import { updateStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { createService, deleteService, updateService } from '../../../core/setup/change-service.ts';
import { deleteStaffMember, loadStaffMember, updateStaffMember } from '../../../core/setup/change-staff.ts';
import { updateBusiness } from '../../../core/setup/update-business.ts';
import { getItem } from '../../../core/store/read.ts';
import { keys, records } from '../../../core/table-keys.ts';
import { limitsDuringTest } from '../../support/during-test.ts';
import { type Interference, interfering, withoutConditions } from '../../support/interfere.ts';
import { outcomes } from '../../support/outcomes.ts';
import { scriptDynamo, scripted } from '../../support/scripted-dynamo.ts';
import { at, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
type Instead = Interference['instead'];

async function business() {
  const { owner, services, staff, bookAsOwner } = await fixture.business({ services: [{ revision: 1 }] });
  const bookAt = (clock: string, more?: Parameters<typeof bookAsOwner>[1]) => bookAsOwner(at(clock), more);
  return { owner, service: services[0], staff: staff[0], bookAt, book: () => bookAt('10:00') };
}

const books: Interference['when'] = (writes) => writes.some(({ Put }) => String(Put?.Item?.sk).startsWith('BOOKING'));

const deletes: Interference['when'] = (writes) => writes.some(({ Delete }) => Delete);

/** The outcome of a deletion just before whose first commit a booking is made. */
async function bookedFirst(assignmentChangesMax: number, instead?: Instead) {
  const { owner, staff, book } = await business();
  limitsDuringTest({ assignmentChangesMax });
  const deletion = interfering({ when: () => true, first: book, instead }, () => deleteStaffMember(owner, staff));
  const { codes } = await outcomes([deletion]);
  const after = await getItem('records', records.staff(owner.tenantId, staff.id));
  expect((await listBookings(owner, {})).data).toHaveLength(1);
  return { codes, before: staff, after };
}

test.each([
  ['one transaction', limits.assignmentChangesMax],
  ['several transactions', 1],
])(
  'If a staff member is booked while being deleted, the deletion fails and removes none of their services (deletion in %s)',
  async (_, max) => {
    const { codes, before, after } = await bookedFirst(max);
    expect(codes).toEqual(['future_bookings']);
    expect(after).toMatchObject({ serviceIds: before.serviceIds, active: true });
  },
);

test('Negative control: if bookings are checked only before the transaction, a staff member with a booking can be deleted', async () => {
  const { codes, after } = await bookedFirst(limits.assignmentChangesMax, withoutConditions);
  expect([codes, after]).toEqual([[], undefined]);
});

test('Negative control: if bookings are checked only before a deletion begins, a failed deletion still removes a service', async () => {
  const { codes, before, after } = await bookedFirst(1, withoutConditions);
  expect(codes).toEqual(['future_bookings']);
  expect(after).toMatchObject({ serviceIds: before.serviceIds.slice(1) });
});

test('While a staff member is deleted in several transactions, nobody can book them, even for a service still assigned', async () => {
  const { owner, staff, bookAt } = await business();
  const { serviceIds } = staff;
  limitsDuringTest({ assignmentChangesMax: serviceIds.length - 1 });
  const book = () =>
    expect(bookAt('10:00', { serviceId: serviceIds.at(-1) })).rejects.toMatchObject({ code: 'slot_unavailable' });
  await interfering({ when: deletes, first: book }, () => deleteStaffMember(owner, staff));
  expect((await listBookings(owner, {})).data).toEqual([]);
});

/** What happens to a staff member or a service just before the commit of a booking. */
type Change = (owner: Principal, staff: { readonly id: number }, service: ServiceItem) => Promise<unknown>;
const isDeleted: Change = deleteStaffMember;
const isHalfDeleted: Change = async (owner, staff, { name, durationMinutes, price }) => {
  await createService(owner, { name, durationMinutes, price, staffIds: [staff.id] });
  limitsDuringTest({ assignmentChangesMax: 1 });
  const deletion = scripted([{ when: 'TransactWriteItems', nth: 2, fail: 'ServiceUnavailable' }], () =>
    deleteStaffMember(owner, staff),
  );
  await expect(deletion).rejects.toThrow('ServiceUnavailable');
};
const isInactive: Change = (owner, staff) => updateStaffMember(owner, staff, { active: false });
const hasDayOff: Change = (owner, staff) => updateStaffSchedule(owner, staff, { exceptions: { '2026-12-01': [] } });
const isBusy: Change = (owner, { id }) =>
  putBusyElsewhere(owner, { id, source: 'google' }, { blocks: [{ startTime: at('00:00'), endTime: at('23:59') }] });
const hasNoServices: Change = (owner, staff) => updateStaffMember(owner, staff, { serviceIds: [] });
const isOff: Change = (owner, _, service) => updateService(owner, service, { active: false });
const isOffTwice: Change = async (owner, { id }, service) => {
  await isOff(owner, { id }, service);
  await refuseEarlierDecisions(owner.tenantId, { ...service, revision: 0 }, [id]);
};
const isOffAtSecondTry: Change = async (owner, staff, service) => {
  const first = scripted([{ when: 'TransactWriteItems', nth: 2, fail: 'ServiceUnavailable' }], () =>
    isOff(owner, staff, service),
  );
  await expect(first).rejects.toThrow('ServiceUnavailable');
  await isOff(owner, staff, service);
};
const isOffBeforeAnother: Change = async (owner, staff, service) => {
  await isOff(owner, staff, service);
  const { name, durationMinutes, price } = service;
  const another = await createService(owner, { name, durationMinutes, price, staffIds: [staff.id] });
  await updateService(owner, another, { active: false });
};
const isOfOthers: Change = (owner, { id }, service) =>
  updateService(owner, service, { staffIds: service.staffIds.filter((one) => one !== id) });
const isGone: Change = (owner, _, service) => deleteService(owner, service);

test.each([
  ['staff member is deleted', isDeleted, 'not_found'],
  ['staff member is partly deleted and no longer performs the service', isHalfDeleted, 'slot_unavailable'],
  ['staff member becomes inactive', isInactive, 'slot_unavailable'],
  ['staff member gets the day off', hasDayOff, 'slot_unavailable'],
  ['staff member becomes busy in another calendar', isBusy, 'slot_unavailable'],
  ['staff member stops performing services', hasNoServices, 'slot_unavailable'],
  ['service becomes inactive', isOff, 'slot_unavailable'],
  ['service becomes inactive by a request that is repeated after an error', isOffAtSecondTry, 'slot_unavailable'],
  ['service is taken from the staff member', isOfOthers, 'slot_unavailable'],
  ['service is deleted', isGone, 'not_found'],
])(
  'A booking is refused after a last-moment change of its service or staff member (the %s)',
  async (_, change, code) => {
    const { owner, staff, service, book } = await business();
    const booking = interfering({ when: books, first: () => change(owner, staff, service) }, book);
    await expect(booking).rejects.toMatchObject({ code });
    expect((await listBookings(owner, {})).data).toEqual([]);
  },
);

test.each([
  ['staff member stops performing services', hasNoServices],
  ['service is taken from the staff member', isOfOthers],
  ['service becomes inactive', isOff],
  ['service becomes inactive and an older change of the service finishes later', isOffTwice],
  ['service and then a second service of the staff member become inactive', isOffBeforeAnother],
  ['service is deleted', isGone],
])(
  'A booking request is refused if its service or staff member changes between the reads of these two (the %s)',
  async (_, change) => {
    const { owner, staff, service, book } = await business();
    const next = () => change(owner, staff, service);
    const booking = scripted([{ when: 'BatchGetItem', nth: 1, after: next }], book);
    await expect(booking).rejects.toMatchObject({ code: 'slot_unavailable' });
    expect((await listBookings(owner, {})).data).toEqual([]);
  },
);

test('While a service is renamed and removed from some staff members, a booking with another staff member of this service succeeds', async () => {
  const { owner, staff, service, book } = await business();
  const change = () => updateService(owner, service, { name: 'Trim', staffIds: [staff.id] });
  await scripted([{ when: 'BatchGetItem', nth: 1, after: change }], book);
  expect((await listBookings(owner, {})).data).toHaveLength(1);
});

test('After a service is deleted, the stored data of its staff members contain nothing about the service', async () => {
  const { owner, staff, service } = await business();
  await isGone(owner, staff, service);
  const { endedRevisions } = await loadStaffMember(owner.tenantId, staff.id);
  expect(endedRevisions).toEqual({});
});

test.each([
  ['gets the day off', hasDayOff],
  ['becomes busy in another calendar', isBusy],
])('A move of a booking is refused after a last-moment change of its staff member (who %s)', async (_, change) => {
  const { owner, staff, service, book } = await business();
  const booking = await book();
  const move = () => rescheduleBooking(owner, booking, { startTime: at('12:30') });
  const moved = interfering({ when: books, first: () => change(owner, staff, service) }, move);
  await expect(moved).rejects.toMatchObject({ code: 'slot_unavailable' });
  expect((await listBookings(owner, {})).data).toEqual([booking]);
});

test.each([
  ['staff member has the day off', hasDayOff],
  ['staff member is busy elsewhere', isBusy],
  ['service is inactive', isOff],
  ['staff member is partly deleted and no longer performs the service', isHalfDeleted],
])(
  'Negative control: if a booking does not check the staff member again, a forbidden booking is made (the %s)',
  async (_, change) => {
    const { owner, staff, service, book } = await business();
    await interfering({ when: books, first: () => change(owner, staff, service), instead: withoutConditions }, book);
    expect((await listBookings(owner, {})).data).toHaveLength(1);
  },
);

test('A booking uses no more DynamoDB write units when its staff member has 365 schedule exceptions', async () => {
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

test('If the time zone of a business is changed just before a booking is stored, the booking has the new time zone', async () => {
  const { owner, book } = await business();
  const first = () => updateBusiness(owner, { timeZone: 'Europe/Berlin' });
  expect(await interfering({ when: books, first }, book)).toMatchObject({ timeZone: 'Europe/Berlin' });
});

const changesZone: Interference['when'] = (writes) =>
  writes.some(({ Update }) => Update?.UpdateExpression?.includes('#timeZone'));
const changesCurrency: Interference['when'] = (writes) => writes.some(({ Put }) => Put?.Item?.currency === 'USD');
const refunds: Interference['when'] = (writes) =>
  writes.some(({ Update }) => Update?.UpdateExpression?.includes('refunded'));

interface Overtaken {
  readonly change: string;
  /** A request that is committed just before the change. */
  readonly other: string;
  /** The error that the change then gets. */
  readonly error: object;
  /** The result of the change if nothing but the state before the other request is checked. */
  readonly unchecked: object;
  readonly race: (instead?: Instead) => Promise<unknown>;
}

const overtaken: readonly Overtaken[] = [
  {
    change: 'change of the time zone of a business',
    other: 'another request makes a booking',
    error: { code: 'future_bookings' },
    unchecked: { timeZone: 'Europe/Berlin' },
    race: async (instead) => {
      const { owner, book } = await business();
      const change = () => updateBusiness(owner, { timeZone: 'Europe/Berlin' });
      return interfering({ when: changesZone, first: book, instead }, change);
    },
  },
  {
    change: 'change of the currency of a business',
    other: 'another request adds a service',
    error: { code: 'invalid_state' },
    unchecked: { currency: 'USD' },
    race: async (instead) => {
      const { owner, services } = await fixture.tenant();
      for (const service of services) await deleteService(owner, service);
      const price = { amount: 100, currency: 'EUR' };
      const first = () => createService(owner, { name: 'x', durationMinutes: 30, price });
      return interfering({ when: changesCurrency, first, instead }, () => updateBusiness(owner, { currency: 'USD' }));
    },
  },
  {
    change: 'refund of more than half of a payment',
    other: 'another request makes an equal refund',
    error: { code: 'refund_exceeds_payment', extras: { details: { refundable: 40 } } },
    unchecked: { amount: 60 },
    race: async (instead) => {
      const { owner } = await business();
      const payment = await recordPayment(owner, { amount: 100, method: 'card' });
      const refund = () => refundPayment(owner, payment, { amount: 60 });
      return interfering({ when: refunds, first: refund, instead }, refund);
    },
  },
];

test.each(overtaken)(
  'A change is refused if a concurrent one has made it invalid ($change: $other)',
  async ({ error, race }) => {
    await expect(race()).rejects.toMatchObject(error);
  },
);

test.each(overtaken)(
  'Negative control: if data is checked only before the transaction, a change that became invalid succeeds ($change: $other)',
  async ({ unchecked, race }) => {
    await expect(race(withoutConditions)).resolves.toMatchObject(unchecked);
  },
);

const regenerates: Interference['when'] = (writes) => writes.some(({ Delete }) => Delete?.TableName === 'test-keys');
const hashOf = (value: string) => parseKeyValue(value)?.hash ?? '';

/**
 * A regeneration just before whose commit a request is counted. `laterMs`: how far the clock of the machine that counts
 * it is ahead.
 */
async function regenerated(instead?: Instead, laterMs = 0) {
  const { owner } = await business();
  const { id, key } = await createApiKey(owner, { name: 'Site', scopeSet: 'booking_widget' });
  const first = async () => {
    setRuntime({ now: () => testNow + laterMs });
    await checkKey(hashOf(key));
    setRuntime({ now: () => testNow });
  };
  const regenerate = () => regenerateApiKey(owner, { id });
  const { key: value } = await interfering({ when: regenerates, first, instead }, regenerate);
  const stored = await getItem<CountedKey>('keys', keys.apiKey(hashOf(value)));
  return { stored, old: await checkKey(hashOf(key)), next: await checkKey(hashOf(value)) };
}

test('A request that arrives while an API key is regenerated counts towards the rate limit of the new key value', async () => {
  const { old, next } = await regenerated();
  expect(old).toEqual({ outcome: 'unknown' });
  expect(next).toMatchObject({ outcome: 'accepted', usage: { remaining: 58 } });
});

test.each([
  ['a day behind', -1],
  ['a day ahead', 1],
])(
  'A request counted while its API key is regenerated stays counted, even if the clock of the counting machine is %s',
  async (_, days) => {
    const laterMs = days * 86_400_000;
    const { stored } = await regenerated(undefined, laterMs);
    expect(stored).toMatchObject({ [windowsAt(testNow + laterMs).dayName]: 1 });
  },
);

test('Negative control: if regenerating an API key copies its counters unconditionally, a concurrent request is not counted', async () => {
  expect((await regenerated(withoutConditions)).next).toMatchObject({ outcome: 'accepted', usage: { remaining: 59 } });
});
