/**
 * The life of a delivery as one table (docs/rules.md#delivery-records, #retries, #disabling). Values in, values out:
 * no clock, no store, no queue.
 */

import type { DeliveryRecord, DeliveryStatus, Webhook } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { timestamp } from '../../clock.ts';
import type { Outcome } from '../../webhooks/sender/send.ts';
import { type DeliveryItem, type DeliveryState, disabled, isOver } from './delivery-record.ts';
import { delaySecondsUntil, faultPauseSecondsAfter, nextDueAt } from './due-times.ts';

/** How an attempt ended. Nothing was sent when it fell due in vain (`disabled`) or we were at fault before (`fault`). */
export type AttemptOutcome = Outcome | { readonly kind: 'disabled' } | { readonly kind: 'fault' };

export type Verdict = 'delivered' | 'refused' | 'exhausted' | 'unrepeated' | 'disabled' | 'ours';

interface Row {
  /** Of the attempt's record and of the delivery: they end alike. Nothing is written for a fault of our own. */
  readonly status?: DeliveryStatus;
  /** What becomes of the webhook's `consecutiveFailures`, which counts failed deliveries, not attempts. */
  readonly failures: 'keep' | 'reset' | 'count';
  readonly next: 'stop' | 'next attempt' | 'same attempt';
}

const table: Readonly<Record<Verdict, Row>> = {
  /** A 2xx. */
  delivered: { status: 'success', failures: 'reset', next: 'stop' },
  /** A failure that leaves attempts. */
  refused: { status: 'retrying', failures: 'keep', next: 'next attempt' },
  /** A failure of the last attempt. */
  exhausted: { status: 'failed', failures: 'count', next: 'stop' },
  /** A failure of a redelivery: it neither retries nor counts. */
  unrepeated: { status: 'failed', failures: 'keep', next: 'stop' },
  /** Due, but the webhook or its API key is not active. */
  disabled: { status: 'failed', failures: 'keep', next: 'stop' },
  /** A fault of our own: not charged, not recorded, tried again. */
  ours: { failures: 'keep', next: 'same attempt' },
};

/** The fields of an attempt's record that its end decides. */
export type AttemptFields = Pick<
  DeliveryRecord,
  | 'deliveryStatus'
  | 'responseStatusCode'
  | 'responseTimeMs'
  | 'responseBody'
  | 'errorCode'
  | 'errorMessage'
  | 'nextAttemptAt'
>;

export type Next =
  | { readonly kind: 'stop' }
  | { readonly kind: 'send'; readonly attempt: number; readonly dueAt: number; readonly delaySeconds: number }
  /** Our own fault lasts too long: somebody has to look. */
  | { readonly kind: 'alarm' };

/** What an attempt's end writes: its record, and where it leaves its delivery. */
export interface Written {
  readonly record: AttemptFields;
  readonly delivery: DeliveryState;
}

export interface Transition {
  /** Absent when there is nothing to write. */
  readonly written?: Written;
  readonly failures: Failures;
  readonly next: Next;
}

/**
 * What a message for `attempt` finds: an end (`drop`), its own turn (`attempt`), or a delivery that has moved on. There
 * the message of the next attempt is sent again (`announce`), because this one may be back for the very reason that
 * the next one was never sent. A duplicate more does no harm; one less would lose the delivery.
 */
export function admit(delivery: DeliveryState, attempt: number): 'drop' | 'attempt' | 'announce' {
  if (isOver(delivery.state)) return 'drop';
  return attempt === delivery.attempts + 1 ? 'attempt' : 'announce';
}

/** The next attempt of a delivery that has not ended, as a message that waits as long as it may. */
export function announced(delivery: DeliveryState, now: number): Next {
  return {
    kind: 'send',
    attempt: delivery.attempts + 1,
    dueAt: delivery.dueAt,
    delaySeconds: delaySecondsUntil(delivery.dueAt, now),
  };
}

/** Where the attempt that ended at `endedAt` leaves the delivery, its record, the webhook and the queue. */
export function settle(
  delivery: DeliveryState & Partial<Pick<DeliveryItem, 'trigger'>>,
  result: AttemptOutcome,
  endedAt: number,
  timeScale: number,
): Transition {
  const attempt = delivery.attempts + 1;
  const dueNext = nextDueAt(attempt, endedAt, timeScale);
  const failure = delivery.trigger === 'manual' ? 'unrepeated' : dueNext === undefined ? 'exhausted' : 'refused';
  const { status, failures, next } = table[judge(result, failure)];
  if (!status) return { failures, next: sameAttempt({ attempt, dueAt: delivery.dueAt }, endedAt) };
  const dueAt = next === 'next attempt' && dueNext !== undefined ? dueNext : delivery.dueAt;
  const moved: DeliveryState = { state: status, attempts: attempt, dueAt };
  return {
    written: {
      record: {
        deliveryStatus: status,
        nextAttemptAt: next === 'next attempt' ? timestamp(dueAt) : null,
        ...answerFields(result),
      },
      delivery: moved,
    },
    failures,
    next: next === 'next attempt' ? announced(moved, endedAt) : { kind: 'stop' },
  };
}

