/**
 * The state machine of a delivery as one table (docs/rules.md#delivery-records, #retries, #disabling). Pure: no clock,
 * no store, no queue.
 */

import type { DeliveryRecord, DeliveryStatus, Webhook } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { timestamp } from '../../clock.ts';
import type { SendOutcome } from '../../webhooks/sender/send.ts';
import { type DeliveryItem, type DeliveryState, disabled, isOver } from './delivery-record.ts';
import { delaySecondsUntil, faultPauseSecondsAfter, nextDueAt } from './due-times.ts';

/**
 * How an attempt ended. No request was sent if the webhook was disabled (`disabled`), or because of a platform fault
 * (`fault`).
 */
export type AttemptOutcome = SendOutcome | { readonly kind: 'disabled' } | { readonly kind: 'fault' };

export type Verdict = 'delivered' | 'refused' | 'exhausted' | 'unrepeated' | 'disabled' | 'platformFault';

interface Row {
  /**
   * The status of the attempt's record and of the delivery, which are equal. Nothing is written for a platform fault.
   */
  readonly status?: DeliveryStatus;
  /** The change of the webhook's `consecutiveFailures`, which counts failed deliveries, not attempts. */
  readonly failures: 'keep' | 'reset' | 'count';
  readonly next: 'stop' | 'next attempt' | 'same attempt';
}

const table: Readonly<Record<Verdict, Row>> = {
  /** A response with 2xx. */
  delivered: { status: 'success', failures: 'reset', next: 'stop' },
  /** A failure after which another attempt follows. */
  refused: { status: 'retrying', failures: 'keep', next: 'next attempt' },
  /** A failure of the last attempt. */
  exhausted: { status: 'failed', failures: 'count', next: 'stop' },
  /** A failure of a redelivery, which is not retried and not counted. */
  unrepeated: { status: 'failed', failures: 'keep', next: 'stop' },
  /** The attempt was due, but the webhook or its API key is not active, or the key lacks a scope. */
  disabled: { status: 'failed', failures: 'keep', next: 'stop' },
  /** A platform fault: not counted as a failure, not recorded, tried again. */
  platformFault: { failures: 'keep', next: 'same attempt' },
};

/** The fields of an attempt's record that are set when the attempt ends. */
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
  /** A platform fault lasts too long: the message goes to the dead-letter queue, which raises an alarm. */
  | { readonly kind: 'alarm' };

/** The effects of an attempt on its delivery, its webhook and the queue. */
export interface Transition {
  /** The changes of the attempt's record and of its delivery. Absent if there is nothing to write. */
  readonly written?: { readonly record: AttemptFields; readonly delivery: DeliveryState };
  readonly failures: Failures;
  readonly next: Next;
}

/**
 * What to do with a message for `attempt`. If the delivery has ended, nothing (`drop`). If this attempt is the next
 * one, make it (`attempt`). Otherwise, send the message of the next attempt again (`other attempt`). `attempt` is
 * already recorded if the message was delivered twice, perhaps because the next message was never sent. It is too early
 * if a backup was restored. An additional message does no harm; a missing one would lose the delivery.
 */
export function nextStepOf(delivery: DeliveryState, attempt: number): 'drop' | 'attempt' | 'other attempt' {
  if (isOver(delivery.state)) return 'drop';
  return attempt === delivery.attempts + 1 ? 'attempt' : 'other attempt';
}

/** The message for the next attempt of an unfinished delivery, with the longest possible delay up to its due time. */
export function nextAttempt(delivery: DeliveryState, now: number): Next {
  return {
    kind: 'send',
    attempt: delivery.attempts + 1,
    dueAt: delivery.dueAt,
    delaySeconds: delaySecondsUntil(delivery.dueAt, now),
  };
}

/** The effects of an attempt that ended at `endedAt` on the delivery, its record, the webhook and the queue. */
export function transitionOf(
  delivery: DeliveryState & Partial<Pick<DeliveryItem, 'trigger'>>,
  outcome: AttemptOutcome,
  endedAt: number,
  timeScale: number,
): Transition {
  const attempt = delivery.attempts + 1;
  const dueNext = nextDueAt(attempt, endedAt, timeScale);
  const failure = delivery.trigger === 'manual' ? 'unrepeated' : dueNext === undefined ? 'exhausted' : 'refused';
  const { status, failures, next } = table[verdictOf(outcome, failure)];
  if (!status) return { failures, next: sameAttempt({ attempt, dueAt: delivery.dueAt }, endedAt) };
  const dueAt = next === 'next attempt' && dueNext !== undefined ? dueNext : delivery.dueAt;
  const moved: DeliveryState = { state: status, attempts: attempt, dueAt };
  return {
    written: {
      record: {
        deliveryStatus: status,
        nextAttemptAt: next === 'next attempt' ? timestamp(dueAt) : null,
        ...responseFields(outcome),
      },
      delivery: moved,
    },
    failures,
    next: next === 'next attempt' ? nextAttempt(moved, endedAt) : { kind: 'stop' },
  };
}

