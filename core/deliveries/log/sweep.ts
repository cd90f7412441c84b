/**
 * Finds deliveries whose queue message was lost or is in a dead-letter queue, and sends the message again.
 *
 * There is no index of unfinished deliveries, because every delivery would pay two more writes for a rare case.
 * Instead, the function `sweep-deliveries` reads the log of each webhook once, oldest first. The numbers of the few
 * deliveries that are not finished by then are stored in the checkpoint and looked up in each run
 * (`docs/decisions/sweeping-the-log.md`).
 */
import { chunksOf, forEachConcurrently } from '../../chunks.ts';
import { hourMs, now, randomFraction } from '../../clock.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { batchGet, type ItemRequest } from '../../store/batch-get.ts';
import { getItems, inPartition, pages } from '../../store/read.ts';
import { set, writeOne } from '../../store/write.ts';
import { deliveries, webhookShards } from '../../table-keys.ts';
import { pastGap } from '../../webhooks/registry/gaps.ts';
import { afterReset, type Registration } from '../../webhooks/registry/registration.ts';
import { sendDeliveries } from '../model/batch.ts';
import { type DeliveryItem, isOver, recordsBetween } from '../model/delivery-record.ts';
import { Counter } from '../statistics/counter.ts';
import type { CountedRecord } from '../statistics/hours.ts';
import { saveCheckpoint } from './sweep-checkpoint.ts';

/** Longer than a queue needs to redeliver a message that failed a few times. */
export const revivedAfterMs = 30 * 60_000;
/** A number without a record is looked up for two days, because its event may still be planned. */
const waitForMissingMs = 48 * hourMs;
const registrationsPerPage = 100;
const together = 10;
/**
 * How many records of a webhook are read in one round; webhooks with more records get further rounds while there is
 * time. DynamoDB charges the same for large pages; small pages exceed the time less.
 */
const pagesPerRound = 250;
const recordsPerPage = 100;
/**
 * The maximum of numbers in `open`, about 5 KB. When a checkpoint has so many, it does not move on until some deliveries
 * are finished; newer records are only counted.
 */
const openMax = 300;
/**
 * Time that a round needs beside its pages: for the lookup of open numbers, a last page, sending, and writing the
 * checkpoint.
 */
const reserveMs = 20_000;

/** Goes through the webhooks of all businesses, beginning with a random shard, so that no shard is always the last. */
export async function sweepDeliveries(_schedule: unknown, time: TimeLeft): Promise<void> {
  const all: Swept[] = [];
  const first = Math.floor(randomFraction() * webhookShards);
  const shards = Array.from({ length: webhookShards }, (_, i) => (first + i) % webhookShards);
  const unread: number[] = [];
  await forEachConcurrently(shards, async (shard) => {
    if (time.getRemainingTimeInMillis() < reserveMs) return;
    try {
      all.push(...(await sweepShard(deliveries.webhookShard(shard), time)));
    } catch (error) {
      log.warn('A shard of the webhook list cannot be read', { shard, error });
      unread.push(shard);
    }
  });
  let behind = all.filter(isBehind);
  while (behind.length > 0 && time.getRemainingTimeInMillis() >= reserveMs) {
    const next: Swept[] = [];
    await forEachConcurrently(behind, async ({ registration: { pk, sk } }) => {
      const [registration] = await getItems<Registration>('deliveries', [{ pk, sk }]);
      if (registration) next.push(await sweepWebhook(registration, time));
    });
    all.push(...next);
    behind = next.filter(isBehind);
  }
  const revived = all.reduce((sum, one) => sum + one.revived, 0);
  const lagMs = Math.max(0, ...behind.map(({ readThroughMs }) => now() - readThroughMs - revivedAfterMs));
  emit({ Count: { DeliveriesOverdue: revived }, Seconds: { SweepLag: Math.round(lagMs / 1_000) } });
  if (revived > 0) log.warn('Sent messages again for overdue deliveries', { revived });
  // The webhooks of all other shards were swept. The run reports that it is not finished.
  if (unread.length > 0) throw new Error(`Shards of webhooks could not be read: ${unread}`);
}

