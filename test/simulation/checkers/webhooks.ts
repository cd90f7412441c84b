/** Checks webhooks, secrets and API keys, and the effects of ended deliveries (docs/rules.md#disabling, #secrets). */
import { limits } from '../../../contract/limits.ts';
import type { DeliveryItem } from '../../../core/deliveries/model/delivery-record.ts';
import type { KeyFacts } from '../../../core/keys/api-key.ts';
import { secrets } from '../../../core/table-keys.ts';
import type { WebhookItem } from '../../../core/webhooks/registry/webhook.ts';
import type { Change } from '../../../packages/memory-dynamo/src/table.ts';
import { Checker } from './checker.ts';
import type { Tracked } from './tracked.ts';

export interface Subscriber {
  item: WebhookItem;
  deleted: boolean;
  readonly createdAt: number;
  /** When its status changed, or the webhook was created or deleted. */
  changedAt: number;
  open: number;
  /** When its counter last left 0, and when the webhook was last marked as failing. */
  leftZeroAt: number;
  troubledAt: number;
  records: number;
  /** Deliveries that failed, and whose newest attempt failed. */
  readonly failed: Set<Tracked[]>;
  secrets: { readonly secret: string; readonly since: number }[];
}

export interface End {
  readonly delivery: DeliveryItem;
  readonly errorCode: string | null;
  readonly answeredAt: number;
}

type Health = Pick<WebhookItem, 'status' | 'consecutiveFailures'>;

export class Webhooks extends Checker {
  readonly all = new Map<number, Subscriber>();
  readonly #ofBusiness = new Map<number, Subscriber[]>();
  readonly #keys = new Map<number, { readonly live: boolean; readonly since: number }>();
  onSwitched: (item: WebhookItem) => void = () => {};

  get(id: number): Subscriber | undefined {
    return this.all.get(id);
  }

  ofBusiness(id: number): readonly Subscriber[] {
    return this.#ofBusiness.get(id) ?? [];
  }

  /** Whether an API key is active, and since when. */
  key(id: number): { readonly live: boolean; readonly since: number } {
    return this.#keys.get(id) ?? { live: false, since: 0 };
  }

  /** The number of open deliveries and pings of webhooks that are not deleted. */
  open(): number {
    return [...this.all.values()].reduce((sum, { deleted, open }) => sum + (deleted ? 0 : open), 0);
  }

  keyChanged({ id, status }: KeyFacts, since = this.observed.runtime.now): void {
    this.#keys.set(id, { live: status === 'active', since });
  }

  /** The tables were restored and contain only these webhooks; secrets and keys are unchanged. */
  restored(items: readonly WebhookItem[]): void {
    const { store, tables } = this.observed;
    const before = new Map(this.all);
    this.all.clear();
    this.#ofBusiness.clear();
    for (const item of items) {
      this.#created(item, before.get(item.id)?.createdAt);
      const key = secrets.signing(item.id);
      this.secretChanged(key.pk, store.table(tables.secrets).get({ ...key }));
    }
  }

  secretChanged(pk: string, after: Change['after']): void {
    const webhook = this.all.get(Number(pk.slice('W#'.length)));
    if (!webhook || !after) return;
    const next = { secret: String(after.secret), since: this.observed.runtime.now };
    webhook.secrets = [...webhook.secrets.slice(-1), next];
  }

  /** The secrets with which a function that started then may sign, including one that was replaced while it ran. */
  secretsSince({ secrets }: Subscriber, startedAt: number): readonly string[] {
    return secrets.filter((_, i, all) => (all[i + 1]?.since ?? startedAt) >= startedAt).map(({ secret }) => secret);
  }

  /** Compares counters and states of the webhooks in a commit with the effects of the ends in it. */
  judge(changes: readonly Change[], ends: readonly End[]): void {
    const judged = new Set<number>();
    for (const { table, before, after } of changes) {
      const item = (after ?? before) as WebhookItem | undefined;
      if (table !== this.observed.tables.deliveries || !item?.sk.startsWith('WEBHOOK#')) continue;
      judged.add(item.id);
      const own = ends.filter(({ delivery }) => delivery.webhookId === item.id);
      this.#changed(item, before as WebhookItem | undefined, after === undefined, own);
    }
    for (const end of ends) if (!judged.has(end.delivery.webhookId)) this.#judgeAlone(end);
  }

