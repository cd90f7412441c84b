/**
 * Checks the calls of integrators: requests, responses and their effects (docs/rules.md#redelivery, #recovery, #pings).
 */

import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import type { PingResult } from '../../../core/deliveries/attempt/ping.ts';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../../../core/table-keys.ts';
import type { Invocation } from '../simulated-runtime.ts';
import { isOver, type Observed, type Tracked } from './tracked.ts';
import type { Webhooks } from './webhooks.ts';

/** A call of an integrator. `named` is the delivery of the `deliveryId`, if it exists. */
export type Asked = { readonly webhookId: number } & (
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
  readonly asked: Asked;
  readonly startedAt: number;
  /** The failed deliveries in the period when a recovery was requested, with the number of their records. */
  readonly owed: ReadonlyMap<readonly Tracked[], number>;
  /** Records that the call created. */
  readonly made: AttemptItem[];
  answer?: Answer;
}

export class Calls {
  readonly #observed: Observed;
  readonly #webhooks: Webhooks;
  readonly #calls = new WeakMap<Invocation, Call>();
  /** Pings, and when the lease of each ends. */
  readonly #pings = new Map<Invocation, { readonly webhookId: number; readonly until: number }>();
  /** By webhook: running recoveries, when the lease of the last one ends, and when the last answered one began. */
  readonly #leases = new Map<number, { running: number; heldUntil: number; answeredFrom: number }>();

  constructor(observed: Observed, webhooks: Webhooks) {
    this.#observed = observed;
    this.#webhooks = webhooks;
  }

