/** Leases, so that one request waits at a feed, and a few at all feeds of a business: each holds a function meanwhile. */
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

/** Beside these fields: until when (epoch milliseconds) a request waits, by `waits` and the id of its webhook. */
type Feeds = Readonly<Record<string, number>> & { readonly revision: number };

/** What a request takes beside its wait. */
const marginMs = 3_000;
const retryPolicy: RetryPolicy = { attempts: 10, firstPauseMs: 20, longestPauseMs: 200 };

/** Waits while it holds the lease, which runs out by itself should its end not be recorded. 409 `feed_busy`. */
export async function withFeedLease<T>(
  { tenantId, id }: Pick<WebhookItem, 'tenantId' | 'id'>,
  waitSeconds: number,
  wait: () => Promise<T>,
): Promise<T> {
  const key = deliveries.feeds(tenantId);
  const field = `waits${id}`;
  const until = now() + waitSeconds * 1_000 + marginMs;
  if ((await retrying(retryPolicy, () => take(key, field, until))) === RETRY) throw busy(now() + 1_000);
  try {
    return await wait();
  } finally {
    await release(key, field, until);
  }
}

async function take(key: Key, field: string, until: number): Promise<'taken' | typeof RETRY> {
  const before = await getItem<Feeds>('deliveries', key);
  const waiting = Object.entries(before ?? {}).filter(([name]) => name.startsWith('waits'));
  const live = new Map(waiting.filter(([, end]) => end > now()));
  const own = live.get(field);
  if (own !== undefined) throw busy(own);
  if (live.size >= limits.feedWaitersPerBusiness) throw busy(Math.min(...live.values()));
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
    log.warn('The lease of a feed could not be ended', { feed: field, error });
  }
}

function busy(until: number) {
  return fail('feed_busy', { retryAfter: Math.max(1, Math.ceil((until - now()) / 1_000)) });
}
