/** From an event to its deliveries: the consumer of the queue `events` (section 6.2.1, design §1). */
import * as z from 'zod/mini';
import { now, randomFraction, sleep } from '../clock.ts';
import type { OutboxItem } from '../events/event.ts';
import { closeOutbox } from '../events/outbox.ts';
import { isLive, type KeyRecord } from '../keys/key-record.ts';
import { log } from '../log.ts';
import { batchGet, type Lookup, type Wanted } from '../records/batch-get.ts';
import { insert, writeEach } from '../records/write-each.ts';
import { records } from '../table-keys.ts';
import { webhooksOfBusiness } from '../webhooks/store.ts';
import type { WebhookItem } from '../webhooks/webhook.ts';
import { type Lane, laneOf } from './lane.ts';
import { type Outgoing, sendMessages } from './messages.ts';
import { planDeliveries, type WebhookPlan } from './planning.ts';

const count = z.int().check(z.positive());

/** Of what the bus delivers only this is used: the outbox holds the event. */
const envelope = z.object({ detail: z.object({ id: count, businessId: count }) });

/** An event that the bus told of. */
export interface EventNotice {
  readonly id: number;
  readonly businessId: number;
}

/** The event in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): EventNotice {
  return z.parse(envelope, JSON.parse(body)).detail;
}

const rounds = 10;
const firstPauseMs = 20;
const pauseMsMax = 1_000;

/**
 * One promise an event, in order. Each webhook that subscribed gets the event's number and pending record; then the
 * messages are sent, and only then the event leaves the outbox. An event seen again is taken up where it was left:
 * deduplicating before the messages are sent would lose deliveries for good.
 */
export function plan(events: readonly EventNotice[]): readonly Promise<void>[] {
  const distinct = new Map(events.map((event) => [event.id, event]));
  const done = planAll([...distinct.values()].sort((a, b) => a.id - b.id));
  return events.map(async ({ id }) => {
    const failure = (await done).get(id);
    if (failure) throw failure;
  });
}

/** What went wrong, by event. */
type Failures = Map<number, Error>;

/** An event whose records are all there, and the messages it still needs. */
interface Planned {
  readonly item: OutboxItem;
  readonly outgoing: readonly InLane[];
}

interface InLane extends Outgoing {
  readonly lane: Lane;
}

async function planAll(events: readonly EventNotice[]): Promise<Failures> {
  const failures: Failures = new Map();
  let left = events;
  for (let round = 1; left.length > 0; round++) {
    if (round > 1) await sleep(randomFraction() * Math.min(pauseMsMax, firstPauseMs * 2 ** round));
    try {
      const { planned, missed } = await planOnce(left);
      await announce(planned, failures);
      const sent = planned.map(({ item }) => item).filter(({ id }) => !failures.has(id));
      await closeOutbox(sent, failures);
      left = missed;
    } catch (error) {
      if (round === rounds) throw error;
      log.warn('Planning is tried again', { error });
    }
    if (round === rounds) {
      for (const { id } of left) failures.set(id, new Error(`Event ${id} could not be planned in ${rounds} rounds`));
      break;
    }
  }
  return failures;
}

/**
 * Reads the webhooks, then the outbox: in this order, because what was noted in a webhook for an event may only be
 * missed when the event is gone as well. Then takes the numbers and puts the records. `missed` are events for which
 * somebody was in the way, or DynamoDB.
 */
async function planOnce(
  events: readonly EventNotice[],
): Promise<{ planned: readonly Planned[]; missed: readonly EventNotice[] }> {
  const businesses = [...new Set(events.map(({ businessId }) => businessId))];
  const webhooks = (await Promise.all(businesses.map(webhooksOfBusiness))).flat();
  const looked = new Set([...events.map(({ id }) => id), ...someNoted(webhooks)]);
  const lookup = await batchGet([...looked].map(inOutbox).concat(webhooks.map(keyOf)));

  const items = events.flatMap(({ id }) => lookup<OutboxItem>(inOutbox(id)) ?? []);
  // A note that nobody looked up stays: that costs a few bytes, and a look a read.
  const isOpen = (eventId: number) => !looked.has(eventId) || lookup(inOutbox(eventId)) !== undefined;
  const plans = planDeliveries(items, subscriptionsOf(webhooks, lookup), isOpen, now());
  const { messages, missed } = await commit(plans);
  return {
    planned: items.filter(({ id }) => !missed.has(id)).map((item) => ({ item, outgoing: messages.get(item.id) ?? [] })),
    missed: events.filter(({ id }) => missed.has(id)),
  };
}

