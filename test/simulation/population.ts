/** The simulated businesses, with their API keys, webhooks and receivers. */

import { type EventName, eventNames } from '../../contract/events.ts';
import { limits } from '../../contract/limits.ts';
import { scopeNames } from '../../contract/scopes.ts';
import { newId } from '../../core/clock.ts';
import { deliveries, records, secrets } from '../../core/table-keys.ts';
import { registrationOf } from '../../core/webhooks/registry/registration.ts';
import { newWebhookItem } from '../../core/webhooks/registry/webhook.ts';
import type { Item } from '../../packages/memory-dynamo/src/value.ts';
import type { Random } from './random.ts';
import { healthy, type Receiver, someReceiver } from './receivers.ts';

export interface Business {
  readonly id: number;
  readonly keyIds: readonly number[];
  readonly weight: number;
}

export interface Population {
  readonly businesses: readonly Business[];
  readonly receivers: Map<string, Receiver>;
}

export interface PopulationPlan {
  readonly random: Random;
  readonly put: (store: 'records' | 'deliveries' | 'secrets', item: Item) => void;
  /** The start of the simulation, and the length of the period with events. */
  readonly startAt: number;
  readonly spanMs: number;
}

/** A host that webhooks share. */
interface Host {
  readonly name: string;
  /** Whether it has responded to the business before. */
  readonly hasAnswered: boolean;
}

class Builder {
  readonly #plan: PopulationPlan;
  readonly businesses: Business[] = [];
  readonly receivers = new Map<string, Receiver>();

  constructor(plan: PopulationPlan) {
    this.#plan = plan;
  }

  /** Adds a business with the given number of webhooks on each of its keys. By default they get all events. */
  add(
    weight: number,
    webhooksOfKeys: readonly number[],
    receiverOf: () => Receiver,
    { eventsOf = () => [...eventNames], host }: { eventsOf?: () => EventName[]; host?: Host } = {},
  ): void {
    const { put } = this.#plan;
    const id = newId();
    const keyIds = webhooksOfKeys.map((count) => {
      const keyId = newId();
      put('records', { ...records.key(id, keyId), id: keyId, tenantId: id, status: 'active', scopes: scopeNames });
      put('deliveries', { ...deliveries.quota(id, keyId), active: count });
      for (let i = 0; i < count; i++) this.#addWebhook(id, keyId, eventsOf(), receiverOf(), host);
      return keyId;
    });
    this.businesses.push({ id, keyIds, weight });
  }

  #addWebhook(tenantId: number, keyId: number, events: EventName[], receiver: Receiver, host?: Host): void {
    const { put, random } = this.#plan;
    const number = this.receivers.size + 1;
    const targetUrl = `https://${host?.name ?? `receiver-${number}.example.com`}/hooks/${number}`;
    const item = newWebhookItem({ tenantId, keyId }, { targetUrl, events });
    put('deliveries', { ...item, ...(host?.hasAnswered && { answeredHost: host.name }) });
    put('deliveries', { ...registrationOf(item) });
    put('secrets', {
      ...secrets.signing(item.id),
      secret: `whsec_${Buffer.from(random.bytes(32)).toString('base64')}`,
    });
    this.receivers.set(targetUrl, receiver);
  }
}

function keysFor(webhooks: number): readonly number[] {
  const full = limits.activeWebhooksPerKey;
  return Array.from({ length: Math.ceil(webhooks / full) }, () => full);
}

/**
 * One business with this many webhooks at one host, and further businesses with one webhook each at hosts of their own,
 * which are healthy and have responded before. All webhooks are subscribed to all events.
 */
export function oneHost(
  plan: PopulationPlan,
  webhooks: number,
  receiver: Receiver,
  hasAnswered: boolean,
  neighbours = 0,
): Population {
  const builder = new Builder(plan);
  builder.add(1, keysFor(webhooks), () => receiver, { host: { name: 'shared.example.com', hasAnswered } });
  for (let i = 1; i <= neighbours; i++) {
    const host = { name: `neighbour-${i}.example.com`, hasAnswered: true };
    builder.add(1, [1], () => healthy, { host });
  }
  return builder;
}

/** Many small businesses, a chain with more webhooks than one transaction can plan, and a business without webhooks. */
export function someBusinesses(plan: PopulationPlan, count: number): Population {
  const { random, startAt, spanMs } = plan;
  const builder = new Builder(plan);
  const eventsOf = () => {
    const chosen = eventNames.filter(() => random.chance(0.24));
    return chosen.length > 0 ? chosen : [random.pick(eventNames)];
  };
  const receiver = () => someReceiver(random, startAt, spanMs);
  for (let i = 0; i < count; i++) {
    const keys = Array.from({ length: random.between(1, 3) }, () => random.between(1, 3));
    builder.add(random.between(1, 20), keys, receiver, { eventsOf });
  }
  const full = limits.activeWebhooksPerKey;
  builder.add(0.05, [full, full, full, full, full, full], receiver);
  builder.add(2, [], receiver);
  return builder;
}

/** Businesses with ten webhooks each, or another number, all subscribed to everything. */
export function alikeBusinesses(
  plan: PopulationPlan,
  webhooks: number,
  receiverOf: () => Receiver,
  perBusiness: number = limits.activeWebhooksPerKey,
): Population {
  const builder = new Builder(plan);
  for (let left = webhooks; left > 0; left -= perBusiness) {
    builder.add(1, [Math.min(left, perBusiness)], receiverOf);
  }
  return builder;
}

/** One business with many webhooks and few events among businesses with many events. */
export function chainAmongOthers(plan: PopulationPlan, webhooks: number, others: number): Population {
  const { random, startAt, spanMs } = plan;
  const builder = new Builder(plan);
  const receiver = () => someReceiver(random, startAt, spanMs);
  builder.add(1, keysFor(webhooks), receiver);
  for (let i = 0; i < others; i++) builder.add(20, [2, 1], receiver);
  return builder;
}

/** A business with many webhooks, which comes first, and one with a single webhook; all healthy, with all events. */
export function chainAndNeighbour(plan: PopulationPlan, webhooks: number): Population {
  const builder = new Builder(plan);
  builder.add(1, keysFor(webhooks), () => healthy);
  builder.add(1, [1], () => healthy);
  return builder;
}
