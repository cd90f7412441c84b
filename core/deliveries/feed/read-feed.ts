/** `GET /webhooks/:id/feed` (docs/rules.md#feed): reads the log of a webhook in the order of its numbers. */
import type * as z from 'zod/mini';
import type { FeedPage } from '../../../contract/integration/resources.ts';
import type { readFeed as row } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import { now, sleep, timestamp } from '../../clock.ts';
import { decompressText } from '../../compressed-text.ts';
import { fail, invalid } from '../../errors.ts';
import { hasScopesOfMessage } from '../../keys/event-access.ts';
import { log } from '../../log.ts';
import type { KeyActor, Principal } from '../../principal.ts';
import { batchGet, type ItemRequest, onlyFields } from '../../store/batch-get.ts';
import { absentOr, below } from '../../store/expected.ts';
import { type QueryPage, queryPage } from '../../store/read.ts';
import { set, writeOne } from '../../store/write.ts';
import { records } from '../../table-keys.ts';
import { findSecret, signingOf } from '../../webhooks/registry/signing-secret.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import { oldestKept } from '../log/list.ts';
import { firstNumber } from '../log/number-range.ts';
import { type DeliveryItem, recordsBetween } from '../model/delivery-record.ts';
import { withLease } from '../model/lease.ts';

type Entry = Pick<DeliveryItem, 'id' | 'event' | 'deliveryId' | 'body' | 'expiresAtSeconds' | 'trigger'>;

interface Found {
  /** Messages with consecutive numbers after `after`. */
  readonly entries: readonly Entry[];
  readonly hasMore: boolean;
}

/**
 * The messages after a number, signed now, so that their signatures are valid even if they are read late. A response
 * ends before a number whose record is still to be written, and never skips a missing one. Errors: 404 `not_found`; 409
 * `invalid_state` for a webhook that is pushed; 400 `validation_failed` for a number that does not exist yet; 409
 * `feed_busy`; 410 `feed_expired`.
 */
export async function readFeed(
  principal: Principal<KeyActor>,
  { id }: { id: number },
  { after = 0, limit = limits.pageSizeMax, wait = 0 }: z.output<(typeof row)['query']>,
): Promise<FeedPage> {
  const webhook = await loadWebhook(principal, id);
  const { lastNumber, delivery } = webhook;
  if (delivery !== 'poll')
    throw fail('invalid_state', 'The webhook has no feed: its messages are sent to its targetUrl.');
  if (after > lastNumber) throw invalid('after', `must be at most ${lastNumber}`);
  const [found, oldest] = await Promise.all([
    readEntries(webhook, after, limit),
    oldestKept(id, lastNumber),
    noteProgress(webhook, after),
  ]);
  const waits = found.entries.length === 0 && wait > 0;
  const { entries, hasMore } = waits
    ? await withLease('feed', webhook, wait * 1_000, () => nextOf(id, after, limit, wait))
    : found;
  const readable = entries.filter((one) => one.trigger === 'ping' || hasScopesOfMessage(principal.actor, one));
  return {
    data: readable.length > 0 ? await signed(webhook, readable) : [],
    next: entries.at(-1)?.id ?? after,
    hasMore,
    oldest,
    withheld: entries.length - readable.length,
  };
}

/** Queries until there is a message or the time is up. */
async function nextOf(webhookId: number, after: number, limit: number, wait: number): Promise<Found> {
  const until = now() + wait * 1_000;
  for (;;) {
    // An eventually consistent query costs half; a record that it misses is found by the next query.
    const found = beforeGap(await readOn(webhookId, after, limit), after, limit);
    if (found.entries.length > 0 || now() + limits.feedLookMs > until) return found;
    await sleep(limits.feedLookMs);
  }
}