/**
 * Notes are cleared away some at a time: looking all up for every event would cost more than the rest of planning. So few
 * are kept that a webhook stays below 1 KB, which is one write unit.
 */
const notesKept = 8;
const notesLookedUp = 40;

/** Of the webhooks with many notes some of the events noted, from a random place on, so that each gets its turn. */
function someNoted(webhooks: readonly WebhookItem[]): number[] {
  const noted = webhooks.map(({ claims = {} }) => Object.keys(claims)).filter(({ length }) => length > notesKept);
  const distinct = [...new Set(noted.flat().map(Number))].sort((a, b) => a - b);
  const from = Math.floor(randomFraction() * distinct.length);
  return [...distinct.slice(from), ...distinct.slice(0, from)].slice(0, notesLookedUp);
}

function inOutbox(eventId: number): Wanted {
  return { store: 'records', key: records.outbox(eventId) };
}

function keyOf({ businessId, keyId }: WebhookItem): Wanted {
  return { store: 'records', key: records.key(businessId, keyId) };
}

function subscriptionsOf(webhooks: readonly WebhookItem[], lookup: Lookup) {
  const at = now();
  return webhooks.map((webhook) => ({ webhook, live: isLive(lookup<KeyRecord>(keyOf(webhook)), at) }));
}

/** Takes the numbers of each webhook at once; then puts the records, of which some may be there from an earlier try. */
async function commit(plans: readonly WebhookPlan[]) {
  const claims = plans.flatMap(({ claim }) => claim ?? []);
  const taken = await writeEach(claims);
  const numbered = plans.filter(({ claim }) => !claim || taken[claims.indexOf(claim)] === 'done');
  const deliveries = numbered.flatMap((one) =>
    one.deliveries.map((delivery) => ({ ...delivery, webhook: one.webhook })),
  );
  const put = await writeEach(deliveries.map(({ head }) => insert('deliveries', head)));

  const missed = new Set(
    plans.filter((one) => !numbered.includes(one)).flatMap((one) => one.deliveries.map(({ eventId }) => eventId)),
  );
  const messages = new Map<number, InLane[]>();
  for (const [i, { eventId, head, webhook }] of deliveries.entries()) {
    if (put[i] === 'failed') missed.add(eventId);
    // A record that was there already may be pending, whatever the webhook is by now.
    if (put[i] === 'done' && head.state === 'failed') continue;
    const { businessId, keyId, webhookId, id: number, dueAt } = head;
    const message = { businessId, keyId, webhookId, number, attempt: 1, dueAt };
    const lane = laneOf(webhook, dueAt);
    messages.set(eventId, [...(messages.get(eventId) ?? []), { message, delaySeconds: 0, lane }]);
  }
  return { messages, missed };
}

/** Sends the first message of every delivery; notes the events that a message is missing of. */
async function announce(planned: readonly Planned[], failures: Failures): Promise<void> {
  const all = planned.flatMap(({ item, outgoing }) => outgoing.map((one) => ({ id: item.id, one })));
  const lanes = [...Map.groupBy(all, ({ one }) => one.lane)];
  await Promise.all(
    lanes.map(async ([lane, some]) => {
      const sent = await sendMessages(
        lane,
        some.map(({ one }) => one),
      );
      for (const { id } of some.filter((_, i) => !sent[i])) {
        failures.set(id, new Error('Not every message of the event was sent'));
      }
    }),
  );
}
