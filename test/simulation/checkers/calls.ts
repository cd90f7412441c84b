/**
 * Checks the calls of integrators: requests, responses and their effects (docs/rules.md#redelivery, #recovery, #pings).
 */

import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import type { PingResult } from '../../../core/deliveries/attempt/ping.ts';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../../../core/table-keys.ts';
import type { Invocation } from '../simulated-runtime.ts';
import { Checker } from './checker.ts';
import { isOver, type Tracked } from './tracked.ts';

/** A call of an integrator. `named` is the delivery of the `deliveryId`, if it exists. */
export type RequestedCall = { readonly webhookId: number } & (
  | { readonly verb: 'ping' }
  | { readonly verb: 'redeliver'; readonly deliveryId: string; readonly named: readonly Tracked[] | undefined }
  | { readonly verb: 'recover'; readonly from: number; readonly to: number }
);

/** `refused`: a 4xx response. `broken`: a 5xx response or none, so that the effect is unknown. */
export type Answer =
  | { readonly kind: 'answered'; readonly body: unknown }
  | { readonly kind: 'refused'; readonly status: number }
  | { readonly kind: 'broken' };

interface Call {
  readonly requested: RequestedCall;
  readonly startedAt: number;
  /** The failed deliveries in the period when a recovery was requested, with the number of their records. */
  readonly owed: ReadonlyMap<readonly Tracked[], number>;
  readonly attempts: AttemptItem[];
  answer?: Answer;
}

export class Calls extends Checker {
  readonly #calls = new WeakMap<Invocation, Call>();
  /** Pings, and when the lease of each ends. */
  readonly #pings = new Map<Invocation, { readonly webhookId: number; readonly until: number }>();
  /** By webhook: running recoveries, when the lease of the last one ends, and when the last answered one began. */
  readonly #leases = new Map<number, { running: number; heldUntil: number; answeredFrom: number }>();

  begins(invocation: Invocation, requested: RequestedCall): void {
    const { now: startedAt } = this.observed.runtime;
    this.#calls.set(invocation, { requested, startedAt, owed: this.#owedTo(requested), attempts: [] });
    if (requested.verb === 'recover') this.#leaseOf(requested.webhookId).running += 1;
    if (requested.verb === 'ping')
      this.#pings.set(invocation, { webhookId: requested.webhookId, until: Number.MAX_VALUE });
  }

