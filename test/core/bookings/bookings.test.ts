/** Guarantees of one booking (docs/rules.md#bookings, #booking-states). Races are in other files. */
import { describe, expect, test } from 'vitest';
import { createHold } from '../../../core/availability/holds.ts';
import { bookingData } from '../../../core/bookings/booking.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { completeBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import type { StaffItem } from '../../../core/catalog/items.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import type { Principal } from '../../../core/principal.ts';
import { deleteService, updateService } from '../../../core/setup/change-service.ts';
import { deleteStaffMember, updateStaffMember } from '../../../core/setup/change-staff.ts';
import { deleteEach } from '../../../core/store/delete-each.ts';
import { records } from '../../../core/table-keys.ts';
import { outcomes } from '../../support/outcomes.ts';
import { scriptTest } from '../../support/script-test.ts';
import { type Call, type Output, scripted } from '../../support/scripted-dynamo.ts';
import {
  type BusinessOptions,
  jane as client,
  testNow,
  at as timeOf,
  useTestBusiness,
} from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** A Thursday; the early shift begins at 09:00. */
const at = (clock: string) => timeOf(clock, 3);

async function testBusiness(options?: BusinessOptions) {
  const business = await fixture.business(options);
  const [[service, other], [member, second]] = [business.services, business.staff];
  const book = (clock: string, more: Parameters<typeof business.book>[1] = {}) => business.book(at(clock), more);
  return { ...business, service, other, member, second, book };
}

describe('a new booking', () => {
  test('A new booking contains its service, staff member, time, time zone and the current price of the service', async () => {
    const { service, member, book } = await testBusiness();
    const { price } = service;
    const [startTime, endTime, recorded] = [at('10:00'), at('10:45'), new Date(testNow).toISOString()];
    const performed = { serviceId: service.id, serviceName: service.name, staffId: member.id, staffName: member.name };
    expect(await book('10:00')).toEqual({
      ...{ ...performed, startTime, endTime, price, id: expect.any(Number), clientId: expect.any(Number) },
      status: 'confirmed',
      client: { ...client, phone: null },
      timeZone: 'Europe/Riga',
      segments: [{ ...performed, startTime, endTime, price, resourceId: null, resourceName: null }],
      places: 1,
      comment: null,
      source: 'integration',
      externalId: null,
      metadata: {},
      cancelledBy: null,
      cancelReason: null,
      createdAt: recorded,
      updatedAt: recorded,
      revision: 1,
    });
  });

  test('A booking without a requested staff member gets the free one with the fewest bookings that day, or else the first added', async () => {
    const { staff, book } = await testBusiness({
      times: {},
      change: ({ services, ...demo }) => ({
        ...demo,
        services: services.map((one) => ({ ...one, staffIds: one.staffIds.toReversed() })),
      }),
    });
    const [first, second, third] = staff.map(({ id }) => id);
    const chosen = async (clock: string) => (await book(clock, { staffId: undefined })).staffId;
    expect([await chosen('10:00'), await chosen('10:00'), await chosen('10:00')]).toEqual([first, second, third]);
    for (const [clock, staffId] of [
      ['12:00', first],
      ['12:00', third],
      ['14:00', third],
    ] as const)
      await book(clock, { staffId });
    expect([await chosen('16:00'), await chosen('16:00'), await chosen('16:00')]).toEqual([second, first, third]);
  });

  test.each([
    ['confirmed automatically: booking.created and booking.confirmed', 'automatic'],
    ['pending until the business confirms it: only booking.created', 'manual'],
  ] as const)('The events of a new booking contain all fields of the booking (%s)', async (_, confirmation) => {
    const { service, book, events } = await testBusiness({ rules: { confirmation } });
    const sent = { comment: 'By the window', externalId: 'crm-1' };
    const booking = await book('10:00', sent);
    const isConfirmed = confirmation === 'automatic';
    const status = isConfirmed ? 'confirmed' : 'pending';
    expect(booking).toMatchObject({ ...sent, status, client: { ...client, phone: null } });
    const raised = (await events()).filter(({ name }) => name.startsWith('booking.'));
    const data = bookingData(booking);
    const created = { name: 'booking.created', data: { ...data, source: 'integration', price: service.price } };
    const confirmed = { name: 'booking.confirmed', data: { ...data, confirmedBy: 'automatic' } };
    expect(raised.map(({ name, data }) => ({ name, data }))).toEqual(isConfirmed ? [created, confirmed] : [created]);
  });

  test('A booking made by the owner differs from a booking made with an API key only in its field `source`', async () => {
    const { book, bookAsOwner, events } = await testBusiness();
    const [byKey, own] = [await book('10:00'), await bookAsOwner(at('11:00'))];
    const { id, startTime, endTime, segments } = own;
    expect(byKey.source).toBe('integration');
    expect(own).toEqual({ ...byKey, id, startTime, endTime, segments, source: 'account' });
    const sources = (await events('booking.created')).map(({ data }) => 'source' in data && data.source);
    expect(sources).toEqual(['integration', 'account']);
  });

  test.each([
    ['service', ({ other }: Business) => ({ serviceId: other.id })],
    ['time', () => ({ startTime: at('11:00') })],
    ['staff member', ({ second }: Business) => ({ staffId: second.id })],
  ] as const)('A booking request with a slot hold for another %s is refused', async (_, another) => {
    const known = await testBusiness();
    const held = { ...known.offered, startTime: at('10:00') };
    const { holdId } = await createHold(known.key, held);
    const body = { ...held, client, holdId, ...another(known) };
    await expect(createBooking(known.key, body)).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { details: [{ path: 'holdId', message: 'was made for another service, staff member or time' }] },
    });
    expect((await createBooking(known.key, { ...held, client, holdId })).staffId).toBe(held.staffId);
  });
});

