/** From an event to its deliveries: the consumer of the queue `events` (section 6.2.1, design §1). */
import * as z from 'zod/mini';
import { now, randomFraction, sleep } from '../clock.ts';
import type { OutboxItem } from '../events/event.ts';
import { closeOutbox } from '../events/outbox.ts';
import { isLive, type KeyRecord } from '../keys/key-record.ts';
import { log } from '../log.ts';
import { batchGet, type Wanted } from '../records/batch-get.ts';
import { transact } from '../records/transact.ts';
import { records } from '../table-keys.ts';
import { webhooksOfBusiness } from '../webhooks/store.ts';
import { type WebhookItem, wants } from '../webhooks/webhook.ts';
import { sendMessages } from './messages.ts';
import { type PlanTransaction, planTransactions } from './planning.ts';

/** Of what the bus delivers only the event's id is used: the outbox holds the event, and its state. */
const envelope = z.object({ detail: z.object({ id: z.int().check(z.positive()) }) });

/** The id of the event in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): number {
  return z.parse(envelope, JSON.parse(body)).detail.id;
}

const rounds = 8;
const firstPauseMs = 20;

/**
 * One promise an event, in order. Events not planned yet are planned, and all of a batch in one transaction if nobody
 * is in the way; then the messages of every planned event are sent, and only then it leaves the outbox. An event seen
 * again is taken up where it was left: deduplicating before the messages are sent would lose deliveries for good.
 */
export function plan(eventIds: readonly number[]): readonly Promise<void>[] {
  const done = planAll([...new Set(eventIds)].sort((a, b) => a - b));
  return eventIds.map(async (id) => {
    const failure = (await done).get(id);
    if (failure) throw failure;
  });
}

/** What went wrong, by event. */
type Failures = Map<number, Error>;

async function planAll(eventIds: readonly number[]): Promise<Failures> {
  const failures: Failures = new Map();
  const items = await read(eventIds);
  const ready = items.filter(({ allPlanned }) => allPlanned);
  const unplanned = items.filter(({ allPlanned }) => !allPlanned);
  if (unplanned.length > 0) ready.push(...(await planTogether(unplanned, failures)));
  const sent = await announce(ready, failures);
  await closeOutbox(sent, failures);
  return failures;
}

/** The items of the events that are not finished. */
async function read(eventIds: readonly number[]): Promise<OutboxItem[]> {
  const lookup = await batchGet(eventIds.map(wanted));
  return eventIds.flatMap((id) => lookup<OutboxItem>(wanted(id)) ?? []);
}

function wanted(eventId: number): Wanted {
  return { store: 'records', key: records.outbox(eventId) };
}

/** Plans all events at once; those that somebody was in the way of, then each on its own. Returns what is planned. */
async function planTogether(items: readonly OutboxItem[], failures: Failures): Promise<readonly OutboxItem[]> {
  const webhooksOf = await subscribers(items);
  const planned = await commitInOrder(planTransactions(items, webhooksOf, now()), items);
  const rest = items.filter(({ id }) => !planned.some((item) => item.id === id));
  const alone = await Promise.all(
    [...Map.groupBy(rest, ({ businessId }) => businessId).values()].map((some) => planEach(some, failures)),
  );
  return [...planned, ...alone.flat()];
}

/** The events of one business, one after the other, so that they do not contend with each other. */
async function planEach(items: readonly OutboxItem[], failures: Failures): Promise<readonly OutboxItem[]> {
  const planned: OutboxItem[] = [];
  for (const { id } of items) {
    try {
      planned.push(...(await planAlone(id)));
    } catch (error) {
      failures.set(id, error instanceof Error ? error : new Error(String(error)));
    }
  }
  return planned;
}

/** Reads again and plans again until it holds. Nothing when somebody else has finished the event. */
async function planAlone(id: number): Promise<readonly OutboxItem[]> {
  for (let round = 1; round <= rounds; round++) {
    await sleep(randomFraction() * firstPauseMs * 2 ** round);
    const items = await read([id]);
    if (items.every(({ allPlanned }) => allPlanned)) return items;
    const transactions = planTransactions(items, await subscribers(items), now());
    const planned = await commitInOrder(transactions, items, round === rounds);
    if (planned.length > 0) return planned;
  }
  throw new Error(`Event ${id} could not be planned in ${rounds} rounds`);
}

/**
 * Commits as many transactions as hold and returns the events that need no more planning: those planned in full, and
 * those without a webhook to be planned for.
 */
async function commitInOrder(
  transactions: readonly PlanTransaction[],
  items: readonly OutboxItem[],
  rethrow = false,
): Promise<readonly OutboxItem[]> {
  const planned = items.filter(({ id }) => !transactions.some(({ after }) => after.some((item) => item.id === id)));
  for (const { writes, after } of transactions) {
    try {
      if ((await transact(writes)) !== 'committed') break;
    } catch (error) {
      if (rethrow) throw error;
      log.warn('A transaction of planning failed', { error });
      break;
    }
    planned.push(...after.filter(({ allPlanned }) => allPlanned));
  }
  return planned;
}

/** The webhooks of the businesses that these events are of, without those whose API key is not live. */
async function subscribers(items: readonly OutboxItem[]): Promise<(businessId: number) => readonly WebhookItem[]> {
  const businesses = [...new Set(items.map(({ businessId }) => businessId))];
  const found = await Promise.all(businesses.map(webhooksOfBusiness));
  const wanting = found.flat().filter((webhook) => items.some(({ name }) => wants(webhook, name)));
  const keyOf = ({ businessId, keyId }: WebhookItem): Wanted => ({
    store: 'records',
    key: records.key(businessId, keyId),
  });
  const lookup = await batchGet(wanting.map(keyOf));
  const at = now();
  const live = Map.groupBy(
    wanting.filter((webhook) => isLive(lookup<KeyRecord>(keyOf(webhook)), at)),
    ({ businessId }) => businessId,
  );
  return (businessId) => live.get(businessId) ?? [];
}

/** Sends the first message of every delivery of these events, and returns the events all of whose messages went out. */
async function announce(items: readonly OutboxItem[], failures: Failures): Promise<readonly OutboxItem[]> {
  const dueAt = now();
  const outgoing = items.flatMap(({ id, businessId, planned = [] }) =>
    planned.map((delivery) => ({
      eventId: id,
      message: { businessId, ...delivery, attempt: 1, dueAt },
      delaySeconds: 0,
    })),
  );
  const sent = await sendMessages('deliveries', outgoing);
  for (const { eventId } of outgoing.filter((_, i) => !sent[i])) {
    failures.set(eventId, new Error('Not every message of the event was sent'));
  }
  return items.filter(({ id }) => !failures.has(id));
}