/** `failure` is the result if the attempt failed. */
export function verdictOf(outcome: AttemptOutcome, failure: Verdict): Verdict {
  if (outcome.kind === 'disabled') return 'disabled';
  if (outcome.kind === 'fault' || (outcome.kind === 'failed' && outcome.platformFault)) return 'platformFault';
  if (outcome.kind === 'response' && isSuccess(outcome.status)) return 'delivered';
  return failure;
}

/** docs/rules.md#attempts */
export function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

/** The attempt is made again later, because a platform fault prevented it. */
export function sameAttempt({ attempt, dueAt }: { attempt: number; dueAt: number }, now: number): Next {
  const delaySeconds = faultPauseSecondsAfter(dueAt, now);
  return delaySeconds === undefined ? { kind: 'alarm' } : { kind: 'send', attempt, dueAt, delaySeconds };
}

const noResponse = { responseStatusCode: 0, responseTimeMs: 0, responseBody: null };

/** The fields of an attempt's record about the response, or about the lack of one. */
export function responseFields(outcome: AttemptOutcome): Omit<AttemptFields, 'deliveryStatus' | 'nextAttemptAt'> {
  if (outcome.kind === 'disabled') return { ...noResponse, ...disabled };
  if (outcome.kind === 'failed') return { ...noResponse, errorCode: outcome.errorCode, errorMessage: outcome.message };
  if (outcome.kind === 'fault') return { ...noResponse, errorCode: null, errorMessage: null };
  const good = isSuccess(outcome.status);
  return {
    responseStatusCode: outcome.status,
    responseTimeMs: Math.round(outcome.timeMs),
    responseBody: outcome.body,
    errorCode: good ? null : 'http_status',
    errorMessage: good ? null : `The receiver answered ${outcome.status}.`,
  };
}

type Health = Pick<Webhook, 'status' | 'consecutiveFailures'>;
export type Failures = Row['failures'];

/**
 * A success sets the counter to 0, a failed delivery adds one, and at five the webhook is disabled
 * (docs/rules.md#disabling). The counter of a disabled webhook does not increase, and only reactivation makes the
 * webhook active. But if an attempt that had begun before succeeds, the counter is set to 0.
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

/** The operational events of a webhook: it begins to fail, is disabled, or works again. */
export type HealthEvent = 'failing' | 'disabled' | 'recovered';

/**
 * The effects of these attempts, in their order, on a webhook. A webhook that was disabled has recovered with its first
 * success after its reactivation.
 */
export function healthEvents(
  webhook: Health & { readonly disabledAt?: string | null },
  attempts: readonly Failures[],
): readonly HealthEvent[] {
  let after: Health = webhook;
  let wasDisabled = Boolean(webhook.disabledAt);
  return attempts.flatMap((failures) => {
    const before = after;
    after = health(before, failures);
    const isBack = wasDisabled && failures === 'reset' && after.status === 'active';
    const event = eventBetween(before, after) ?? (isBack ? 'recovered' : undefined);
    if (event) wasDisabled = event === 'disabled';
    return event ?? [];
  });
}

function eventBetween(before: Health, after: Health): HealthEvent | undefined {
  if (after.status === 'failed') return before.status === 'failed' ? undefined : 'disabled';
  const [failed, fails] = [before, after].map((one) => one.consecutiveFailures >= limits.failedDeliveriesToWarn);
  if (failed === fails) return undefined;
  return fails ? 'failing' : 'recovered';
}

/**
 * The changes that attempts of one webhook make in it, in their order, and their condition. An increment is conditional
 * on the counter that was read. A reset is not, so successes need not wait for each other.
 */
export function healthChange(
  webhook: Health,
  attempts: readonly Failures[],
): { readonly set: Partial<Health>; readonly expected: Partial<Health> } {
  if (attempts.every((one) => one === 'keep')) return { set: {}, expected: {} };
  const { status, consecutiveFailures } = webhook;
  const after = attempts.reduce(health, webhook);
  return {
    set: { consecutiveFailures: after.consecutiveFailures, ...(after.status !== status && { status: after.status }) },
    expected: attempts.includes('count') ? { status, consecutiveFailures } : {},
  };
}