type Business = Awaited<ReturnType<typeof testBusiness>>;

test.each([
  ['before', '2026-12-04T00:15:00Z'],
  ['after', '2026-12-03T23:15:00Z'],
])(
  'If a service lost its buffers after a slot was held, a booking with this hold frees the buffers (%s midnight UTC)',
  async (_, startTime) => {
    const { key, owner, service, offered, book, state } = await testBusiness({
      rules: { slotStepMinutes: 1 },
      times: { durationMinutes: 30, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 },
    });
    const { holdId } = await createHold(key, { ...offered, startTime });
    await updateService(owner, service, { bufferBeforeMinutes: 0, bufferAfterMinutes: 0 });
    await book('', { startTime, holdId });
    for (const by of [-30, 30]) {
      await book('', { startTime: new Date(Date.parse(startTime) + by * 60_000).toISOString() });
    }
    expect((await state()).live).toHaveLength(3);
  },
);

describe('a cancellation', () => {
  const start = Date.parse(at('10:00'));
  const noticeMs = 120 * 60_000;

  test.each([
    ['an API key', 'two hours before the start', 'accepted', -noticeMs],
    ['an API key', 'a millisecond too late', 'refused', -noticeMs + 1],
    ['the client', 'a millisecond too late', 'refused', -noticeMs + 1],
    ['the business', 'a millisecond too late', 'accepted', -noticeMs + 1],
    ['the business', 'after the start', 'accepted', 1],
  ] as const)('Only the business can cancel without the required notice (%s, %s: %s)', async (by, _, result, ms) => {
    const { key, owner, book } = await testBusiness({ rules: { cancellationNoticeMinutes: 120 } });
    const { id } = await book('10:00');
    const link = { kind: 'session', id: newId(), keyId: 0, rights: ['cancel'], bookingId: id } as const;
    const [principal, cancelledBy] = (
      {
        'an API key': [key, 'integration'],
        'the client': [{ ...key, actor: link }, 'client'],
        'the business': [owner, 'staff'],
      } as const
    )[by];
    setRuntime({ now: () => start + ms });
    const { won, lost } = await outcomes([cancelBooking(principal, { id }, { reason: 'ill' })]);
    const message = expect.stringContaining('until 120 minutes before');
    expect(lost).toMatchObject(result === 'refused' ? [{ code: 'cancellation_window_passed', message }] : []);
    expect(won).toEqual(result === 'refused' ? [] : [expect.objectContaining({ status: 'cancelled', cancelledBy })]);
  });

  test('The optional reason of a cancellation is stored and sent to webhooks, even if the client of the booking is no longer stored', async () => {
    const { key, book, events } = await testBusiness();
    const { id, clientId } = await book('10:00');
    await deleteEach('records', [records.client(key.tenantId, clientId)]);
    await cancelBooking(key, { id }, { reason: 'ill' });
    expect(await getBooking(key, { id })).toMatchObject({ cancelReason: 'ill', cancelledBy: 'integration' });
    expect((await events('booking.cancelled'))[0]?.data).toMatchObject({ reason: 'ill', cancelledBy: 'integration' });
    expect(await cancelBooking(key, await book('11:00'), {})).toMatchObject({ cancelReason: null });
  });

  test('Cancelling a booking that is moved concurrently frees the time to which the booking was moved', async () => {
    const { key, book, state } = await testBusiness();
    const { id } = await book('10:00');
    const when = ({ input }: Call) => input.Key?.sk === records.booking(key.tenantId, id).sk;
    const after = () => rescheduleBooking(key, { id }, { startTime: at('11:00') });
    const cancelled = await scripted([{ when, nth: 1, after }], () => cancelBooking(key, { id }, {}));
    expect(cancelled).toMatchObject({ status: 'cancelled', startTime: at('11:00') });
    expect((await state()).live).toEqual([]);
  });
});

