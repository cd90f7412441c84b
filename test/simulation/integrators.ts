/**
 * Simulates integrators: they enable, rotate and delete webhooks, and request redeliveries, recoveries and pings, at
 * random times and especially when something has just happened. Each call has its own invocation, as by the gateway.
 */
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { eventNames } from '../../contract/event-names.ts';
import * as routes from '../../contract/integration/routes.ts';
import { timestamp } from '../../core/clock.ts';
import { deliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { ApiError } from '../../core/errors.ts';
import { records } from '../../core/table-keys.ts';
import { deleteWebhook } from '../../core/webhooks/registry/delete-webhook.ts';
import { rotateSecret } from '../../core/webhooks/registry/signing-secret.ts';
import { updateWebhook } from '../../core/webhooks/registry/update-webhook.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Functions } from '../support/functions.ts';
import { keyPrincipal, type TestKey } from '../support/principals.ts';
import type { Answer, RequestedCall } from './checkers/calls.ts';
import type { Checkers } from './checkers/checkers.ts';
import type { Tracked } from './checkers/tracked.ts';
import type { Subscriber } from './checkers/webhooks.ts';
import { tables } from './environment.ts';
import type { Population } from './population.ts';
import type { Random } from './random.ts';
import { healthy } from './receivers.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

export interface IntegratorsOptions {
  readonly runtime: SimulatedRuntime;
  readonly random: Random;
  readonly checkers: Checkers;
  readonly store: MemoryDynamo;
  readonly population: Population;
  readonly functions: Pick<Functions, 'ping' | 'redeliver' | 'recover'>;
  /** The time until which they call. After it everything must come to an end. */
  readonly until: number;
}

const hourMs = 3_600_000;
const webhooksKept = 20;

/** The share of deliveries with a new state for which a redelivery is requested. */
const redeliveredShare = { pending: 0.005, retrying: 0.02, success: 0.01, failed: 0.15 } as const;

/** The stack's default timeout of a row. */
const timeoutSecondsDefault = 10;

const timeouts = {
  ping: routes.pingWebhook.timeoutSeconds,
  recover: routes.recoverWebhook.timeoutSeconds,
  redeliver: timeoutSecondsDefault,
} as const satisfies Record<RequestedCall['verb'], number>;

type Act = (key: TestKey) => Promise<unknown>;

export class Integrators {
  readonly #options: IntegratorsOptions;
  #until: number;

  constructor(options: IntegratorsOptions) {
    this.#options = options;
    this.#until = options.until;
    const { checkers, random } = options;
    checkers.deliveries.onMoved = (tracked) => {
      if (random.chance(redeliveredShare[tracked.state])) this.#redeliverSoon(tracked);
    };
    checkers.webhooks.onSwitched = (item) => this.#noticeSwitch(item);
    const every = (ms: number, act: () => void) => {
      this.#in(ms, () => {
        act();
        every(ms, act);
      });
    };
    every(hourMs, () => this.#change());
    every(hourMs / 6, () => this.#ask());
    every(hourMs / 60, () => this.#askWhileNumbersAreMissing());
  }

  stop(): void {
    this.#until = Math.min(this.#until, this.#options.runtime.now);
  }

  #subscribers(): readonly Subscriber[] {
    return [...this.#options.checkers.webhooks.all.values()].filter(({ deleted }) => !deleted);
  }

  /** Runs once an hour. */
  #change(): void {
    const { random, population } = this.#options;
    const all = this.#subscribers();
    for (const { item } of all) {
      if (item.status !== 'failed' || !random.chance(0.15)) continue;
      // Some repair their server before they enable the webhook again.
      if (random.chance(0.5)) population.receivers.set(item.targetUrl, healthy);
      const { id } = item;
      this.#act(item, (key) => updateWebhook(key, { id }, { status: 'active' }));
      this.#askBeside(item);
    }
    if (all.length > 0 && random.chance(0.2)) {
      const { item } = random.pick(all);
      this.#act(item, (key) => rotateSecret(key, { id: item.id }));
      this.#askBeside(item);
    }
    if (all.length > webhooksKept && random.chance(0.15)) {
      const busy = all.filter(({ open }) => open > 0);
      const { item } = random.pick(busy.length > 0 ? busy : all);
      this.#act(item, (key) => deleteWebhook(key, { id: item.id }));
      this.#askBeside(item);
    }
    if (random.chance(0.02)) this.#revokeSomeKey();
  }

  /** Runs every ten minutes, in any state. */
  #ask(): void {
    const { random } = this.#options;
    const all = this.#subscribers();
    if (all.length === 0) return;
    if (random.chance(0.5)) this.#ping(random.pick(all).item);
    if (random.chance(0.5)) this.#redeliverSomething(random.pick(all).item);
    const missing = all.filter(({ failed }) => failed.size > 0);
    if (random.chance(0.4)) this.#recoverSomething(random.pick(missing.length > 0 ? missing : all).item);
  }

  /** A planner took a number and died, so the log has a gap until its event is planned again. */
  #askWhileNumbersAreMissing(): void {
    for (const { item, records: there, failed } of this.#subscribers())
      if (there < item.lastNumber && this.#options.random.chance(failed.size > 0 ? 0.9 : 0.1))
        this.#recoverSomething(item);
  }

  /** Some call after their webhook was disabled or enabled, and some recover missed events at once. */
  #noticeSwitch(item: WebhookItem): void {
    const { random, runtime } = this.#options;
    const isOn = item.status === 'active';
    if (random.chance(0.3)) this.#soon(() => this.#ping(item));
    if (!random.chance(isOn ? 0.7 : 0.3)) return;
    const from = runtime.now - random.below(24 * hourMs);
    // Sometimes they call twice.
    const calls = random.chance(0.3) ? 2 : 1;
    for (let i = 0; i < calls; i++) this.#soon(() => this.#recover(item, from, runtime.now));
  }

  /** Calls at the same time as another call for the webhook. */
  #askBeside(item: WebhookItem): void {
    const { random, runtime } = this.#options;
    this.#in(random.below(60), () => this.#ping(item));
    this.#in(random.below(60), () => this.#redeliverSomething(item));
    if (random.chance(0.5)) this.#in(random.below(60), () => this.#recover(item, runtime.now - hourMs, runtime.now));
  }

  /** Schedules a call within seconds or hours. */
  #soon(act: () => void): void {
    const { random } = this.#options;
    const ms = random.below(random.chance(0.6) ? 3_000 : 4 * hourMs);
    this.#in(ms, act);
  }

  /** Schedules nothing after the end, to which the clock may have jumped. */
  #in(ms: number, act: () => void): void {
    const { runtime } = this.#options;
    runtime.timeline.in(ms, () => {
      if (runtime.now <= this.#until) act();
    });
  }

  #redeliverSoon({ webhookId, deliveryId }: Tracked): void {
    const { random, checkers } = this.#options;
    const item = checkers.webhooks.get(webhookId)?.item;
    if (!item) return;
    this.#soon(() => {
      this.#redeliver(item, deliveryId);
      // Like a double click, or a program that does not wait for the response.
      if (random.chance(0.25)) this.#in(random.below(30), () => this.#redeliver(item, deliveryId));
    });
  }

  /** Any record of the log: of a delivery, a later attempt, or a ping, and sometimes one that does not exist. */
  #redeliverSomething({ id }: WebhookItem): void {
    const { random, checkers } = this.#options;
    const item = checkers.webhooks.get(id)?.item;
    if (item) this.#redeliver(item, deliveryId(id, random.between(1, item.lastNumber + 1)));
  }

  #ping(item: WebhookItem): void {
    const { functions, random } = this.#options;
    const body = random.chance(0.5) ? { event: random.pick(eventNames) } : {};
    this.#request(item, { verb: 'ping', webhookId: item.id }, (key) => functions.ping(key, { id: item.id }, body));
  }

  #redeliver(item: WebhookItem, name: string): void {
    const { checkers, functions } = this.#options;
    const { id } = item;
    const requested = {
      verb: 'redeliver',
      webhookId: id,
      deliveryId: name,
      named: checkers.deliveries.family(name),
    } as const;
    this.#request(item, requested, (key) => functions.redeliver(key, { id, deliveryId: name }));
  }

  /** Any period: of minutes or of a day, up to now or not. */
  #recoverSomething(item: WebhookItem): void {
    const { random, runtime } = this.#options;
    const ageMs = random.below(24 * hourMs * random.fraction() ** 3);
    const from = runtime.now - ageMs;
    this.#recover(item, from, random.chance(0.5) ? runtime.now : from + random.below(ageMs + 1));
  }

  /** The period has no end when it ends now. */
  #recover(item: WebhookItem, from: number, to: number): void {
    const { functions, runtime, checkers } = this.#options;
    const { id } = item;
    const period = { since: timestamp(from), until: to === runtime.now ? undefined : timestamp(to) };
    const requested = { verb: 'recover', webhookId: id, from, to } as const;
    this.#request(
      item,
      requested,
      (key) => functions.recover(key, { id }, period),
      () => {
        // A call without a response is repeated until it gets one.
        if (!checkers.webhooks.get(id)?.deleted) this.#soon(() => this.#recover(item, from, to));
      },
    );
  }

  #revokeSomeKey(): void {
    const { random, store, population } = this.#options;
    const { id, keyIds } = random.pick(population.businesses.filter((one) => one.keyIds.length > 0));
    const [keyId] = keyIds;
    if (keyId === undefined) return;
    const Item = { ...records.key(id, keyId), id: keyId, tenantId: id, status: 'revoked' };
    store.execute(new PutCommand({ TableName: tables.records, Item }));
  }

  /** A call that the checkers check. Keys that are not active are refused before any function of `core/` runs. */
  #request(item: WebhookItem, requested: RequestedCall, act: Act, onBroken = () => {}): void {
    const { runtime, checkers } = this.#options;
    const { calls, webhooks } = checkers;
    if (!webhooks.key(item.keyId).live) return;
    runtime.invoke<Answer>(
      requested.verb,
      timeouts[requested.verb] * 1_000,
      (_, invocation) => {
        calls.begins(invocation, requested);
        return answerOf(act(keyPrincipal(item.tenantId, item.keyId)));
      },
      (answer = { kind: 'broken' }, invocation) => {
        calls.ends(invocation, answer);
        if (answer.kind === 'broken') onBroken();
      },
    );
  }

  #act({ tenantId, keyId }: WebhookItem, act: Act): void {
    const run = async () => {
      await act(keyPrincipal(tenantId, keyId));
      return 'done';
    };
    this.#options.runtime.invoke('integrator', timeoutSecondsDefault * 1_000, run, () => {});
  }
}

async function answerOf(answering: Promise<unknown>): Promise<Answer> {
  try {
    return { kind: 'answered', body: await answering };
  } catch (error) {
    const isRefusal = error instanceof ApiError && error.status < 500;
    return isRefusal ? { kind: 'refused', status: error.status } : { kind: 'broken' };
  }
}
