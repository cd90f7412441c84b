/**
 * A request that runs out of time gets 503, and then has no effect: neither while the container continues nor when the
 * next request thaws it. This is tested for every row that changes data, and at every point of it.
 */
import type { Context } from 'aws-lambda';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { log } from '../../../core/log.ts';
import { isTimeUp } from '../../../core/time-left.ts';
import { type Api, apis } from '../../../lib/apis.ts';
import { createKey } from '../../../local/seed.ts';
import { callRow } from '../../support/account.ts';
import { endedDelivery } from '../../support/delivery-records.ts';
import { lateClock, withDelay } from '../../support/faults.ts';
import { httpEvent, lambdaContext, type Sent } from '../../support/http.ts';
import { newWebhook, put } from '../../support/pipeline-state.ts';
import { loopbackTarget, recordedRequest } from '../../support/recorded-requests.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
/** It advances for each test, because ids of the same millisecond could be equal. */
let base = testNow;
beforeEach(() => {
  base += 1_000;
  setRuntime({ now: lateClock(base) });
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
});

const hourMs = 3_600_000;

/** Ids by the path of their collection, such as `/bookings`, which replace newly created resources. */
type Ids = Readonly<Record<string, number | string>>;

/** Rows that change data. */
const changing = Object.values<Api>(apis).flatMap(({ folder, rows }) =>
  rows.filter(({ method }) => method !== 'GET').map((row) => ({ ...row, folder, name: `${folder}/${row.operation}` })),
);
type ChangingRow = (typeof changing)[number];

/** A business, with the requests of the documents as its key and its owner send them. */
async function prepareBusiness() {
  const { tenant, key: granted } = await fixture.tenant();
  const tenantId = tenant.business.id;
  const key = await createKey(fixture.admin, { tenantId, id: granted.id });
  const seeded: Ids = { '/services': tenant.services[0]?.id ?? 0, '/staff': tenant.staff[0]?.id ?? 0 };

  const call = (row: ChangingRow, sent: Sent, context?: Context) =>
    callRow(row, { tenantId, key: key.value }, { body: {}, ...sent }, context);

  /** The documents' request to the row, with ids that exist. */
  async function requestTo(row: ChangingRow, given?: Ids): Promise<Sent> {
    const ids: Ids = { ...seeded, ...(given ?? (await prepared[row.name]?.(one))) };
    const { query: _, ...recorded } = await recordedRequest(
      row,
      async (collection) => ids[collection] ?? (await created(collection, row)),
    );
    return { ...recorded, ...changed[row.name] };
  }

  async function created(collection: string, { folder }: ChangingRow): Promise<number | string> {
    const creations = changing.filter(({ method, path }) => method === 'POST' && path === collection);
    const row = creations.find((creation) => creation.folder === folder) ?? creations[0];
    if (!row) throw new Error(`No row creates anything in ${collection}: say in \`prepared\` what exists there.`);
    return done(row.name);
  }

  async function done(name: string, changes: Sent = {}, given?: Ids): Promise<number | string> {
    const row = rowOf(name);
    const { status, json } = await call(row, { ...(await requestTo(row, given)), ...changes });
    expect([name, status < 300, json]).toEqual([name, true, json]);
    return (json.id ?? json.holdId) as number | string;
  }

  const one = { call, requestTo, done, granted };
  return one;
}

type PreparedBusiness = Awaited<ReturnType<typeof prepareBusiness>>;

function rowOf(name: string): ChangingRow {
  const row = changing.find((one) => one.name === name);
  if (!row) throw new Error(`There is no row ${name}`);
  return row;
}

async function failedDelivery({ granted }: PreparedBusiness): Promise<Ids> {
  const webhook = await newWebhook(granted.tenantId, granted.id, { targetUrl: loopbackTarget, lastNumber: 1 });
  const delivery = endedDelivery(webhook, 1, testNow, { state: 'failed', errorCode: 'timeout' });
  await put('deliveries', delivery);
  return { '/webhooks': webhook.id, '/webhooks/:id/deliveries': delivery.deliveryId };
}

