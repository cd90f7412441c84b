import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { beforeEach, expect, test } from 'vitest';
import { type KeyCheck, keyChecker } from '../../../core/keys/check-key.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { set, writeOne } from '../../../core/store/write.ts';
import { issueKey, readCounted } from '../../support/api-keys.ts';
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

test('Checking an API key takes one DynamoDB call, which also returns its business, scopes and origins', async () => {
  const { hash } = await issueKey(client, { id: 5, origins: ['example.com'], scopes: ['slots:read'] });
  calls.length = 0;
  expect(await container()(hash)).toEqual({
    outcome: 'accepted',
    principal: { tenantId: 7, actor: { kind: 'key', id: 5, scopes: ['slots:read'], agents: true } },
    origins: ['example.com'],
    usage: expect.objectContaining({ remaining: 59 }),
  });
  expect(calls).toHaveLength(1);
});

const { minuteName, dayName } = windowsAt(noon);
test.each([
  ['revoked', { status: 'revoked' }, 'revoked'],
  ['revoked and out of requests', { status: 'revoked', [minuteName]: 60, [dayName]: 10_000 }, 'revoked'],
  ['expired this very millisecond', { expiresAt: noon }, 'expired'],
])(
  'A request with an API key that is %s is refused with one DynamoDB call, and nothing is written',
  async (_, attributes, outcome) => {
    const { hash } = await issueKey(client, attributes);
    const before = await readCounted(client, hash);
    calls.length = 0;
    expect(await container()(hash)).toMatchObject({ outcome });
    expect(calls).toHaveLength(1);
    expect(await readCounted(client, hash)).toEqual(before);
  },
);

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
