/** Checks every delivery and redelivery from its first record to its end, with its messages. */
import { deliveryId } from '../../../core/deliveries/model/delivery-id.ts';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import { deliveries } from '../../../core/table-keys.ts';
import type { Change } from '../../../packages/memory-dynamo/src/table.ts';
import { AttemptRules } from './attempt-rules.ts';
import { Checker } from './checker.ts';
import { isDelivery, isOver, type Tracked } from './tracked.ts';
import type { End } from './webhooks.ts';

export class Deliveries extends Checker {
  readonly #rules = new AttemptRules(this.observed, this.others);
  /** Deliveries by webhook and number, as in messages. */
  readonly #deliveryItems = new Map<string, Tracked>();
  /** Deliveries by `deliveryId`, as in requests. */
  readonly #families = new Map<string, Tracked[]>();
  /** Called when a delivery or redelivery was recorded, changed or ended. */
  onMoved: (tracked: Tracked) => void = () => {};

  /** The tables were restored and contain only these records that messages may name. Returns what is kept of each. */
  restored(deliveryItems: readonly DeliveryItem[]): readonly [eventId: number, Tracked][] {
    const { observed, webhooks } = this;
    const { counts } = observed.findings;
    this.#deliveryItems.clear();
    this.#families.clear();
    Object.assign(counts, { deliveries: deliveryItems.length, success: 0, failed: 0, disabled: 0 });
    return deliveryItems.map((delivery) => {
      const tracked = this.#track(delivery, []);
      this.#families.set(delivery.deliveryId, tracked.family);
      const webhook = webhooks.get(delivery.webhookId);
      if (isOver(delivery)) counts[delivery.state === 'success' ? 'success' : 'failed'] += 1;
      else if (webhook) webhook.open += 1;
      return [delivery.eventId, tracked];
    });
  }

