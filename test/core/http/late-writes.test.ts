/**
 * A request that runs out of time is answered 503, and what was answered so is never done: neither while the container
 * runs on nor when the next request thaws it. For every row that changes anything, and at every moment of it.
 */
import type { Context } from 'aws-lambda';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { accountRoutes } from '../../../contract/account/api.ts';
import { allRoutes, fileName } from '../../../contract/integration/api.ts';
import { newId, setRuntime } from '../../../core/clock.ts';
import { newDelivery } from '../../../core/deliveries/model/delivery-record.ts';
import type { Event } from '../../../core/events/event.ts';
import type { LambdaHandler } from '../../../core/http/context.ts';
import { log } from '../../../core/log.ts';
import { createKey } from '../../../local/seed.ts';
import { withClaims } from '../../support/account.ts';
import { lateClock, withDelay } from '../../support/faults.ts';
import { httpEvent, lambdaContext, type Sent } from '../../support/http.ts';
import { newWebhook, put } from '../../support/pipeline-state.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
beforeAll(() => {
  process.env.ALLOW_LOOPBACK_TARGETS = 'true';
});
/** Later for each test, because ids that are made in one millisecond may be the same. */
let base = testNow;
beforeEach(() => {
  base += 1_000;
  setRuntime({ now: lateClock(base) });
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
});

const hourMs = 3_600_000;

type Call = (row: string, sent?: Sent, context?: Context) => Promise<{ status: number; json: Record<string, unknown> }>;

/** A business with something of everything that a request can change, and how its key and its owner call. */
async function scene() {
  const { tenant, key: granted } = await fixture.tenant();
  const tenantId = tenant.business.id;
  const key = await createKey(fixture.admin, { tenantId, id: granted.id });

  const call: Call = async (row, { params, body, headers } = {}, context = lambdaContext) => {
    const [api = '', operation = ''] = row.split('/');
    const { handler } = (await import(`../../../functions/${api}/${fileName(operation)}.ts`)) as {
      handler: LambdaHandler;
    };
    const event = httpEvent({
      headers: { ...headers, ...(api === 'api' && { 'x-api-key': key.value }) },
      ...(params && { params }),
      body: body ?? {},
    });
    const claims = { sub: 'owner', 'custom:businessId': String(tenantId) };
    const answer = await handler(api === 'account' ? withClaims(event, claims) : event, context);
    return { status: answer.statusCode ?? 0, json: JSON.parse(answer.body ?? '{}') as Record<string, unknown> };
  };
  const done = async (row: string, sent?: Sent) => {
    const { status, json } = await call(row, sent);
    expect([row, status < 300, json]).toEqual([row, true, json]);
    return String(json.id ?? json.holdId);
  };

  const [service, staff] = [tenant.services[0]?.id ?? 0, tenant.staff[0]?.id ?? 0];
  const start = (clock: string) => ({ startTime: `2026-12-01T${clock}:00+02:00` });
  const client = { name: 'Jane', phone: '+37120000001' };
  const booking = (clock: string) => ({ serviceId: service, staffId: staff, ...start(clock), client });
  const at = (id: string, body?: unknown): Sent => ({ params: { id }, body });
  const booked = (clock: string) => done('account/createBooking', { body: booking(clock) });
  return { call, done, tenant, granted, service, staff, start, booking, booked, at };
}

type Scene = Awaited<ReturnType<typeof scene>>;

const target = { targetUrl: 'http://127.0.0.1:9999/', events: ['booking.created'] };

async function aWebhook({ granted }: Scene): Promise<string> {
  return String((await newWebhook(granted.tenantId, granted.id, { targetUrl: target.targetUrl })).id);
}

async function aFailedDelivery({ granted }: Scene): Promise<{ id: string; deliveryId: string }> {
  const webhook = await newWebhook(granted.tenantId, granted.id, { lastNumber: 1 });
  const event = { id: newId(), tenantId: granted.tenantId, name: 'booking.created', occurredAt: '', data: {} };
  const delivery = newDelivery(event as unknown as Event, webhook, 1, { createdAt: testNow, dueAt: testNow });
  await put('deliveries', { ...delivery, state: 'failed', errorCode: 'timeout' });
  return { id: String(webhook.id), deliveryId: delivery.deliveryId };
}

async function aPayment({ done, booked }: Scene): Promise<string> {
  return done('account/recordPayment', {
    body: { bookingId: Number(await booked('10:00')), amount: 5_000, method: 'card' },
  });
}

/** Moves the clock behind everything that is booked: only then a booking is over. */
function makePast(): void {
  setRuntime({ now: lateClock(base + 12 * hourMs) });
}

