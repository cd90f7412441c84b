/** Data that integrators store with bookings and clients, queries for it, and dry runs. */
import { describe, expect, test } from 'vitest';
import { explainSlot } from '../../../core/availability/explain.ts';
import { getBooking } from '../../../core/bookings/change.ts';
import { createClient, getClient, updateClient } from '../../../core/bookings/client-book.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { listBookings } from '../../../core/bookings/list.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { updateBooking } from '../../../core/bookings/update-booking.ts';
import { eraseClient } from '../../../core/erasure/erase-client.ts';
import { callRow } from '../../support/account.ts';
import { issueKey } from '../../support/api-keys.ts';
import type { Sent } from '../../support/http.ts';
import { at, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const client = { name: 'Jane', email: 'jane@example.com', phone: '+371 2000 0001' };

async function testBusiness() {
  const one = await fixture.business();
  return { ...one, book: (clock: string, more: object = {}) => one.book(at(clock, 3), { client, ...more }) };
}

describe('dry runs', () => {
  test('A dry run of a booking returns the booking that would be made, and creates no booking, client or event', async () => {
    const { key, offered, events, state } = await testBusiness();
    const body = { ...offered, startTime: at('10:00', 3), client, comment: 'Hello' };
    const before = await fixture.items('records');
    const shown = await createBooking(key, { ...body, dryRun: true });
    expect(await fixture.items('records')).toHaveLength(before.length);
    expect(shown).toMatchObject({ status: 'confirmed', startTime: body.startTime, comment: 'Hello', clientId: null });
    expect(await events()).toEqual([]);
    const { id, clientId, revision, ...same } = await createBooking(key, body);
    expect(shown).toMatchObject(same);
    const forKnown = await createBooking(key, { ...body, startTime: at('11:00', 3), dryRun: true });
    expect(forKnown.clientId).toBe(clientId);
    await state();
  });

  test('A dry run for a taken time gets the same error as a booking, and a dry run of a move does not move the booking', async () => {
    const { key, offered, book } = await testBusiness();
    const booking = await book('10:00');
    const taken = { ...offered, startTime: at('10:15', 3), client: { name: 'John', email: 'john@example.com' } };
    const refusal = await createBooking(key, taken).catch((error: unknown) => error);
    await expect(createBooking(key, { ...taken, dryRun: true })).rejects.toEqual(refusal);
    const moved = await rescheduleBooking(key, booking, { startTime: at('14:00', 3), dryRun: true });
    expect(moved).toMatchObject({ id: booking.id, startTime: at('14:00', 3) });
    expect(await getBooking(key, booking)).toEqual(booking);
    expect(await explainSlot(key, { ...offered, startTime: at('14:00', 3) })).toMatchObject({ free: true });
  });
});

test.each([
  ['integration', 'api'],
  ['account', 'account'],
] as const)(
  'A dry run returns no booking id, and its Idempotency-Key can be used again (%s API)',
  async (_, folder) => {
    const { key, offered, book } = await fixture.business();
    const { value } = await issueKey(fixture.admin.db, { tenantId: key.tenantId });
    const { id } = await book(at('10:00', 3));
    const startTime = at('14:00', 3);
    const headers = { 'Idempotency-Key': 'k' };
    const answerTo = async (operation: string, sent: Sent) => {
      const { status, json } = await callRow({ folder, operation }, { ...key, key: value }, { ...sent, headers });
      return [status, json.startTime, 'id' in json];
    };
    const params = { id: String(id) };
    const booked = { body: { ...offered, client, startTime, dryRun: true } };
    const refused = { body: { ...booked.body, startTime: at('10:00', 3) } };
    expect(await answerTo('createBooking', refused)).toEqual([409, undefined, false]);
    expect(await answerTo('createBooking', booked)).toEqual([200, startTime, false]);
    const moved = { params, body: { startTime, dryRun: true } };
    expect(await answerTo('rescheduleBooking', moved)).toEqual([200, startTime, false]);
    expect(await answerTo('rescheduleBooking', { params, body: { startTime } })).toEqual([200, startTime, true]);
  },
);

describe('metadata', () => {
  test('A change of the metadata of a booking keeps the entries that the request omits, and removes entries with the value null', async () => {
    const { key, book } = await testBusiness();
    const booking = await book('10:00', { comment: 'Hello', metadata: { campaign: 'autumn', seat: '4' } });
    expect(booking.metadata).toEqual({ campaign: 'autumn', seat: '4' });
    const changed = await updateBooking(key, booking, { metadata: { seat: null, colour: 'red' }, externalId: 'crm-1' });
    const metadata = { campaign: 'autumn', colour: 'red' };
    expect(changed).toMatchObject({ comment: 'Hello', metadata, externalId: 'crm-1', revision: 2 });
    expect(await getBooking(key, booking)).toEqual(changed);
    expect(await updateBooking(key, booking, { externalId: 'crm-1' })).toEqual(changed);
    const moved = await rescheduleBooking(key, booking, { startTime: at('14:00', 3) });
    expect(moved.metadata).toEqual(changed.metadata);
  });

  test('A metadata entry may be named like a property that every JavaScript object has, such as constructor', async () => {
    const { key, owner, book } = await testBusiness();
    const names = Object.getOwnPropertyNames(Object.prototype).filter((name) => name !== '__proto__');
    expect(names).toContain('constructor');
    const metadata = Object.fromEntries(names.map((name) => [name, 'x']));
    const booking = await book('10:00', { metadata });
    expect(await getBooking(key, booking)).toMatchObject({ id: booking.id, metadata });
    const john = await createClient(owner, { name: 'John', email: 'names@example.com', metadata });
    expect(john.metadata).toEqual(metadata);
    const changed = await updateBooking(key, booking, { metadata: { constructor: null, toString: 'y' } });
    const { constructor: _, ...rest } = metadata;
    expect(changed.metadata).toEqual({ ...rest, toString: 'y' });
  });

  test('A booking has at most twenty entries of metadata, even if they are added one by one', async () => {
    const { key, book } = await testBusiness();
    const entries = (count: number, name: string) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`${name}${i}`, '1']));
    const booking = await book('10:00', { metadata: entries(19, 'a') });
    await updateBooking(key, booking, { metadata: entries(1, 'b') });
    await expect(updateBooking(key, booking, { metadata: entries(2, 'b') })).rejects.toMatchObject({
      code: 'validation_failed',
      extras: { details: [{ path: 'metadata' }] },
    });
  });

  test('An owner can set and change metadata of a client, and the erasure of the client deletes this metadata', async () => {
    const { owner, key, book } = await testBusiness();
    const createdClient = await createClient(owner, { ...client, metadata: { tier: 'gold' } });
    expect(createdClient.metadata).toEqual({ tier: 'gold' });
    const changed = await updateClient(owner, createdClient, { metadata: { tier: null, card: '7' } });
    expect(changed.metadata).toEqual({ card: '7' });
    const booking = await book('10:00', { metadata: { note: 'x' } });
    expect(booking.clientId).toBe(createdClient.id);
    process.env.QUEUE_ERASURES ??= 'erasures';
    await eraseClient(owner, createdClient).catch(() => undefined);
    expect((await getClient(key, createdClient)).metadata).toEqual({});
    await expect(updateBooking(key, booking, { comment: 'Jane again' })).rejects.toMatchObject({
      code: 'invalid_state',
    });
  });
});

