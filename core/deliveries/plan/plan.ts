/** Creates the deliveries of events: the consumer of the queue `events` (docs/rules.md#pipeline). */
import type { DeliveryQueue } from '../../../contract/system/needs.ts';
import { type Caused, causedBy } from '../../cause.ts';
import { forEachConcurrently } from '../../chunks.ts';
import { now } from '../../clock.ts';
import { env } from '../../env.ts';
import { type Event, type OutboxItem, readableEvent } from '../../events/event.ts';
import { closeOutbox, type EventFailure, inOutbox } from '../../events/outbox.ts';
import type { KeyFacts } from '../../keys/api-key.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { RETRY, type RetryPolicy, retrying } from '../../retrying.ts';
import { batchGet, type ItemRequest, type Lookup } from '../../store/batch-get.ts';
import { insert, writeEach } from '../../store/write-each.ts';
import { records } from '../../table-keys.ts';
import { timeLeftMs } from '../../time-left.ts';
import { webhooksOfBusiness } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { type Outgoing, queueFor, sendDeliveries } from '../model/batch.ts';
import type { DeliveryItem } from '../model/delivery-record.ts';
import { delaySecondsUntil } from '../model/due-times.ts';
import { claimsToLookUp } from './claims.ts';
import { chunksInOrder, continueLater, type EventToPlan, oncePerEvent, pageOf } from './event-refs.ts';
import { holdBeyondBudget, type WritablePlan } from './hold.ts';
import { planDeliveries } from './planning.ts';

/** For how many webhooks a run plans an event. If there are more, a further message continues. */
export const webhooksTogether = 50;

const retryPolicy: RetryPolicy = { attempts: 10, firstPauseMs: 80, longestPauseMs: 1_000 };
/** A chunk begins only if a third of the function's time is left, so that it can be finished. */
const chunkMs = 10_000;

/**
 * Returns one promise for each message, in order. For each subscribed webhook, a number is taken and a pending record
 * is written; then the messages are sent, and only then the event leaves the outbox. When an event is planned again,
 * planning continues after the last finished step. If the event left the outbox before the messages are sent, a crash
 * would lose deliveries.
 *
 * A run does a limited amount of work for one event, so that no tenant waits for the events of another. The remaining
 * work is sent in another message before this message is acknowledged.
 */
export function plan(messages: readonly (readonly EventToPlan[])[]): readonly Promise<void>[] {
  const planning = planAll(oncePerEvent(messages.flat()));
  void planning.then(({ size }) => size > 0 && emit({ Count: { OwnFaults: size } }));
  return messages.map(async (events) => {
    const failures = await planning;
    const failure = events.map(({ id }) => failures.get(id)).find((one) => one !== undefined);
    if (failure) throw failure;
  });
}

/**
 * Plans one chunk after the other. Events that conflicted with another run are tried again after all others. Returns
 * the failures.
 */
async function planAll(events: readonly EventToPlan[]): Promise<ReadonlyMap<number, Error>> {
  const failures: EventFailure[] = [];
  let left = events;
  await retrying(retryPolicy, async (round) => {
    const missed: EventToPlan[] = [];
    const late: EventToPlan[] = [];
    for (const chunk of chunksInOrder(left)) {
      if (timeLeftMs() < chunkMs) {
        // An event that has failed before comes back with its message, whose receives SQS counts. As a new message it
        // would be tried without end.
        (round === 1 ? late : missed).push(...chunk);
        continue;
      }
      const end = await planChunk(chunk);
      missed.push(...end.missed);
      failures.push(...end.failures);
    }
    failures.push(...(await continueLater(late)));
    left = missed;
    return left.length > 0 ? RETRY : undefined;
  });
  const error = new Error(`Deliveries of the event could not be planned in ${retryPolicy.attempts} tries`);
  failures.push(...left.map(({ id }) => ({ id, error })));
  return new Map(failures.map(({ id, error }) => [id, error]));
}

/** `missed` are events to try again now; the events of `failures` come back with their message. */
interface ChunkEnd {
  readonly missed: readonly EventToPlan[];
  readonly failures: readonly EventFailure[];
}

