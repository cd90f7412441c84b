/** `POST /v1/account/sandbox/reset` (docs/rules.md#test-mode). */

import type { Reset } from '../../contract/account/resources.ts';
import { copyCatalogue, loadLiveBusiness } from '../catalog/copy.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { onlyFields } from '../store/batch-get.ts';
import { deleteEach } from '../store/delete-each.ts';
import type { Key } from '../store/key.ts';
import { inPartition, pages, type Query } from '../store/read.ts';
import { commitWithRetry } from '../store/transact.ts';
import { remove } from '../store/write.ts';
import { insert, update, writeEach } from '../store/write-each.ts';
import { deliveries, keys, records } from '../table-keys.ts';
import { isTimeUp } from '../time-left.ts';
import { beginLogDeletion } from '../webhooks/registry/log-deletion.ts';
import { webhooksOfBusiness } from '../webhooks/registry/store.ts';
import { sandboxOf } from './own-sandbox.ts';

/** How many items one query reads, which are then deleted together. */
const itemsAtOnce = 500;
/** How often everything is deleted. Only requests that continuously write many items need as many repetitions. */
const roundsMax = 20;
const stillWritten = 'Requests keep writing to the sandbox: stop them, and send POST /sandbox/reset again.';

/**
 * Empties the sandbox, except for its keys and webhooks, and copies the catalogue again. The logs of the webhooks are
 * emptied through a queue message. If the time of the call is not enough, the result is `running`, and the next call
 * continues. Until the reset is done, the sandbox does not exist, and no request creates it. Concurrent requests of
 * test keys leave no partial data. The business is deleted first, then the items without which nothing can be booked,
 * and then everything else, until no item is found. 409 `invalid_state` in live mode, or if every search finds new
 * items; 404 `not_found` if the business does not exist yet.
 */
export async function resetSandbox(principal: Principal): Promise<Reset> {
  const sandbox = sandboxOf(principal);
  const resetKey = records.reset(sandbox);
  // Before the item below, which would prevent the creation of the sandbox once there is a business.
  await loadLiveBusiness(sandbox);
  const [begun] = await writeEach([insert('records', resetKey)]);
  if (begun === 'failed') throw fail('temporarily_unavailable', { retryAfter: 1 });
  await deleteEach('records', [records.business(sandbox)]);
  const own = records.tenant(sandbox);
  const prefixes = [records.staffRevisionPrefix, records.staffPrefix, records.servicePrefix];
  const catalogue = prefixes.map((prefix) => inPartition(own, prefix));
  const all = records.partitionsOf(sandbox).map((pk) => inPartition(pk));
  const stays = new Set<string>([records.activeKeys(sandbox).sk, resetKey.sk]);
  const isToDelete = ({ sk = '' }: Key) => !stays.has(sk) && !sk.startsWith(records.keyPrefix);

  let found = await emptied(catalogue, isToDelete);
  let rounds = 0;
  do {
    if (found === 'running') return { status: 'running' };
    if (rounds === roundsMax) throw fail('invalid_state', stillWritten);
    found = await emptied(all, isToDelete);
    rounds += 1;
  } while (found !== 0);
  const webhooks = await webhooksOfBusiness(sandbox);
  const at = now();
  const emptying = webhooks.flatMap((webhook) => [
    update('deliveries', deliveries.registration(webhook), { emptiedThrough: webhook.lastNumber }, {}),
    // Its held deliveries are deleted, unless one was planned since the webhook was read.
    update('deliveries', webhook, { heldUntil: 0 }, { lastNumber: webhook.lastNumber }),
  ]);
  if ((await writeEach(emptying)).includes('failed')) throw fail('temporarily_unavailable', { retryAfter: 1 });
  await beginLogDeletion(webhooks, at);
  await copyCatalogue(sandbox);
  return commitWithRetry(async () => ({ writes: [remove('records', resetKey)], result: { status: 'done' } as const }));
}

/** How many items were found and deleted, or that the time is over. */
async function emptied(parts: readonly Query[], isToDelete: (key: Key) => boolean): Promise<number | 'running'> {
  let count = 0;
  const options = { ...onlyFields(['pk', 'sk', 'hash']), ConsistentRead: true, Limit: itemsAtOnce };
  for (const part of parts) {
    for await (const { items } of pages<Key & { hash?: string }>('records', { ...part, ...options })) {
      if (isTimeUp()) return 'running';
      const going = items.filter(isToDelete);
      const tokens = going.flatMap(({ sk = '', hash }) =>
        hash !== undefined && sk.startsWith(records.sessionPrefix) ? keys.apiKey(hash) : [],
      );
      try {
        // First, because only the session in `records` leads to its token.
        await deleteEach('keys', tokens);
        await deleteEach('records', going);
      } catch (error) {
        if (isTimeUp()) return 'running';
        throw error;
      }
      count += going.length;
    }
  }
  return count;
}
