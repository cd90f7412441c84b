/** From an event to its deliveries: the consumer of the queue `events` (docs/rules.md#pipeline). */
import type { DeliveryQueue } from '../../../contract/system/needs.ts';
import { type Caused, causedBy } from '../../cause.ts';
import { someAtATime } from '../../chunks.ts';
import { now } from '../../clock.ts';
import { type OutboxItem, readableEvent } from '../../events/event.ts';
import { closeOutbox } from '../../events/outbox.ts';
import type { KeyFacts } from '../../keys/api-key.ts';
import { hears } from '../../keys/hearing.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { again, type Patience, retrying } from '../../retrying.ts';
import { batchGet, type Lookup, type Wanted } from '../../store/batch-get.ts';
import { insert, writeEach } from '../../store/write-each.ts';
import { type EventPosition, records } from '../../table-keys.ts';
import { timeLeftMs } from '../../time-left.ts';
import { type WebhookPage, webhooksAfter } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Outgoing, queueFor, sendMessages } from '../model/batch.ts';
import { claimsToLookUp } from './claims.ts';
import { chunksInOrder, continueLater, type EventToPlan, furthest, pageOf } from './event-refs.ts';
import { planDeliveries, type WebhookPlan } from './planning.ts';

/** Webhooks that an event is planned for in one go. With more, its plan goes on in a next message. */
export const webhooksTogether = 50;

const patience: Patience = { rounds: 10, firstPauseMs: 80, longestPauseMs: 1_000 };
/** A portion begins only while there is time left to write it: a third of what the function has. */
const chunkMs = 10_000;

/**
 * One promise a message, in order. Each webhook that subscribed gets the event's number and pending record; then the
 * messages are sent, and only then the event leaves the outbox. An event seen again is taken up where it was left:
 * deduplicating before the messages are sent would lose deliveries for good.
 *
 * What a run does for one event is bounded, so that no tenant's plan waits for another's: the rest, and what there is no
 * time for, is sent before the message is acknowledged, and another run goes on.
 */
export function plan(messages: readonly (readonly EventToPlan[])[]): readonly Promise<void>[] {
  const done = planAll(furthest(messages.flat()));
  void done.then(({ size }) => size > 0 && emit({ Count: { OwnFaults: size } }));
  return messages.map(async (events) => {
    const failures = await done;
    const failure = events.map(({ id }) => failures.get(id)).find((one) => one !== undefined);
    if (failure) throw failure;
  });
}

/** What went wrong, by event. */
type Failures = Map<number, Error>;

/** An event whose records are all there, the messages it still needs, and where its plan goes on, if it does. */
interface Planned extends Caused {
  readonly event: EventToPlan;
  readonly outgoing: readonly InLane[];
  readonly rest?: EventToPlan | undefined;
}

interface InLane extends Outgoing {
  readonly lane: DeliveryQueue;
}

/** Portion after portion; those for which somebody was in the way come again when all had their turn. */
async function planAll(events: readonly EventToPlan[]): Promise<Failures> {
  const failures: Failures = new Map();
  let left = events;
  await retrying(patience, async (round) => {
    const missed: EventToPlan[] = [];
    const late: EventToPlan[] = [];
    for (const portion of chunksInOrder(left)) {
      if (timeLeftMs() >= chunkMs) missed.push(...(await planChunk(portion, failures)));
      // What was tried in vain comes back with its receives counted. Sent anew it would do so for ever.
      else (round === 1 ? late : missed).push(...portion);
    }
    await goOn(late, failures);
    left = missed;
    return left.length > 0 ? again : undefined;
  });
  for (const { id } of left)
    failures.set(id, new Error(`Event ${id} could not be planned in ${patience.rounds} rounds`));
  return failures;
}

/** Returns the events that are to be tried again. */
async function planChunk(events: readonly EventToPlan[], failures: Failures): Promise<readonly EventToPlan[]> {
  try {
    const { planned, missed } = await planOnce(events, failures);
    say(planned);
    await announce(planned, failures);
    const sent = planned.filter(({ event }) => !failures.has(event.id));
    await goOn(
      sent.flatMap(({ rest }) => rest ?? []),
      failures,
    );
    const whole = sent.filter(({ rest }) => !rest);
    await closeOutbox(
      whole.map(({ event }) => event),
      failures,
    );
    return missed;
  } catch (error) {
    log.warn('Planning is tried again', { error });
    return events;
  }
}

/** So that a request can be followed: one line for a portion. */
function say(planned: readonly Planned[]): void {
  if (planned.length === 0) return;
  const events = planned.map(({ event: { id, name }, requestId, outgoing }) => {
    return { ...causedBy(requestId), eventId: id, event: name, deliveries: outgoing.length };
  });
  log.info('Planned', { events });
}

