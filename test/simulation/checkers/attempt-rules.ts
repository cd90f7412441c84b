/** Checks a recorded attempt against the requests that were made, the retry schedule and the state of its webhook. */
import { limits } from '../../../contract/limits.ts';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { SendOutcome } from '../../../core/webhooks/sender/send.ts';
import { Checker } from './checker.ts';
import { isGood, type Made } from './tracked.ts';

const isBad = (outcome: SendOutcome | undefined) =>
  outcome !== undefined && !isGood(outcome) && !('platformFault' in outcome && outcome.platformFault);

export class AttemptRules extends Checker {
  /** `made` contains the requests that may belong to this attempt. */
  check(delivery: DeliveryItem, record: AttemptItem, sent: readonly Made[]): void {
    const { deliveryId: name, state, attempts, trigger } = delivery;
    if (record.deliveryStatus !== state) this.report(`${name}: recorded as ${record.deliveryStatus}, and is ${state}`);
    if (record.trigger !== trigger)
      this.report(`${name}: attempt ${attempts} is ${record.trigger}, and not ${trigger}`);
    if (trigger === 'manual' && state === 'retrying') this.report(`${name}: a redelivery is to be retried`);
    if (trigger === 'scheduled' && attempts > limits.deliveryAttempts) this.report(`${name}: a seventh attempt`);
    this.#checkReason(delivery, record.errorCode, sent);
    if (state === 'retrying') this.#checkDue(delivery, record, sent);
    const isLater = record.id !== delivery.id;
    if (isLater && record.errorCode !== 'webhook_disabled') {
      if (!sent.some(({ startedByClock }) => startedByClock === Date.parse(record.createdAt))) {
        this.report(`${name}: attempt ${attempts} is recorded for ${record.createdAt}, when nothing was sent`);
      }
    }
  }

  /** The end of a delivery has a cause: a response, the last failure, or a disabled webhook. */
  #checkReason(
    { deliveryId: name, state, attempts, trigger, webhookId, keyId }: DeliveryItem,
    errorCode: string | null,
    sent: readonly Made[],
  ): void {
    const answers = sent.map(({ outcome }) => outcome);
    if (state === 'success' && !answers.some(isGood)) this.report(`${name}: success without a 2xx`);
    const isRecordedCode = (one: Made) => errorCode === (one.errorCode ?? (isBad(one.outcome) ? 'http_status' : null));
    if (errorCode !== 'webhook_disabled' && !sent.some(isRecordedCode))
      this.report(`${name}: attempt ${attempts} is on record with ${errorCode}, which it did not meet`);
    if (state === 'retrying' && !answers.some(isBad))
      this.report(`${name}: attempt ${attempts} failed without a fault`);
    if (state !== 'failed') return;
    if (errorCode !== 'webhook_disabled') {
      if (!answers.some(isBad)) this.report(`${name}: failed without a fault`);
      const isLast = trigger === 'manual' || attempts === limits.deliveryAttempts;
      if (!isLast) this.report(`${name}: failed after ${attempts} attempts`);
      return;
    }
    const since = this.observed.runtime.acting?.startedAt ?? this.observed.runtime.now;
    const webhook = this.webhooks.get(webhookId);
    if (webhook?.item.status === 'active' && webhook.changedAt < since && this.webhooks.key(keyId).live)
      this.report(`${name}: skipped for no reason`);
  }

  /** Checks the delay of docs/rules.md#retries from the end of the attempt, to the millisecond. */
  #checkDue({ deliveryId: name, attempts, dueAt }: DeliveryItem, record: AttemptItem, made: readonly Made[]): void {
    const delayMs = (limits.retryDelaysSeconds[attempts - 1] ?? Number.NaN) * 1_000;
    if (!made.some(({ endedByClock = Number.NaN }) => endedByClock + delayMs === dueAt)) {
      this.report(`${name}: attempt ${attempts + 1} is due at ${dueAt}, ${delayMs} ms after no attempt`);
    }
    if (Date.parse(record.nextAttemptAt ?? '') !== dueAt)
      this.report(`${name}: nextAttemptAt is ${record.nextAttemptAt}`);
  }
}