async function bookingWithLink({ done }: PreparedBusiness): Promise<Ids> {
  const ids = { '/bookings': await done('account/createBooking') };
  await done('account/createManageLink', {}, ids);
  return ids;
}

/** A booking can be completed only after its start. */
async function pastBooking({ done }: PreparedBusiness): Promise<Ids> {
  const id = await done('account/createBooking');
  setRuntime({ now: lateClock(base + 48 * hourMs) });
  return { '/bookings': id };
}

/** Prepares what a row needs and the requests of the documents do not create. */
const prepared: Record<string, (one: PreparedBusiness) => Promise<Ids>> = {
  'api/redeliver': failedDelivery,
  'api/recoverWebhook': failedDelivery,
  'account/redeliver': failedDelivery,
  'account/recoverWebhook': failedDelivery,
  'account/confirmBooking': async ({ done }) => {
    await done('account/updateBusiness', { body: { bookingRules: { confirmation: 'manual' } } });
    return { '/bookings': await done('account/createBooking') };
  },
  'account/endManageLinks': bookingWithLink,
  'account/completeBooking': pastBooking,
  'account/markNoShow': pastBooking,
  'account/createReview': async ({ done }) => ({ '/bookings': await done('account/completeBooking') }),
  // The first test key creates the sandbox.
  'account/triggerEvent': async ({ done }) => {
    await done('account/createApiKey', { headers: { 'Booking-Mode': 'test' } });
    return {};
  },
};

/** Requests that replace those of the documents. */
const changed: Readonly<Record<string, Sent>> = {
  // A slot that is chosen before the delay may be refused after it, which shows nothing about the deadline.
  'account/triggerEvent': { body: { event: 'client.created' } },
};

/** Why an endpoint is tested elsewhere. */
const elsewhere: Readonly<Record<string, string>> = {
  'account/resetSandbox': 'It works in steps that the next call resumes: test/core/sandbox covers what each leaves.',
  'api/callMcp': 'It runs the rows of its tools, and returns their 503 as the result of a tool.',
  'account/inviteColleague': 'The user pool takes part in no transaction: test/core/account/roles.test.ts.',
  'account/removeColleague': 'The same.',
  'account/updateColleague': 'The same.',
};

const holdsLease = ({ operation }: ChangingRow) => operation === 'pingWebhook' || operation === 'recoverWebhook';

describe.each(changing.filter(({ name }) => !(name in elsewhere)))('$name', (row) => {
  test('An endpoint writes nothing after its deadline, whichever DynamoDB call is answered late', async () => {
    const one = await prepareBusiness();
    const sent = await one.requestTo(row);
    for (let after = 0; ; after++) {
      const { value, ...has } = await withDelay({ after, ms: hourMs / 6 }, () => one.call(row, sent));
      expect(has).toMatchObject({ hasWrittenLate: false });
      if (has.hasWritten) break;
      expect([value.status, value.json.code]).toEqual([503, 'temporarily_unavailable']);
      // The lease of an aborted ping or recovery expires.
      if (holdsLease(row)) setRuntime({ now: lateClock(base + (after + 1) * 100_000) });
    }
  });
});

test('No write of a request begins later than 3.7 seconds before the function would be stopped', async () => {
  const isTimeUpAfter = async (ms: number) => {
    let isUp: boolean | undefined;
    setRuntime({ now: () => base });
    const handler = serve('GET /', publicAccess(), async () => {
      setRuntime({ now: () => base + ms });
      isUp = isTimeUp();
      return { statusCode: 204 };
    });
    await handler(httpEvent({}), { ...lambdaContext, getRemainingTimeInMillis: () => 10_000 });
    return isUp;
  };
  expect([await isTimeUpAfter(6_299), await isTimeUpAfter(6_300)]).toEqual([false, true]);
});

test('Negative control: if a request has no deadline, it writes after its time is over', async () => {
  const one = await prepareBusiness();
  const row = rowOf('api/createBooking');
  const sent = await one.requestTo(row);
  const endless = { ...lambdaContext, getRemainingTimeInMillis: () => hourMs };
  const { hasWrittenLate } = await withDelay({ after: 2, ms: hourMs / 6 }, () => one.call(row, sent, endless));
  expect(hasWrittenLate).toBe(true);
});
