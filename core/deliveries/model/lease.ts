/**
 * Leases limit how many requests wait at the same time: one for the feed of a webhook, one for its pings, and a few for
 * a business. Each waiting request occupies a function. All waiting feed requests also share a limit, so that functions
 * are left for requests that do not wait. Recoveries of one webhook run one after the other (docs/rules.md#recovery):
 * each sends up to thousands of messages to one receiver.
 */

import type { ErrorCode } from '../../../contract/errors.ts';
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { ApiError, fail } from '../../errors.ts';
import { log } from '../../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../../retrying.ts';
import { isNew } from '../../store/expected.ts';
import type { Key } from '../../store/key.ts';
import { getItem } from '../../store/read.ts';
import { transact } from '../../store/transact.ts';
import { REMOVE, set, type Update, writeOne } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import { assertTimeLeft } from '../../time-left.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';

/**
 * The items that contain leases, and how many of each can be held at once. If a lease may be in one of several items,
 * one item with a free lease is enough.
 */
interface Pool {
  readonly keys: readonly Key[];
  readonly most: number;
}

type Owner = Pick<WebhookItem, 'tenantId' | 'id'>;

const kinds = {
  feed: {
    code: 'feed_busy',
    pools: ({ tenantId, id }) => [
      { keys: [deliveries.feeds(tenantId)], most: limits.feedWaitersPerBusiness },
      {
        keys: Array.from({ length: roomsToTry }, (_, i) => deliveries.waitingRoom((id + i) % roomCount)),
        most: limits.feedWaiters / roomCount,
      },
    ],
  },
  ping: {
    code: 'ping_in_progress',
    pools: ({ tenantId }) => [{ keys: [deliveries.pings(tenantId)], most: limits.pingsPerBusiness }],
  },
  recovery: {
    code: 'recovery_in_progress',
    pools: ({ tenantId, id }) => [{ keys: [deliveries.recovery(tenantId, id)], most: 1 }],
  },
} as const satisfies Record<string, { readonly code: ErrorCode; pools(of: Owner): readonly Pool[] }>;

/** Several items contain the leases of all businesses, because a single item could not be written often enough. */
const roomCount = 8;
/** The second and the third item are tried when the earlier ones are full. */
const roomsToTry = 3;

/**
 * The item also has a field for each waiting request, named after its webhook: until when it waits, in epoch
 * milliseconds.
 */
type Leases = Readonly<Record<string, number>> & { readonly revision: number };

/** The additional time of a request beside its wait. */
const marginMs = 3_000;
const retryPolicy: RetryPolicy = { attempts: 10, firstPauseMs: 20, longestPauseMs: 200 };

/**
 * Runs a request while it holds its leases, which expire even if their end is not recorded. With `pauseMs` they end that
 * long after the response, or at once if the request was refused. 409 if no lease is free.
 */
export async function withLease<T>(
  kind: keyof typeof kinds,
  webhook: Owner,
  waitMs: number,
  wait: () => Promise<T>,
  pauseMs = 0,
): Promise<T> {
  const { code, pools } = kinds[kind];
  const field = `waits${webhook.id}`;
  const until = now() + waitMs + pauseMs + marginMs;
  const leased = await retrying(retryPolicy, () => take(pools(webhook), field, until));
  if (leased === RETRY) assertTimeLeft();
  if (typeof leased !== 'object') {
    // After conflicts in all attempts, other requests are taking leases.
    const freeAt = leased === RETRY ? now() : leased;
    throw fail(code, { retryAfter: Math.max(1, Math.ceil((freeAt - now()) / 1_000)) });
  }
  let pause = pauseMs;
  try {
    return await wait();
  } catch (error) {
    if (error instanceof ApiError && error.status < 500) pause = 0;
    throw error;
  } finally {
    const end = pause > 0 ? now() + pause : REMOVE;
    await Promise.all(leased.map((key) => release(key, field, until, end)));
  }
}

/** Takes a lease of each pool. If one pool is full, takes none and returns when a lease of that pool ends. */
async function take(pools: readonly Pool[], field: string, until: number): Promise<Key[] | number | typeof RETRY> {
  const rooms = await Promise.all(
    pools.map(async ({ keys, most }) => {
      const all = await Promise.all(keys.map(roomAt));
      return { all, free: all.find(({ live }) => live.size < most && !live.has(field)) };
    }),
  );
  const full = rooms.find(({ free }) => !free);
  if (full) return Math.min(...full.all.flatMap(({ live }) => live.get(field) ?? [...live.values()]));
  const free = rooms.flatMap((room) => room.free ?? []);
  const end = await transact(free.map((room) => leaseUpdate(room, field, until)));
  return end === 'committed' ? free.map(({ key }) => key) : RETRY;
}

interface Room {
  readonly key: Key;
  readonly before: Leases | undefined;
  readonly live: ReadonlyMap<string, number>;
}

async function roomAt(key: Key): Promise<Room> {
  const before = await getItem<Leases>('deliveries', key);
  const live = Object.entries(before ?? {}).filter(([name, end]) => name.startsWith('waits') && end > now());
  return { key, before, live: new Map(live) };
}

/** The write also removes expired leases. */
function leaseUpdate({ key, before, live }: Room, field: string, until: number): Update {
  const over = Object.keys(before ?? {}).filter((name) => name.startsWith('waits') && !live.has(name));
  const fields = {
    ...Object.fromEntries(over.map((name) => [name, REMOVE])),
    [field]: until,
    revision: (before?.revision ?? 0) + 1,
    expiresAtSeconds: Math.ceil(until / 1_000) + 86_400,
  };
  return set('deliveries', key, fields, before ? { revision: before.revision } : isNew);
}

/** Never rejects, because the response is already decided. */
async function release(key: Key, field: string, until: number, end: number | typeof REMOVE): Promise<void> {
  try {
    await writeOne(set('deliveries', key, { [field]: end }, { [field]: until }));
  } catch (error) {
    log.warn('A lease could not be ended', { lease: field, error });
  }
}
