import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { accountPrefix, accountRoutes } from '../../contract/account/api.ts';
import { newId } from '../../core/clock.ts';
import { windowsAt } from '../../core/limits/windows.ts';
import { log } from '../../core/log.ts';
import { keys } from '../../core/table-keys.ts';
import { type AccountOperation, invoke, ownerOf } from '../support/account.ts';
import { tableName } from '../support/dynamo.ts';
import { requestTo } from '../support/http.ts';
import { isLogWrite } from '../support/pending-log-writes.ts';
import { recordedRequest } from '../support/recorded-requests.ts';
import { scriptDynamo } from '../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../support/test-business.ts';

const fixture = useTestBusiness();

/** The request of the documents with ids that no test business has. */
const shown = (route: AccountRow) => recordedRequest({ ...route, folder: 'account' }, newId);
type AccountRow = (typeof accountRoutes)[number];

// Without a queue, redeliveries are left to the sweeper, which is logged.
beforeEach(() => {
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  vi.spyOn(log, 'error').mockReturnValue(undefined);
});

const claims = { sub: 'owner', 'custom:businessId': '7' };

describe.each(accountRoutes)('$method $path', (route) => {
  const operation = route.operation as AccountOperation;
  const send = (as: Record<string, unknown> | undefined, sent = {}) =>
    invoke(operation, as, requestTo(route, { path: accountPrefix + route.path, ...sent }));

  test('An owner whose token names no business is refused with 403', async () => {
    const key = { 'x-api-key': 'bk_live_000000000000000000000000000000000000' };
    const { body } = await shown(route);
    // All wrong claims are tested in test/core/http/access/owner.test.ts.
    for (const stranger of [undefined, { sub: 'owner' }, { 'custom:businessId': '0' }]) {
      const answer = await send(stranger, { headers: key, body });
      expect(answer.status).toBe(403);
      expect(answer.json).toMatchObject({ statusCode: 403, code: 'business_claim_missing' });
      expect(answer.headers['x-request-id']).toBe(answer.json.requestId);
      expect(answer.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '0' });
    }
  });

  test('An account API request with a Booking-Mode header other than live or test is refused with 400', async () => {
    const { body } = await shown(route);
    const message = 'must be one of: live, test';
    for (const mode of ['Test', 'TEST', 'sandbox', '', 'live, test', ' test']) {
      const answer = await send(claims, { headers: { 'booking-mode': mode }, body });
      expect(answer.status, mode).toBe(400);
      expect(answer.json).toMatchObject({ code: 'validation_failed', details: [{ path: 'Booking-Mode', message }] });
    }
  });

  test.each([
    ['minute', 'rate_limit_exceeded', 60],
    ['day', 'daily_limit_exceeded', 19 * 3_600],
  ] as const)(
    'Requests beyond the limit per %s of an owner get 429, and each costs one DynamoDB call',
    async (window, code, retryAfter) => {
      const sub = `owner-${newId()}`;
      const { minuteName, dayName } = windowsAt(testNow);
      const used = window === 'minute' ? { [minuteName]: 600 } : { [dayName]: 100_000 };
      await fixture.admin.db.send(
        new PutCommand({ TableName: tableName('keys'), Item: { ...keys.owner(7, sub), ...used } }),
      );
      const calls = scriptDynamo([], { attempts: true }).calls;
      for (const count of [1, 1, 1]) {
        const answer = await send({ ...claims, sub });
        expect(answer.json).toMatchObject({
          statusCode: 429,
          code,
          retryAfter,
          message: `The limit of ${Object.values(used)[0]} requests per ${window} is exceeded.`,
        });
        expect(answer.headers).toMatchObject({
          'retry-after': String(retryAfter),
          'x-ratelimit-limit': '600',
          'x-ratelimit-limit-day': '100000',
          'x-ratelimit-remaining': '0',
        });
        // Once a minute there is one more, which logs refused requests (docs/rules.md#request-log).
        expect(calls.filter((one) => !isLogWrite(one))).toHaveLength(count);
      }
    },
  );
});

test('The account API answers an unknown path with 404, and a wrong method with 405 and the allowed methods', async () => {
  const owner = ownerOf(newId());
  const unknown = await owner('routeNotFound', { path: `${accountPrefix}/nothing` });
  expect(unknown.json).toMatchObject({ statusCode: 404, code: 'route_not_found' });
  const wrong = await owner('routeNotFound', { method: 'PUT', path: `${accountPrefix}/services/1` });
  expect(wrong.json).toMatchObject({ statusCode: 405, code: 'method_not_allowed' });
  expect(wrong.headers.allow).toBe('GET, PATCH, DELETE');
  expect((await invoke('routeNotFound', undefined, { path: `${accountPrefix}/nothing` })).status).toBe(403);
});
