/**
 * The consumer of the queues `deliveries` and `retries`: makes attempts, records them, and schedules the next ones
 * (docs/rules.md#attempts, #retries).
 */
import { limits } from '../../../contract/limits.ts';
import { now } from '../../clock.ts';
import { decompressText } from '../../compressed-text.ts';
import { mayReceiveMessage } from '../../keys/event-access.ts';
import { log } from '../../log.ts';
import { coalesce } from '../../queue/coalesce.ts';
import type { TimeLeft } from '../../queue/consumer.ts';
import { signingOf } from '../../webhooks/registry/signing-secret.ts';
import { type SendOutcome, type SendRequest, send } from '../../webhooks/sender/send.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import { type DeliveryRef, queueFor, sendDeliveries } from '../model/batch.ts';
import { delaySecondsUntil } from '../model/due-times.ts';
import { type AttemptOutcome, nextAttempt, nextStepOf, sameAttempt } from '../model/state.ts';
import { type Attempt, type Decided, type Find, type Found, findForAttempts, isAttempt } from './attempt.ts';
import { emitMetrics } from './attempt-metrics.ts';
import { commit } from './commit.ts';
import { isUnreserved, reserveAttempts } from './reserve.ts';

export type Sender = (request: SendRequest) => Promise<SendOutcome>;

/** Attempts that take longer than this are recorded separately, so that they delay no other record. */
const windowMs = 500;
/** Half of a full batch: these attempts are recorded while the receivers of the others still respond. */
const groupSize = 50;
/** An attempt begins only if there is enough time left to make and to record it. */
const reserveMs = 5_000;

/**
 * Returns one promise for each message, in order, which resolves when each delivery of the message is done. A delivery
 * is attempted, the attempt is recorded, the message of the next attempt is sent, and only then the delivery is done.
 * So a crash at any point repeats a step and skips none, and a repeated step finds what was already recorded.
 *
 * All data is read together. The attempts run concurrently. Attempts that end at about the same time are recorded
 * together, and the messages of their next attempts are sent together.
 */
export function deliver(
  batches: readonly (readonly DeliveryRef[])[],
  time: TimeLeft,
  sender: Sender = send,
): readonly Promise<void>[] {
  // Two messages of one call for the same delivery share one attempt.
  const distinct = new Map(batches.flat().map((ref) => [nameOf(ref), ref]));
  const due = new Set([...distinct.values()].filter((ref) => isDue(ref, now())));
  const reading = prepare([...due]);
  reading.catch((error: unknown) => log.error('The deliveries of a batch cannot be read', { error }));

  const ends = new Map<string, Promise<void>>();
  for (const group of groupsOf([...distinct.values()])) {
    const record = coalesce(windowMs, recordTogether);
    const sendNext = coalesce(windowMs, sendTogether);
    for (const ref of group) {
      const handled = due.has(ref)
        ? attempt(ref, reading, time, sender)
        : // The message arrived before its time, and is sent again with a delay.
          Promise.resolve(waitUntil(ref.dueAt, ref));
      ends.set(nameOf(ref), sendNext(record(handled)));
    }
  }
  return batches.map((batch) => allOf(batch.map((ref) => ends.get(nameOf(ref)))));
}

/** The data of a batch, and the due times of attempts that are reserved only now. */
interface Prepared {
  readonly at: number;
  readonly find: Find;
  readonly reserved: ReadonlyMap<DeliveryRef, Promise<number>>;
}

async function prepare(refs: readonly DeliveryRef[]): Promise<Prepared> {
  const find = await findForAttempts(refs);
  const at = now();
  const unreserved = refs.flatMap((ref) => {
    const found = find(ref);
    return found && !insteadOf(found, ref, at) && isUnreserved(found) ? [{ ...found, ref }] : [];
  });
  return { at, find, reserved: reserveAttempts(unreserved) };
}

/** Sends the request, unless the delivery is deleted, has ended or is not due. */
async function attempt(
  ref: DeliveryRef,
  reading: Promise<Prepared>,
  time: TimeLeft,
  sender: Sender,
): Promise<Attempt | Decided> {
  const prepared = await reading.catch(() => undefined);
  // If DynamoDB does not return the data, this is not a fault of the receiver: the message is delivered again later.
  if (!prepared) return { ref, next: sameAttempt(ref, now()), isPlatformFault: true };
  const found = prepared.find(ref);
  // The webhook is deleted, so its pending deliveries are not sent (docs/rules.md#webhooks).
  if (!found) return { ref, next: { kind: 'stop' } };
  const instead = insteadOf(found, ref, prepared.at);
  if (instead) return instead;
  const dueAt = await prepared.reserved.get(ref);
  const startedAt = now();
  if (dueAt !== undefined && dueAt > startedAt) return waitUntil(dueAt, { ...ref, isSlow: true });
  const { webhook, delivery } = found;
  const outcome = await outcomeOf(found, time, sender, startedAt);
  return { ref, webhook, delivery, outcome, startedAt, endedAt: now() };
}

