/** Sessions, with the endpoints that a browser calls with their tokens (docs/rules.md#sessions). */
import { randomBytes } from 'node:crypto';
import { expect, test, vi } from 'vitest';
import { allRoutes, fileName } from '../../../contract/integration/api.ts';
import type { Booking } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import type { SessionRight } from '../../../contract/sessions.ts';
import { createSession, deleteSession, type NewSession } from '../../../core/bookings/open-session.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { setRuntime } from '../../../core/clock.ts';
import type { LambdaHandler } from '../../../core/http/context.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { updateApiKey } from '../../../core/keys/update-key.ts';
import { isSandbox } from '../../../core/mode.ts';
import { requestLog } from '../../../core/requests/record.ts';
import type { Write } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { createKey } from '../../../local/seed.ts';
import { publishedOperations } from '../../fuzz/published.ts';
import { withBug } from '../../support/faults.ts';
import { call, type Received, requestTo, type Sent } from '../../support/http.ts';
import { unconditional } from '../../support/interfere.ts';
import { isLogWrite } from '../../support/pending-log-writes.ts';
import { keyPrincipal, ownerPrincipal } from '../../support/principals.ts';
import { type Call, scriptDynamo, scripted } from '../../support/scripted-dynamo.ts';
import { at, newClient, testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** Sends a request, and checks that the response to a session matches the published document. */
async function ask(operation: string, value: string, sent: Sent = {}): Promise<Received> {
  const route = allRoutes.find((row) => row.operation === operation);
  const { handler } = (await import(`../../../functions/api/${fileName(operation)}.ts`)) as { handler: LambdaHandler };
  const headers = { authorization: `Bearer ${value}`, ...sent.headers };
  const answer = await call(handler, requestTo(route as (typeof allRoutes)[number], { ...sent, headers }));
  const published = publishedOperations().find((one) => one.api === 'integration' && one.operationId === operation);
  const received = new Map(Object.entries(answer.headers)) as Map<string, string>;
  expect(published?.fault(answer.status, received, answer.text ? answer.json : undefined)).toBe(undefined);
  return answer;
}

interface Slot {
  readonly startTime: string;
  readonly staffId: number;
}

interface Opened {
  readonly id: number;
  readonly token: string;
  readonly url: string | null;
  readonly expiresAt: string;
}

const thursday = 'from=2026-12-03&to=2026-12-03';

/** A business with a website's key, which may only book. */
async function website() {
  const business = await fixture.business({ times: {} });
  const { tenantId, offered } = business;
  const key = await createKey(fixture.admin, { tenantId, scopes: ['bookings:write'] });
  const principal = keyPrincipal(tenantId, key.id, ['bookings:write']);
  const open = (body: NewSession = { kind: 'booker' }): Promise<Opened> => createSession(principal, body);
  const slot = (clock: string, day = 3) => ({ ...offered, startTime: at(clock, day) });
  const booking = (clock: string, staffId = offered.staffId, day = 3) => ({
    ...slot(clock, day),
    staffId,
    client: newClient(),
  });
  const book = (value: string, clock: string) => ask('createBooking', value, { body: booking(clock) });
  const query = `serviceId=${offered.serviceId}&staffId=${offered.staffId}&${thursday}`;
  const slots = async (value: string) => (await ask('listSlots', value, { query })).json.data as Slot[];
  return { ...business, key, open, slot, booking, book, query, slots };
}

const codeOf = ({ status, json }: Received) => [status, json.code];
const notFound = [404, 'not_found'];
const pathOf = (id: unknown): Sent => ({ params: { id: String(id) } });

test('A session is opened even if another container made the same id for a session of the business at the same moment', async () => {
  const { key } = await fixture.business();
  const passed = (ms: number) =>
    setRuntime({
      now: () => testNow + ms,
      // The random bits of ids are always the same.
      randomBytes: (size) => (size === 2 ? new Uint8Array(size) : randomBytes(size)),
      sleep: async () => undefined,
    });
  passed(20_000);
  const first = await createSession(key, { kind: 'booker' });
  passed(40_000);
  await createSession(key, { kind: 'booker' });
  passed(20_000);
  expect((await createSession(key, { kind: 'booker' })).id).toBe(first.id + 1);
});

test('An endpoint accepts a booking session only if the session has the right that the endpoint requires', async () => {
  const { open, book, key } = await website();
  const bookingId = Number((await book(key.value, '10:00')).json.id);
  const everything: readonly SessionRight[] = ['browse', 'book', 'read', 'move', 'cancel'];
  const kinds: readonly (readonly [NewSession, readonly SessionRight[]])[] = [
    [{ kind: 'booker' }, everything],
    [{ kind: 'booking', bookingId }, ['browse', 'read', 'move', 'cancel']],
    [{ kind: 'booking', bookingId, may: ['read'] }, ['read']],
    [{ kind: 'booking', bookingId, may: ['cancel'] }, ['cancel']],
    [{ kind: 'booking', bookingId, may: ['move'] }, ['browse', 'move']],
  ];
  const ended = vi.spyOn(requestLog, 'end');
  expect(new Set(allRoutes.map(({ session }) => session))).toEqual(new Set([...everything, undefined]));
  for (const [body, rights] of kinds) {
    const { token } = await open(body);
    for (const { operation, session } of allRoutes) {
      using script = scriptDynamo();
      const { status, json } = await ask(operation, token);
      const isRefused = status === 403 && json.message === 'The session does not allow this request.';
      const hasReadKey = script.operations.includes('GetItem');
      const expected = [!session || !rights.includes(session), session !== undefined];
      expect([body, operation, isRefused, hasReadKey]).toEqual([body, operation, ...expected]);
    }
  }
  expect(ended.mock.calls.filter(([{ bySession }]) => !bySession)).toEqual([]);
});

test('With a booking session, a visitor can hold, book, move and cancel, and sees only personal data that the visitor sent', async () => {
  const { open, offered, slots, events } = await website();
  const { token } = await open();
  const listed = (await slots(token)).map(({ startTime }) => startTime);
  const hold = async (startTime = '') => (await ask('createHold', token, { body: { ...offered, startTime } })).json;
  const { holdId } = await hold(listed[0]);
  const other = await hold(listed.at(-1));
  const client = { name: 'Jane', phone: '+371 2000 0001' };
  const body = { ...offered, startTime: listed[0], client, holdId };
  const booked = await ask('createBooking', token, { body });
  expect(booked).toMatchObject({ status: 201, json: { source: 'integration', client } });
  const { id } = booked.json;
  expect((await slots(token)).map(({ startTime }) => startTime)).not.toContain(listed.at(-1));
  const released = await ask('releaseHold', token, { params: { holdId: String(other.holdId) } });
  expect(released.status).toBe(204);
  expect((await ask('getBooking', token, pathOf(id))).json).toMatchObject({ id, client: null, clientId: null });
  const move = { startTime: listed[4] };
  expect((await ask('rescheduleBooking', token, { ...pathOf(id), body: move })).json).toMatchObject(move);
  expect((await ask('cancelBooking', token, pathOf(id))).json).toMatchObject({ cancelledBy: 'client' });
  expect((await events('booking.rescheduled')).map(({ data }) => data)).toMatchObject([{ rescheduledBy: 'client' }]);
});

test('A booking made with a session has the `externalId` of the session, which the visitor cannot replace', async () => {
  const { open, booking, events } = await website();
  const { token } = await open({ kind: 'booker', externalId: 'user-17', bookings: 2 });
  const first = await ask('createBooking', token, { body: booking('10:00') });
  const second = await ask('createBooking', token, { body: { ...booking('12:00'), externalId: 'user-18' } });
  expect([first.json.externalId, second.json.externalId]).toEqual([null, null]);
  const user17 = { data: { externalId: 'user-17' } };
  expect(await events('booking.created')).toMatchObject([user17, user17]);
});

test('A booking session that allows two bookings makes only two, even with concurrent requests', async () => {
  const { open, booking, slot } = await website();
  const { token } = await open({ kind: 'booker', bookings: 2 });
  const answers = await Promise.all(
    [2, 3, 4, 5, 6, 7].map((day) => ask('createBooking', token, { body: booking('10:00', undefined, day) })),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  expect(refused).toHaveLength(4);
  const made = answers.flatMap(({ status, json }) => (status === 201 ? [json as unknown as Booking] : []));
  const held = await ask('createHold', token, { body: slot('15:00') });
  // The time of this one is taken by a booking of the visitor.
  const again = await ask('createBooking', token, { body: { ...booking('10:00'), startTime: made[0]?.startTime } });
  for (const { status, json } of [...refused, held, again]) {
    expect(json).toMatchObject({ code: 'insufficient_scope', message: 'This session has made all its bookings.' });
    const { bookingId } = json.details as { bookingId: number };
    expect([status, made.some(({ id }) => id === bookingId)]).toEqual([403, true]);
  }
});

test('A visitor who repeats the last booking of a session with its Idempotency-Key gets the first response, even concurrently', async () => {
  const { open, booking } = await website();
  const { token } = await open();
  const sent = { headers: { 'idempotency-key': 'twice' }, body: booking('10:00') };
  const isRecord = ({ operation, input }: Call) => operation === 'GetItem' && /#IDEMPOTENCY$/.test(input.Key?.pk ?? '');
  let first: Received | undefined;
  const after = async () => {
    first = await ask('createBooking', token, sent);
  };
  const second = await scripted([{ when: isRecord, nth: 1, after }], () => ask('createBooking', token, sent));
  expect(first?.status).toBe(201);
  for (const { status, headers, text } of [second, await ask('createBooking', token, sent)]) {
    expect([status, headers['idempotent-replayed'], text]).toEqual([201, 'true', first?.text]);
  }
});

test('Negative control: if the bookings of a session are counted without a condition, the session makes more bookings than allowed', async () => {
  const { open, booking } = await website();
  const { token } = await open();
  const isCount = (write: Write) => JSON.stringify(write).includes('bookingsLeft');
  const unchecked = (writes: Write[]) => writes.map((write) => (isCount(write) ? unconditional(write) : write));
  // Each has a day of its own, so that no booking affects another.
  const book = (day: number) => ask('createBooking', token, { body: booking('10:00', undefined, day) });
  const answers = await withBug(unchecked, () => Promise.all([3, 4, 5].map(book)));
  expect(answers.filter(({ status }) => status === 201).length).toBeGreaterThan(1);
});

test('A booking session can access only its own bookings, and no bookings of another session, API key or business', async () => {
  const { open, book, key, tenantId } = await website();
  const { token } = await open({ kind: 'booker', bookings: 2 });
  const own = Number((await book(token, '10:00')).json.id);
  const stranger = await website();
  const others = [
    (await book((await open()).token, '12:00')).json.id,
    (await book(key.value, '14:00')).json.id,
    (await stranger.book(stranger.key.value, '10:00')).json.id,
  ];
  const { token: manage } = await open({ kind: 'booking', bookingId: own });
  for (const value of [token, manage]) {
    for (const id of others) {
      const move = { ...pathOf(id), body: { startTime: at('18:00', 3) } };
      expect(codeOf(await ask('getBooking', value, pathOf(id)))).toEqual(notFound);
      expect(codeOf(await ask('cancelBooking', value, pathOf(id)))).toEqual(notFound);
      expect(codeOf(await ask('rescheduleBooking', value, move))).toEqual(notFound);
    }
    expect((await ask('getBooking', value, pathOf(own))).status).toBe(200);
  }
  // Its key may change what its sessions created.
  expect((await ask('cancelBooking', key.value, pathOf(own))).status).toBe(200);
  // A key cannot open a session for a booking that it may not change.
  const otherKey = await createKey(fixture.admin, { tenantId, scopes: ['bookings:write'] });
  for (const bookingId of [(await book(otherKey.value, '16:00')).json.id, others[2]]) {
    const foreign = await ask('createSession', key.value, { body: { kind: 'booking', bookingId } });
    expect(codeOf(foreign)).toEqual(notFound);
  }
});

test('A booking session is refused when it has expired or was deleted, or when its API key is revoked or lacks bookings:write', async () => {
  const { open, key, tenantId, booking } = await website();
  const owner = ownerPrincipal(tenantId);
  const reads = async ({ token }: Opened) => codeOf(await ask('listServices', token));
  const sessions = await Promise.all([open(), open(), open({ kind: 'booker', expiresInSeconds: 300 })]);
  const [deleted, live, short] = sessions;
  const ofShort = { FilterExpression: 'id = :id', ExpressionAttributeValues: { ':id': short.id } };
  for (const store of ['keys', 'records'] as const) {
    expect(await fixture.items(store, ofShort)).toMatchObject([{ expiresAtSeconds: testNow / 1_000 + 300 + 86_400 }]);
  }
  for (const one of sessions) expect(await reads(one)).toEqual([200, undefined]);

  const other = await website();
  expect(codeOf(await ask('deleteSession', other.key.value, pathOf(deleted.id)))).toEqual(notFound);
  const end = () => deleteSession(keyPrincipal(tenantId, key.id), { id: deleted.id });
  const book = () => ask('createBooking', deleted.token, { body: booking('10:00') });
  expect(codeOf(await scripted([{ when: 'GetItem', nth: 1, before: end }], book))).toEqual([401, 'api_key_invalid']);
  expect(await reads(deleted)).toEqual([401, 'api_key_invalid']);
  expect(codeOf(await ask('deleteSession', key.value, pathOf(deleted.id)))).toEqual(notFound);

  setRuntime({ now: () => testNow + 300_000 });
  expect(await reads(short)).toEqual([401, 'api_key_expired']);
  setRuntime({ now: () => testNow });

  await updateApiKey(owner, { id: key.id }, { scopes: ['slots:read'] });
  expect(await reads(live)).toEqual([401, 'api_key_revoked']);
  expect((await ask('listServices', live.token)).json.message).toContain('lacks the scope bookings:write');
  await updateApiKey(owner, { id: key.id }, { scopes: ['bookings:write'] });
  expect(await reads(live)).toEqual([200, undefined]);
  await revokeApiKey(owner, { id: key.id });
  expect(await reads(live)).toEqual([401, 'api_key_revoked']);
});

test('A booking session for one origin is refused on pages of other origins, and a session without an origin works on any page', async () => {
  const { open } = await website();
  const origin = 'https://salon.example.com';
  const [bound, free] = [await open({ kind: 'booker', origin }), await open()];
  const from = async (one: Opened, headers: Record<string, string>) => {
    const answer = await ask('listServices', one.token, { headers });
    return [answer.status, answer.headers['access-control-allow-origin']];
  };
  expect((await ask('listServices', bound.token)).json.message).toContain('for which this session was opened');
  expect(await from(bound, { origin })).toEqual([200, origin]);
  for (const other of ['https://evil.example', `${origin}.evil.example`, `${origin}:8443`, 'http://salon.example.com'])
    expect(await from(bound, { origin: other })).toEqual([403, '*']);
  expect((await from(bound, {}))[0]).toBe(403);
  expect(await from(free, { origin: 'https://any.example' })).toEqual([200, '*']);
  expect(await from(free, {})).toEqual([200, undefined]);
});

test('A booking session that is limited to some services and staff members shows, holds and books only these', async () => {
  const { open, booking, services, staff } = await website();
  const [service, other] = services;
  const { token } = await open({ kind: 'booker', serviceIds: [service.id], staffIds: [staff[1].id], bookings: 2 });
  const ids = async (operation: string) =>
    ((await ask(operation, token)).json.data as { id: number }[]).map(({ id }) => id);
  expect([await ids('listServices'), await ids('listStaff')]).toEqual([[service.id], [staff[1].id]]);
  expect((await ask('getService', token, pathOf(service.id))).json.staffIds).toEqual([staff[1].id]);
  expect((await ask('getStaffMember', token, pathOf(staff[1].id))).json.serviceIds).toEqual([service.id]);
  expect(codeOf(await ask('getService', token, pathOf(other.id)))).toEqual(notFound);
  expect(codeOf(await ask('getStaffMember', token, pathOf(staff[0].id)))).toEqual(notFound);
  const query = (serviceId: number) => ({ query: `serviceId=${serviceId}&${thursday}` });
  const slots = (await ask('listSlots', token, query(service.id))).json.data as Slot[];
  expect(new Set(slots.map(({ staffId }) => staffId))).toEqual(new Set([staff[1].id]));
  expect(codeOf(await ask('listSlots', token, query(other.id)))).toEqual(notFound);
  for (const operation of ['listSlots', 'listSlotDays', 'explainSlot']) {
    const of = (staffId: number) => {
      const when = operation === 'explainSlot' ? `startTime=${encodeURIComponent(at('10:00', 3))}` : thursday;
      return ask(operation, token, { query: `serviceId=${service.id}&staffId=${staffId}&${when}` });
    };
    const [hidden, unknown] = [await of(staff[0].id), await of(1)];
    expect({ ...hidden.json, requestId: '' }, operation).toEqual({ ...unknown.json, requestId: '' });
    expect([hidden.status, (await of(staff[1].id)).status]).toEqual([404, 200]);
  }
  expect(codeOf(await ask('createBooking', token, { body: booking('10:00', staff[0].id) }))).toEqual(notFound);
  const { staffId: _, ...anyone } = booking('10:00');
  expect((await ask('createBooking', token, { body: anyone })).json).toMatchObject({ staffId: staff[1].id });
});

test("A visitor can move a booking that the business moved to a staff member whom the visitor's session may not book", async () => {
  const { open, booking, serviceId, staffId, staff, owner } = await website();
  const { token } = await open({ kind: 'booker', serviceIds: [serviceId], staffIds: [staff[1].id] });
  const response = await ask('createBooking', token, { body: booking('10:00', staff[1].id) });
  const { id, startTime } = response.json as unknown as Booking;
  await rescheduleBooking(owner, { id }, { startTime, staffId });
  const move = (body: object) => ask('rescheduleBooking', token, { ...pathOf(id), body });
  const moved = { startTime: at('12:00', 3), staffId };
  expect(codeOf(await move(moved))).toEqual(notFound);
  expect(await move({ startTime: moved.startTime })).toMatchObject({ status: 200, json: moved });
});

test("When a visitor looks for slots to move the visitor's own booking to, the current time of this booking counts as free", async () => {
  const { open, book, query, tenantId } = await website();
  const [{ token }, other] = [await open(), await open()];
  const { id, startTime } = (await book(token, '10:00')).json as unknown as Booking;
  const start = query.replace(thursday, `startTime=${encodeURIComponent(startTime)}`);
  const isFree = async (moving: string) => {
    const [slots, days, explained] = await Promise.all([
      ask('listSlots', token, { query: query + moving }),
      ask('listSlotDays', token, { query: query + moving }),
      ask('explainSlot', token, { query: start + moving }),
    ]);
    const listed = (slots.json.data as Slot[]).map((slot) => slot.startTime);
    const [day] = days.json.data as [{ count: number }];
    expect(day.count).toBe(listed.length);
    return [listed.includes(startTime), explained.json.free];
  };
  expect([await isFree(''), await isFree(`&movingBookingId=${id}`)]).toEqual([
    [false, false],
    [true, true],
  ]);
  const reader = await createKey(fixture.admin, { tenantId, scopes: ['slots:read'] });
  for (const value of [other.token, reader.value]) {
    for (const [operation, asked] of Object.entries({ listSlots: query, listSlotDays: query, explainSlot: start })) {
      const refused = await ask(operation, value, { query: `${asked}&movingBookingId=${id}` });
      expect(codeOf(refused), operation).toEqual(notFound);
    }
  }
});

test('A booking session that is limited to some services and staff gets 404 for a booking with any other service or staff member', async () => {
  const { open, booking, services, staff } = await website();
  const [cut, colour, beard] = services;
  const [anna, marta] = staff;
  const limited = await open({ kind: 'booker', serviceIds: [cut.id, colour.id], staffIds: [anna.id], bookings: 2 });
  const free = await open({ kind: 'booker', bookings: 5 });
  const { startTime, client } = booking('10:00');
  const answersTo = async ({ token }: Opened, ...visit: readonly { serviceId: number; staffId?: number }[]) => {
    const ids = visit.map(({ serviceId }) => serviceId).join(',');
    const body = { services: visit, startTime };
    const answers = [
      await ask('listSlots', token, { query: `serviceIds=${ids}&${thursday}` }),
      await ask('createBooking', token, { body: { ...body, client, dryRun: true } }),
      await ask('createHold', token, { body }),
    ];
    await ask('releaseHold', token, { params: { holdId: String(answers[2]?.json.holdId) } });
    return answers.map(({ status }) => status);
  };
  const outside = [{ serviceId: cut.id }, { serviceId: beard.id }] as const;
  const others = [
    { serviceId: cut.id, staffId: anna.id },
    { serviceId: colour.id, staffId: marta.id },
  ] as const;
  expect(await answersTo(limited, ...outside)).toEqual([404, 404, 404]);
  // The list names no staff member: it contains visits with those who remain.
  expect(await answersTo(limited, ...others)).toEqual([200, 404, 404]);
  // Negative control: a session without limits may do the same.
  expect(await answersTo(free, ...outside)).toEqual([200, 200, 201]);
  expect(await answersTo(free, ...others)).toEqual([200, 200, 201]);
  const within = { services: [{ serviceId: cut.id }, { serviceId: colour.id }], startTime, client };
  const { json } = await ask('createBooking', limited.token, { body: within });
  expect((json as unknown as Booking).segments.map(({ staffId }) => staffId)).toEqual([anna.id, anna.id]);
});

test('A booking session has at most five slot holds at a time, and its own limit of requests per minute', async () => {
  const { open, slot } = await website();
  const { token } = await open();
  const starts = Array.from({ length: 8 }, (_, i) => slot(`${10 + i}:00`));
  const holds = await Promise.all(starts.map((body) => ask('createHold', token, { body })));
  const refused = holds.filter(({ status }) => status !== 201);
  expect(refused.map(codeOf)).toEqual(Array.from({ length: 3 }, () => [409, 'hold_limit_reached']));
  const { perMinute } = limits.requests.session;
  const answers = await Promise.all(Array.from({ length: perMinute }, () => ask('listServices', token)));
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(perMinute - 8);
});

/** Eighty concurrent visitors of one website, each with a session: the number of refused requests, and their key. */
async function refusedOfVisitors() {
  const { open, key, query } = await website();
  const visitors = await Promise.all(Array.from({ length: 80 }, () => open()));
  const answers = await Promise.all(
    visitors.flatMap(({ token }) => [ask('listServices', token), ask('listSlotDays', token, { query })]),
  );
  return { refused: answers.filter(({ status }) => status !== 200).length, key };
}

test('Requests with booking sessions do not count towards the limits of their API key: eighty concurrent visitors are served', async () => {
  const { refused, key } = await refusedOfVisitors();
  expect(refused).toBe(0);
  const opening = await ask('createSession', key.value, { body: { kind: 'booker' } });
  expect([opening.status, opening.headers['x-ratelimit-remaining']]).toEqual([201, '59']);
});

test('Negative control: if all visitors share one request counter, the requests of one visitor cause refusals for another visitor', async () => {
  let shared: Readonly<Record<string, string>> = {};
  using _ = scriptDynamo([
    {
      // This matches writes of a counter, not of the request log.
      when: (call) => call.operation === 'UpdateItem' && !isLogWrite(call),
      answer: ({ input }, send) => {
        if (!shared.pk) shared = input.Key ?? {};
        return send({ ...input, Key: shared });
      },
    },
  ]);
  expect((await refusedOfVisitors()).refused).toBe(160 - limits.requests.session.perMinute);
});

test('A booking session of the sandbox works only in the sandbox, and its token shows that it is a test session', async () => {
  const { account } = await website();
  const headers = { 'booking-mode': 'test' };
  const { json } = await account('createApiKey', { headers, body: { name: 'Test', scopes: ['bookings:write'] } });
  const { token } = (await ask('createSession', String(json.key), { body: { kind: 'booker' } })).json;
  expect(token).toMatch(/^bs_test_[0-9A-Za-z]{36}$/);
  const ids = ((await ask('listServices', String(token))).json.data as { id: number }[]).map(({ id }) => id);
  expect(ids.every(isSandbox)).toBe(true);
  expect(ids).toHaveLength(3);
});

test('An appointment link that an owner creates gives access to one booking, and its token is stored nowhere', async () => {
  vi.stubEnv('PAGES_ORIGIN', 'https://salon.example.com');
  const { account, book, key, open } = await website();
  const { id } = (await book(key.value, '10:00')).json;
  const answer = await account('createManageLink', { ...pathOf(id), body: { expiresInSeconds: 7_776_000 } });
  const link = answer.json as unknown as Opened;
  expect([answer.status, link.url]).toEqual([
    201,
    `https://salon.example.com/manage/#${link.token}&booking=${id}&may=read.move.cancel`,
  ]);
  expect(link.expiresAt).toBe(new Date(testNow + 7_776_000_000).toISOString());
  expect((await ask('getBooking', link.token, pathOf(id))).status).toBe(200);
  expect((await ask('cancelBooking', link.token, pathOf(id))).json).toMatchObject({ cancelledBy: 'client' });
  expect((await account('createManageLink', pathOf(1))).status).toBe(404);
  // The page that shows the booking would be refused.
  expect((await account('createManageLink', { ...pathOf(id), body: { may: ['move', 'cancel'] } })).json.url).toBeNull();

  const booker = await open();
  expect(booker.url).toBe(`https://salon.example.com/book/#${booker.token}`);
  expect((await open({ kind: 'booker', bookings: 3 })).url).toMatch(/\/book\/#\w+&bookings=3$/);
  expect((await open({ kind: 'booker', origin: 'https://shop.example.com' })).url).toBeNull();
  vi.unstubAllEnvs();
  expect((await open()).url).toBeNull();
  const stored = JSON.stringify(await Promise.all([fixture.items('keys'), fixture.items('records')]));
  for (const { token } of [link, booker]) expect(stored).not.toContain(token.slice(8));
});

test('With the link to an appointment, a client can move it until it begins, also after the business has moved it to a later day', async () => {
  const { account, book, key } = await website();
  const { id } = (await book(key.value, '10:00')).json;
  const { token } = (await account('createManageLink', { ...pathOf(id), body: { expiresInSeconds: 7_776_000 } })).json;
  const move = async (to: string, day: number) =>
    codeOf(await ask('rescheduleBooking', String(token), { ...pathOf(id), body: { startTime: at(to, day) } }));
  setRuntime({ now: () => Date.parse(at('10:00', 3)) });
  expect(await move('15:00', 3)).toEqual([409, 'invalid_state']);
  expect((await ask('getBooking', String(token), pathOf(id))).status).toBe(200);
  const later = { body: { startTime: at('10:00', 8), outsideRules: true } };
  expect((await account('rescheduleBooking', { ...pathOf(id), ...later })).status).toBe(200);
  expect(await move('15:00', 8)).toEqual([200, undefined]);
});

test('Ending the appointment links of a booking ends all sessions for this booking, and no session for another booking', async () => {
  const { account, book, key, open } = await website();
  const bookedAt = async (clock: string) => Number((await book(key.value, clock)).json.id);
  const [id, other] = [await bookedAt('10:00'), await bookedAt('14:00')];
  const link = async (bookingId: number) => String((await account('createManageLink', pathOf(bookingId))).json.token);
  const ended = [await link(id), await link(id), (await open({ kind: 'booking', bookingId: id })).token];
  const [openLink, booker] = [await link(other), await open()];
  const read = async (token: string, bookingId = id) => (await ask('getBooking', token, pathOf(bookingId))).status;
  expect(await Promise.all(ended.map((token) => read(token)))).toEqual([200, 200, 200]);
  expect((await account('endManageLinks', pathOf(id))).status).toBe(204);
  expect(await Promise.all(ended.map((token) => read(token)))).toEqual([401, 401, 401]);
  expect(await read(openLink, other)).toBe(200);
  expect((await ask('listServices', booker.token)).status).toBe(200);
  expect((await account('endManageLinks', pathOf(id))).status).toBe(204);
  expect(await read(await link(id))).toBe(200);
  expect((await account('endManageLinks', pathOf(1))).status).toBe(404);
});

test('All appointment links of a booking are deleted by one request, even if they do not fit into one transaction', async () => {
  const { account, book, key } = await website();
  const { id } = (await book(key.value, '10:00')).json;
  // The items of the table `keys` have no sort key.
  const ofLinks = ({ sk = 'SESSION#', bookingId }: Record<string, unknown>) =>
    String(sk).startsWith(records.linksOfBooking(Number(id))) ||
    (bookingId === id && String(sk).startsWith('SESSION#'));
  const stored = async () => [...(await fixture.items('keys')), ...(await fixture.items('records'))].filter(ofLinks);
  for (let i = 0; i < 31; i++) await account('createManageLink', pathOf(id));
  expect(await stored()).toHaveLength(93);
  expect((await account('endManageLinks', pathOf(id))).status).toBe(204);
  expect(await stored()).toEqual([]);
});

test.each([
  ['one booking without the id of the booking', { kind: 'booking' }, 'bookingId'],
  ['a new booking with the id of a booking', { kind: 'booker', bookingId: 1 }, 'bookingId'],
  ['one booking with a list of services', { kind: 'booking', bookingId: 1, serviceIds: [1] }, 'serviceIds'],
  ['more than a day', { kind: 'booker', expiresInSeconds: 86_401 }, 'expiresInSeconds'],
  ['an allowed origin that contains a wildcard', { kind: 'booker', origin: 'https://*.example.com' }, 'origin'],
])('A request to open a booking session for %s gets a 400 that names the wrong field', async (_, body, path) => {
  const { key } = await website();
  const { status, json } = await ask('createSession', key.value, { body });
  expect([status, json.details]).toMatchObject([400, [{ path }]]);
});