/** The result of a round of one webhook. */
interface Swept {
  readonly registration: Registration;
  readonly revived: number;
  /** The creation time of the last record that was read, if the round ended before the end of the log. */
  readonly readThroughMs?: number | undefined;
}

function isBehind(swept: Swept): swept is Swept & { readonly readThroughMs: number } {
  return swept.readThroughMs !== undefined;
}

async function sweepShard(pk: string, time: TimeLeft): Promise<Swept[]> {
  const all: Swept[] = [];
  const registrations = pages<Registration>('deliveries', { ...inPartition(pk), Limit: registrationsPerPage });
  for await (const { items } of registrations) {
    for (const some of chunksOf(items, together)) {
      if (time.getRemainingTimeInMillis() < reserveMs) {
        log.warn('The search for lost messages ran out of time before it had read all webhooks', { shard: pk });
        return all;
      }
      all.push(...(await Promise.all(some.map((one) => sweepWebhook(one, time)))));
    }
  }
  return all;
}

type Seen = CountedRecord & Pick<DeliveryItem, 'id' | 'attempts' | 'dueAt'> & Partial<Pick<DeliveryItem, 'state'>>;

/** One round. An error of one webhook does not affect the others. */
async function sweepWebhook(stored: Registration, time: TimeLeft): Promise<Swept> {
  const registration = afterReset(stored);
  try {
    const at = now();
    const counter = new Counter(registration);
    const { sweptThrough, open, unended, brokenOff, readThroughMs } = await findUnfinished(
      registration,
      counter,
      at,
      time,
    );
    await Promise.all(brokenOff.map((number) => endPing(registration.id, number)));
    const due = unended.filter(({ id, dueAt }) => isRevivalDue(at - dueAt, at - (open.get(id) ?? 0)));
    const { tenantId, keyId, id } = registration;
    const sent = await sendDeliveries(
      'retries',
      due.map(({ id: number, attempts, dueAt }) => ({
        ref: { tenantId, keyId, webhookId: id, number, attempt: attempts + 1, dueAt },
        delaySeconds: 0,
      })),
    );
    for (const { ref } of sent) open.set(ref.number, at);
    await saveCheckpoint(registration, { sweptThrough, open: Object.fromEntries(open) }, counter, at);
    return { registration, revived: sent.size, readThroughMs };
  } catch (error) {
    log.error('The search for lost messages could not handle the deliveries of a webhook', {
      webhookId: registration.id,
      error,
    });
    return { registration, revived: 0 };
  }
}

/**
 * Whether to send the message of an overdue delivery again: after half an hour, an hour, two, four and so on. The
 * intervals grow, so that a message that always fails does not fill the dead-letter queue.
 */
export function isRevivalDue(overdueForMs: number, revivedMsAgo: number): boolean {
  const doublings = (ms: number) => Math.floor(Math.log2(ms / revivedAfterMs));
  const before = overdueForMs - revivedMsAgo;
  return overdueForMs >= revivedAfterMs && (before < revivedAfterMs || doublings(before) < doublings(overdueForMs));
}

/**
 * Looks up the deliveries that are open or not counted yet. Then reads new records, from the checkpoint until records
 * are too recent. If `open` is full, records are only counted.
 */
