/** `POST /v1/account/api-keys/:id/regenerate` (section 3.2, decisions §3). */
import { GetCommand } from '@aws-sdk/lib-dynamodb';
import type { ApiKeyWithValue } from '../../contract/account-resources.ts';
import { dynamo } from '../clients.ts';
import { now } from '../clock.ts';
import { env } from '../env.ts';
import { fail } from '../errors.ts';
import type { Owner } from '../owner.ts';
import { decideAndCommit, type Write } from '../store/transact.ts';
import { keys, records } from '../table-keys.ts';
import { newValue } from './create-key.ts';
import { type CountedKey, loadKey, type StoredKey, statusOf, toApiKey } from './stored-key.ts';
import { windowsAt } from './windows.ts';

/**
 * Moves the key's item, its counters with it, to the hash of a new value: from that commit on the old value is unknown.
 * A request that is counted between the read and the commit refuses the commit, so no request is forgotten.
 * Errors: 404 `not_found`, 409 `invalid_state` for a key that is revoked or expired.
 */
export function regenerateApiKey({ businessId }: Owner, { id }: { id: number }): Promise<ApiKeyWithValue> {
  return decideAndCommit(async () => {
    const stored = await loadKey(businessId, id);
    const status = statusOf(stored, now());
    if (status !== 'active') throw fail('invalid_state', { message: `An API key that is ${status} has no new value.` });
    const counted = await countedKey(stored.hash);
    // Another regeneration came between the two reads.
    if (!counted) return 'stale';
    const { value, hash, prefix } = newValue(stored.test);
    return {
      writes: [
        oldItemGone(stored.hash, counted),
        {
          Put: {
            TableName: env.table('keys'),
            Item: { ...counted, ...keys.apiKey(hash) },
            ConditionExpression: 'attribute_not_exists(pk)',
          },
        },
        newHash(businessId, stored, hash, prefix),
      ],
      answer: { ...toApiKey({ ...stored, prefix }, counted), key: value },
    };
  });
}

async function countedKey(hash: string): Promise<CountedKey | undefined> {
  const { Item } = await dynamo().send(
    new GetCommand({ TableName: env.table('keys'), Key: keys.apiKey(hash), ConsistentRead: true }),
  );
  return Item as CountedKey | undefined;
}

/** Every accepted request counts in the window of its day: this one or, by midnight, the next. */
function oldItemGone(hash: string, counted: CountedKey): Write {
  const { day } = windowsAt(now());
  const names = [`d#${day - 1}`, `d#${day}`, `d#${day + 1}`];
  const values = names.map((name, i) => [`:d${i}`, counted[name]] as const).filter(([, value]) => value !== undefined);
  return {
    Delete: {
      TableName: env.table('keys'),
      Key: keys.apiKey(hash),
      ConditionExpression: [
        '#status = :active',
        ...names.map((name, i) => (counted[name] === undefined ? `attribute_not_exists(#d${i})` : `#d${i} = :d${i}`)),
      ].join(' AND '),
      ExpressionAttributeNames: {
        '#status': 'status',
        ...Object.fromEntries(names.map((name, i) => [`#d${i}`, name])),
      },
      ExpressionAttributeValues: { ':active': 'active', ...Object.fromEntries(values) },
    },
  };
}

function newHash(businessId: number, stored: StoredKey, hash: string, prefix: string): Write {
  return {
    Update: {
      TableName: env.table('records'),
      Key: records.key(businessId, stored.id),
      UpdateExpression: 'SET #hash = :hash, #prefix = :prefix',
      ConditionExpression: '#hash = :before AND #status = :active',
      ExpressionAttributeNames: { '#hash': 'hash', '#prefix': 'prefix', '#status': 'status' },
      ExpressionAttributeValues: { ':hash': hash, ':prefix': prefix, ':before': stored.hash, ':active': 'active' },
    },
  };
}
