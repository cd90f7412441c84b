/** What an attempt that is on record must be true to: the requests that were made, the schedule, the switch. */
import { limits } from '../../../contract/limits.ts';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { Outcome } from '../../../core/webhooks/sender/send.ts';
import { isGood, type Made, type Scene } from './tracked.ts';
import type { Webhooks } from './webhooks.ts';

const isBad = (outcome: Outcome | undefined) =>
  outcome !== undefined && !isGood(outcome) && !('ours' in outcome && outcome.ours);

export class AttemptRules {
  readonly #scene: Scene;
  readonly #webhooks: Webhooks;

  constructor(scene: Scene, webhooks: Webhooks) {
    this.#scene = scene;
    this.#webhooks = webhooks;
  }

  /** `made` are the requests that may have been this attempt. */
  check(head: DeliveryItem, record: AttemptItem, made: readonly Made[]): void {
    const { say } = this;
    const { deliveryId: name, state, attempts, trigger } = head;
    if (record.deliveryStatus !== state) say(`${name}: recorded as ${record.deliveryStatus}, and is ${state}`);
    if (record.trigger !== trigger) say(`${name}: attempt ${attempts} is ${record.trigger}, and not ${trigger}`);
    if (trigger === 'manual' && state === 'retrying') say(`${name}: a redelivery is to be retried`);
    if (trigger === 'scheduled' && attempts > limits.deliveryAttempts) say(`${name}: a seventh attempt`);
    this.#checkReason(head, record.errorCode, made);
    if (state === 'retrying') this.#checkDue(head, record, made);
    const isLater = record.id !== head.id;
    if (isLater && record.errorCode !== 'webhook_disabled') {
      if (!made.some(({ startedByClock }) => startedByClock === Date.parse(record.createdAt))) {
        say(`${name}: attempt ${attempts} is recorded for ${record.createdAt}, when nothing was sent`);
      }
    }
  }

  readonly say = (sentence: string) => this.#scene.findings.say(sentence);

  /** An end has its cause: an answer, the last failure, or a switch that was off. */
  #checkReason(
    { deliveryId: name, state, attempts, trigger, webhookId, keyId }: DeliveryItem,
    errorCode: string | null,
    made: readonly Made[],
  ): void {
    const { say } = this;
    const answers = made.map(({ outcome }) => outcome);
    if (state === 'success' && !answers.some(isGood)) say(`${name}: success without a 2xx`);
    const isTold = (one: Made) => errorCode === (one.errorCode ?? (isBad(one.outcome) ? 'http_status' : null));
    if (errorCode !== 'webhook_disabled' && !made.some(isTold))
      say(`${name}: attempt ${attempts} is on record with ${errorCode}, which it did not meet`);
    if (state === 'retrying' && !answers.some(isBad)) say(`${name}: attempt ${attempts} failed by nobody's fault`);
    if (state !== 'failed') return;
    if (errorCode !== 'webhook_disabled') {
      if (!answers.some(isBad)) say(`${name}: failed by nobody's fault`);
      const isLast = trigger === 'manual' || attempts === limits.deliveryAttempts;
      if (!isLast) say(`${name}: failed after ${attempts} attempts`);
      return;
    }
    const since = this.#scene.world.acting?.startedAt ?? this.#scene.world.now;
    const webhook = this.#webhooks.get(webhookId);
    if (webhook?.item.status === 'active' && webhook.changedAt < since && this.#webhooks.key(keyId).live)
      say(`${name}: skipped for no reason`);
  }

  /** docs/rules.md#retries, from the end of the attempt, to the millisecond. */
  #checkDue({ deliveryId: name, attempts, dueAt }: DeliveryItem, record: AttemptItem, made: readonly Made[]): void {
    const delayMs = (limits.retryDelaysSeconds[attempts - 1] ?? Number.NaN) * 1_000;
    if (!made.some(({ endedByClock = Number.NaN }) => endedByClock + delayMs === dueAt)) {
      this.say(`${name}: attempt ${attempts + 1} is due at ${dueAt}, ${delayMs} ms after no attempt`);
    }
    if (Date.parse(record.nextAttemptAt ?? '') !== dueAt)
      this.say(`${name}: nextAttemptAt says ${record.nextAttemptAt}`);
  }
}