  #report(sentence: string): void {
    this.#observed.findings.report(sentence);
  }

  begins(invocation: Invocation, asked: Asked): void {
    const { now: startedAt } = this.#observed.runtime;
    this.#calls.set(invocation, { asked, startedAt, owed: this.#owedTo(asked), made: [] });
    if (asked.verb === 'recover') this.#leaseOf(asked.webhookId).running += 1;
    if (asked.verb === 'ping') this.#pings.set(invocation, { webhookId: asked.webhookId, until: Number.MAX_VALUE });
  }

  #leaseOf(webhookId: number) {
    const lease = this.#leases.get(webhookId) ?? { running: 0, heldUntil: 0, answeredFrom: Number.NEGATIVE_INFINITY };
    this.#leases.set(webhookId, lease);
    return lease;
  }

  /** Recoveries of a webhook run one after the other, with a pause after each that was not refused. */
  #endLease({ asked: { webhookId }, startedAt }: Call, { kind }: Answer): void {
    const lease = this.#leaseOf(webhookId);
    const { now } = this.#observed.runtime;
    lease.running -= 1;
    if (kind === 'refused') return;
    const longestMs = kind === 'answered' ? 0 : limits.recoverySeconds * 1_000;
    lease.heldUntil = Math.max(lease.heldUntil, now + longestMs + pauseMs + this.#observed.runtime.clocksDifferByMs);
    if (kind !== 'answered') return;
    if (now < lease.answeredFrom + pauseMs - this.#observed.runtime.clocksDifferByMs)
      this.#report(`webhook ${webhookId}: two recoveries within the pause`);
    lease.answeredFrom = startedAt;
  }

  #owedTo(asked: Asked): Call['owed'] {
    if (asked.verb !== 'recover') return new Map();
    const failed = [...(this.#webhooks.get(asked.webhookId)?.failed ?? [])];
    const sure = this.#narrowed(asked, this.#observed.runtime.clocksDifferByMs);
    const wanted = failed.filter((family) => isWithin(family, sure) && failuresByHand(family) < failuresToLeaveOut);
    return new Map(wanted.map((family) => [family, family.length]));
  }

  /** A period without its edges, or extended: the recovering function and the integrator use different clocks. */
  #narrowed({ from, to }: { readonly from: number; readonly to: number }, byMs: number) {
    return { from: from + byMs, to: to - byMs };
  }

  /** A redelivery was committed. `failed` is whether the newest attempt had failed. */
  redelivered(tracked: Tracked, head: DeliveryItem, failed: boolean): void {
    const call = this.#calling();
    if (!call) return;
    const { asked } = call;
    const { deliveryId: name, webhookId } = tracked;
    call.made.push(head);
    const isAsked =
      asked.webhookId === webhookId &&
      (asked.verb === 'recover'
        ? failed &&
          isWithin(tracked.family, this.#narrowed(asked, -this.#observed.runtime.clocksDifferByMs)) &&
          failuresByHand(tracked.family) < failuresToLeaveOut
        : asked.verb === 'redeliver' && asked.deliveryId === name && call.made.length === 1);
    if (!isAsked) this.#report(`${name} was redelivered, and ${asked.verb} did not ask for it`);
  }

  pinged(record: AttemptItem): void {
    const call = this.#calling();
    if (!call) return;
    call.made.push(record);
    if (call.asked.verb !== 'ping' || call.asked.webhookId !== record.webhookId || call.made.length > 1)
      this.#report(`${record.deliveryId}: this ping was not asked for`);
  }

  /** The call that makes this commit, unless it has already responded. */
  #calling(): Call | undefined {
    const { acting } = this.#observed.runtime;
    const call = acting && this.#calls.get(acting);
    if (!call) this.#report(`a record was made by ${acting?.name}, which was not asked`);
    else if (call.answer && call.answer.kind !== 'broken')
      this.#report(`${call.asked.verb} of webhook ${call.asked.webhookId} made a record after its answer`);
    return call;
  }

  ends(invocation: Invocation, answer: Answer): void {
    const call = this.#calls.get(invocation);
    // The function died before it began.
    if (!call) return;
    call.answer = answer;
    const { asked } = call;
    this.#observed.findings.counts.calls[asked.verb][answer.kind] += 1;
    const what = answer.kind === 'refused' ? answer.status : answer.kind;
    this.#observed.runtime.trace(`${asked.verb} ${asked.webhookId} ${what} ${call.made.length}`);
    if (asked.verb === 'recover') this.#endLease(call, answer);
    if (asked.verb === 'ping') this.#pings.delete(invocation);
    if (answer.kind === 'refused') this.#checkRefusal(call, answer.status);
    if (asked.verb === 'ping' && answer.kind !== 'refused') {
      const { now, clocksDifferByMs } = this.#observed.runtime;
      // The end of a lease is not always recorded.
      this.#pings.set(invocation, { webhookId: asked.webhookId, until: now + longestPingMs + clocksDifferByMs });
    }
    if (answer.kind !== 'answered') return;
    if (asked.verb === 'redeliver') this.#checkRedelivery(call, answer.body as DeliveryRecord);
    if (asked.verb === 'recover') this.#checkRecovery(call, answer.body as { matched: number });
    if (asked.verb === 'ping') this.#checkPing(call, answer.body as PingResult);
  }

  /** A refusal has a reason and no effects. */
  #checkRefusal({ asked, startedAt, made }: Call, status: number): void {
    const webhook = this.#webhooks.get(asked.webhookId);
    const name = `${asked.verb} of webhook ${asked.webhookId}`;
    // A ping is recorded before its secret is read. If the webhook is deleted in between, its log is deleted too.
    const isGone = asked.verb === 'ping' && status === 404 && webhook?.deleted;
    if (made.length > 0 && !isGone) this.#report(`${name} was refused with ${status} and left ${made.length} records`);
    const named = asked.verb === 'redeliver' ? asked.named : undefined;
    const isThere =
      webhook && !webhook.deleted && (asked.verb !== 'redeliver' || named?.[0]?.webhookId === webhook.item.id);
    const used = (named?.length ?? 0) > limits.manualAttemptsPerDelivery;
    const moved = named?.some((one) => !isOver(one) || one.changedAt >= startedAt);
    if (status === 404 && !isThere) return;
    if (status === 409 && asked.verb === 'redeliver' && (moved || used || !named)) return;
    if (status === 409 && asked.verb === 'ping' && this.#mayBePinged(asked.webhookId, startedAt)) return;
    const mayBeDisabled = webhook && (webhook.item.status !== 'active' || webhook.changedAt >= startedAt);
    if (status === 409 && asked.verb === 'redeliver' && mayBeDisabled) return;
    if (status === 409 && asked.verb === 'recover' && (mayBeDisabled || this.#mayBeTaken(asked.webhookId, startedAt)))
      return;
    if (status === 400 && asked.verb === 'recover' && webhook && isTooMuch(webhook.item.lastNumber)) return;
    this.#report(`${name} was refused with ${status} for no reason`);
  }

  /** Another ping of the webhook may run, or the maximum of pings for its business. */
  #mayBePinged(webhookId: number, at: number): boolean {
    const tenantOf = (id: number) => this.#webhooks.get(id)?.item.tenantId;
    const running = [...this.#pings.values()].filter(({ until }) => until >= at);
    const ofBusiness = running.filter((one) => tenantOf(one.webhookId) === tenantOf(webhookId));
    return running.some((one) => one.webhookId === webhookId) || ofBusiness.length >= limits.pingsPerBusiness;
  }

  #mayBeTaken(webhookId: number, startedAt: number): boolean {
    const { running, heldUntil } = this.#leaseOf(webhookId);
    return running > 0 || startedAt < heldUntil;
  }

  #checkRedelivery({ asked, made }: Call, body: DeliveryRecord): void {
    const [record] = made;
    if (made.length !== 1 || !record)
      this.#report(`a redelivery of webhook ${asked.webhookId} has ${made.length} records`);
    if (!record) return;
    const fields = ['id', 'deliveryId', 'event', 'deliveryStatus', 'attemptNumber', 'trigger', 'createdAt'] as const;
    for (const field of fields)
      if (body[field] !== record[field]) this.#report(`${record.deliveryId}: the answer's ${field} is ${body[field]}`);
    if (body.trigger !== 'manual') this.#report(`${record.deliveryId}: the answer's trigger is ${body.trigger}`);
  }

  #checkRecovery({ asked, made, owed }: Call, { matched }: { readonly matched: number }): void {
    const name = `recover of webhook ${asked.webhookId}`;
    if (matched !== made.length) this.#report(`${name} reports ${matched} and redelivered ${made.length}`);
    if (this.#webhooks.get(asked.webhookId)?.deleted) return;
    for (const [family, length] of owed)
      if (family.length === length) this.#report(`${name}: ${family[0]?.deliveryId} had failed and was left out`);
  }

  #checkPing({ asked, made }: Call, body: PingResult): void {
    const [record] = made;
    if (made.length !== 1 || !record) this.#report(`a ping of webhook ${asked.webhookId} has ${made.length} records`);
    if (!record) return;
    const { store, tables } = this.#observed;
    const item = store.table(tables.deliveries).get(deliveries.record(record.webhookId, record.id)) as
      | AttemptItem
      | undefined;
    const fields = ['deliveryId', 'responseStatusCode', 'responseTimeMs', 'errorMessage'] as const;
    const differs = fields.filter((field) => body[field] !== item?.[field]);
    if (differs.length > 0)
      this.#report(`${record.deliveryId}: the answer differs from the record in ${differs.join(', ')}`);
    if (body.success !== (item?.deliveryStatus === 'success'))
      this.#report(`${record.deliveryId}: answered ${body.success} and recorded as ${item?.deliveryStatus}`);
  }
}

function isWithin(family: readonly Tracked[], { from, to }: { readonly from: number; readonly to: number }): boolean {
  const createdAt = family[0]?.createdAt ?? Number.NaN;
  return from <= createdAt && createdAt <= to;
}

const longestPingMs = limits.deliveryTimeoutMs + 5_000;
const pauseMs = limits.recoveryPauseSeconds * 1_000;
const failuresToLeaveOut = limits.manualFailuresToLeaveOut;

function failuresByHand(family: readonly Tracked[]): number {
  return family.slice(1).filter(({ state, wasSkipped }) => state === 'failed' && !wasSkipped).length;
}

/** Whether a log may contain more records than one call recovers. */
function isTooMuch(lastNumber: number): boolean {
  return lastNumber > limits.recoveredPerCall;
}