  #changed(item: WebhookItem, before: WebhookItem | undefined, deleted: boolean, ends: readonly End[]): void {
    const { runtime, findings } = this.observed;
    const webhook = this.all.get(item.id);
    if (!webhook || !before) {
      this.#created(item);
      return;
    }
    webhook.item = item;
    webhook.deleted = deleted;
    const switched = before.status !== item.status;
    if (deleted || switched) webhook.changedAt = runtime.now;
    const reactivated = switched && item.status === 'active';
    const possible = reactivated ? [{ status: 'active', consecutiveFailures: 0 }] : afterEnds(before, ends);
    const [expected = before] = possible;
    const { status, consecutiveFailures } = item;
    if (!possible.some((one) => one.status === status && one.consecutiveFailures === consecutiveFailures)) {
      this.report(
        `webhook ${item.id} is ${status} with ${consecutiveFailures} failures, not ${expected.status} with ${expected.consecutiveFailures}`,
      );
    }
    // Events trigger a webhook. Later attempts, redeliveries and pings do not.
    if (item.lastTriggeredAt !== before.lastTriggeredAt && item.claims === before.claims) {
      this.report(`webhook ${item.id}: lastTriggeredAt changed, and no event was planned`);
    }
    const [since, then] = [item.failingSince, before.failingSince];
    if (since && then && since !== then && !ends.some(({ delivery }) => delivery.state === 'success')) {
      this.report(`webhook ${item.id} fails since ${since}, and no longer since ${then}`);
    }
    if (since && !then) webhook.troubledAt = runtime.now;
    if (before.consecutiveFailures === 0 && item.consecutiveFailures > 0) webhook.leftZeroAt = runtime.now;
    if (switched && item.status === 'failed') findings.counts.webhooksDisabled += 1;
    if (switched && !deleted) this.onSwitched(item);
  }

  #created(item: WebhookItem, createdAt = this.observed.runtime.now): void {
    const { now } = this.observed.runtime;
    const webhook: Subscriber = {
      item,
      deleted: false,
      createdAt,
      changedAt: now,
      leftZeroAt: now,
      troubledAt: now,
      open: 0,
      records: 0,
      failed: new Set(),
      secrets: [],
    };
    this.all.set(item.id, webhook);
    this.#ofBusiness.set(item.tenantId, [...this.ofBusiness(item.tenantId), webhook]);
  }

  /**
   * An end that did not change its webhook is right if there was nothing to change. A success may have read the counter
   * as 0 at any time between its response and now: a failure in between may also be counted after it.
   */
  #judgeAlone({ delivery, errorCode, answeredAt }: End): void {
    const webhook = this.all.get(delivery.webhookId);
    if (!webhook || webhook.deleted) return;
    const { item, leftZeroAt, troubledAt } = webhook;
    if (delivery.state === 'success' && item.failingSince && troubledAt < answeredAt) {
      this.report(`webhook ${item.id} fails since ${item.failingSince}, and ${delivery.deliveryId} succeeded`);
    }
    const expected = afterEnd(item, { delivery, errorCode });
    if (expected.consecutiveFailures === item.consecutiveFailures) return;
    if (delivery.state === 'success' && leftZeroAt >= answeredAt) return;
    this.report(
      `webhook ${item.id}: ${delivery.deliveryId} ended as ${delivery.state} and its counter stayed ${item.consecutiveFailures}`,
    );
  }
}

/** The possible results of ends that are written together, whose order is unknown. */
function afterEnds(webhook: Health, ends: readonly End[]): readonly Health[] {
  const [successes, others] = [true, false].map((wanted) =>
    ends.filter(({ delivery }) => (delivery.state === 'success') === wanted),
  ) as [End[], End[]];
  const reached = new Map<string, Health>();
  const visit = (health: Health, failed: number, succeeded: number): void => {
    const state = `${failed} ${succeeded} ${health.status} ${health.consecutiveFailures}`;
    if (reached.has(state)) return;
    reached.set(state, health);
    const [failure, success] = [others[failed], successes[succeeded]];
    if (failure) visit(afterEnd(health, failure), failed + 1, succeeded);
    if (success) visit(afterEnd(health, success), failed, succeeded + 1);
  };
  visit(webhook, 0, 0);
  const whole = `${others.length} ${successes.length} `;
  return [...reached].flatMap(([place, health]) => (place.startsWith(whole) ? [health] : []));
}

/** Any success sets the counter to 0; a failed scheduled delivery counts, a failed redelivery does not. */
function afterEnd(webhook: Health, { delivery, errorCode }: Pick<End, 'delivery' | 'errorCode'>): Health {
  if (delivery.state === 'success') return { status: webhook.status, consecutiveFailures: 0 };
  if (delivery.trigger === 'manual' || errorCode === 'webhook_disabled' || webhook.status === 'failed') return webhook;
  const consecutiveFailures = webhook.consecutiveFailures + 1;
  const off = consecutiveFailures >= limits.failedDeliveriesToDisable;
  return { status: off ? 'failed' : 'active', consecutiveFailures };
}