async function findUnfinished(
  { id, sweptThrough, open: before = {}, gaps }: Registration,
  counter: Counter,
  at: number,
  time: TimeLeft,
) {
  const open = new Map<number, number>();
  const unended: Seen[] = [];
  const round: Round = {};
  const brokenOff: number[] = [];
  const keepIfUnfinished = (number: number, since: number, record: Seen | undefined) => {
    if (record ? hasEnded(record) : at - since > waitForMissingMs) return;
    open.set(number, since);
    if (record) unended.push(record);
  };

  const requestFor = (number: number | string): ItemRequest => ({
    store: 'deliveries',
    key: deliveries.record(id, Number(number)),
  });
  const lookup = await batchGet([...Object.keys(before), ...counter.waiting].map(requestFor));
  for (const [number, since] of Object.entries(before))
    keepIfUnfinished(Number(number), since, lookup<Seen>(requestFor(number)));
  // Deliveries that are not open any more are finished, or were never written.
  const isGivenUp = (number: number) => number <= sweptThrough && !open.has(number);
  for (const number of counter.waiting) counter.lookAgain(number, lookup<Seen>(requestFor(number)), isGivenUp(number));
  const count = (record: Seen) => counter.see(record, at - Date.parse(record.createdAt) > waitForMissingMs);

  let last = sweptThrough;
  for await (const record of oldEnough(readOn(id, sweptThrough + 1, time, round), at)) {
    count(record);
    // Lower numbers without a record are about as old as this record.
    for (last = pastGap(last, gaps); last < record.id && open.size < openMax; last = pastGap(last + 1, gaps)) {
      keepIfUnfinished(last + 1, Date.parse(record.createdAt), last + 1 === record.id ? record : undefined);
    }
    if (last < record.id) break;
    if (record.trigger === 'ping' && record.deliveryStatus === 'pending') brokenOff.push(record.id);
  }
  if (open.size === openMax) {
    log.warn('A webhook has too many unfinished deliveries for the search for lost messages', { webhookId: id });
    if (!counter.isFull) {
      for await (const record of oldEnough(readOn(id, counter.through + 1, time, round), at)) count(record);
    }
  }
  return { sweptThrough: last, open, unended, brokenOff, readThroughMs: round.readThroughMs };
}

async function* oldEnough(records: AsyncGenerator<Seen>, at: number): AsyncGenerator<Seen> {
  for await (const record of records) {
    if (at - Date.parse(record.createdAt) < revivedAfterMs) return;
    yield record;
  }
}

/** Only the first record of a delivery, or of a redelivery, has a state; records of later attempts have none. */
function hasEnded({ state }: Seen): boolean {
  return state === undefined || isOver(state);
}

interface Round {
  /** The creation time of the last record of the last page, if the round ended before the end of the log. */
  readThroughMs?: number;
}

/**
 * The records from a number on, until the round has used up its pages or time, or a page cannot be read; the next round
 * or run continues there.
 */
async function* readOn(webhookId: number, first: number, time: TimeLeft, round: Round): AsyncGenerator<Seen> {
  if (time.getRemainingTimeInMillis() < reserveMs) return;
  const records = pages<Seen>('deliveries', {
    ...recordsBetween(webhookId, first),
    ProjectionExpression:
      'id, createdAt, #state, attempts, dueAt, #trigger, deliveryStatus, sentAt, errorCode, responseStatusCode, responseTimeMs',
    ExpressionAttributeNames: { '#state': 'state', '#trigger': 'trigger' },
    Limit: recordsPerPage,
  });
  for (let read = 1; read <= pagesPerRound; read++) {
    const page = await records.next().catch((error: unknown) => {
      log.warn('The deliveries of a webhook cannot be read any further', { webhookId, error });
      return undefined;
    });
    if (!page?.value) return;
    const { items, isLast } = page.value;
    yield* items;
    if (read < pagesPerRound && time.getRemainingTimeInMillis() >= reserveMs) continue;
    const last = items.at(-1);
    if (!isLast && last) round.readThroughMs = Date.parse(last.createdAt);
    return;
  }
}

/** A ping is made while its caller waits: if it is still pending, its function was interrupted. */
async function endPing(webhookId: number, number: number): Promise<void> {
  const fields = { deliveryStatus: 'failed', errorMessage: 'The ping was interrupted by a fault on our side.' };
  await writeOne(set('deliveries', deliveries.record(webhookId, number), fields, { deliveryStatus: 'pending' }));
}