  #leaseOf(webhookId: number) {
    const lease = this.#leases.get(webhookId) ?? { running: 0, heldUntil: 0, answeredFrom: Number.NEGATIVE_INFINITY };
    this.#leases.set(webhookId, lease);
    return lease;
  }

  /** Recoveries of a webhook run one after the other, with a pause after each that was not refused. */
  #endLease({ requested: { webhookId }, startedAt }: Call, { kind }: Answer): void {
    const lease = this.#leaseOf(webhookId);
    const { now } = this.observed.runtime;
    lease.running -= 1;
    if (kind === 'refused') return;
    const longestMs = kind === 'answered' ? 0 : limits.recoverySeconds * 1_000;
    lease.heldUntil = Math.max(lease.heldUntil, now + longestMs + pauseMs + this.observed.runtime.clocksDifferByMs);
    if (kind !== 'answered') return;
    if (now < lease.answeredFrom + pauseMs - this.observed.runtime.clocksDifferByMs)
      this.report(`webhook ${webhookId}: two recoveries within the pause`);
    lease.answeredFrom = startedAt;
  }

  #owedTo(requested: RequestedCall): Call['owed'] {
    if (requested.verb !== 'recover') return new Map();
    const failed = [...(this.webhooks.get(requested.webhookId)?.failed ?? [])];
    const sure = this.#narrowed(requested, this.observed.runtime.clocksDifferByMs);
    const wanted = failed.filter((family) => isWithin(family, sure) && isRecoverable(family));
    return new Map(wanted.map((family) => [family, family.length]));
  }

  /** A period without its edges, or extended: the recovering function and the integrator use different clocks. */
  #narrowed({ from, to }: { readonly from: number; readonly to: number }, byMs: number) {
    return { from: from + byMs, to: to - byMs };
  }

  /** A redelivery was committed. `failed` is whether the newest attempt had failed. */
  redelivered(tracked: Tracked, delivery: DeliveryItem, failed: boolean): void {
    const call = this.#calling();
    if (!call) return;
    const { requested } = call;
    const { deliveryId: name, webhookId } = tracked;
    call.attempts.push(delivery);
    const isAsked =
      requested.webhookId === webhookId &&
      (requested.verb === 'recover'
        ? failed &&
          isWithin(tracked.family, this.#narrowed(requested, -this.observed.runtime.clocksDifferByMs)) &&
          isRecoverable(tracked.family)
        : requested.verb === 'redeliver' && requested.deliveryId === name && call.attempts.length === 1);
    if (!isAsked) this.report(`${name} was redelivered, and ${requested.verb} did not ask for it`);
  }

  pinged(record: AttemptItem): void {
    const call = this.#calling();
    if (!call) return;
    call.attempts.push(record);
    if (call.requested.verb !== 'ping' || call.requested.webhookId !== record.webhookId || call.attempts.length > 1)
      this.report(`${record.deliveryId}: this ping was not asked for`);
  }

  /** The call that makes this commit, unless it has already responded. */
  #calling(): Call | undefined {
    const { acting } = this.observed.runtime;
    const call = acting && this.#calls.get(acting);
    if (!call) this.report(`a record was made by ${acting?.name}, which was not asked`);
    else if (call.answer && call.answer.kind !== 'broken')
      this.report(`${call.requested.verb} of webhook ${call.requested.webhookId} made a record after its answer`);
    return call;
  }

  ends(invocation: Invocation, answer: Answer): void {
    const call = this.#calls.get(invocation);
    // The function died before it began.
    if (!call) return;
    call.answer = answer;
    const { requested } = call;
    this.observed.findings.counts.calls[requested.verb][answer.kind] += 1;
    const what = answer.kind === 'refused' ? answer.status : answer.kind;
    this.observed.runtime.trace(`${requested.verb} ${requested.webhookId} ${what} ${call.attempts.length}`);
    if (requested.verb === 'recover') this.#endLease(call, answer);
    if (requested.verb === 'ping') this.#pings.delete(invocation);
    if (answer.kind === 'refused') this.#checkRefusal(call, answer.status);
    if (requested.verb === 'ping' && answer.kind !== 'refused') {
      const { now, clocksDifferByMs } = this.observed.runtime;
      // The end of a lease is not always recorded.
      this.#pings.set(invocation, { webhookId: requested.webhookId, until: now + longestPingMs + clocksDifferByMs });
    }
    if (answer.kind !== 'answered') return;
    if (requested.verb === 'redeliver') this.#checkRedelivery(call, answer.body as DeliveryRecord);
    if (requested.verb === 'recover') this.#checkRecovery(call, answer.body as { matched: number });
    if (requested.verb === 'ping') this.#checkPing(call, answer.body as PingResult);
  }

  #checkRefusal({ requested, startedAt, attempts }: Call, status: number): void {
    const webhook = this.webhooks.get(requested.webhookId);
    const name = `${requested.verb} of webhook ${requested.webhookId}`;
    // A ping is recorded before its secret is read. If the webhook is deleted in between, its log is deleted too.
    const isGone = requested.verb === 'ping' && status === 404 && webhook?.deleted;
    if (attempts.length > 0 && !isGone)
      this.report(`${name} was refused with ${status} and left ${attempts.length} records`);
    const named = requested.verb === 'redeliver' ? requested.named : undefined;
    const isThere =
      webhook && !webhook.deleted && (requested.verb !== 'redeliver' || named?.[0]?.webhookId === webhook.item.id);
    const used = (named?.length ?? 0) > limits.manualAttemptsPerDelivery;
    const moved = named?.some((one) => !isOver(one) || one.changedAt >= startedAt);
    const mayBeDisabled = webhook && (webhook.item.status !== 'active' || webhook.changedAt >= startedAt);
    const mayConflict = {
      redeliver: moved || used || !named || mayBeDisabled,
      ping: this.#mayBePinged(requested.webhookId, startedAt),
      recover: mayBeDisabled || this.#mayBeTaken(requested.webhookId, startedAt),
    };
    const isRight =
      (status === 404 && !isThere) ||
      (status === 409 && mayConflict[requested.verb]) ||
      (status === 400 && requested.verb === 'recover' && isTooMuch(webhook?.item.lastNumber ?? 0));
    if (!isRight) this.report(`${name} was refused with ${status} for no reason`);
  }

  /** Another ping of the webhook may run, or the maximum of pings for its business. */
  #mayBePinged(webhookId: number, at: number): boolean {
    const tenantOf = (id: number) => this.webhooks.get(id)?.item.tenantId;
    const running = [...this.#pings.values()].filter(({ until }) => until >= at);
    const ofBusiness = running.filter((one) => tenantOf(one.webhookId) === tenantOf(webhookId));
    return running.some((one) => one.webhookId === webhookId) || ofBusiness.length >= limits.pingsPerBusiness;
  }

  #mayBeTaken(webhookId: number, startedAt: number): boolean {
    const { running, heldUntil } = this.#leaseOf(webhookId);
    return running > 0 || startedAt < heldUntil;
  }

  #checkRedelivery({ requested, attempts }: Call, body: DeliveryRecord): void {
    const [record] = attempts;
    if (attempts.length !== 1 || !record)
      this.report(`a redelivery of webhook ${requested.webhookId} has ${attempts.length} records`);
    if (!record) return;
    const fields = ['id', 'deliveryId', 'event', 'deliveryStatus', 'attemptNumber', 'trigger', 'createdAt'] as const;
    for (const field of fields)
      if (body[field] !== record[field]) this.report(`${record.deliveryId}: the answer's ${field} is ${body[field]}`);
    if (body.trigger !== 'manual') this.report(`${record.deliveryId}: the answer's trigger is ${body.trigger}`);
  }

  #checkRecovery({ requested, attempts, owed }: Call, { matched }: { readonly matched: number }): void {
    const name = `recover of webhook ${requested.webhookId}`;
    if (matched !== attempts.length) this.report(`${name} reports ${matched} and redelivered ${attempts.length}`);
    if (this.webhooks.get(requested.webhookId)?.deleted) return;
    for (const [family, length] of owed)
      if (family.length === length) this.report(`${name}: ${family[0]?.deliveryId} had failed and was left out`);
  }

  #checkPing({ requested, attempts }: Call, body: PingResult): void {
    const [record] = attempts;
    if (attempts.length !== 1 || !record)
      this.report(`a ping of webhook ${requested.webhookId} has ${attempts.length} records`);
    if (!record) return;
    const { store, tables } = this.observed;
    const item = store.table(tables.deliveries).get(deliveries.record(record.webhookId, record.id)) as
      | AttemptItem
      | undefined;
    const fields = ['deliveryId', 'responseStatusCode', 'responseTimeMs', 'errorMessage'] as const;
    const differs = fields.filter((field) => body[field] !== item?.[field]);
    if (differs.length > 0)
      this.report(`${record.deliveryId}: the answer differs from the record in ${differs.join(', ')}`);
    if (body.success !== (item?.deliveryStatus === 'success'))
      this.report(`${record.deliveryId}: answered ${body.success} and recorded as ${item?.deliveryStatus}`);
  }
}

function isWithin(family: readonly Tracked[], { from, to }: { readonly from: number; readonly to: number }): boolean {
  const createdAt = family[0]?.createdAt ?? Number.NaN;
  return from <= createdAt && createdAt <= to;
}

const longestPingMs = limits.deliveryTimeoutMs + 5_000;
const pauseMs = limits.recoveryPauseSeconds * 1_000;

function isRecoverable(family: readonly Tracked[]): boolean {
  const ended = family.slice(1).filter((one) => isOver(one) && !one.wasSkipped);
  const failed = ended.filter(({ state }) => state === 'failed');
  return failed.length < limits.manualFailuresToLeaveOut && ended.length < limits.manualAttemptsPerDelivery;
}

function isTooMuch(lastNumber: number): boolean {
  return lastNumber > limits.recoveredPerCall;
}
