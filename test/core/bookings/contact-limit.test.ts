/** Limits on bookings for one contact by a key that may not see personal data (docs/rules.md#bookings). */
import { expect, test } from 'vitest';
import type { Booking } from '../../../contract/integration/resources.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { createSession } from '../../../core/bookings/open-session.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import type { Principal } from '../../../core/principal.ts';
import { records } from '../../../core/table-keys.ts';
import { atOnce } from '../../support/outcomes.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { type Script, scriptDynamo } from '../../support/scripted-dynamo.ts';
import { at, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const refused = { code: 'contact_limit_reached', status: 409 };

async function website() {
  const { key, tenantId, serviceId, staff } = await fixture.business({ times: {} });
  const widget = keyPrincipal(tenantId, newId(), ['bookings:write']);
  const from = { as: widget as Principal, member: 0, client: { phone: '+371 2000 0001' } };
  const book = async (startTime: string, changes: Partial<typeof from> = {}) => {
    const { as, member, client } = { ...from, ...changes };
    const body = { serviceId, staffId: staff[member]?.id, startTime, client: { name: 'Jane', ...client } };
    return createBooking(as, body);
  };
  /** Books at ten on each of these days. */
  const bookOn = async (days: readonly number[], as = widget) => {
    const bookings = [];
    for (const day of days) bookings.push(await book(at('10:00', day), { as }));
    return bookings as [Booking, Booking, ...Booking[]];
  };
  return { key, tenantId, staff, widget, book, bookOn };
}

/** The counts of a business's contacts, as they are stored. */
const counted = (tenantId: number) =>
  fixture.items('records', {
    FilterExpression: 'pk = :tenant AND begins_with(sk, :contact)',
    ExpressionAttributeValues: { ':tenant': records.tenant(tenantId), ':contact': records.contactOfKeyPrefix },
  });

const days = [2, 3, 4, 5, 6] as const;

test('An API key without bookings:read and its sessions together make at most five upcoming bookings per phone or email', async () => {
  const { key, tenantId, widget, book, bookOn } = await website();
  const bySession = async (keyId: number) => {
    const { id } = await createSession(keyPrincipal(tenantId, keyId, ['bookings:write']), { kind: 'booker' });
    return { tenantId, actor: { kind: 'session', id, keyId, rights: ['book'] } } as const;
  };
  const [first, ...others] = days;
  const [booked] = await bookOn([first]);
  for (const day of others) await book(at('10:00', day), { as: await bySession(widget.id) });
  await expect(book(at('10:00', 7))).rejects.toMatchObject(refused);
  await expect(book(at('10:00', 7), { as: await bySession(widget.id) })).rejects.toMatchObject(refused);
  // Another spelling of the phone is the same contact; other contacts and keys are not affected.
  for (const phone of ['0037120000001', '000037120000001', '000 371 20000001', '+0037120000001']) {
    await expect(book(at('10:00', 7), { client: { phone } })).rejects.toMatchObject(refused);
  }
  await book(at('10:00', 7), { client: { phone: '+371 2000 0002' } });
  await book(at('12:00', 7), { as: await bySession(newId()) });
  await book(at('14:00', 7), { as: key });
  await cancelBooking(widget, booked, {});
  await book(at('16:00', 7));
  await expect(book(at('16:00', 8))).rejects.toMatchObject(refused);
});

test('A booking counts towards the limit of upcoming bookings per phone or email until the booking ends', async () => {
  const { tenantId, book, bookOn } = await website();
  const [last, first] = await bookOn([6, 2, 3, 4, 5]);
  expect(await counted(tenantId)).toMatchObject([{ expiresAtSeconds: Date.parse(last.endTime) / 1_000 }]);
  setRuntime({ now: () => Date.parse(first.endTime) - 1 });
  await expect(book(at('10:00', 7))).rejects.toMatchObject(refused);
  setRuntime({ now: () => Date.parse(first.endTime) });
  await book(at('10:00', 7));
});

test('Bookings for one phone or email through API keys without the scope bookings:read cannot overlap, even after a move', async () => {
  const { key, widget, book } = await website();
  const first = await book(at('10:00', 2));
  await expect(book(at('10:00', 2), { member: 1 })).rejects.toMatchObject(refused);
  const later = await book(at('14:00', 2), { member: 1 });
  await expect(rescheduleBooking(widget, later, { startTime: at('10:00', 2) })).rejects.toMatchObject(refused);
  const ownTime = { startTime: at('14:15', 2) };
  expect(await rescheduleBooking(widget, later, ownTime)).toMatchObject(ownTime);
  // A booking that was moved away no longer counts.
  await rescheduleBooking(widget, first, { startTime: at('16:00', 3) });
  await book(at('10:00', 2), { member: 2 });
  // Negative control: a key that may see personal data can book the same person twice at the same time.
  await book(at('12:00', 4), { as: key });
  await book(at('12:00', 4), { as: key, member: 1 });
});

test('A dry run by an API key without bookings:read does not reveal when or how often a phone or email was used', async () => {
  const { staff, widget, bookOn } = await website();
  const [{ serviceId }, later] = await bookOn(days);
  const body = { serviceId, client: { name: 'Jane', phone: '+371 2000 0001' } };
  const stranger = { ...body.client, phone: '+371 2000 0002' };
  // The first overlaps a booking of the contact, and both exceed the limit.
  for (const startTime of [at('10:00', 2), at('10:00', 7)]) {
    const answerFor = async (client: typeof stranger) => {
      const booking = await createBooking(widget, { ...body, client, startTime, dryRun: true });
      // These fields of the response contain what was sent, or nothing.
      return { ...booking, id: 0, client: null, clientId: null };
    };
    expect(await answerFor(body.client)).toEqual(await answerFor(stranger));
    // Negative control: the booking itself is refused.
    await expect(createBooking(widget, { ...body, startTime })).rejects.toMatchObject(refused);
  }
  const move = { startTime: at('10:00', 2), staffId: staff[1].id };
  expect(await rescheduleBooking(widget, later, { ...move, dryRun: true })).toMatchObject(move);
  await expect(rescheduleBooking(widget, later, move)).rejects.toMatchObject(refused);
});

test('Ten concurrent bookings for one phone or email by an API key without bookings:read do not exceed the limit of five', async () => {
  const { book } = await website();
  const { won, codes } = await atOnce(10, (i) => book(at(`${10 + i}:00`, 2), { member: i % 3 }));
  expect(won).toHaveLength(5);
  expect(codes).toEqual(Array.from({ length: 5 }, () => 'contact_limit_reached'));
});

test('A client who has reached the limit of bookings can still move one that the business made, with the link to it', async () => {
  const { key, tenantId, book, bookOn } = await website();
  const bookings = await bookOn([...days, 7], key);
  await book(at('12:00', 7), { as: key, member: 1 });
  for (const [keyId, clock] of [
    [0, '11:00'],
    [key.id, '12:00'],
  ] as const) {
    for (const [i, { id }] of bookings.entries()) {
      const actor = { kind: 'session', id: newId(), keyId, rights: ['move'], bookingId: id } as const;
      const move = { startTime: at(clock, 2 + i) };
      expect(await rescheduleBooking({ tenantId, actor }, { id }, move)).toMatchObject({ id, ...move });
    }
  }
});

test('A booking counts towards the limit of upcoming bookings per phone or email even after the business moves it to a later day', async () => {
  const { key, tenantId, widget, book } = await website();
  const first = await book(at('10:00', 2));
  const { endTime } = await rescheduleBooking(key, first, { startTime: at('10:00', 20) });
  expect(await counted(tenantId)).toMatchObject([{ expiresAtSeconds: Date.parse(endTime) / 1_000 }]);
  await expect(book(at('10:00', 20), { member: 1 })).rejects.toMatchObject(refused);
  expect(await rescheduleBooking(widget, first, { startTime: at('16:00', 20) })).toMatchObject({ id: first.id });
});

test("The stored count of bookings for an email lists all clients who booked with it, so each client's erasure finds it", async () => {
  const { tenantId, book } = await website();
  const [one, two, shared] = [{ phone: '+37120000001' }, { phone: '+37120000002' }, { email: 'both@example.com' }];
  await book(at('10:00', 2), { client: two });
  await book(at('10:00', 3), { client: { ...one, ...shared } });
  await book(at('10:00', 4), { client: { ...two, ...shared } });
  const clients = (await counted(tenantId)).map(({ clientIds }) => (clientIds as readonly number[]).length);
  expect(clients.sort()).toEqual([1, 1, 2]);
});

test('The limit of upcoming bookings per phone or email costs one database read, and none for a key with bookings:read', async () => {
  const { key, widget, book } = await website();
  const cost = async (as: typeof key, day: number): Promise<Script> => {
    using script = scriptDynamo([], { units: true });
    await book(at('10:00', day), { as });
    return script;
  };
  const [plain, bounded] = [await cost(key, 2), await cost(widget, 3)];
  expect(bounded.calls.length - plain.calls.length).toBe(1);
  expect(JSON.stringify(plain.calls)).not.toContain('KEY-CONTACT#');
});