async function goOn(events: readonly EventToPlan[], failures: Failures): Promise<void> {
  const taken = await continueLater(events);
  for (const event of events) {
    if (!taken.has(event)) failures.set(event.id, new Error(`The plan of event ${event.id} does not go on`));
  }
}

/**
 * Reads the webhooks, then the outbox: in this order, because an event's claim may only be missed in a webhook
 * when the event is gone as well. Then takes the numbers and puts the records. `missed` are events for which
 * somebody was in the way, or DynamoDB; what cannot be planned now is in `failures`. One business's trouble is not
 * another's, although their events travel together.
 */
async function planOnce(
  notices: readonly EventToPlan[],
  failures: Failures,
): Promise<{ planned: readonly Planned[]; missed: readonly EventToPlan[] }> {
  const pages = await readWebhooks(notices);
  const webhooks = [...pages.values()].flatMap((page) => page.webhooks);
  const looked = new Map([...claimsToLookUp(webhooks, notices), ...notices].map((event) => [event.id, event]));
  const lookup = await batchGet([...looked.values()].map(inOutbox).concat(webhooks.map(keyOf)));

  const events = notices.flatMap((notice) => {
    const { id, tenantId } = notice;
    const page = pages.get(pageOf(notice));
    const item = lookup<OutboxItem>(inOutbox(notice));
    const event = item && readableEvent(item);
    if (event?.tenantId !== tenantId) {
      if (item) failures.set(id, new Error(`Event ${id} of business ${tenantId} cannot be read`));
      return [];
    }
    return page ? [{ notice, event, page }] : [];
  });
  // A claim that nobody looked up stays: that costs a few bytes, and a look a read.
  const isOpen = (eventId: number) => {
    const place = looked.get(eventId);
    return !place || lookup(inOutbox(place)) !== undefined;
  };
  const plans = [...Map.groupBy(events, ({ page }) => page)].flatMap(([page, some]) =>
    planDeliveries(
      some.map(({ event }) => event),
      subscriptionsOf(page.webhooks, lookup),
      isOpen,
      now(),
    ),
  );
  for (const { eventId, reason } of plans.flatMap(({ postponed }) => postponed)) failures.set(eventId, reason);
  const { messages, missed } = await takeAndPut(plans);
  return {
    planned: events
      .filter(({ event }) => !missed.has(event.id))
      .map(({ notice, event: { requestId }, page: { after } }) => ({
        event: notice,
        ...causedBy(requestId),
        outgoing: messages.get(notice.id) ?? [],
        rest: after && { ...notice, after },
      })),
    missed: notices.filter((notice) => missed.has(notice.id) || !pages.has(pageOf(notice))),
  };
}

/** By the page that an event asks for. One that cannot be read is missing. */
async function readWebhooks(notices: readonly EventToPlan[]): Promise<ReadonlyMap<string, WebhookPage>> {
  const pages = new Map<string, WebhookPage>();
  const wanted = new Map(notices.map((notice) => [pageOf(notice), notice]));
  await someAtATime([...wanted], async ([name, { tenantId, after }]) => {
    try {
      pages.set(name, await webhooksAfter(tenantId, after, webhooksTogether));
    } catch (error) {
      log.warn('The webhooks of a business cannot be read', { tenantId, error });
    }
  });
  return pages;
}

function inOutbox(event: EventPosition): Wanted {
  return { store: 'records', key: records.outbox(event) };
}

function keyOf({ tenantId, keyId }: WebhookItem): Wanted {
  return { store: 'records', key: records.key(tenantId, keyId) };
}

function subscriptionsOf(webhooks: readonly WebhookItem[], lookup: Lookup) {
  const at = now();
  return webhooks.map((webhook) => {
    const key = lookup<KeyFacts>(keyOf(webhook));
    return { webhook, hears: (event: string) => hears(key, event, at) };
  });
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
    const { tenantId, keyId, webhookId, id: number, dueAt } = head;
    const message = { tenantId, keyId, webhookId, number, attempt: 1, dueAt };
    const lane = queueFor(webhook, now());
    messages.set(eventId, [...(messages.get(eventId) ?? []), { message, delaySeconds: 0, lane }]);
  }
  return { messages, missed };
}

/** Sends the first message of every delivery; notes the events that a message is missing of. */
async function announce(planned: readonly Planned[], failures: Failures): Promise<void> {
  const all = planned.flatMap(({ event, outgoing }) => outgoing.map((one) => ({ id: event.id, one })));
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