  get #now(): number {
    return this.observed.runtime.now;
  }

  family(id: string): readonly Tracked[] | undefined {
    return this.#families.get(id);
  }

  deliveryOf({ webhookId, number }: Tracked): DeliveryItem | undefined {
    const { store, tables } = this.observed;
    return store.table(tables.deliveries).get(deliveries.record(webhookId, number)) as DeliveryItem | undefined;
  }

  /** A record that messages may name was created. */
  began(delivery: DeliveryItem, changes: readonly Change[]): void {
    const webhook = this.webhooks.get(delivery.webhookId);
    if (webhook && !isOver(delivery)) webhook.open += 1;
    if (delivery.trigger === 'manual') this.#redelivered(delivery, changes);
    else this.#planned(delivery);
  }

  #track(delivery: DeliveryItem, family: Tracked[]): Tracked {
    const { webhookId, id: number, state } = delivery;
    const tracked: Tracked = {
      webhookId,
      number,
      deliveryId: delivery.deliveryId,
      family,
      beganAt: this.#now,
      createdAt: Date.parse(delivery.createdAt),
      state,
      changedAt: this.#now,
      requests: [],
      requestCount: 0,
      messages: 0,
    };
    family.push(tracked);
    this.#deliveryItems.set(`${webhookId} ${number}`, tracked);
    return tracked;
  }

  #planned(delivery: DeliveryItem): void {
    const { webhookId, id, deliveryId: name, eventId, state } = delivery;
    const { observed, webhooks } = this;
    if (name !== deliveryId(webhookId, id)) this.report(`${name} is not the id of ${webhookId} ${id}`);
    const tracked = this.#track(delivery, []);
    this.#families.set(name, tracked.family);
    observed.findings.counts.deliveries += 1;
    this.others.events.planned(eventId, tracked);
    const webhook = webhooks.get(webhookId);
    if (!webhook?.item.events.includes(delivery.event as never)) this.report(`${name} was not subscribed to`);
    // The planner's reads are not older than the planner.
    const since = observed.runtime.acting?.startedAt ?? this.#now;
    const wasActive = webhook && (webhook.item.status === 'active' || webhook.changedAt >= since);
    const wasOff = webhook && (webhook.item.status !== 'active' || webhook.changedAt >= since);
    if (state === 'pending' && !wasActive) this.report(`${name} was planned for a webhook that is off`);
    if (state === 'failed') {
      observed.findings.counts.disabled += 1;
      webhook?.failed.add(tracked.family);
      if (!wasOff || delivery.errorCode !== 'webhook_disabled') this.report(`${name} failed before it began`);
    } else if (webhook?.item.delivery === 'poll') {
      // The events of a feed are polled, so their deliveries begin as a success.
      if (state !== 'success') this.report(`${name} of a feed begins as ${state}`);
      observed.findings.counts.success += 1;
    } else if (state !== 'pending' || delivery.attempts !== 0) this.report(`${name} begins as ${state}`);
    this.onMoved(tracked);
  }

  /** A redelivery was requested: after the end of all other attempts, with their body and the next number. */
  #redelivered(delivery: DeliveryItem, changes: readonly Change[]): void {
    const { observed, webhooks } = this;
    const { deliveryId: name, attemptNumber, webhookId } = delivery;
    const family = this.#families.get(name);
    const [first] = family ?? [];
    if (!family || !first) {
      this.report(`${name} was redelivered and never planned`);
      return;
    }
    for (const { number, state } of family) {
      if (!isOver({ state })) this.report(`${name} was redelivered while its record ${number} was ${state}`);
    }
    const noted = changes.find(({ after }) => after?.pk === delivery.pk && after.id === first.number);
    const [before, after] = [noted?.before as DeliveryItem | undefined, noted?.after as DeliveryItem | undefined];
    if (after?.attempts !== (before?.attempts ?? 0) + 1 || after.lastRedelivery !== delivery.id) {
      this.report(`${name}: a redelivery was not counted`);
    } else if (attemptNumber !== after.attempts || delivery.attempts !== before?.attempts) {
      this.report(`${name}: a redelivery is attempt ${attemptNumber} after ${before?.attempts}`);
    }
    const original = this.deliveryOf(first);
    if (!original || Buffer.compare(original.body, delivery.body) !== 0)
      this.report(`${name}: a redelivery of another body`);
    if (delivery.event !== original?.event) this.report(`${name}: a redelivery of another event`);
    if (delivery.state !== 'pending' || delivery.deliveryStatus !== 'pending')
      this.report(`${name}: a redelivery begins as ${delivery.state}`);
    const failed = webhooks.get(webhookId)?.failed;
    const tracked = this.#track(delivery, family);
    observed.findings.counts.redeliveries.requested += 1;
    this.others.calls.redelivered(tracked, delivery, failed?.delete(family) ?? false);
    this.onMoved(tracked);
  }

  /** Returns the end of a delivery, if this change is one. */
  changed(before: DeliveryItem, after: DeliveryItem, changes: readonly Change[]): End | undefined {
    const { deliveryId: name, webhookId, id, attempts, state, dueAt } = after;
    if (before.state === state && before.attempts === attempts && before.dueAt === dueAt) return undefined;
    const tracked = this.#deliveryItems.get(`${webhookId} ${id}`);
    if (!tracked) {
      this.report(`${name} changed and was never planned`);
      return undefined;
    }
    if (isOver(before)) {
      this.#checkNote(before, after, changes);
      return undefined;
    }
    if (before.state === state && before.attempts === attempts && after.reservedFor !== before.reservedFor) {
      this.#checkHold(before, after, changes);
      return undefined;
    }
    tracked.changedAt = this.#now;
    tracked.state = state;
    tracked.wasSkipped = after.errorCode === 'webhook_disabled';
    if (attempts !== before.attempts + 1) this.report(`${name}: attempt ${attempts} after ${before.attempts}`);
    const record = attempts === after.attemptNumber ? after : recordIn(changes, name, attempts);
    if (!record) {
      this.report(`${name}: attempt ${attempts} without a record`);
      return undefined;
    }
    const sent = tracked.requests.filter(
      ({ attempt, stale, endedAt }) => (stale ? attempt >= attempts : attempt === attempts) && endedAt !== undefined,
    );
    this.#rules.check(after, record, sent);
    this.onMoved(tracked);
    if (!isOver(after)) return undefined;
    this.#ended(tracked, after, record.errorCode);
    return {
      delivery: after,
      errorCode: record.errorCode,
      answeredAt: Math.max(0, ...sent.map((one) => one.endedAt ?? 0)),
    };
  }

  /** The sending budget holds the next attempt, never to before its schedule, and the newest record has the time. */
  #checkHold(
    before: DeliveryItem,
    { deliveryId: name, attempts, attemptNumber, dueAt, ...after }: DeliveryItem,
    changes: readonly Change[],
  ) {
    if (dueAt < before.dueAt) this.report(`${name}: attempt ${attempts + 1} is held until before its time`);
    const newest = attempts > attemptNumber ? recordIn(changes, name, attempts) : after;
    if (Date.parse(newest?.nextAttemptAt ?? '') !== dueAt) this.report(`${name}: no record says until when it is held`);
  }

  /** After the end of a delivery only the counter of its redeliveries changes. */
  #checkNote(before: DeliveryItem, after: DeliveryItem, changes: readonly Change[]): void {
    const { deliveryId: name, webhookId, state, attempts, lastRedelivery } = after;
    const isRequested = changes.some(
      (one) => !one.before && one.after?.webhookId === webhookId && one.after.id === lastRedelivery,
    );
    const isNote =
      before.state === state && before.dueAt === after.dueAt && attempts === before.attempts + 1 && isRequested;
    if (!isNote)
      this.report(`${name} ended as ${before.state} after ${before.attempts} and became ${state} after ${attempts}`);
  }

  #ended(tracked: Tracked, { state, trigger, attempts }: DeliveryItem, errorCode: string | null): void {
    const { observed, webhooks } = this;
    const { webhookId, number } = tracked;
    const { counts } = observed.findings;
    const webhook = webhooks.get(webhookId);
    if (webhook) {
      webhook.open -= 1;
      // A delivery that succeeded stays successful, even if its redeliveries fail.
      if (tracked.family[0]?.state === 'failed' && state === 'failed') webhook.failed.add(tracked.family);
    }
    tracked.requests = [];
    const ends = trigger === 'manual' ? counts.redeliveries : counts;
    ends[state === 'success' ? 'success' : errorCode === 'webhook_disabled' ? 'disabled' : 'failed'] += 1;
    observed.runtime.trace(`${webhookId} ${number} ${state} ${attempts}`);
  }

  messageSent(body: string): void {
    for (const tracked of this.#namedBy(body)) {
      if (tracked) tracked.messages += 1;
      else this.report(`a message for no delivery: ${body}`);
    }
  }

  /** A message was deleted. All its work is done, or another message continues it. */
  messageHandled(body: string): void {
    for (const tracked of this.#namedBy(body)) {
      if (!tracked) continue;
      tracked.messages -= 1;
      if (tracked.messages === 0 && !isOver(tracked) && !this.#isOfOpenEvent(tracked))
        this.#lost(tracked, 'acknowledged before the next step was sure');
    }
  }

  /** The event of these deliveries has left the outbox. */
  announced(planned: readonly Tracked[]): void {
    for (const tracked of planned) if (tracked.messages === 0) this.#lost(tracked, 'never announced');
  }

  #isOfOpenEvent(tracked: Tracked): boolean {
    const delivery = this.deliveryOf(tracked);
    return delivery?.trigger === 'scheduled' && this.others.events.open.has(delivery.eventId);
  }

  #lost(tracked: Tracked, why: string): void {
    const delivery = this.deliveryOf(tracked);
    const webhook = this.webhooks.get(tracked.webhookId);
    if (!delivery || isOver(delivery) || webhook?.deleted) return;
    this.report(`${delivery.deliveryId} is lost as ${delivery.state} after ${delivery.attempts} attempts: ${why}`);
  }

  #namedBy(body: string): (Tracked | undefined)[] {
    const { deliveries } = JSON.parse(body) as { deliveries: { webhookId: number; number: number }[] };
    return deliveries.map(({ webhookId, number }) => this.#deliveryItems.get(`${webhookId} ${number}`));
  }
}

function recordIn(changes: readonly Change[], name: string, attempt: number): AttemptItem | undefined {
  const records = changes.map(({ after }) => after as AttemptItem | undefined);
  return records.find((one) => one?.deliveryId === name && one.attemptNumber === attempt && !isDelivery(one));
}
