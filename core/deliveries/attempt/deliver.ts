/**
 * From a message to an attempt: the consumer of the queues `deliveries` and `retries` (docs/rules.md#attempts,
 * #retries).
 */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { hears } from '../../keys/hearing.ts';
import { log } from '../../log.ts';
import { emit } from '../../metrics.ts';
import { modeOf } from '../../mode.ts';
import { gather } from '../../queue/coalesce.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { type Outcome, type SendRequest, send } from '../../webhooks/sender/send.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import { type DeliveryRef, sendMessages } from '../model/batch.ts';
import { decompressBody } from '../model/compressed-body.ts';
import { delaySecondsUntil } from '../model/due-times.ts';
import { type AttemptOutcome, admit, announced, type Next, sameAttempt } from '../model/state.ts';
import type { Attempt, Found, Means } from './attempt.ts';
import { attemptMetrics } from './attempt-metrics.ts';
import { commit } from './commit.ts';
import { type Find, findForAttempts } from './find.ts';

export type Sender = (request: SendRequest) => Promise<Outcome>;

/** A receiver that takes longer than this holds up its own record and no other. */
const gatherMs = 500;
/** A part is full with so many attempts, half of a full batch: it is recorded while the other half is answered. */
const partSize = 50;
/** An attempt begins only if there is time left for it and for its record. */
const reserveMs = 5_000;

/** A message whose next step is known. */
interface Decided {
  readonly message: DeliveryRef;
  readonly next: Next;
  /** Nothing could be read of it, and the attempt was not made. */
  readonly unread?: true;
}

/**
 * One promise a pack, in order: it is done when each of its deliveries is. One that comes back because of some finds the
 * others done. A message, one delivery of a pack, whose time has not come hops on without a read. For the others everything
 * is read at once, each attempt is made on its own, and what ends at about the same time is recorded together. The parts of
 * a large batch are recorded each by itself. Attempts at one webhook are in one part, because they change it in order.
 *
 * The order is: record, send the next message, acknowledge. A crash anywhere repeats a step and skips none, and a
 * repeated step finds on record what was done.
 */
export function deliver(
  packs: readonly (readonly DeliveryRef[])[],
  time: TimeLeft,
  sender: Sender = send,
): readonly Promise<void>[] {
  // Duplicates in one batch share one attempt.
  const distinct = new Map(packs.flat().map((message) => [label(message), message]));
  const due = new Set([...distinct.values()].filter((message) => isDue(message, now())));
  const reading = findForAttempts([...due]);
  reading.catch((error: unknown) => log.error('The deliveries of a batch cannot be read', { error }));

  const ends = new Map<string, Promise<void>>();
  for (const part of partsOf([...distinct.values()])) {
    const recording = gather(part.length, gatherMs, recordAndGoOn);
    const handle = async (message: DeliveryRef) => {
      try {
        return await (due.has(message) ? attempt(message, reading, time, sender) : hop(message));
      } catch (error) {
        recording.leave();
        throw error;
      }
    };
    for (const message of part) ends.set(label(message), handle(message).then(recording.add));
  }
  return packs.map((pack) => allOf(pack.map((message) => ends.get(label(message)))));
}

/** All messages of one webhook are in one part, which may be larger for it. */
function partsOf(messages: readonly DeliveryRef[]): readonly (readonly DeliveryRef[])[] {
  const parts: DeliveryRef[][] = [];
  for (const alike of Map.groupBy(messages, ({ webhookId }) => webhookId).values()) {
    const last = parts.at(-1);
    if (last && last.length < partSize) last.push(...alike);
    else parts.push([...alike]);
  }
  return parts;
}