describe('finding bookings and clients', () => {
  test('Bookings are found by their exact current externalId, even if it contains the character #', async () => {
    const { key, book } = await testBusiness();
    const a = await book('10:00', { externalId: 'a' });
    const again = await book('13:00', { externalId: 'a' });
    const other = await book('14:00', { externalId: 'a#1' });
    const ids = async (externalId: string, more = {}) =>
      (await listBookings(key, { externalId, ...more })).data.map(({ id }) => id);
    expect(await ids('a')).toEqual([a.id, again.id]);
    expect(await ids('a#1')).toEqual([other.id]);
    expect(await ids('a', { from: at('12:00', 3) })).toEqual([again.id]);
    expect(await ids('a', { to: at('13:00', 3) })).toEqual([a.id]);
    await updateBooking(key, a, { externalId: 'b' });
    await updateBooking(key, other, { externalId: null });
    expect([await ids('a'), await ids('b'), await ids('a#1')]).toEqual([[again.id], [a.id], []]);
    for (const excluded of [{ cursor: 'x' }, { sort: 'updatedAt' }] as const) {
      const extras = { details: [{ path: Object.keys(excluded)[0] }] };
      await expect(ids('a', excluded)).rejects.toMatchObject({ code: 'validation_failed', extras });
    }
  });

  test('A list of bookings with given ids is sorted by start time, then by id, and contains no bookings of other businesses', async () => {
    const { key, staff, book } = await testBusiness();
    const foreign = await (await testBusiness()).book('10:00');
    const [late, early] = [await book('14:00'), await book('10:00')];
    const sameStart = await book('14:00', { staffId: staff[2].id });
    const ids = [sameStart.id, late.id, foreign.id, early.id, late.id, 1];
    const { data, nextCursor } = await listBookings(key, { ids });
    expect(data).toEqual([early, late, sameStart]);
    expect(nextCursor).toBeNull();
    expect((await listBookings(key, { ids, to: at('12:00', 3) })).data).toEqual([early]);
  });
});