async function over({ booked }: Scene): Promise<string> {
  const id = await booked('10:00');
  makePast();
  return id;
}

async function completed(one: Scene): Promise<string> {
  const id = await over(one);
  await one.done('account/completeBooking', one.at(id));
  return id;
}

/** The first test key makes it. */
async function aSandbox({ done }: Scene): Promise<Record<string, string>> {
  const headers = { 'booking-mode': 'test' };
  await done('account/createApiKey', { body: { name: 'Test', scopes: ['bookings:read'] }, headers });
  return headers;
}

const cases: Record<string, (one: Scene) => Promise<Sent> | Sent> = {
  'api/createBooking': ({ booking }) => ({ body: booking('10:00'), headers: { 'idempotency-key': 'k' } }),
  'api/rescheduleBooking': async ({ at, booked, start }) => at(await booked('10:00'), start('15:00')),
  'api/cancelBooking': async ({ at, booked }) => at(await booked('15:00')),
  'api/updateBooking': async ({ at, booked }) => ({ ...at(await booked('15:00')), body: { comment: 'x' } }),
  'api/createHold': ({ service, staff, start }) => ({
    body: { serviceId: service, staffId: staff, ...start('10:00') },
  }),
  'api/releaseHold': async ({ done, service, staff, start }) => ({
    params: {
      holdId: await done('api/createHold', { body: { serviceId: service, staffId: staff, ...start('10:00') } }),
    },
  }),
  'api/createSession': () => ({ body: { kind: 'booker' } }),
  'api/deleteSession': async ({ at, done }) => at(await done('api/createSession', { body: { kind: 'booker' } })),
  'api/createWebhook': () => ({ body: target }),
  'api/updateWebhook': async (one) => one.at(await aWebhook(one), { description: 'new' }),
  'api/deleteWebhook': async (one) => one.at(await aWebhook(one)),
  'api/rotateWebhookSecret': async (one) => one.at(await aWebhook(one)),
  'api/pingWebhook': async (one) => one.at(await aWebhook(one)),
  'api/redeliver': async (one) => ({ params: await aFailedDelivery(one) }),
  'api/recoverWebhook': async (one) =>
    one.at((await aFailedDelivery(one)).id, { since: new Date(testNow - 60_000).toISOString() }),
  'account/updateBusiness': () => ({ body: { name: 'New' } }),
  'account/createService': () => ({
    body: { name: 'New', durationMinutes: 30, price: { amount: 100, currency: 'EUR' } },
  }),
  'account/updateService': ({ at, service }) => at(String(service), { name: 'New' }),
  'account/deleteService': ({ at, service }) => at(String(service)),
  'account/createStaffMember': () => ({ body: { name: 'New' } }),
  'account/updateStaffMember': ({ at, staff }) => at(String(staff), { name: 'New' }),
  'account/deleteStaffMember': ({ at, staff }) => at(String(staff)),
  'account/updateStaffSchedule': ({ at, staff }) => at(String(staff), { exceptions: { '2026-12-24': [] } }),
  'account/createResource': () => ({ body: { name: 'Room 1', kind: 'room' } }),
  'account/updateResource': async ({ at, done }) =>
    at(await done('account/createResource', { body: { name: 'Room 1', kind: 'room' } }), { name: 'Room 2' }),
  'account/deleteResource': async ({ at, done }) =>
    at(await done('account/createResource', { body: { name: 'Room 1', kind: 'room' } })),
  'account/putBusyElsewhere': ({ staff, start }) => ({
    params: { id: String(staff), source: 'google' },
    body: { blocks: [{ ...start('12:00'), endTime: '2026-12-01T13:00:00+02:00' }] },
  }),
  'account/createClient': () => ({ body: { name: 'Joe', phone: '+37120000002' } }),
  'account/updateClient': async ({ at, done }) =>
    at(await done('account/createClient', { body: { name: 'Joe', phone: '+37120000002' } }), { name: 'Jim' }),
  'account/createBooking': ({ booking }) => ({ body: booking('10:00') }),
  'account/confirmBooking': async ({ at, booked, done }) => {
    await done('account/updateBusiness', { body: { bookingRules: { confirmation: 'manual' } } });
    return at(await booked('10:00'));
  },
  'account/createManageLink': async ({ at, booked }) => at(await booked('15:00')),
  'account/endManageLinks': async ({ at, booked, done }) => {
    const id = await booked('15:00');
    await done('account/createManageLink', at(id));
    return at(id);
  },
  'account/cancelBooking': async ({ at, booked }) => at(await booked('15:00')),
  'account/completeBooking': async (one) => one.at(await over(one)),
  'account/markNoShow': async (one) => one.at(await over(one)),
  'account/rescheduleBooking': async ({ at, booked, start }) => at(await booked('10:00'), start('15:00')),
  'account/createReview': async (one) => ({ body: { bookingId: Number(await completed(one)), rating: 5 } }),
  'account/replyToReview': async (one) => {
    const bookingId = Number(await completed(one));
    return one.at(await one.done('account/createReview', { body: { bookingId, rating: 5 } }), { text: 'Thanks' });
  },
  'account/recordPayment': () => ({ body: { amount: 5_000, method: 'card' } }),
  'account/refundPayment': async (one) => one.at(await aPayment(one), { amount: 1_500 }),
  'account/createApiKey': () => ({ body: { name: 'New', scopes: ['bookings:read'] } }),
  'account/updateApiKey': async ({ at, done }) =>
    at(await done('account/createApiKey', { body: { name: 'New', scopes: ['bookings:read'] } }), {
      name: 'Newer',
      scopeSet: 'full_crm',
    }),
  'account/regenerateApiKey': async ({ at, done }) =>
    at(await done('account/createApiKey', { body: { name: 'New', scopes: ['bookings:read'] } })),
  'account/revokeApiKey': async ({ at, done }) =>
    at(await done('account/createApiKey', { body: { name: 'New', scopes: ['bookings:read'] } })),
  'account/exportClient': async ({ at, done }) =>
    at(await done('account/createClient', { body: { name: 'Jim', phone: '+37120000003' } })),
  'account/eraseClient': async ({ at, done }) =>
    at(await done('account/createClient', { body: { name: 'Joe', phone: '+37120000002' } })),
  'account/triggerEvent': async (one) => ({ headers: await aSandbox(one), body: { event: 'client.created' } }),
  'account/createWebhook': async ({ done }) => {
    const apiKeyId = await done('account/createApiKey', { body: { name: 'New', scopes: ['webhooks:manage'] } });
    return { body: { apiKeyId: Number(apiKeyId), ...target } };
  },
};

