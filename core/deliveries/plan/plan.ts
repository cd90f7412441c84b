/** From an event to its deliveries: the consumer of the queue `events` (section 6.2.1, design §1). */
import * as z from 'zod/mini';
import type { DeliveryQueue } from '../../../contract/needs.ts';
import { chunksOf, someAtATime } from '../../chunks.ts';
import { now } from '../../clock.ts';
import { type OutboxItem, readableEvent } from '../../events/event.ts';
import { closeOutbox } from '../../events/outbox.ts';
import { isLive, type KeyFacts } from '../../keys/api-key.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { again, type Patience, retrying } from '../../retrying.ts';
import { batchGet, type Lookup, type Wanted } from '../../store/batch-get.ts';
import { insert, writeEach } from '../../store/write-each.ts';
import { records } from '../../table-keys.ts';
import { webhooksOfBusiness } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Outgoing, sendMessages } from '../attempt/messages.ts';
import { laneOf } from '../attempt/slow-lane.ts';
import { claimsToLookUp } from './claims.ts';
import { planDeliveries, type WebhookPlan } from './planning.ts';

const count = z.int().check(z.positive());

/** Of what the bus delivers only this is used: the outbox holds the events. */
const notice = z.object({ id: count, businessId: count });
const envelope = z.object({
  'detail-type': z.string(),
  detail: z.object({ events: z.array(notice).check(z.minLength(1)) }),
});

/** An event that the bus told of. */
export interface EventNotice {
  readonly id: number;
  readonly businessId: number;
  readonly name: string;
}

/** The events in a message of the queue `events`. Throws for anything else. */
export function parseEventMessage(body: string): readonly EventNotice[] {
  const { 'detail-type': name, detail } = z.parse(envelope, JSON.parse(body));
  return detail.events.map((event) => ({ ...event, name }));
}

/** What is planned together, so that what a call has done is done when it breaks off. */
const eventsTogether = 25;

const patience: Patience = { rounds: 10, firstPauseMs: 80, longestPauseMs: 1_000 };

/**
 * One promise a message, in order. Each webhook that subscribed gets the event's number and pending record; then the
 * messages are sent, and only then the event leaves the outbox. An event seen again is taken up where it was left:
 * deduplicating before the messages are sent would lose deliveries for good.
 */
export function plan(messages: readonly (readonly EventNotice[])[]): readonly Promise<void>[] {
  const distinct = new Map(messages.flat().map((event) => [event.id, event]));
  const done = planAll([...distinct.values()].sort((a, b) => a.id - b.id));
  void done.then(({ size }) => size > 0 && emit({ Count: { OwnFaults: size } }));
  return messages.map(async (events) => {
    const failures = await done;
    const failure = events.map(({ id }) => failures.get(id)).find((one) => one !== undefined);
    if (failure) throw failure;
  });
}

/** What went wrong, by event. */
type Failures = Map<number, Error>;

/** An event whose records are all there, and the messages it still needs. */
interface Planned {
  readonly eventId: number;
  readonly outgoing: readonly InLane[];
}

interface InLane extends Outgoing {
  readonly lane: DeliveryQueue;
}

async function planAll(events: readonly EventNotice[]): Promise<Failures> {
  const failures: Failures = new Map();
  for (const some of chunksOf(events, eventsTogether)) {
    try {
      await planTogether(some, failures);
    } catch (cause) {
      for (const { id } of some) failures.set(id, new Error(`Event ${id} could not be planned`, { cause }));
    }
  }
  return failures;
}

async function planTogether(events: readonly EventNotice[], failures: Failures): Promise<void> {
  let left = events;
  const end = await retrying(patience, async (round) => {
    try {
      const { planned, missed } = await planOnce(left, failures);
      await announce(planned, failures);
      const sent = planned.map(({ eventId }) => eventId).filter((id) => !failures.has(id));
      await closeOutbox(sent, failures);
      left = missed;
    } catch (error) {
      if (round === patience.rounds) throw error;
      log.warn('Planning is tried again', { error });
    }
    return left.length > 0 ? again : 'planned';
  });
  if (end !== again) return;
  for (const { id } of left)
    failures.set(id, new Error(`Event ${id} could not be planned in ${patience.rounds} rounds`));
}

/**
 * Reads the webhooks, then the outbox: in this order, because an event's claim may only be missed in a webhook
 * when the event is gone as well. Then takes the numbers and puts the records. `missed` are events for which
 * somebody was in the way, or DynamoDB; what cannot be planned now is in `failures`. One business's trouble is not
 * another's, although their events travel together.
 */