/** Plans some events: writes pending records, sends messages, and removes the events from the outbox. */
async function planChunk(events: readonly EventToPlan[]): Promise<ChunkEnd> {
  try {
    const { planned, missed, failures } = await planOnce(events);
    logPlanned(planned);
    const unsent = await sendFirstAttempts(planned);
    const failed = new Set([...failures, ...unsent].map(({ id }) => id));
    const sent = planned.filter(({ event }) => !failed.has(event.id));
    const stopped = await continueLater(sent.flatMap(({ rest }) => rest ?? []));
    const unclosed = await closeOutbox(sent.flatMap(({ event, rest }) => (rest ? [] : event)));
    return { missed, failures: [...failures, ...unsent, ...stopped, ...unclosed] };
  } catch (error) {
    log.warn('Deliveries could not be planned and will be planned again', { error });
    return { missed: events, failures: [] };
  }
}

/**
 * An event whose records are written, and the messages that must still be sent. `rest` is the position from which to
 * continue, if webhooks are left.
 */
interface Planned extends Caused {
  readonly event: EventToPlan;
  readonly outgoing: readonly FirstAttempt[];
  readonly rest?: EventToPlan | undefined;
}

interface FirstAttempt extends Outgoing {
  readonly eventId: number;
  readonly queue: DeliveryQueue;
}

/**
 * Reads the webhooks and then the outbox. The order matters: if another run has planned an event and its claim is
 * deleted already, then the outbox no longer contains the event either. Then takes the numbers and writes the records.
 * `missed` are events that conflicted with another run, or that DynamoDB refused. A failure of one business does not
 * affect the others in the same call.
 */
async function planOnce(refs: readonly EventToPlan[]): Promise<ChunkEnd & { readonly planned: readonly Planned[] }> {
  const pages = await readWebhooks(refs);
  const webhooks = [...pages.values()].flatMap((page) => page.webhooks);
  const positions = new Map([...claimsToLookUp(webhooks, refs), ...refs].map((event) => [event.id, event]));
  const lookup = await batchGet([...[...positions.values()].map(inOutbox), ...webhooks.map(keyOf)]);
  const { events, unreadable } = readEvents(refs, pages, lookup);

  // A claim that was not looked up stays, which costs a few bytes until a later lookup.
  const isOpen = (eventId: number) => {
    const position = positions.get(eventId);
    return !position || lookup(inOutbox(position)) !== undefined;
  };
  const plans = [...Map.groupBy(events, ({ page }) => page)].flatMap(([page, some]) => {
    const at = now();
    const planned = planDeliveries(
      some.map(({ event }) => event),
      page.webhooks,
      (webhook) => lookup<KeyFacts>(keyOf(webhook)),
      isOpen,
      at,
    );
    return holdBeyondBudget(planned, page.ofBusiness, at, env.timeScale());
  });
  const { outgoing, missed } = await takeAndPut(plans);
  const byEvent = Map.groupBy(outgoing, ({ eventId }) => eventId);
  return {
    planned: events
      .filter(({ event }) => !missed.has(event.id))
      .map(({ ref, event: { requestId }, page: { after } }) => ({
        event: ref,
        ...causedBy(requestId),
        outgoing: byEvent.get(ref.id) ?? [],
        rest: after && { ...ref, after },
      })),
    missed: refs.filter((ref) => missed.has(ref.id) || !pages.has(pageOf(ref))),
    failures: [...unreadable, ...plans.flatMap(({ postponed }) => postponed)],
  };
}

interface WebhookPage {
  /** All webhooks of the business, for its sending budget. */
  readonly ofBusiness: readonly WebhookItem[];
  /** The webhooks for which the event is planned now. */
  readonly webhooks: readonly WebhookItem[];
  /** The last of these, if there are more. */
  readonly after: EventToPlan['after'];
}

/** The webhooks by the page that an event needs. A page that cannot be read is missing. */
async function readWebhooks(refs: readonly EventToPlan[]): Promise<ReadonlyMap<string, WebhookPage>> {
  const pages = new Map<string, WebhookPage>();
  const wanted = new Map(refs.map((ref) => [pageOf(ref), ref]));
  await forEachConcurrently([...wanted], async ([name, { tenantId, after }]) => {
    try {
      const ofBusiness = await webhooksOfBusiness(tenantId);
      const isLeft = ({ keyId, id }: WebhookItem) =>
        !after || keyId > after.keyId || (keyId === after.keyId && id > after.webhookId);
      const left = ofBusiness.filter(isLeft);
      const webhooks = left.slice(0, webhooksTogether);
      const last = left.length > webhooks.length ? webhooks.at(-1) : undefined;
      pages.set(name, { ofBusiness, webhooks, after: last && { keyId: last.keyId, webhookId: last.id } });
    } catch (error) {
      log.warn('The webhooks of a business cannot be read', { tenantId, error });
    }
  });
  return pages;
}

