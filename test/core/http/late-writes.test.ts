/**
 * A request that runs out of time gets 503, and has no effect afterwards, even when the container continues with the
 * next request. This is tested for every row that changes data, and at every point of it.
 */
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { publicAccess, serve } from '../../../core/http/serve.ts';
import { log } from '../../../core/log.ts';
import { isTimeUp } from '../../../core/time-left.ts';
import { createKey, type SeededKey } from '../../../local/seed.ts';
import { at, ownerOf } from '../../support/account.ts';
import { callWith, documentedRequest, documentedRows, existing } from '../../support/documented-requests.ts';
import { lateClock, withDelay } from '../../support/faults.ts';
import { httpEvent, lambdaContext, type Sent } from '../../support/http.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
/** The clock advances for each test, because ids of the same millisecond could be equal. */
let base = testNow;
beforeEach(() => {
  base += 1_000;
  setRuntime({ now: lateClock(base) });
  vi.spyOn(log, 'error').mockReturnValue(undefined);
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
});

const hourMs = 3_600_000;

const changing = documentedRows
  .filter(({ method }) => method !== 'GET')
  .map((row) => ({ ...row, name: `${row.folder}/${row.operation}` }));
type ChangingRow = (typeof changing)[number];

const newKey = async () => createKey(fixture.admin, { tenantId: (await fixture.tenant()).tenantId });

const requestTo = async (row: ChangingRow, key: SeededKey): Promise<Sent> => ({
  body: {},
  ...(await documentedRequest(row, key, await prepared[row.name]?.(key))),
  ...changed[row.name],
});

/** Prepares what a row needs and the requests of the documents do not create. Returns the ids to use. */
const prepared: Record<string, (key: SeededKey) => Promise<Readonly<Record<string, number | string>>>> = {
  'account/confirmBooking': async (key) => {
    await ownerOf(key.tenantId)('updateBusiness', { body: { bookingRules: { confirmation: 'manual' } } });
    return {};
  },
  'account/endManageLinks': async (key) => {
    const id = await existing('/bookings', key);
    await ownerOf(key.tenantId)('createManageLink', at(id));
    return { '/bookings': id };
  },
  'account/createReview': async (key) => {
    const id = await existing('/bookings', key);
    await ownerOf(key.tenantId)('completeBooking', at(id));
    return { '/bookings': id };
  },
  // The first test key creates the sandbox.
  'account/triggerEvent': async (key) => {
    const body = { name: 'Test', scopes: ['slots:read'] };
    await ownerOf(key.tenantId)('createApiKey', { headers: { 'booking-mode': 'test' }, body });
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
  test(`The request ${row.operation} writes nothing after its time limit, whichever of its DynamoDB calls was slow`, async () => {
    const key = await newKey();
    const sent = await requestTo(row, key);
    for (let after = 0; ; after++) {
      const { value, ...has } = await withDelay({ after, ms: hourMs / 6 }, () => callWith(row, key, sent));
      expect(has).toMatchObject({ hasWrittenLate: false });
      if (has.hasWritten) break;
      expect([value.status, value.json.code]).toEqual([503, 'temporarily_unavailable']);
      // The lease of an aborted ping or recovery expires.
      if (holdsLease(row)) setRuntime({ now: lateClock(base + (after + 1) * 100_000) });
    }
  });
});

test('A request starts no database write in the last 3.7 seconds before the time-out of its Lambda function', async () => {
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

test('Negative control: without its time limit, a slow request to create a booking still writes when its time is over', async () => {
  const row = changing.find(({ name }) => name === 'api/createBooking') as ChangingRow;
  const key = await newKey();
  const sent = await requestTo(row, key);
  const endless = { ...lambdaContext, getRemainingTimeInMillis: () => hourMs };
  const { hasWrittenLate } = await withDelay({ after: 2, ms: hourMs / 6 }, () => callWith(row, key, sent, endless));
  expect(hasWrittenLate).toBe(true);
});
