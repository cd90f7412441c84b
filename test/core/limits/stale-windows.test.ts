/** Windows that are over leave an item, and what goes wrong with its table is no refusal (docs/rules.md#limits). */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keyChecker } from '../../../core/keys/check-key.ts';
import { windowsAt } from '../../../core/limits/windows.ts';
import { log } from '../../../core/log.ts';
import { ownerCounter } from '../../../core/owners/count-owner.ts';
import { issueKey, readCounted } from '../../support/api-keys.ts';
import { scriptTest } from '../../support/script-test.ts';
import type { RecordedCall, Row } from '../../support/scripted-dynamo.ts';
import { useClient } from '../../support/use-client.ts';

const noon = Date.parse('2026-12-01T12:00:10.000Z');
const { minute } = windowsAt(noon);

const connect = useClient();
let client: DynamoDBDocumentClient;
let calls: RecordedCall[];
beforeEach(() => {
  client = connect();
  ({ calls } = scriptTest([], { client, attempts: true }));
});
afterEach(() => {
  vi.restoreAllMocks();
});

/** Scripts the updates of the test. */
const scriptUpdates = (row: Row = {}) => scriptTest([{ when: 'UpdateItem', ...row }], { client });

/** A key with so many windows that are long over, and how one container counts it. */
async function keyWith(stale: number, used: Readonly<Record<string, number>> = {}) {
  const old = Object.fromEntries(Array.from({ length: stale }, (_, i) => [`m#${minute - 100 - i}`, 1]));
  const { hash } = await issueKey(client, { ...old, ...used });
  let now = noon;
  const check = keyChecker({ now: () => now, client: () => client });
  calls.length = 0;
  return {
    count: () => check(hash),
    minuteLater: () => {
      now += 60_000;
    },
    left: async () => Object.keys(await readCounted(client, hash)).filter((name) => name.startsWith('m#')),
  };
}

test('A request is accepted even if its old counters cannot be removed', async () => {
  vi.spyOn(log, 'warn').mockReturnValue(undefined);
  const down = new Error('Down');
  scriptUpdates({ nth: 2, fail: () => down });
  const key = await keyWith(17);
  expect(await key.count()).toMatchObject({ outcome: 'accepted' });
});

test('When the table of API keys is unavailable, no caller is refused as unknown or as over the limit', async () => {
  const down = new Error('Down');
  const key = await keyWith(0);
  scriptUpdates({ fail: () => down });
  await expect(key.count()).rejects.toBe(down);
  await expect(ownerCounter({ client: () => client })({ tenantId: 7, subject: 'down' })).rejects.toBe(down);
});
