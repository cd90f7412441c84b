import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { type KeyCheck, keyChecker } from '../../../core/keys/check-key.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { set, writeOne } from '../../../core/store/write.ts';
import { issueKey } from '../../support/api-keys.ts';
import { scriptTest } from '../../support/script-test.ts';
import type { RecordedCall } from '../../support/scripted-dynamo.ts';
import { useClient } from '../../support/use-client.ts';

const noon = Date.parse('2026-12-01T12:00:10.000Z');

const connect = useClient();
let client: DynamoDBDocumentClient;
let calls: RecordedCall[];
beforeEach(() => {
  client = connect();
  ({ calls } = scriptTest([], { client, attempts: true }));
});

/** The guarantees for every kind of principal are in test/core/limits/counter.test.ts. */
function container() {
  return keyChecker({ now: () => noon, client: () => client });
}

const revoke = (pk: string) => writeOne(set('keys', { pk }, { status: 'revoked' }));

test('An API key is accepted until the last millisecond before its expiry', async () => {
  const { hash } = await issueKey(client, { expiresAt: noon + 1 });
  expect(await container()(hash)).toMatchObject({ outcome: 'accepted' });
});

/** The result of the second of two requests when the key is revoked between them. */
async function afterRevocation(check: (hash: string) => Promise<KeyCheck>): Promise<KeyCheck> {
  const { hash } = await issueKey(client);
  expect(await check(hash)).toMatchObject({ outcome: 'accepted' });
  await revoke(hash);
  return check(hash);
}

test('A revoked API key is refused from the very next request on', async () => {
  expect(await afterRevocation(container())).toMatchObject({ outcome: 'revoked' });
});

test('Negative control: if accepted API keys are cached, a revoked API key is still accepted', async () => {
  const remembered = new Map<string, KeyCheck>();
  const check = container();
  const caching = async (hash: string) => {
    const found = remembered.get(hash) ?? (await check(hash));
    remembered.set(hash, found);
    return found;
  };
  expect(await afterRevocation(caching)).toMatchObject({ outcome: 'accepted' });
});

test('If an API key is revoked after it has used up its daily limit, its requests get the error for revoked keys within a minute', async () => {
  const { dayName, minuteEndsMs } = windowsAt(noon);
  const { hash } = await issueKey(client, { [dayName]: 10_000 });
  let time = noon;
  const check = keyChecker({ now: () => time, client: () => client });
  expect(await check(hash)).toMatchObject({ outcome: 'day_exhausted' });
  await revoke(hash);
  calls.length = 0;
  time = minuteEndsMs - 1;
  expect(await check(hash)).toMatchObject({ outcome: 'day_exhausted' });
  expect(calls).toEqual([]);
  time = minuteEndsMs;
  expect(await check(hash)).toMatchObject({ outcome: 'revoked' });
});