/** The step to take instead of an attempt that must not be made now. */
function insteadOf({ webhook, delivery }: Found, ref: DeliveryRef, startedAt: number): Decided | undefined {
  const next = nextStepOf(delivery, ref.attempt);
  if (next === 'drop') return { ref, next: { kind: 'stop' } };
  const isHeld = delivery.attempts === 0 && delivery.nextAttemptAt !== null;
  const isSlow = isHeld || ref.isSlow || undefined;
  if (next === 'other attempt' || !isDue({ attempt: ref.attempt, dueAt: delivery.dueAt, isSlow }, startedAt)) {
    return { ref: { ...ref, ...(isSlow && { isSlow }) }, next: nextAttempt(delivery, startedAt) };
  }
  if (ref.attempt === 1 && !ref.isSlow && queueFor(webhook, startedAt) === 'retries') {
    // The webhook became slow after its event was planned.
    return { ref: { ...ref, isSlow: true }, next: nextAttempt(delivery, startedAt) };
  }
  return undefined;
}

async function outcomeOf(
  { webhook, delivery, key, secret }: Found,
  time: TimeLeft,
  sender: Sender,
  sentAt: number,
): Promise<AttemptOutcome> {
  if (webhook.status !== 'active' || !mayReceiveMessage(key, delivery, sentAt)) return { kind: 'disabled' };
  if (time.getRemainingTimeInMillis() < limits.deliveryTimeoutMs + reserveMs) {
    throw new Error('No time is left for an attempt');
  }
  const { deliveryId, event } = delivery;
  if (secret === undefined) {
    log.error('A webhook has no signing secret', { webhookId: webhook.id });
    return { kind: 'fault' };
  }
  const body = decompressText(delivery.body);
  const headers = signedHeaders({ ...signingOf(webhook, secret, sentAt), deliveryId, event, body });
  const outcome = await sender({ url: webhook.targetUrl, headers, body, webhookId: webhook.id });
  if (outcome.kind === 'failed' && outcome.platformFault) {
    const { errorCode, cause: error } = outcome;
    log.warn('An attempt failed because of a platform fault', { deliveryId, errorCode, error });
  }
  return outcome;
}

function waitUntil(dueAt: number, ref: DeliveryRef): Decided {
  const { attempt } = ref;
  return { ref, next: { kind: 'send', attempt, dueAt, delaySeconds: delaySecondsUntil(dueAt, now()) } };
}

/** An attempt is recorded when its next step is known. */
function recordTogether(handled: readonly (Attempt | Decided)[]): readonly Promise<Decided>[] {
  const nextOf = commit(handled.filter(isAttempt));
  const decided = handled.map(async (one): Promise<Decided> => {
    return isAttempt(one) ? { ref: one.ref, next: await nextOf(one.ref) } : one;
  });
  void emitMetrics(handled, decided);
  return decided;
}

function sendTogether(decided: readonly Decided[]): readonly Promise<void>[] {
  const outgoing = new Map(
    decided.flatMap((one) => {
      if (one.next.kind !== 'send') return [];
      const { attempt, dueAt, delaySeconds } = one.next;
      return [[one, { ref: { ...one.ref, attempt, dueAt }, delaySeconds }]];
    }),
  );
  const sending = sendDeliveries('retries', [...outgoing.values()]);
  return decided.map(async (one) => {
    if (one.next.kind === 'alarm') {
      throw new Error(`Platform faults have prevented a delivery attempt of webhook ${one.ref.webhookId} for a day`);
    }
    const next = outgoing.get(one);
    if (next && !(await sending).has(next)) throw new Error('The message for the next attempt was not sent');
  });
}

/**
 * A first attempt is always due: if its time seems to be in the future, the clocks of two containers differ. Held first
 * attempts, which come through the slow queue, and retries are never made early (docs/rules.md#retries).
 */
function isDue({ attempt, dueAt, isSlow }: Pick<DeliveryRef, 'attempt' | 'dueAt' | 'isSlow'>, at: number): boolean {
  return (attempt === 1 && !isSlow) || dueAt <= at;
}

/**
 * Groups attempts so that all attempts to one webhook are in one group and change the webhook in order. A group may
 * therefore be larger than intended.
 */
function groupsOf(refs: readonly DeliveryRef[]): readonly (readonly DeliveryRef[])[] {
  const groups: DeliveryRef[][] = [];
  for (const alike of Map.groupBy(refs, ({ webhookId }) => webhookId).values()) {
    const last = groups.at(-1);
    if (last && last.length < groupSize) last.push(...alike);
    else groups.push([...alike]);
  }
  return groups;
}

/** Waits for all promises, because a function that responds earlier is frozen while some still run. */
async function allOf(ends: readonly (Promise<void> | undefined)[]): Promise<void> {
  if (ends.includes(undefined)) throw new Error('A delivery was not handled');
  const failed = (await Promise.allSettled(ends)).find((end) => end.status === 'rejected');
  if (failed) throw failed.reason;
}

function nameOf({ webhookId, number }: DeliveryRef): string {
  return `${webhookId} ${number}`;
}
