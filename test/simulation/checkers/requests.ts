/** Checks the requests to receivers: their times, number, bodies and signatures. */
import { inflateRawSync } from 'node:zlib';
import type { SendOutcome, SendRequest } from '../../../core/webhooks/sender/send.ts';
import { Checker } from './checker.ts';
import { isOver, type Made, type Tracked } from './tracked.ts';

/**
 * A function that made a request tries to record it until the function ends. It must not give up after this many
 * faults.
 */
const storeFaultsTolerated = 5;
/** Body and signature are checked for one in this many requests. */
const messagesChecked = 4;

export class Requests extends Checker {
  /** How many requests of this delivery the integrator's server got. */
  countOf(deliveryId: string): number {
    return this.others.deliveries.family(deliveryId)?.[0]?.requestCount ?? 0;
  }

  /** The sender is about to send. Returns the value to pass to `ends`. */
  starts(request: SendRequest): Made {
    const { runtime, findings } = this.observed;
    const { counts } = findings;
    const name = request.headers['X-Webhook-Delivery'] ?? '';
    const { deliveries, pings } = this.others;
    if (pings.knows(name)) return pings.requestStarts(name, request);
    const invocation = runtime.current();
    // A function does not know a record that is younger than itself.
    const family = deliveries.family(name);
    const tracked = family?.findLast(({ beganAt }) => beganAt <= invocation.startedAt);
    const delivery = tracked && deliveries.deliveryOf(tracked);
    if (!tracked || !delivery) throw new Error(`A request for a delivery that is not there: ${name}`);
    // The function's reads are not older than the function.
    const unchanged = tracked.changedAt < invocation.startedAt;
    const startedByClock = runtime.clock;
    const start: Made = {
      attempt: delivery.attempts + 1,
      stale: !unchanged,
      invocation,
      startedAt: runtime.now,
      startedByClock,
    };
    counts.requests += 1;
    if (unchanged && isOver(delivery)) this.report(`${name}: a request after its end as ${delivery.state}`);
    if (unchanged && !isOver(delivery)) {
      // A first attempt is due when it is planned, by any clock.
      const isEarly =
        delivery.dueAt > startedByClock &&
        (start.attempt > 1 || delivery.dueAt > runtime.now + runtime.clocksDifferByMs);
      if (isEarly) this.report(`${name}: attempt ${start.attempt} is ${delivery.dueAt - startedByClock} ms early`);
      counts.latestMs = Math.max(counts.latestMs, runtime.now - delivery.dueAt);
    }
    const webhook = this.webhooks.get(tracked.webhookId);
    if (webhook && webhook.changedAt < invocation.startedAt && (webhook.deleted || webhook.item.status !== 'active')) {
      this.report(`${name}: a request to a webhook that is off`);
    }
    this.#checkRepeat(tracked, start);
    if (webhook && counts.requests % messagesChecked === 0) {
      this.checkSent(request, webhook, start);
      // A format byte precedes the body.
      if (inflateRawSync(delivery.body.subarray(1)).toString() !== request.body)
        this.report(`${name}: another body than the frozen one`);
    }
    for (const first of family?.slice(0, 1) ?? []) first.requestCount += 1;
    tracked.requests.push(start);
    return start;
  }

  /**
   * An attempt makes one request. It may make another if the first is not known: its function failed or was still
   * running before it was recorded, or there was a platform fault, which is not recorded.
   */
  #checkRepeat({ deliveryId: name, requests }: Tracked, { attempt, invocation }: Made): void {
    const same = requests.filter((earlier) => earlier.attempt === attempt && !earlier.stale);
    if (same.length > 0) this.observed.findings.counts.repeated += 1;
    for (const earlier of same) {
      const known = earlier.endedAt !== undefined && earlier.endedAt < invocation.startedAt;
      const platformFault = earlier.outcome?.kind === 'failed' && earlier.outcome.platformFault;
      if (!known || platformFault) continue;
      const { outcome, died, storeFaults } = earlier.invocation;
      if (outcome === 'done') this.report(`${name}: attempt ${attempt} was made twice`);
      if (outcome === 'failed' && !died && storeFaults < storeFaultsTolerated)
        this.report(`${name}: attempt ${attempt} was made twice, for ${storeFaults} faults of the store`);
    }
  }

  /** `met` is the simulated failure: its error code, and whether it was a platform fault. */
  ends(
    start: Made,
    outcome: SendOutcome,
    met: { readonly errorCode?: string | undefined; readonly isPlatformFault?: boolean } = {},
  ): void {
    const { runtime } = this.observed;
    start.endedAt = runtime.now;
    start.endedByClock = runtime.clock;
    start.outcome = outcome;
    start.errorCode = met.errorCode;
    if (met.isPlatformFault && !(outcome.kind === 'failed' && outcome.platformFault))
      this.report(`a fault of our own is charged to a receiver: ${JSON.stringify(outcome)}`);
  }
}