/** The messages after `after`; none if the next record is still to be written. 410 `feed_expired` if it is missing. */
async function readEntries(webhook: WebhookItem, after: number, limit: number): Promise<Found> {
  const { id, lastNumber } = webhook;
  if (after === lastNumber) return { entries: [], hasMore: false };
  const readPage = async () => {
    const page = await readOn(id, after, limit, lastNumber);
    const [oldestOfPage] = page.items.filter(isKept);
    // If all records of the page have expired, the next record that is kept is searched for.
    const oldestNumber =
      oldestOfPage?.id ?? (page.items.length > 0 ? await firstNumber(id, lastNumber, isKept, after) : undefined);
    return { found: beforeGap(page, after, limit), end: oldestNumber ?? lastNumber + 1 };
  };
  const { found, end } = await readPage();
  if (found.entries.length > 0 || (await isStillPlanned(webhook, after, end))) return found;
  // The record was written between the two reads, or it is missing.
  const again = await readPage();
  if (again.found.entries.length > 0) return again.found;
  throw fail('feed_expired', { details: { oldest: await firstNumber(id, lastNumber, isKept, after) } });
}

/** Reads one more record than requested, to find out whether there are more. */
function readOn(webhookId: number, after: number, limit: number, last?: number): Promise<QueryPage<Entry>> {
  return queryPage<Entry>('deliveries', {
    ...recordsBetween(webhookId, after + 1, last),
    ...onlyFields(['id', 'event', 'deliveryId', 'body', 'expiresAtSeconds', 'trigger']),
    Limit: limit + 1,
    ConsistentRead: last !== undefined,
  });
}

/** DynamoDB deletes expired records only some days later. */
function isKept({ expiresAtSeconds }: Pick<Entry, 'expiresAtSeconds'>): boolean {
  return expiresAtSeconds > now() / 1_000;
}

/** The records before the first missing number. A page of 1 MB ends early: then there are more, too. */
function beforeGap({ items, isLast }: QueryPage<Entry>, after: number, limit: number): Found {
  const rows = items.filter(isKept);
  const broken = rows.findIndex(({ id }, i) => id !== after + 1 + i);
  const entries = (broken < 0 ? rows : rows.slice(0, broken)).slice(0, limit);
  const isCut = entries.length > 0 && !isLast;
  return { entries, hasMore: broken < 0 && (isCut || entries.length < rows.length) };
}

/**
 * Whether a number in the range has no record yet: then the webhook has a claim for it, and the event of the claim is
 * still in the outbox. An event leaves the outbox after its records are written, and its claim is deleted even later.
 */
async function isStillPlanned({ claims = {} }: WebhookItem, after: number, end: number): Promise<boolean> {
  const missing = Object.entries(claims)
    .filter(([, [number]]) => number > after && number < end)
    .map(([eventId, [, , shard]]): ItemRequest => {
      return { store: 'records', key: records.outbox({ id: Number(eventId), shard }) };
    });
  if (missing.length === 0) return false;
  const lookup = await batchGet(missing);
  return missing.some((one) => lookup(one) !== undefined);
}

async function signed(webhook: WebhookItem, entries: readonly Entry[]): Promise<FeedPage['data']> {
  const secret = await findSecret(webhook.id);
  // 404 if the webhook was deleted concurrently.
  if (!secret) throw fail('not_found');
  const signing = signingOf(webhook, secret, now());
  return entries.map(({ id: number, event, deliveryId, body: packed }) => {
    const body = decompressText(packed);
    return { number, headers: signedHeaders({ ...signing, event, deliveryId, body }), body };
  });
}

/**
 * Stores the highest `after`: the reader has handled all messages up to it. Never rejects, because the next request
 * stores it again.
 */
async function noteProgress(webhook: WebhookItem, after: number): Promise<void> {
  if (after <= (webhook.readThrough ?? 0)) return;
  const fields = { readThrough: after, readAt: timestamp(now()) };
  try {
    await writeOne(set('deliveries', webhook, fields, { readThrough: absentOr(below(after)) }));
  } catch (error) {
    log.warn('The position of a feed reader could not be stored', { webhookId: webhook.id, error });
  }
}
