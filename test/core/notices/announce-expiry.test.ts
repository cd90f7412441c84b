/** Each API key that expires has its events once, on their days, even if runs are aborted (docs/rules.md#notices). */
import { beforeEach, expect, test } from 'vitest';
import { setRuntime } from '../../../core/clock.ts';
import { createApiKey } from '../../../core/keys/create-key.ts';
import { revokeApiKey } from '../../../core/keys/revoke-key.ts';
import { updateApiKey } from '../../../core/keys/update-key.ts';
import { announceExpiry } from '../../../core/notices/announce-expiry.ts';
import { transact } from '../../../core/store/transact.ts';
import { remove } from '../../../core/store/write.ts';
import { records } from '../../../core/table-keys.ts';
import { interfering } from '../../support/interfere.ts';
import { scriptDynamo } from '../../support/scripted-dynamo.ts';
import { testNow, useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
let now = testNow;
let begin = testNow;

beforeEach(() => {
  begin += 60 * dayMs;
  now = begin;
  setRuntime({ now: () => now });
});

async function business() {
  const { owner, events } = await fixture.business();
  return {
    owner,
    keyFor: (days: number, name = 'Site') =>
      createApiKey(owner, { name, scopeSet: 'display_only', expiresAt: new Date(now + days * dayMs).toISOString() }),
    /** The names and keys of the raised events, with the day from the beginning. */
    raised: async () =>
      (await events()).map(({ name, data, occurredAt }) => [
        name,
        (data as unknown as { apiKeyId: number }).apiKeyId,
        Math.floor((Date.parse(occurredAt) - begin) / dayMs),
      ]),
  };
}

/** Runs at fixed intervals, as the schedule does. */
async function runFor(days: number, stepMs = 6 * hourMs) {
  for (const end = now + days * dayMs; now < end; now += stepMs) await announceExpiry();
}

test('The expiry of an API key is announced by one event 14 days before and another event 3 days before', async () => {
  const { keyFor, raised } = await business();
  await announceExpiry();
  const key = await keyFor(20);
  await runFor(22);
  expect(await raised()).toEqual([
    ['key.expires_in_14_days', key.id, 6],
    ['key.expires_in_3_days', key.id, 17],
  ]);
});

test('No event announces the expiry of a revoked or deleted API key, and a changed expiry is announced only before the new date', async () => {
  const { owner, keyFor, raised } = await business();
  await announceExpiry();
  const [revoked, deleted, moved] = [await keyFor(20), await keyFor(20), await keyFor(20)];
  await revokeApiKey(owner, revoked);
  await transact([remove('records', records.key(owner.tenantId, deleted.id))]);
  await updateApiKey(owner, moved, { expiresAt: new Date(now + 25 * dayMs).toISOString() });
  await runFor(12);
  expect(await raised()).toEqual([['key.expires_in_14_days', moved.id, 11]]);
});

test('After the daily search for expiring API keys has not run for days, its next run announces all keys that it missed', async () => {
  const { keyFor, raised } = await business();
  await announceExpiry();
  const [first, second] = [await keyFor(16), await keyFor(18)];
  now += 5 * dayMs;
  await announceExpiry();
  expect(await raised()).toEqual([
    ['key.expires_in_14_days', first.id, 5],
    ['key.expires_in_14_days', second.id, 5],
  ]);
});

test('If the daily search for expiring API keys is interrupted, its next run announces each remaining key exactly once', async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => business()));
  await announceExpiry();
  // The keys that expire in 15 days fill more than one page, and are announced after those that expire in 4 days.
  const keys = await Promise.all(
    all.flatMap(({ keyFor }) => [...Array.from({ length: 49 }, () => keyFor(15)), keyFor(4)]),
  );
  const allRaised = async () => (await Promise.all(all.map(({ raised }) => raised()))).flat();
  now += dayMs;
  let before = 0;
  for (let interrupted = 0; interrupted < 3; interrupted++) {
    using _ = scriptDynamo([{ when: 'TransactWriteItems', nth: 2, fail: 'ThrottlingException' }]);
    await expect(announceExpiry()).rejects.toThrow();
    const soFar = (await allRaised()).length;
    expect(soFar).toBeGreaterThan(before);
    expect(soFar).toBeLessThan(keys.length);
    before = soFar;
  }
  await announceExpiry();
  expect((await allRaised()).map(([, id]) => id).sort()).toEqual(keys.map(({ id }) => id).sort());
});

test('If two runs of the daily search for expiring API keys overlap, one run fails, and each expiry is announced once', async () => {
  const { keyFor, raised } = await business();
  await announceExpiry();
  const key = await keyFor(15);
  now += dayMs;
  const both = interfering({ when: () => true, first: announceExpiry }, announceExpiry);
  await expect(both).rejects.toThrow('Another run is announcing');
  expect(await raised()).toEqual([['key.expires_in_14_days', key.id, 1]]);
});

test('A second run of the search for expiring API keys on one day reads one item, announces no expiry and writes nothing', async () => {
  await announceExpiry();
  using script = scriptDynamo([], { units: true });
  await announceExpiry();
  expect(script.operations).toEqual(['GetItem']);
});