/** Waits for every one, because a function that answers before it is frozen with what still runs. */
async function allOf(ends: readonly (Promise<void> | undefined)[]): Promise<void> {
  if (ends.includes(undefined)) throw new Error('A delivery was not handled');
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

function label({ webhookId, number }: DeliveryRef): string {
  return `${webhookId} ${number}`;
}

/**
 * A first attempt is due as soon as its message is there: were its time still to come, that would be the difference of two
 * clocks. A retry is never early (docs/rules.md#retries).
 */
function isDue({ attempt, dueAt }: { attempt: number; dueAt: number }, at: number): boolean {
  return attempt === 1 || dueAt <= at;
}

function hop(message: DeliveryRef): Decided {
  const { attempt, dueAt } = message;
  return { message, next: { kind: 'send', attempt, dueAt, delaySeconds: delaySecondsUntil(dueAt, now()) } };
}

async function attempt(
  message: DeliveryRef,
  reading: Promise<Find<Found & Means>>,
  time: TimeLeft,
  sender: Sender,
): Promise<Attempt | Decided> {
  const find = await reading.catch(() => undefined);
  const startedAt = now();
  // DynamoDB's trouble is ours: the message waits outside the count of its receives.
  if (!find) return { message, next: sameAttempt(message, startedAt), unread: true };
  const found = find(message);
  // Deleted: what was pending for it is dropped (docs/rules.md#webhooks).
  if (!found) return { message, next: { kind: 'stop' } };
  const { webhook, delivery } = found;
  const admitted = admit(delivery, message.attempt);
  if (admitted === 'drop') return { message, next: { kind: 'stop' } };
  if (admitted === 'announce' || !isDue({ attempt: message.attempt, dueAt: delivery.dueAt }, startedAt)) {
    return { message, next: announced(delivery, startedAt) };
  }
  const result = await resultOf(found, time, sender, startedAt);
  return { message, webhook, delivery, result, startedAt, endedAt: now() };
}

async function resultOf(
  { webhook, delivery, key, secret }: Found & Means,
  time: TimeLeft,
  sender: Sender,
  sentAt: number,
): Promise<AttemptOutcome> {
  if (webhook.status !== 'active' || !hears(key, delivery.event, sentAt)) return { kind: 'disabled' };
  if (time.getRemainingTimeInMillis() < limits.deliveryTimeoutMs + reserveMs) {
    throw new Error('No time is left for an attempt');
  }
  const { deliveryId, event } = delivery;
  if (secret === undefined) {
    log.error('A webhook has no signing secret', { webhookId: webhook.id });
    return { kind: 'fault' };
  }
  const body = decompressBody(delivery.body);
  const headers = signedHeaders({ mode: modeOf(webhook.tenantId), secret, deliveryId, event, body, sentAt });
  const outcome = await sender({ url: webhook.targetUrl, headers, body, webhookId: webhook.id });
  if (outcome.kind === 'failed' && outcome.ours) {
    log.warn('An attempt failed by a fault of our own', { deliveryId, errorCode: outcome.errorCode });
  }
  return outcome;
}

function recordAndGoOn(steps: readonly (Attempt | Decided)[]): readonly Promise<void>[] {
  const nextOf = commit(steps.filter(isMade));
  const deciding = steps.map(
    async (step): Promise<Decided> => (isMade(step) ? { message: step.message, next: await nextOf(step) } : step),
  );
  // It has spoken before the last message is acknowledged: its reaction to the last decision is the first of all.
  void measure(steps, deciding);
  const sending = sendNext(deciding);
  return deciding.map(async (one) => {
    const decided = await one;
    const { message, next } = decided;
    if (next.kind === 'alarm')
      throw new Error(`Our own faults kept a delivery of webhook ${message.webhookId} for a day`);
    if (next.kind === 'send' && !(await sending).has(decided)) throw new Error('The next message was not sent');
  });
}

async function measure(steps: readonly (Attempt | Decided)[], deciding: readonly Promise<Decided>[]) {
  const ends = await Promise.allSettled(deciding);
  const metrics = attemptMetrics(
    steps.map((step, i) => {
      const end = ends[i];
      if (isMade(step)) return { made: step, next: end?.status === 'fulfilled' ? end.value.next : undefined };
      return { next: step.unread ? undefined : step.next };
    }),
  );
  if (metrics) emit(metrics.measured, metrics.properties);
}

function isMade(step: Attempt | Decided): step is Attempt {
  return 'result' in step;
}

/** Sends the next messages together, but for attempts that could not be recorded. Returns what the queue took. */
async function sendNext(deciding: readonly Promise<Decided>[]): Promise<ReadonlySet<Decided>> {
  const going = (await Promise.allSettled(deciding)).flatMap((end) => {
    if (end.status === 'rejected' || end.value.next.kind !== 'send') return [];
    const { attempt, dueAt, delaySeconds } = end.value.next;
    return { decided: end.value, outgoing: { message: { ...end.value.message, attempt, dueAt }, delaySeconds } };
  });
  const sent = await sendMessages(
    'retries',
    going.map(({ outgoing }) => outgoing),
  );
  return new Set(going.filter((_, i) => sent[i]).map(({ decided }) => decided));
}