/** `failure` is what it comes to when the receiver did not take it. */
export function judge(result: AttemptOutcome, failure: Verdict): Verdict {
  if (result.kind === 'disabled') return 'disabled';
  if (result.kind === 'fault' || (result.kind === 'failed' && result.ours)) return 'ours';
  if (result.kind === 'answered' && isSuccess(result.status)) return 'delivered';
  return failure;
}

/** docs/rules.md#attempts */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The attempt is made again after a pause, because the fault was ours. */
export function sameAttempt({ attempt, dueAt }: { attempt: number; dueAt: number }, now: number): Next {
  const delaySeconds = faultPauseSecondsAfter(dueAt, now);
  return delaySeconds === undefined ? { kind: 'alarm' } : { kind: 'send', attempt, dueAt, delaySeconds };
}

const noAnswer = { responseStatusCode: 0, responseTimeMs: 0, responseBody: null };

/** What an attempt's record says of the answer, or of its lack. */
export function answerFields(result: AttemptOutcome): Omit<AttemptFields, 'deliveryStatus' | 'nextAttemptAt'> {
  if (result.kind === 'disabled') return { ...noAnswer, ...disabled };
  if (result.kind === 'failed') return { ...noAnswer, errorCode: result.errorCode, errorMessage: result.message };
  if (result.kind === 'fault') return { ...noAnswer, errorCode: null, errorMessage: null };
  const good = isSuccess(result.status);
  return {
    responseStatusCode: result.status,
    responseTimeMs: Math.round(result.timeMs),
    responseBody: result.body,
    errorCode: good ? null : 'http_status',
    errorMessage: good ? null : `The receiver answered ${result.status}.`,
  };
}

export type Health = Pick<Webhook, 'status' | 'consecutiveFailures'>;
export type Failures = Row['failures'];

/**
 * A success sets the counter to 0, a failed delivery adds one, and at five the webhook is
 * switched off (docs/rules.md#disabling). A webhook that is off counts no further, and nothing but reactivation
 * switches it on; yet a success that was under way still sets its counter to 0, for any success does.
 */
export function health(webhook: Health, failures: Failures): Health {
  if (failures === 'reset') return { status: webhook.status, consecutiveFailures: 0 };
  if (failures === 'keep' || webhook.status === 'failed') return webhook;
  const consecutiveFailures = webhook.consecutiveFailures + 1;
  return {
    consecutiveFailures,
    status: consecutiveFailures >= limits.failedDeliveriesToDisable ? 'failed' : webhook.status,
  };
}

/** What somebody wants to hear of a webhook: that it begins to fail, is switched off for it, or takes deliveries again. */
export type HealthTurn = 'failing' | 'disabled' | 'recovered';

/**
 * The turns that a webhook takes with these attempts, in their order. One that was switched off recovers with its first
 * success after somebody switched it on again.
 */
export function turnsOf(
  webhook: Health & { readonly disabledAt?: string | null },
  attempts: readonly Failures[],
): readonly HealthTurn[] {
  let after: Health = webhook;
  let wasOff = Boolean(webhook.disabledAt);
  return attempts.flatMap((failures) => {
    const before = after;
    after = health(before, failures);
    const isBack = wasOff && failures === 'reset' && after.status === 'active';
    const turn = turnOf(before, after) ?? (isBack ? 'recovered' : undefined);
    if (turn) wasOff = turn === 'disabled';
    return turn ?? [];
  });
}

function turnOf(before: Health, after: Health): HealthTurn | undefined {
  if (after.status === 'failed') return before.status === 'failed' ? undefined : 'disabled';
  const [failed, fails] = [before, after].map((one) => one.consecutiveFailures >= limits.failedDeliveriesToWarn);
  if (failed === fails) return undefined;
  return fails ? 'failing' : 'recovered';
}

/** Whether an attempt changes nothing in the webhook, and needs no write of it. */
export function leavesAsIs(webhook: Health, failures: Failures): boolean {
  const { status, consecutiveFailures } = health(webhook, failures);
  return status === webhook.status && consecutiveFailures === webhook.consecutiveFailures;
}

export interface HealthChange {
  readonly set: Partial<Health>;
  /** What must still hold of the webhook when `set` is written. */
  readonly expected: Partial<Health>;
}

/**
 * What attempts of one webhook change in it, in their order. A count builds on the counter that was read. A reset holds
 * whatever the counter is by now, so successes need not wait for each other.
 */
export function healthChange(webhook: Health, attempts: readonly Failures[]): HealthChange {
  if (attempts.every((one) => one === 'keep')) return { set: {}, expected: {} };
  const { status, consecutiveFailures } = webhook;
  const after = attempts.reduce(health, webhook);
  return {
    set: { consecutiveFailures: after.consecutiveFailures, ...(after.status !== status && { status: after.status }) },
    expected: attempts.includes('count') ? { status, consecutiveFailures } : {},
  };
}