describe('moving a booking', () => {
  test.each(['cancelled', 'completed'] as const)(
    'A booking that is %s cannot be moved, not even to its own time',
    async (status) => {
      const { key, owner, book } = await testBusiness();
      const { id } = await book('10:00');
      await (status === 'cancelled' ? cancelBooking(key, { id }, {}) : completeBooking(owner, { id }));
      for (const clock of ['10:00', '11:00']) {
        const move = rescheduleBooking(key, { id }, { startTime: at(clock) });
        await expect(move).rejects.toMatchObject({ code: 'invalid_state' });
      }
    },
  );

  test('A pending booking that is moved stays pending, keeps its price, and gets the current duration of its service', async () => {
    const { key, owner, service, book } = await testBusiness({ rules: { confirmation: 'manual' } });
    const { id, price } = await book('10:00');
    await updateService(owner, service, { durationMinutes: 90, price: { ...price, amount: price.amount + 1_000 } });
    const moved = await rescheduleBooking(key, { id }, { startTime: at('14:00') });
    expect(moved).toMatchObject({ id, status: 'pending', startTime: at('14:00'), endTime: at('15:30'), price });
  });

  test('A booking of a deleted service cannot be moved, but it can be cancelled and completed', async () => {
    const { key, owner, service, book } = await testBusiness();
    const [first, second] = [await book('10:00'), await book('11:00')];
    await deleteService(owner, service);
    const move = { startTime: at('14:00') };
    await expect(rescheduleBooking(key, first, move)).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'The booking cannot be moved, because its service was deleted.',
    });
    expect(await rescheduleBooking(key, first, { startTime: at('10:00') })).toEqual(first);
    expect(await cancelBooking(key, first, {})).toMatchObject({ status: 'cancelled' });
    expect(await completeBooking(owner, second)).toMatchObject({ status: 'completed' });
  });

  test('A booking of a deleted staff member can be moved only to another staff member', async () => {
    const { key, owner, member, second, book } = await testBusiness({ allPerformAll: true });
    const booking = await book('10:00');
    setRuntime({ now: () => Date.parse(at('20:00')) });
    await deleteStaffMember(owner, member);
    const move = { startTime: timeOf('14:00', 4) };
    await expect(rescheduleBooking(key, booking, move)).rejects.toMatchObject({
      code: 'invalid_state',
      message: 'The staff member of this booking was deleted: send the staffId of another one.',
    });
    await expect(rescheduleBooking(key, booking, { ...move, staffId: member.id })).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await rescheduleBooking(key, booking, { ...move, staffId: second.id })).toMatchObject(move);
  });
});

test.each([
  ['deleted', 'not_found', deleteStaffMember],
  [
    'inactive',
    'slot_unavailable',
    (owner: Principal, one: StaffItem) => updateStaffMember(owner, one, { active: false }),
  ],
])(
  'A booking with a slot hold is refused if the staff member of the hold was deleted or made inactive (%s: %s)',
  async (_, code, change) => {
    const { key, owner, member, offered, serviceId } = await testBusiness({ allPerformAll: true });
    const startTime = at('10:00');
    const { holdId } = await createHold(key, { ...offered, startTime });
    await change(owner, member);
    const book = (wanted: { serviceId: number; staffId?: number }) =>
      createBooking(key, { ...wanted, startTime, holdId, client });
    await expect(book({ serviceId })).rejects.toMatchObject({
      code: 'slot_unavailable',
      extras: { details: { nextAvailable: [startTime, at('10:15'), at('10:30')] } },
    });
    await expect(book(offered)).rejects.toMatchObject({ code });
  },
);

describe('concurrent bookings with one slot hold', () => {
  /** The second request has read the hold, but not the staff member's time, when the first uses the hold up. */
  async function codesOfSecond(read: (sk: string) => void = () => undefined) {
    const { key, offered } = await testBusiness();
    const body = { ...offered, startTime: at('10:00'), client };
    const { holdId } = await createHold(key, body);
    const book = () => createBooking(key, { ...body, holdId });
    const { sk } = records.hold(key.tenantId, holdId);
    read(sk);
    const when = ({ input }: Call) => input.Key?.sk === sk;
    return (await outcomes([scripted([{ when, nth: 1, after: book }], book)])).codes;
  }

  test('The second of two concurrent bookings with one slot hold is refused with hold_expired', async () => {
    expect(await codesOfSecond()).toEqual(['hold_expired']);
  });

  test('Negative control: if a slot hold is not read again after a conflict, a second booking with this hold gets slot_unavailable', async () => {
    const once = (sk: string) => {
      let first: Output | undefined;
      scriptTest([
        {
          when: ({ input }) => input.Key?.sk === sk,
          answer: async (_, send) => {
            first ??= await send();
            return first;
          },
        },
      ]);
    };
    expect(await codesOfSecond(once)).toEqual(['slot_unavailable']);
  });
});
