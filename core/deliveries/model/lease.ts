/**
 * Leases, so that one request waits at a feed or for a ping, and a few for all webhooks of a business: each holds a function
 * meanwhile.
 */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { fail } from '../../errors.ts';
import { log } from '../../log.ts';
import { RETRY, type RetryPolicy, retrying } from '../../retrying.ts';
import { isNew } from '../../store/expected.ts';
import type { Key } from '../../store/key.ts';
import { getItem } from '../../store/read.ts';
import { REMOVE, set, writeOne } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';

const kinds = {
  feed: { key: deliveries.feeds, code: 'feed_busy', perBusiness: limits.feedWaitersPerBusiness },
  ping: { key: deliveries.pings, code: 'ping_in_progress', perBusiness: limits.pingsPerBusiness },
} as const;
type Kind = keyof typeof kinds;

/** Beside these fields: until when (epoch milliseconds) a request waits, by `waits` and the id of its webhook. */
type Leases = Readonly<Record<string, number>> & { readonly revision: number };

/** What a request takes beside its wait. */
const marginMs = 3_000;
const retryPolicy: RetryPolicy = { attempts: 10, firstPauseMs: 20, longestPauseMs: 200 };

/** Waits while it holds the lease, which runs out by itself should its end not be recorded. 409 of its kind. */
export async function withLease<T>(
  kind: Kind,
  { tenantId, id }: Pick<WebhookItem, 'tenantId' | 'id'>,
  waitMs: number,
  wait: () => Promise<T>,
): Promise<T> {
  const key = kinds[kind].key(tenantId);
  const field = `waits${id}`;
  const until = now() + waitMs + marginMs;
  if ((await retrying(retryPolicy, () => take(kind, key, field, until))) === RETRY) throw busy(kind, now() + 1_000);
  try {
    return await wait();
  } finally {
    await release(key, field, until);
  }
}

async function take(kind: Kind, key: Key, field: string, until: number): Promise<'taken' | typeof RETRY> {
  const before = await getItem<Leases>('deliveries', key);
  const waiting = Object.entries(before ?? {}).filter(([name]) => name.startsWith('waits'));
  const live = new Map(waiting.filter(([, end]) => end > now()));
  const own = live.get(field);
  if (own !== undefined) throw busy(kind, own);
  if (live.size >= kinds[kind].perBusiness) throw busy(kind, Math.min(...live.values()));
  const over = Object.fromEntries(waiting.filter(([name]) => !live.has(name)).map(([name]) => [name, REMOVE]));
  const fields = {
    ...over,
    [field]: until,
    revision: (before?.revision ?? 0) + 1,
    expiresAtSeconds: Math.ceil(until / 1_000) + 86_400,
  };
  const expected = before ? { revision: before.revision } : isNew;
  return (await writeOne(set('deliveries', key, fields, expected))) ? 'taken' : RETRY;
}

/** Never rejects: the request is answered. */
async function release(key: Key, field: string, until: number): Promise<void> {
  try {
    await writeOne(set('deliveries', key, { [field]: REMOVE }, { [field]: until }));
  } catch (error) {
    log.warn('The lease of a request that waited could not be ended', { lease: field, error });
  }
}

function busy(kind: Kind, until: number) {
  return fail(kinds[kind].code, { retryAfter: Math.max(1, Math.ceil((until - now()) / 1_000)) });
}
