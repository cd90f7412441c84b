/** A key without `bookings:read` gets only the personal data of its own request (docs/rules.md#privacy). */
import { expect, test } from 'vitest';
import type { Schema } from '../../../contract/define.ts';
import { personalEventFields, requiredScope } from '../../../contract/event-names.ts';
import { eventNames, events } from '../../../contract/events.ts';
import { allRoutes } from '../../../contract/integration/api.ts';
import { type Booking, changedBooking } from '../../../contract/integration/resources.ts';
import * as routes from '../../../contract/integration/routes.ts';
import { holdsClientText, personalMark } from '../../../contract/personal-data.ts';
import { scopeSets } from '../../../contract/scopes.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { completeBooking } from '../../../core/bookings/progress.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import { withoutPerson } from '../../../core/erasure/person.ts';
import { project } from '../../../core/http/response.ts';
import { recordPayment } from '../../../core/payments/record-payment.ts';
import { set, writeOne } from '../../../core/store/write.ts';
import { callRow } from '../../support/account.ts';
import { issueKey } from '../../support/api-keys.ts';
import type { Received, Sent } from '../../support/http.ts';
import { keyPrincipal } from '../../support/principals.ts';
import { type Call, type Input, isRead, scriptDynamo } from '../../support/scripted-dynamo.ts';
import { leaksOf } from '../../support/seeded-secrets.ts';
import { newClient, at as timeOf, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

/** A Thursday; one staff member's shift begins at 09:00. */
const at = (clock: string) => timeOf(clock, 3);
const canary = { name: 'Canary Name', phone: '+371 2000 7777', email: 'canary@example.com' };
const canaries = [...Object.values(canary), 'canary comment', 'canary reason', 'canary metadata'];

/** All fields of a response with their names, at any depth. */
function fieldsOf(schema: Schema | undefined): [name: string, field: Schema][] {
  const {
    shape = {},
    element,
    innerType,
  } = (schema?._zod.def ?? {}) as { shape?: Record<string, Schema>; element?: Schema; innerType?: Schema };
  const named = Object.entries(shape);
  return [
    ...named,
    ...[...named.map(([, field]) => field), element, innerType].flatMap((part) => (part ? fieldsOf(part) : [])),
  ];
}

const isPersonal = ([, field]: [string, Schema]) => personalMark(field) !== undefined;
const rows = allRoutes.filter(({ output }) => fieldsOf(output).some(isPersonal));

const fields = allRoutes.flatMap(({ output }) => fieldsOf(output));
/** The fields of a booking request without data of a client. */
const impersonal = ['serviceId', 'staffId', 'services', 'startTime', 'places', 'holdId', 'dryRun'];

test('Every response field that contains data of a client is marked as personal data in its schema', () => {
  const sent = Object.keys(routes.createBooking.body.shape).filter((name) => !impersonal.includes(name));
  const emitted = [...sent, 'cancelReason'];
  const unmarked = fields.filter((field) => emitted.includes(field[0]) && !isPersonal(field));
  expect(emitted.length).toBeGreaterThan(5);
  const names = new Set(unmarked.map(([name]) => name));
  expect([...names], 'Wrap these fields of contract/integration/resources.ts in personal(…)').toEqual([]);
});

test('Each personal text of a booking is erased with its client, and only API keys with bookings:read get it in events', () => {
  const marked = fields.filter(([name, field]) => holdsClientText(field) && name !== 'externalId');
  const texts = [...new Set(marked.map(([name]) => name))];
  expect(texts.length).toBeGreaterThan(3);
  const kept = texts.filter((name) => !withoutPerson({ [name]: 'text' }));
  expect(kept, 'Add these fields to core/erasure/person.ts').toEqual([]);
  const sentToAll = eventNames
    .filter((name) => !requiredScope(name))
    .flatMap((name) => Object.keys(events[name].data.shape))
    .filter((name) => texts.includes(name) && !personalEventFields.some((one) => one === name));
  expect(sentToAll, 'Add these fields to personalEventFields in contract/event-names.ts').toEqual([]);
});

/** A business with seeded personal data in a booking of every state, and a key that by default may not see it. */
async function widget(scopes: readonly string[] = scopeSets.booking_widget) {
  const { key, owner, offered } = await fixture.tenant();
  const issued = await issueKey(fixture.admin.db, { tenantId: key.tenantId, scopes });
  const seeing = keyPrincipal(key.tenantId, issued.id);
  const book = async (clock: string) => {
    const body = { client: canary, comment: 'canary comment', metadata: { note: 'canary metadata' } };
    return await createBooking(seeing, { ...offered, startTime: at(clock), ...body });
  };
  const [live, moved] = [await book('09:00'), await book('09:45')];
  const [cancelled, done] = [await book('10:30'), await book('11:15')];
  await cancelBooking(key, cancelled, { reason: 'canary reason' });
  await completeBooking(owner, done);
  await recordPayment(owner, { bookingId: live.id, amount: 100, method: 'card' });
  const by = { tenantId: key.tenantId, key: issued.value };
  const send = (operation: string, sent: Sent = {}) => callRow({ folder: 'api', operation }, by, sent);
  const sendBooking = (clock: string, more: object, headers = {}) =>
    send('createBooking', { headers, body: { ...offered, startTime: at(clock), ...more } });
  return { key, issued, offered, live, moved, cancelled, done, send, sendBooking };
}

type Widget = Awaited<ReturnType<typeof widget>>;
const of = ({ id }: Booking) => ({ params: { id: String(id) } });
const unknownId = { params: { id: '4711' } };
/** The requests of an attacker by operation: all that could return a stored person. */
const attempts: Readonly<Record<string, (widget: Widget) => Sent[]>> = {
  listBookings: () => [{}],
  getBooking: ({ live }) => [of(live)],
  listClients: () => [{}],
  getClient: ({ live }) => [{ params: { id: String(live.clientId) } }],
  listBookingPayments: ({ live }) => [of(live)],
  createBooking: ({ offered, live }) => {
    const start = { ...offered, startTime: at('13:00') };
    const knownPhone = { name: 'Me', phone: '0037120007777' };
    const once = { headers: { 'idempotency-key': 'k' }, body: { ...start, client: knownPhone, comment: 'mine' } };
    return [
      once,
      once,
      { body: { ...start, startTime: at('14:00'), client: { name: 'Me', email: 'CANARY@example.com' } } },
      { body: { ...start, startTime: at('09:00'), client: knownPhone } },
      { body: { ...start, startTime: at('15:00'), clientId: live.clientId } },
      { body: { ...start, startTime: at('09:00'), clientId: live.clientId } },
      { body: { ...start, client: knownPhone, clientId: live.clientId } },
    ];
  },
  rescheduleBooking: ({ live, moved, cancelled, done }) => [
    { ...of(live), body: { startTime: at('09:00') } },
    { ...of(moved), body: { startTime: at('16:00') } },
    { ...of(live), body: { startTime: at('16:00') } },
    { ...of(cancelled), body: { startTime: at('10:30') } },
    { ...of(done), body: { startTime: at('11:15') } },
  ],
  updateBooking: ({ live, cancelled }) => [
    { ...of(live), body: { comment: 'mine', metadata: { mine: '1' } } },
    { ...of(cancelled), body: { externalId: 'mine' } },
    { ...of(live), body: { metadata: { mine: null } } },
  ],
  cancelBooking: ({ live, cancelled, done }) => [
    { ...of(cancelled) },
    { ...of(cancelled), body: { reason: 'mine' } },
    { ...of(live), body: { reason: 'mine' } },
    { ...of(done), body: {} },
  ],
};

/** Sends all requests for one row: the responses, and the seeded data in them. */
async function tried(operation: string, scopes?: readonly string[]): Promise<{ answers: Received[]; leaks: string[] }> {
  const known = await widget(scopes);
  const answers: Received[] = [];
  for (const sent of attempts[operation]?.(known) ?? []) answers.push(await known.send(operation, sent));
  const texts = answers.map(({ headers, text }) => JSON.stringify([headers, text]));
  const ids = [String(known.live.clientId)];
  // Names in the request are not secret; the test searches for values that only the store has.
  return { answers, leaks: leaksOf({ [operation]: texts }, () => [...canaries, ...ids]) };
}

test.each(rows)(
  'The response of $operation to an API key without the scope bookings:read contains no stored personal data',
  async (row) => {
    const { answers, leaks } = await tried(row.operation);
    expect(answers.length).toBeGreaterThan(0);
    expect(leaks).toEqual([]);
    for (const { status, json } of answers) expect(status < 300 ? json.clientId : null).toBeNull();
    const expected = row.scope === 'bookings:read' ? [403] : [200, 201, 403, 400, 409];
    expect(expected).toEqual(expect.arrayContaining(answers.map(({ status }) => status)));
  },
);

test.each(rows)(
  'Negative control: the response of $operation to an API key with the scope bookings:read contains stored personal data',
  async ({ operation }) => {
    expect((await tried(operation, scopeSets.full_crm)).leaks).not.toEqual([]);
  },
);

test('An API key without bookings:read gets back the client, comment and external id that it sent, even in a repeated response', async () => {
  const { send, sendBooking, live } = await widget();
  const client = { name: 'Me', phone: '+37120007777' };
  const sent = { client, comment: 'mine', externalId: 'mine' };
  const book = () => sendBooking('13:00', sent, { 'idempotency-key': 'k' });
  const first = await book();
  expect(first).toMatchObject({ status: 201, json: { ...sent, client: { ...client, email: null }, clientId: null } });
  expect(await book()).toMatchObject({ status: 201, text: first.text });
  const cancelled = await send('cancelBooking', { ...of(live), body: { reason: 'mine' } });
  expect(cancelled.json).toMatchObject({ cancelReason: 'mine', comment: null, client: null });
});

test('With an API key without the scope bookings:read, no request shows whether a guessed cancellation reason is stored', async () => {
  const { send, live } = await widget();
  const cancel = (reason: string) => send('cancelBooking', { ...of(live), body: { reason } });
  expect((await cancel('pregnant')).json).toMatchObject({ cancelReason: 'pregnant', externalId: null });
  for (const guess of ['ill', 'pregnant']) expect((await cancel(guess)).json).toMatchObject({ cancelReason: null });
});

test('A change of a booking by an API key without bookings:read raises the revision, even if the sent data is already stored', async () => {
  const { send, live } = await widget();
  const guesses = [
    { comment: 'wrong' },
    { comment: 'wrong' },
    { metadata: { note: 'canary metadata' } },
    { metadata: { never: null } },
    { externalId: null },
  ];
  for (const [i, body] of guesses.entries()) {
    const { json } = await send('updateBooking', { ...of(live), body });
    expect([body, json.revision]).toEqual([body, live.revision + i + 1]);
  }
});

test('A metadata change by an API key without bookings:read returns only the sent entries, whether or not other entries are stored', async () => {
  const { sendBooking, send } = await widget();
  const book = async (clock: string, metadata?: object) =>
    (await sendBooking(clock, { client: newClient(), metadata })).json as Booking;
  for (const booking of [await book('13:00', { note: 'stored' }), await book('14:00')]) {
    const metadataAfter = async (metadata: object) =>
      (await send('updateBooking', { ...of(booking), body: { metadata } })).json.metadata;
    expect(await metadataAfter({ mine: '1', never: null })).toEqual({ mine: '1' });
    expect(await metadataAfter({ mine: null })).toEqual({});
    const moved = { ...of(booking), body: { startTime: booking.startTime } };
    expect((await send('rescheduleBooking', moved)).json.metadata).toBeNull();
  }
});

test('Negative control: if an API key gets back a cancellation reason that it guessed, it learns that the guess is right', () => {
  const stored = { id: 1, cancelReason: 'pregnant' };
  const shown = (reason: string) => project(changedBooking, stored, { reason });
  expect([shown('ill'), shown('pregnant')]).toMatchObject([{ cancelReason: null }, { cancelReason: 'pregnant' }]);
});

test('An API key without the scope bookings:read cannot change bookings of other keys, or learn whether they exist', async () => {
  const { key, send, offered, live } = await widget();
  const body = { ...offered, startTime: at('15:00'), client: canary };
  const other = await createBooking(key, body);
  const comment = { comment: 'mine' };
  const changes = { cancelBooking: {}, rescheduleBooking: { startTime: at('16:00') }, updateBooking: comment };
  expect(await send('updateBooking', { ...of(live), body: comment })).toMatchObject({ json: comment });
  for (const [operation, body] of Object.entries(changes)) {
    const [known, unknown] = [
      await send(operation, { ...of(other), body }),
      await send(operation, { ...unknownId, body }),
    ];
    expect({ ...known.json, requestId: '' }).toEqual({ ...unknown.json, requestId: '' });
    expect(known).toMatchObject({ status: 404, json: { code: 'not_found' } });
  }
  // Negative control: with the scope both succeed.
  const moved = await rescheduleBooking(key, other, { startTime: at('16:00') });
  expect(await cancelBooking(key, moved, {})).toMatchObject({ status: 'cancelled', revision: 3 });
});

/** The reads of a booking, with the real look-up of contacts or one that stops at the first known contact. */
async function readsFor({ sendBooking }: Widget, clock: string, client: object, stopsEarly = false) {
  const reads: (readonly [operation: string, keys: number[]])[] = [];
  const keysOf = ({ RequestItems }: Input) =>
    Object.values(RequestItems ?? {}).map((one) => (one as { Keys: unknown[] }).Keys.length);
  const isLookUp = ({ operation, input }: Call) =>
    operation === 'BatchGetItem' && JSON.stringify(input).includes('"CONTACT#');
  using _ = scriptDynamo([
    {
      when: isLookUp,
      answer: async ({ input }, again) => {
        const [[table, { Keys }] = ['', { Keys: [] }]] = Object.entries(input.RequestItems ?? {}) as [
          string,
          { Keys: object[] },
        ][];
        for (const some of stopsEarly ? Keys.map((key) => [key]) : [Keys]) {
          const input = { RequestItems: { [table]: { Keys: some, ConsistentRead: true } } };
          reads.push([search, keysOf(input)]);
          const found = await again(input);
          if (JSON.stringify(found.Responses).includes('clientId')) return found;
        }
        return { Responses: {}, UnprocessedKeys: {} };
      },
    },
    {
      when: (one) => isRead(one.operation) && !isLookUp(one),
      before: ({ operation, input }) => reads.push([operation, keysOf(input)]),
    },
  ]);
  const { status } = await sendBooking(clock, { client });
  expect(status).toBe(clock === taken ? 409 : 201);
  return reads;
}
const taken = '09:00';
const search = 'search for the client';
const half = { name: 'Me', phone: canary.phone, email: 'me@example.com' };
const stranger = { name: 'Me', phone: '+371 2999 9999', email: 'they@example.com' };

test('A booking by an API key without bookings:read makes the same database reads for a known and an unknown client', async () => {
  const business = await widget();
  const known = await readsFor(business, '13:00', half);
  expect(known).toContainEqual([search, [2]]);
  expect(known).toEqual(await readsFor(business, '14:00', stranger));
  // A request for a taken start does not search for the client at all.
  const refused = await readsFor(business, taken, half);
  expect(refused.map(([operation]) => operation)).not.toContain(search);
  expect(refused).toEqual(await readsFor(business, taken, stranger));
});

test('Negative control: if the search ends at the first known phone or email, a booking for a known client needs fewer reads', async () => {
  const business = await widget();
  const known = await readsFor(business, '13:00', half, true);
  expect((await readsFor(business, '14:00', stranger, true)).length).toBe(known.length + 1);
});

test('An API key without the scope bookings:read gets the same responses for a known client as for an unknown client', async () => {
  const { sendBooking } = await widget();
  const answers = [];
  for (const [clock, phone] of [
    ['13:00', canary.phone],
    ['14:00', '+371 2999 9999'],
    [taken, canary.phone],
    [taken, '+371 2888 8888'],
  ] as const) {
    const { status, json } = await sendBooking(clock, { client: { name: 'Me', phone } });
    answers.push([status, Object.keys(json), json.clientId, json.details]);
  }
  expect(answers[0]).toEqual(answers[1]);
  expect(answers[2]).toEqual(answers[3]);
  expect(answers.map(([status]) => status)).toEqual([201, 201, 409, 409]);
});

test('A booking with a clientId by an API key without the scope bookings:read is refused before any data is read', async () => {
  const { sendBooking, live } = await widget();
  const answers = [];
  for (const clientId of [live.clientId, 4_711]) {
    for (const clock of [taken, '13:00']) {
      using script = scriptDynamo([], { attempts: true });
      const { json } = await sendBooking(clock, { clientId });
      answers.push({ ...json, requestId: '' });
      // This is the check of the key.
      expect(script.calls).toHaveLength(1);
    }
  }
  for (const answer of answers) expect(answer).toEqual(answers[0]);
  expect(answers[0]).toMatchObject({ code: 'insufficient_scope', details: { scope: 'bookings:read' } });
});

test('A replayed response shows personal data according to the current scopes of the API key', async () => {
  const { sendBooking, issued, live } = await widget();
  const scoped = (scopes: readonly string[]) => writeOne(set('keys', { pk: issued.hash }, { scopes }));
  const byContact = () =>
    sendBooking('13:00', { client: { name: 'Me', email: canary.email } }, { 'idempotency-key': 'contact' });
  const byId = () => sendBooking('14:00', { clientId: live.clientId }, { 'idempotency-key': 'id' });
  await scoped(['bookings:read', 'bookings:write']);
  const full = await byContact();
  expect([full.json.clientId, (await byId()).json.client]).toEqual([live.clientId, canary]);
  await scoped(['bookings:write']);
  const replayed = await byContact();
  expect(replayed.headers['idempotent-replayed']).toBe('true');
  expect(replayed.json).toEqual({ ...full.json, clientId: null, metadata: null });
  expect((await byId()).status).toBe(403);
  await scoped(['bookings:read', 'bookings:write']);
  expect((await byContact()).text).toBe(full.text);
});