/** The events that are still in the outbox. An event that has left it is finished. */
function readEvents(refs: readonly EventToPlan[], pages: ReadonlyMap<string, WebhookPage>, lookup: Lookup) {
  const events: { readonly ref: EventToPlan; readonly event: Event; readonly page: WebhookPage }[] = [];
  const unreadable: EventFailure[] = [];
  for (const ref of refs) {
    const item = lookup<OutboxItem>(inOutbox(ref));
    if (!item) continue;
    const event = readableEvent(item);
    const page = pages.get(pageOf(ref));
    if (event?.tenantId !== ref.tenantId) {
      unreadable.push({ id: ref.id, error: new Error(`Event ${ref.id} of business ${ref.tenantId} cannot be read`) });
    } else if (page) events.push({ ref, event, page });
  }
  return { events, unreadable };
}

function keyOf({ tenantId, keyId }: WebhookItem): ItemRequest {
  return { store: 'records', key: records.key(tenantId, keyId) };
}

/**
 * Takes all numbers of each webhook with one write, then writes the records, some of which may exist from an earlier
 * try.
 */
async function takeAndPut(
  plans: readonly WritablePlan[],
): Promise<{ outgoing: readonly FirstAttempt[]; missed: ReadonlySet<number> }> {
  const statementsOf = ({ claim, reservation }: WritablePlan) =>
    [claim, reservation].filter((one) => one !== undefined);
  const statements = [...new Set(plans.flatMap(statementsOf))];
  const ends = await writeEach(statements);
  const written = new Set(statements.filter((_, i) => ends[i] === 'done'));
  const isTaken = (plan: WritablePlan) => statementsOf(plan).every((one) => written.has(one));
  const untaken = plans.filter((plan) => !isTaken(plan)).flatMap(({ deliveries }) => deliveries);

  const planned = plans
    .filter(isTaken)
    .flatMap(({ webhook, deliveries }) => deliveries.map((delivery) => ({ webhook, delivery })));
  const puts = await writeEach(planned.map(({ delivery }) => insert('deliveries', delivery)));
  const unput = planned.filter((_, i) => puts[i] === 'failed').map(({ delivery }) => delivery);
  const outgoing = planned
    // A feed reads the record itself. An existing record may be pending, even if the webhook has been disabled since.
    .filter(
      ({ webhook, delivery }, i) => webhook.delivery !== 'poll' && (puts[i] !== 'done' || delivery.state !== 'failed'),
    )
    .map(({ webhook, delivery }) => firstAttempt(webhook, delivery, now()));
  return { outgoing, missed: new Set([...untaken, ...unput].map(({ eventId }) => eventId)) };
}

function firstAttempt(webhook: WebhookItem, delivery: DeliveryItem, at: number): FirstAttempt {
  const { tenantId, keyId, webhookId, id: number, eventId, dueAt } = delivery;
  const queue = dueAt > at ? 'retries' : queueFor(webhook, at);
  const slow = queue === 'retries' && { isSlow: true as const };
  const ref = { tenantId, keyId, webhookId, number, attempt: 1, dueAt, ...slow };
  return { eventId, ref, delaySeconds: delaySecondsUntil(dueAt, at), queue };
}

/** Logs one line for each chunk, so that the effects of a request can be found. */
function logPlanned(planned: readonly Planned[]): void {
  if (planned.length === 0) return;
  const events = planned.map(({ event: { id, name }, requestId, outgoing }) => {
    return { ...causedBy(requestId), eventId: id, event: name, deliveries: outgoing.length };
  });
  log.info('Planned', { events });
}

/** Sends the first message of every delivery; returns the events for which a message could not be sent. */
async function sendFirstAttempts(planned: readonly Planned[]): Promise<readonly EventFailure[]> {
  const byQueue = Map.groupBy(
    planned.flatMap(({ outgoing }) => outgoing),
    ({ queue }) => queue,
  );
  const missing = [...byQueue].map(async ([queue, outgoing]) => {
    const sent = await sendDeliveries(queue, outgoing);
    return outgoing.filter((one) => !sent.has(one));
  });
  const error = new Error('Not every message of the event was sent');
  return (await Promise.all(missing)).flat().map(({ eventId: id }) => ({ id, error }));
}
