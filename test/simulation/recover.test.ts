/** A key cannot flood a receiver with recoveries (docs/rules.md#recovery), even with the maximum of each call. */
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { dynamo } from '../../core/clients.ts';
import { timestamp } from '../../core/clock.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { deliveries } from '../../core/table-keys.ts';
import { updateWebhook } from '../../core/webhooks/registry/update-webhook.ts';
import { hostOf, type WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import { tables } from './environment.ts';
import { noFaults } from './faults.ts';
import { IntegratorCalls } from './integrator-calls.ts';
import { alikeBusinesses, type PopulationPlan } from './population.ts';
import { failingFirst } from './receivers.ts';
import { type Report, type Simulation, simulate, startAt } from './simulation.ts';

const second = 1_000;
const missedByMs = 60 * second;
const callsFromMs = missedByMs + 60 * second;
/** An event at this time keeps the simulation running until all recovered deliveries have ended. */
const lastMs = callsFromMs + 120 * second;

const isWebhook = (item: object): item is WebhookItem => 'lastNumber' in item;

/** Calls for a webhook that missed this many events while disabled, and whose receiver now refuses all requests. */
async function aMinuteOfCalls(
  missed: number,
  calls: number,
  call: typeof recover,
): Promise<Report & { posts: number }> {
  let posts = 0;
  const off = (plan: PopulationPlan): PopulationPlan => ({
    ...plan,
    put: (store, item) =>
      plan.put(store, isWebhook(item) ? { ...item, status: 'failed', answeredHost: hostOf(item) } : item),
  });
  const report = await simulate({
    events: missed + 1,
    seed: 3,
    spanMs: lastMs,
    rates: noFaults,
    eventful: false,
    populate: (plan) => alikeBusinesses(off(plan), 1, () => failingFirst(Number.POSITIVE_INFINITY)),
    arrive: (simulation) => {
      for (let nth = 0; nth < missed; nth++) raiseAt(simulation, (missedByMs * nth) / missed);
      raiseAt(simulation, lastMs);
      askFor(simulation, calls, call);
    },
    onRequest: (_, at) => {
      if (at < startAt + lastMs) posts += 1;
    },
  });
  return { ...report, posts };
}

function raiseAt(simulation: Simulation, ms: number): void {
  const [business] = simulation.population.businesses;
  if (business) simulation.runtime.timeline.in(ms, () => simulation.raise(business));
}

function askFor(simulation: Simulation, calls: number, call: typeof recover): void {
  const { runtime, checkers } = simulation;
  const integrator = new IntegratorCalls(simulation);
  const webhook = () => {
    const [found] = checkers.webhooks.all.values();
    if (!found) throw new Error('The webhook is gone');
    return found.item;
  };
  runtime.timeline.in(callsFromMs - second, () =>
    integrator.act(webhook(), (key) => updateWebhook(key, webhook(), { status: 'active' })),
  );
  for (let i = 0; i < calls; i++) {
    runtime.timeline.in(callsFromMs + (60 * second * i) / calls, () => {
      const item = webhook();
      const asked = { verb: 'recover', webhookId: item.id, from: startAt, to: runtime.now } as const;
      integrator.ask(item, asked, (key) => call(key, item, { since: timestamp(startAt) }));
    });
  }
}

test('Sixty recoveries within a minute send each of five thousand failed deliveries once', async () => {
  const { violations, posts, counts } = await aMinuteOfCalls(limits.recoveredPerCall, 60, recover);
  expect(violations).toEqual([]);
  expect(counts.calls.recover).toEqual({ answered: 1, refused: 59, broken: 0 });
  expect(posts).toBe(limits.recoveredPerCall);
});

test('Negative control: if recoveries take no lease, failed deliveries are sent several times', async () => {
  const { violations, posts } = await aMinuteOfCalls(500, 2, async (key, webhook, period) => {
    const Key = deliveries.recovery(key.tenantId, webhook.id);
    await dynamo().send(new DeleteCommand({ TableName: tables.deliveries, Key }));
    return recover(key, webhook, period);
  });
  expect(violations.join()).toContain('two recoveries within the pause');
  expect(posts).toBe(1_000);
});
