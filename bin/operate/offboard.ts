/**
 * Lists all data of a business by kind, and deletes it. Keys are deleted first, so that no call and no new message of
 * the business begins; requests under way write for up to a minute. Then everything else is deleted, until a full
 * search finds only data that owners who are still signed in cause.
 */

import { setTimeout } from 'node:timers/promises';
import type { Store } from '../../contract/system/needs.ts';
import type { BusinessItem } from '../../core/catalog/items.ts';
import type { StoredKey } from '../../core/keys/stored-key.ts';
import { hashOfAddress } from '../../core/mail/address.ts';
import { inSandbox } from '../../core/mode.ts';
import { deleteEach } from '../../core/store/delete-each.ts';
import type { Key } from '../../core/store/key.ts';
import { getItem, pages, type Query, queryPrefix, scanAll } from '../../core/store/read.ts';
import { deliveries, keys, outboxShards, records, secrets } from '../../core/table-keys.ts';
import { webhooksOfBusiness } from '../../core/webhooks/registry/store.ts';

/** Longer than an attempt, a plan or a recovery can take. */
const settleMs = 95_000;

/** A signed-in person's requests are counted and logged until the token expires, even without a business. */
const kindsOfSignedIn = ['credentials', 'requests'];

interface Place {
  readonly kind: string;
  readonly store: Store;
  readonly keys: () => AsyncIterable<readonly Key[]>;
}

const ofPartition = (kind: string, store: Store, pk: string, rest: Partial<Query> = {}): Place => ({
  kind,
  store,
  async *keys() {
    for await (const { items } of pages<Key>(store, {
      KeyConditionExpression: 'pk = :pk',
      ProjectionExpression: 'pk, sk',
      ConsistentRead: true,
      ...rest,
      ExpressionAttributeValues: { ':pk': pk, ...rest.ExpressionAttributeValues },
    })) {
      yield items;
    }
  },
});

/** Keys with their counters, and the counters of owners: the table key is a hash, so the whole table is read. */
const credentials = (tenantId: number): Place => ({
  kind: 'credentials',
  store: 'keys',
  async *keys() {
    const found = scanAll<Key>('keys', {
      FilterExpression: 'tenantId = :tenantId OR begins_with(pk, :owner)',
      ExpressionAttributeValues: { ':tenantId': tenantId, ':owner': keys.owner(tenantId, '').pk },
    });
    const all: Key[] = [];
    for await (const key of found) all.push(key);
    yield all;
  },
});

/** The hashes of the addresses to which notices of the business are sent now. */
async function noticeAddresses(tenantId: number): Promise<readonly string[]> {
  const [business, apiKeys] = await Promise.all([
    getItem<BusinessItem>('records', records.business(tenantId)),
    queryPrefix<StoredKey>('records', records.tenant(tenantId), records.keyPrefix),
  ]);
  const addresses = [business?.noticeEmail, ...apiKeys.map(({ contactEmail }) => contactEmail)];
  return [...new Set(addresses.flatMap((address) => (address ? hashOfAddress(address) : [])))];
}

/** The partitions in the order of deletion: a business leads to its notices, and a webhook to its log. */
async function placesOf(tenantId: number): Promise<readonly Place[]> {
  const webhooks = await webhooksOfBusiness(tenantId);
  const addresses = await noticeAddresses(tenantId);
  /** Other businesses have items in the same partition. */
  const own = { FilterExpression: 'tenantId = :tenantId', ExpressionAttributeValues: { ':tenantId': tenantId } };
  return [
    ...Array.from({ length: outboxShards }, (_, shard) =>
      ofPartition('waiting events', 'records', records.outboxShard(shard), own),
    ),
    ...addresses.map((address) => ofPartition('notices', 'records', records.noticesAt(address), own)),
    ...records.partitionsOf(tenantId).map((pk) => ofPartition(kindOf(pk), 'records', pk)),
    ...webhooks.flatMap(({ id, shard }) => [
      ofPartition('deliveries', 'deliveries', deliveries.log(id)),
      ofPartition('webhook statistics', 'deliveries', deliveries.segment(id, 0).pk),
      ofPartition('signing secrets', 'secrets', secrets.signing(id).pk),
      ofPartition('webhooks', 'deliveries', deliveries.webhookShard(shard), {
        KeyConditionExpression: 'pk = :pk AND sk = :sk',
        ExpressionAttributeValues: { ':sk': deliveries.registration({ id, shard }).sk },
      }),
    ]),
    ofPartition('webhooks', 'deliveries', deliveries.tenant(tenantId)),
  ];
}

/** Returns `reviews` for `T#7#REVIEWS`. */
function kindOf(pk: string): string {
  const [, , ...names] = pk.split('#');
  return names.join(' ').toLowerCase() || 'business';
}

type Counts = Record<string, number>;

/** Reads partitions and passes on the keys of each page. */
async function each(
  places: readonly Place[],
  found: (store: Store, page: readonly Key[]) => Promise<unknown>,
): Promise<Counts> {
  const counts: Counts = {};
  for (const place of places) {
    for await (const page of place.keys()) {
      if (page.length > 0) counts[place.kind] = (counts[place.kind] ?? 0) + page.length;
      await found(place.store, page);
    }
  }
  return counts;
}

const sidesOf = (businessId: number) => [businessId, inSandbox(businessId)];

async function allPlaces(businessId: number): Promise<readonly Place[]> {
  const sides = sidesOf(businessId);
  return [...sides.map(credentials), ...(await Promise.all(sides.map(placesOf))).flat()];
}

/** Counts the items of each kind in the business and its sandbox. */
export async function inventory(businessId: number): Promise<Counts> {
  return each(await allPlaces(businessId), async () => undefined);
}

/** Deletes all items, and returns the count of each kind. */
export async function offboard(businessId: number, pause = () => setTimeout(settleMs)): Promise<Counts> {
  const gone = await each(sidesOf(businessId).map(credentials), deleteEach);
  await pause();
  for (;;) {
    const found = await each(await allPlaces(businessId), deleteEach);
    for (const [kind, count] of Object.entries(found)) gone[kind] = (gone[kind] ?? 0) + count;
    if (Object.keys(found).every((kind) => kindsOfSignedIn.includes(kind))) return gone;
  }
}
