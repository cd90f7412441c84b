/**
 * Finds deliveries whose message is gone, lost with a queue or stuck in a dead-letter queue, and sends it again.
 *
 * There is no index of open deliveries, because its upkeep would cost every delivery two more writes for the sake of
 * what hardly ever happens. Instead each webhook's log is read once, oldest first. What has not ended by then, a few
 * numbers, stays in the checkpoint and is looked up at each run (`docs/decisions/sweeping-the-log.md`).
 */
import { chunksOf, someAtATime } from '../../chunks.ts';
import { now, randomFraction } from '../../clock.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { batchGet, type ItemRequest } from '../../store/batch-get.ts';
import { getItems, pages } from '../../store/read.ts';
import { set, writeOne } from '../../store/write.ts';
import { deliveries, webhookShards } from '../../table-keys.ts';
import { pastGap } from '../../webhooks/registry/gaps.ts';
import type { Registration } from '../../webhooks/registry/registration.ts';
import { sendDeliveries } from '../model/batch.ts';
import { type DeliveryItem, isOver, recordsBetween } from '../model/delivery-record.ts';
import { Counter } from '../statistics/counter.ts';
import type { CountedRecord } from '../statistics/hours.ts';
import { saveCheckpoint } from './sweep-checkpoint.ts';

/** Beyond what queues take to bring back a message that failed a few times. */
export const revivedAfterMs = 30 * 60_000;
/** A number without a record is waited for: its event is still to be planned. After two days it will not come. */
const patienceMs = 48 * 3_600_000;
const registrationsPerPage = 100;
const together = 10;
/**
 * What a webhook's turn reads at most; the webhooks that are not read to their end get another turn each, while there is
 * time. DynamoDB charges the same for large pages; small ones overshoot less.
 */
const pagesPerTurn = 250;
const recordsPerPage = 100;
/** Open numbers in a checkpoint at most, some 5 KB. Where so many are open, reading on waits for some of them to end. */
const openMax = 300;
/** What a turn takes beside its pages: to look up what was open, a last page, to send and to save the checkpoint. */
const reserveMs = 20_000;

