/** Checks that no event leaves the outbox before all subscribers have it. */
import { isLeftToSweeper, type OutboxItem } from '../../../core/events/event.ts';
import { Checker } from './checker.ts';
import type { Tracked } from './tracked.ts';

interface OpenEvent {
  readonly item: OutboxItem;
  readonly deliveries: Tracked[];
}

export class Events extends Checker {
  /** Events in the outbox, and whether the bus accepted them. */
  readonly open = new Map<number, OpenEvent>();
  readonly #published = new Set<number>();
  readonly #plannedFor = new Set<string>();
  /** The number of unhandled messages per event in the queue. */
  readonly #messages = new Map<number, number>();

  /** After a restore of the tables: the events that must still be sent, and the webhooks that already got them. */
  restored(raised: readonly OutboxItem[], outbox: readonly OutboxItem[], planned: readonly [number, Tracked][]): void {
    for (const tracker of [this.open, this.#published, this.#plannedFor, this.#messages]) tracker.clear();
    for (const item of outbox) this.open.set(item.id, { item, deliveries: [] });
    for (const [eventId, tracked] of planned) this.#mark(eventId, tracked);
    for (const event of raised) if (!this.open.has(event.id)) this.#checkComplete(event);
  }

  outboxChanged(before: OutboxItem | undefined, after: OutboxItem | undefined): readonly Tracked[] {
    if (after) {
      if (before) this.report(`event ${after.id} changed in the outbox`);
      this.open.set(after.id, { item: after, deliveries: [] });
      // Operational events have no subscribers.
      if (!after.name.startsWith('webhook.')) this.observed.findings.counts.events += 1;
      return [];
    }
    const event = before && this.open.get(before.id);
    if (!event) return [];
    this.open.delete(before.id);
    this.#published.delete(before.id);
    this.#checkComplete(before);
    return event.deliveries;
  }

  /** An event leaves the outbox: all webhooks that were subscribed throughout have it. */
  #checkComplete(event: OutboxItem): void {
    const raisedAt = Date.parse(event.occurredAt);
    for (const { item, deleted, createdAt } of this.webhooks.ofBusiness(event.tenantId)) {
      const key = this.webhooks.key(item.keyId);
      if (deleted || createdAt > raisedAt || !item.events.includes(event.name)) continue;
      if (!key.live || key.since > raisedAt) continue;
      if (!this.#plannedFor.has(`${event.id} ${item.id}`))
        this.report(`event ${event.id}: webhook ${item.id} was left out`);
    }
  }

  planned(eventId: number, tracked: Tracked): void {
    if (!this.open.has(eventId))
      this.report(`${tracked.deliveryId} was planned for event ${eventId}, which is not in the outbox`);
    this.#mark(eventId, tracked);
  }

  #mark(eventId: number, tracked: Tracked): void {
    const { webhookId } = tracked;
    this.open.get(eventId)?.deliveries.push(tracked);
    const mark = `${eventId} ${webhookId}`;
    if (this.#plannedFor.has(mark)) this.report(`event ${eventId} was planned twice for webhook ${webhookId}`);
    this.#plannedFor.add(mark);
  }

  published(eventId: number): void {
    if (this.open.has(eventId)) this.#published.add(eventId);
  }

  /** The stream's function acknowledged an event. It may leave overdue events to the sweeper. */
  relayed(eventId: number): void {
    if (isLeftToSweeper({ id: eventId }, this.observed.runtime.now + this.observed.runtime.clocksDifferByMs)) return;
    if (this.open.has(eventId) && !this.#published.has(eventId)) {
      this.report(`event ${eventId} was passed over: the stream's function acknowledged it, and the bus never took it`);
    }
  }

  messageSent(body: string): void {
    for (const id of idsIn(body)) this.#messages.set(id, (this.#messages.get(id) ?? 0) + 1);
  }

  /** A message was lost before it was handled, or is about to be deleted. Returns the ids of its events. */
  forgotten(body: string): readonly number[] {
    const ids = idsIn(body);
    for (const id of ids) this.#messages.set(id, (this.#messages.get(id) ?? 0) - 1);
    return ids;
  }

  /** The consumer of the queue of events acknowledged a message. */
  handled(body: string): void {
    for (const id of this.forgotten(body)) {
      // A plan that continues in another message is not finished.
      if (this.open.has(id) && !this.#messages.get(id)) {
        this.report(`event ${id} was acknowledged before it was planned and announced`);
      }
    }
  }
}

function idsIn(body: string): readonly number[] {
  return JSON.parse(body).detail.events.map(({ id }: { id: number }) => id);
}