/** What an owner does with a webhook is asked like what its key does. */
for (const operation of [
  'updateWebhook',
  'deleteWebhook',
  'rotateWebhookSecret',
  'pingWebhook',
  'redeliver',
  'recoverWebhook',
]) {
  const prepare = cases[`api/${operation}`];
  if (prepare) cases[`account/${operation}`] = prepare;
}

/** Its work is done in pieces that a next call goes on from: test/core/sandbox tells what it leaves. */
const inPieces = ['account/resetSandbox'];
/** It does what the rows of its tools do, and answers their 503 as the result of a tool. */
const ofOthers = ['api/callMcp'];
/** The user pool takes part in no transaction: test/core/account/roles.test.ts covers what an interrupted change leaves. */
const inUserPool = ['account/inviteColleague', 'account/removeColleague', 'account/updateColleague'];

test('Every endpoint that changes data is tested for writes after its deadline', () => {
  const changing = [
    ...allRoutes.map((row) => ({ ...row, api: 'api' })),
    ...accountRoutes.map((row) => ({ ...row, api: 'account' })),
  ].filter(({ method }) => method !== 'GET');
  expect([...Object.keys(cases), ...inPieces, ...ofOthers, ...inUserPool].sort()).toEqual(
    changing.map(({ api, operation }) => `${api}/${operation}`).sort(),
  );
});

describe.each(Object.entries(cases))('%s', (row, prepare) => {
  test('An endpoint writes nothing after its deadline, whichever DynamoDB call is answered late', {
    timeout: 60_000,
  }, async () => {
    const one = await scene();
    const sent = await prepare(one);
    for (let after = 0; ; after++) {
      const { value, ...has } = await withDelay({ after, ms: hourMs / 6 }, () => one.call(row, sent));
      expect(has).toMatchObject({ hasWrittenLate: false });
      if (has.hasWritten) break;
      // A ping that was cut off keeps others of its webhook waiting for seconds.
      expect(['temporarily_unavailable', 'ping_in_progress']).toContain(value.json.code);
      if (!row.endsWith('/pingWebhook')) expect(value.status).toBe(503);
    }
  });
});

test('Negative control: if a request has no deadline, it writes after its time is over', async () => {
  const one = await scene();
  const sent = await cases['api/createBooking']?.(one);
  const endless = { ...lambdaContext, getRemainingTimeInMillis: () => hourMs };
  const { hasWrittenLate } = await withDelay({ after: 2, ms: hourMs / 6 }, () =>
    one.call('api/createBooking', sent, endless),
  );
  expect(hasWrittenLate).toBe(true);
});