/** Goes through the webhooks of all businesses, from a random shard on, so that none is always the last. */
export async function sweepDeliveries(_schedule: unknown, time: TimeLeft): Promise<void> {
  const all: Swept[] = [];
  const first = Math.floor(randomFraction() * webhookShards);
  const shards = Array.from({ length: webhookShards }, (_, i) => (first + i) % webhookShards);
  const unread: number[] = [];
  await someAtATime(shards, async (shard) => {
    if (time.getRemainingTimeInMillis() < reserveMs) return;
    try {
      all.push(...(await sweepShard(deliveries.webhookShard(shard), time)));
    } catch (error) {
      log.warn('A shard of webhooks cannot be read', { shard, error });
      unread.push(shard);
    }
  });
  let behind = all.filter(isBehind);
  while (behind.length > 0 && time.getRemainingTimeInMillis() >= reserveMs) {
    const next: Swept[] = [];
    await someAtATime(behind, async ({ registration: { pk, sk } }) => {
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
  // The others had their turn. This run says that it is not done.
  if (unread.length > 0) throw new Error(`Shards of webhooks could not be read: ${unread}`);
}

/** How a webhook's turn ended. */
interface Swept {
  readonly registration: Registration;
  readonly revived: number;
  /** When the last record that was read was made, if the turn ended before the log did. */
  readonly readThroughMs?: number | undefined;
}

function isBehind(swept: Swept): swept is Swept & { readonly readThroughMs: number } {
  return swept.readThroughMs !== undefined;
}

async function sweepShard(pk: string, time: TimeLeft): Promise<Swept[]> {
  const all: Swept[] = [];
  const registrations = pages<Registration>('deliveries', {
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
    Limit: registrationsPerPage,
  });
  for await (const { items } of registrations) {
    for (const some of chunksOf(items, together)) {
      if (time.getRemainingTimeInMillis() < reserveMs) {
        log.warn('The time for sweeping is over before its end', { shard: pk });
        return all;
      }
      all.push(...(await Promise.all(some.map((one) => sweepWebhook(one, time)))));
    }
  }
  return all;
}

type Seen = CountedRecord & Pick<DeliveryItem, 'id' | 'attempts' | 'dueAt'> & Partial<Pick<DeliveryItem, 'state'>>;

/** One turn. One webhook's trouble is not another's. */
async function sweepWebhook(registration: Registration, time: TimeLeft): Promise<Swept> {
  try {
    const at = now();
    const counter = new Counter(registration);
    const { sweptThrough, open, unended, brokenOff, readThroughMs } = await look(registration, counter, at, time);
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
    log.error('A webhook could not be swept', { webhookId: registration.id, error });
    return { registration, revived: 0 };
  }
}

/**
 * Whether a delivery that is overdue for so long is sent again, given how long ago that was last done: at half an hour,
 * an hour, two, four and so on, so that a message which always fails does not fill the dead-letter queue with copies.
 */
export function isRevivalDue(overdueForMs: number, revivedMsAgo: number): boolean {
  const turn = (ms: number) => Math.floor(Math.log2(ms / revivedAfterMs));
  const before = overdueForMs - revivedMsAgo;
  return overdueForMs >= revivedAfterMs && (before < revivedAfterMs || turn(before) < turn(overdueForMs));
}

/**
 * Looks up what was open and what waits to be counted, then reads on from where the last run stopped, as far as records
 * are old enough. Where too much is open to go on, they are still counted.
 */
async function look(
  { id, sweptThrough, open: before = {}, gaps }: Registration,
  counter: Counter,
  at: number,
  time: TimeLeft,
) {
  const open = new Map<number, number>();
  const unended: Seen[] = [];
  const turn: Turn = {};
  const brokenOff: number[] = [];
  const see = (number: number, since: number, record: Seen | undefined) => {
    if (record ? hasEnded(record) : at - since > patienceMs) return;
    open.set(number, since);
    if (record) unended.push(record);
  };

  const requestFor = (number: number | string): ItemRequest => ({
    store: 'deliveries',
    key: deliveries.record(id, Number(number)),
  });
  const lookup = await batchGet([...Object.keys(before), ...counter.waiting].map(requestFor));
  for (const [number, since] of Object.entries(before)) see(Number(number), since, lookup<Seen>(requestFor(number)));
  // What is not open any more has ended, or will never come.
  const isGivenUp = (number: number) => number <= sweptThrough && !open.has(number);
  for (const number of counter.waiting) counter.lookAgain(number, lookup<Seen>(requestFor(number)), isGivenUp(number));
  const count = (record: Seen) => counter.see(record, at - Date.parse(record.createdAt) > patienceMs);

  let last = sweptThrough;
  for await (const record of oldEnough(readOn(id, sweptThrough + 1, time, turn), at)) {
    count(record);
    // Numbers below it without a record are as old as it, about.
    for (last = pastGap(last, gaps); last < record.id && open.size < openMax; last = pastGap(last + 1, gaps)) {
      see(last + 1, Date.parse(record.createdAt), last + 1 === record.id ? record : undefined);
    }
    if (last < record.id) break;
    if (record.trigger === 'ping' && record.deliveryStatus === 'pending') brokenOff.push(record.id);
  }
  if (open.size === openMax) {
    log.warn('A webhook has too many open deliveries to read on', { webhookId: id });
    if (!counter.isFull) {
      for await (const record of oldEnough(readOn(id, counter.through + 1, time, turn), at)) count(record);
    }
  }
  return { sweptThrough: last, open, unended, brokenOff, readThroughMs: turn.readThroughMs };
}

async function* oldEnough(records: AsyncGenerator<Seen>, at: number): AsyncGenerator<Seen> {
  for await (const record of records) {
    if (at - Date.parse(record.createdAt) < revivedAfterMs) return;
    yield record;
  }
}

/** Only a delivery's own record has a state; the records of its later attempts tell what is over. */
function hasEnded({ state }: Seen): boolean {
  return state === undefined || isOver(state);
}

interface Turn {
  /** When the last record of its last page was made, if the turn ended before the log did. */
  readThroughMs?: number;
}

/**
 * The records from a number on, until the turn is over, in pages and time, or a page cannot be read: the next turn or run goes
 * on there.
 */
async function* readOn(webhookId: number, first: number, time: TimeLeft, turn: Turn): AsyncGenerator<Seen> {
  if (time.getRemainingTimeInMillis() < reserveMs) return;
  const records = pages<Seen>('deliveries', {
    ...recordsBetween(webhookId, first),
    ProjectionExpression:
      'id, createdAt, #state, attempts, dueAt, #trigger, deliveryStatus, sentAt, errorCode, responseStatusCode, responseTimeMs',
    ExpressionAttributeNames: { '#state': 'state', '#trigger': 'trigger' },
    Limit: recordsPerPage,
  });
  for (let read = 1; read <= pagesPerTurn; read++) {
    const page = await records.next().catch((error: unknown) => {
      log.warn('A log cannot be read on', { webhookId, error });
      return undefined;
    });
    if (!page?.value) return;
    const { items, isLast } = page.value;
    yield* items;
    if (read < pagesPerTurn && time.getRemainingTimeInMillis() >= reserveMs) continue;
    const last = items.at(-1);
    if (!isLast && last) turn.readThroughMs = Date.parse(last.createdAt);
    return;
  }
}

/** A ping is made while its caller waits: one that is still pending was broken off with its function. */
async function endPing(webhookId: number, number: number): Promise<void> {
  const fields = { deliveryStatus: 'failed', errorMessage: 'The ping was broken off on our side.' };
  await writeOne(set('deliveries', deliveries.record(webhookId, number), fields, { deliveryStatus: 'pending' }));
}
