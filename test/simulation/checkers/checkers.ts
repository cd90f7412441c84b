/**
 * The invariant checkers: they observe everything and report violations. They use nothing of the code under test but
 * the types of its items: due times, counters and subscribers are computed again here.
 */
import { isDeepStrictEqual } from 'node:util';
import type { AttemptItem, DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { OutboxItem } from '../../../core/events/event.ts';
import type { KeyFacts } from '../../../core/keys/api-key.ts';
import type { WebhookItem } from '../../../core/webhooks/registry/webhook.ts';
import type { Change } from '../../../packages/memory-dynamo/src/table.ts';
import { Calls } from './calls.ts';
import { Deliveries } from './deliveries.ts';
import { Events } from './events.ts';
import { Findings } from './findings.ts';
import { checkLogs } from './log.ts';
import { Pings } from './pings.ts';
import { Requests } from './requests.ts';
import { isDelivery, type Observed } from './tracked.ts';
import { type End, Webhooks } from './webhooks.ts';

export class Checkers {
  readonly #observed: Observed;
  readonly findings = new Findings();
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly calls: Calls;
  readonly deliveries: Deliveries;
  readonly requests: Requests;
  readonly pings: Pings;

  constructor(observed: Omit<Observed, 'findings'>) {
    this.#observed = { ...observed, findings: this.findings };
    this.webhooks = new Webhooks(this.#observed, this);
    this.events = new Events(this.#observed, this);
    this.calls = new Calls(this.#observed, this);
    this.pings = new Pings(this.#observed, this);
    this.deliveries = new Deliveries(this.#observed, this);
    this.requests = new Requests(this.#observed, this);
  }

  committed(changes: readonly Change[]): void {
    const { tables } = this.#observed;
    const ends: End[] = [];
    for (const change of changes) {
      const { table, before, after } = change;
      const pk = String((after ?? before)?.pk);
      const sk = String((after ?? before)?.sk);
      if (table === tables.records && pk.startsWith('OUTBOX#')) {
        const left = this.events.outboxChanged(before as OutboxItem | undefined, after as OutboxItem | undefined);
        this.deliveries.announced(left);
      } else if (table === tables.records && sk.startsWith('KEY#')) {
        this.webhooks.keyChanged(after as unknown as KeyFacts);
      } else if (table === tables.deliveries && sk.startsWith('R#')) {
        const end = this.#recordChanged(before, after, changes);
        if (end) ends.push(end);
      } else if (table === tables.secrets) this.webhooks.secretChanged(pk, after);
    }
    this.webhooks.judge(changes, ends);
  }

  #recordChanged(before: Change['before'], after: Change['after'], changes: readonly Change[]): End | undefined {
    const record = after as unknown as AttemptItem | undefined;
    const webhook = before ? undefined : this.webhooks.get(record?.webhookId ?? 0);
    if (webhook) webhook.records += 1;
    if (!record) this.findings.report(`the record ${before?.pk} ${before?.sk} was deleted`);
    else if (isDelivery(record)) {
      if (before) return this.deliveries.changed(before as unknown as DeliveryItem, record, changes);
      this.deliveries.began(record, changes);
    } else if (record.trigger === 'ping') {
      if (before) this.pings.changed(record);
      else this.pings.began(record);
    } else if (before && !isHeld(before as unknown as AttemptItem, record)) {
      this.findings.report(`the record ${record.pk} ${record.sk} changed`);
    }
    return undefined;
  }

  /**
   * The tables were restored to the time when these events had been raised, without a commit. Each event is still in
   * the outbox, or every webhook has it. There are no calls of integrators and no pings.
   */
  restored(raised: readonly OutboxItem[]): void {
    const { store, tables } = this.#observed;
    const found = <T>(table: string, holds: (item: { pk: string; sk: string }) => boolean) =>
      ([...store.table(table).all()] as unknown as { pk: string; sk: string }[]).filter(holds) as unknown as T[];
    this.webhooks.restored(found<WebhookItem>(tables.deliveries, ({ sk }) => sk.startsWith('WEBHOOK#')));
    const deliveryItems = found<DeliveryItem>(tables.deliveries, ({ sk }) => sk.startsWith('R#')).filter(isDelivery);
    const outbox = found<OutboxItem>(tables.records, ({ pk }) => pk.startsWith('OUTBOX#'));
    this.events.restored(raised, outbox, this.deliveries.restored(deliveryItems));
  }

  finish(): void {
    if (this.events.open.size > 0) this.findings.report(`${this.events.open.size} events are still in the outbox`);
    checkLogs(this.#observed, this.webhooks);
  }
}

/** The record of a failed attempt changes in only one way: when the sending budget holds the next attempt. */
function isHeld(before: AttemptItem, after: AttemptItem): boolean {
  const { nextAttemptAt } = after;
  return (before.nextAttemptAt ?? '') < (nextAttemptAt ?? '') && isDeepStrictEqual({ ...before, nextAttemptAt }, after);
}