async function planOnce(
  notices: readonly EventNotice[],
  failures: Failures,
): Promise<{ planned: readonly Planned[]; missed: readonly EventNotice[] }> {
  const { webhooks, unread } = await readWebhooks(notices.map(({ businessId }) => businessId));
  const looked = new Set([...notices.map(({ id }) => id), ...claimsToLookUp(webhooks, notices)]);
  const lookup = await batchGet([...looked].map(inOutbox).concat(webhooks.map(keyOf)));

  const events = notices.flatMap(({ id, businessId }) => {
    if (unread.has(businessId)) return [];
    const item = lookup<OutboxItem>(inOutbox(id));
    const event = item && readableEvent(item);
    if (item && !event) failures.set(id, new Error(`Event ${id} cannot be read`));
    return event ?? [];
  });
  // A claim that nobody looked up stays: that costs a few bytes, and a look a read.
  const isOpen = (eventId: number) => !looked.has(eventId) || lookup(inOutbox(eventId)) !== undefined;
  const plans = planDeliveries(events, subscriptionsOf(webhooks, lookup), isOpen, now());
  for (const { eventId, reason } of plans.flatMap(({ postponed }) => postponed)) failures.set(eventId, reason);
  const { messages, missed } = await takeAndPut(plans);
  return {
    planned: events
      .filter(({ id }) => !missed.has(id))
      .map(({ id }) => ({ eventId: id, outgoing: messages.get(id) ?? [] })),
    missed: notices.filter(({ id, businessId }) => missed.has(id) || unread.has(businessId)),
  };
}

async function readWebhooks(businessIds: readonly number[]) {
  const webhooks: WebhookItem[] = [];
  const unread = new Set<number>();
  await someAtATime([...new Set(businessIds)], async (businessId) => {
    try {
      webhooks.push(...(await webhooksOfBusiness(businessId)));
    } catch (error) {
      log.warn('The webhooks of a business cannot be read', { businessId, error });
      unread.add(businessId);
    }
  });
  return { webhooks, unread };
}

function inOutbox(eventId: number): Wanted {
  return { store: 'records', key: records.outbox(eventId) };
}

function keyOf({ businessId, keyId }: WebhookItem): Wanted {
  return { store: 'records', key: records.key(businessId, keyId) };
}

function subscriptionsOf(webhooks: readonly WebhookItem[], lookup: Lookup) {
  const at = now();
  return webhooks.map((webhook) => ({ webhook, live: isLive(lookup<KeyFacts>(keyOf(webhook)), at) }));
}

/** Takes the numbers of each webhook at once; then puts the records, of which some may be there from an earlier try. */
async function takeAndPut(plans: readonly WebhookPlan[]) {
  const claims = plans.flatMap(({ claim }) => claim ?? []);
  const taken = await writeEach(claims);
  const refused = new Set(plans.filter(({ claim }) => claim && taken[claims.indexOf(claim)] !== 'done'));
  const missed = new Set<number>();
  const deliveries = plans.flatMap((one) =>
    one.deliveries.flatMap((delivery) => {
      // What has its number from an earlier try needs no other.
      if (!delivery.isNew || !refused.has(one)) return [{ ...delivery, webhook: one.webhook }];
      missed.add(delivery.eventId);
      return [];
    }),
  );
  const put = await writeEach(deliveries.map(({ head }) => insert('deliveries', head)));
  const messages = new Map<number, InLane[]>();
  for (const [i, { eventId, head, webhook }] of deliveries.entries()) {
    if (put[i] === 'failed') missed.add(eventId);
    // A record that was there already may be pending, whatever the webhook is by now.
    if (put[i] === 'done' && head.state === 'failed') continue;
    const { businessId, keyId, webhookId, id: number, dueAt } = head;
    const message = { businessId, keyId, webhookId, number, attempt: 1, dueAt };
    const lane = laneOf(webhook, now());
    messages.set(eventId, [...(messages.get(eventId) ?? []), { message, delaySeconds: 0, lane }]);
  }
  return { messages, missed };
}

/** Sends the first message of every delivery; notes the events that a message is missing of. */
async function announce(planned: readonly Planned[], failures: Failures): Promise<void> {
  const all = planned.flatMap(({ eventId, outgoing }) => outgoing.map((one) => ({ id: eventId, one })));
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
