/** The sending budget (docs/rules.md#sending-budget): its reservations, and how concurrent planners share it. */
import { expect, test, vi } from 'vitest';
import { eventNames } from '../../../../contract/events.ts';
import { limits } from '../../../../contract/limits.ts';
import { setRuntime } from '../../../../core/clock.ts';
import type { DeliveryItem } from '../../../../core/deliveries/model/delivery-record.ts';
import { SendingBudget } from '../../../../core/deliveries/model/sending-budget.ts';
import { eventsTogether } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan, webhooksTogether } from '../../../../core/deliveries/plan/plan.ts';
import type { Event } from '../../../../core/events/event.ts';
import { set, writeOne } from '../../../../core/store/write.ts';
import { createWebhook } from '../../../../core/webhooks/registry/create-webhook.ts';
import { deleteWebhook } from '../../../../core/webhooks/registry/delete-webhook.ts';
import { updateWebhook } from '../../../../core/webhooks/registry/update-webhook.ts';
import { hostOf, type Reserved, type WebhookItem } from '../../../../core/webhooks/registry/webhook.ts';
import { duringTest } from '../../../support/during-test.ts';
import {
  changeWebhook,
  deliveriesOf,
  mostInAMinute,
  newTenant,
  newWebhook,
  type Tenant,
  violations,
  webhookNow,
  webhookOf,
} from '../../../support/pipeline-state.ts';
import { keyPrincipal, type TestKey } from '../../../support/principals.ts';
import { scriptTest } from '../../../support/script-test.ts';
import { type Call, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ forgets: false }));
vi.mock(import('../../../../core/webhooks/registry/first-webhook.ts'), async (original) => {
  const real = await original();
  return {
    ...real,
    handOverReservations: async (webhook) => (injected.forgets ? [] : real.handOverReservations(webhook)),
  };
});

vi.stubEnv('ALLOW_LOOPBACK_TARGETS', 'true');
const begin = usePipeline();
const { business: perBusiness, unansweredHost: perHost } = limits.attemptsPerMinute;
const minuteMs = 60_000;
const at = Date.UTC(2026, 10, 2, 9, 0, 20);
const nextMinute = at - (at % minuteMs) + minuteMs;

const answering = 'answering.example';

function budgetAt(moment: number, reserved: Reserved = {}): SendingBudget {
  return new SendingBudget([{ ...reserved, answeredHost: answering }], moment, 1);
}

function take(budget: SendingBudget, count: number, host = answering): number[] {
  return Array.from({ length: count }, () => budget.reserve(host));
}

test('Deliveries within the sending limits are sent at once, and the first delivery above the limits waits for the next minute', () => {
  const budget = budgetAt(at);
  expect(take(budget, perHost, 'fresh.example')).toEqual(Array(perHost).fill(at));
  expect(take(budget, perBusiness - perHost)).toEqual(Array(perBusiness - perHost).fill(at));
  expect(budget.reserve(answering)).toBe(nextMinute);
});

test('At a host that has never responded with 2xx, the 61st delivery of a minute waits one minute, and the 121st two minutes', () => {
  const budget = budgetAt(at);
  const due = take(budget, 2 * perHost + 1, 'fresh.example').slice(perHost);
  expect(due[0]).toBe(nextMinute);
  expect(due.slice(0, perHost).every((one) => one < nextMinute + minuteMs)).toBe(true);
  expect(due.at(-1)).toBe(nextMinute + minuteMs);
  // They are spread over the minute, and do not arrive all at once.
  expect(due).toEqual([...new Set(due)].toSorted((a, b) => a - b));
});

test('Deliveries that the sending limit of their host delays do not delay deliveries to other hosts', () => {
  const budget = budgetAt(at);
  take(budget, 3 * perHost, 'fresh.example');
  expect(budget.reserve('other.example')).toBe(at);
  expect(take(budget, perBusiness - perHost - 1).filter((one) => one > at)).toEqual([]);
  const held = take(budget, perBusiness - perHost);
  expect(held.every((one) => one >= nextMinute && one < nextMinute + minuteMs)).toBe(true);
  expect(budget.reserve(answering)).toBe(nextMinute + minuteMs + Math.ceil((perHost / perBusiness) * 0.8 * minuteMs));
});

test('Deliveries already scheduled for a minute count towards the sending limit of that minute, and not of later minutes', () => {
  const first = budgetAt(at);
  take(first, perHost + 1, 'fresh.example');
  const again = (later: number) => budgetAt(at + later, first.reserved).reserve('fresh.example');
  expect(again(1)).toBeGreaterThan(nextMinute);
  expect(again(minuteMs)).toBe(at + minuteMs);
  expect(budgetAt(at + minuteMs, first.reserved).reserved.sends).toEqual([nextMinute / minuteMs, 1]);
  expect(budgetAt(at + 2 * minuteMs, first.reserved).reserved).toEqual({
    sends: [nextMinute / minuteMs + 1],
    hostSends: {},
  });
});

test('A process whose clock is an hour ahead does not use up the sending limit of the current minute', () => {
  const ahead = budgetAt(at + 60 * minuteMs);
  take(ahead, perBusiness);
  const usual = budgetAt(at, ahead.reserved);
  expect(usual.reserve(answering)).toBe(at);
  // Its reservations are kept.
  expect(budgetAt(at + 60 * minuteMs, usual.reserved).reserve(answering)).toBe(nextMinute + 60 * minuteMs);
});

test('A delivery that the sending limit would delay by more than a week is sent after one week', () => {
  const week = 7 * 24 * 60 * minuteMs;
  const window = Math.floor(at / minuteMs);
  const budget = budgetAt(at, { hostSends: { 'dead.example': [window, perHost, -20_000] } });
  const due = budget.reserve('dead.example');
  expect(due).toBeGreaterThan(at + week - minuteMs);
  expect(due).toBeLessThan(at + week + minuteMs);
});

test('For a host that never responded, a delivery counts in each minute in which one of its retries may become due', () => {
  const budget = budgetAt(at);
  expect(budget.reserveRetries('fresh.example', nextMinute - 10_000)).toBe(true);
  const minute = Math.floor(at / minuteMs);
  const [from, ...runs] = budget.reserved.hostSends['fresh.example'] ?? [];
  const counts = runs.flatMap((run, i) => (run < 0 ? Array<number>(-run).fill(runs[i - 1] ?? 0) : run));
  expect(from).toBe(minute);
  expect(counts.flatMap((count, ahead) => (count > 0 ? ahead : []))).toEqual([
    1, 2, 6, 7, 21, 22, 81, 82, 321, 322, 323,
  ]);
});

test('Retries count in advance towards the sending limit of a host that never responded with 2xx, and not of other hosts', () => {
  const budget = budgetAt(at);
  const fitting = Array.from({ length: perHost + 1 }, () => budget.reserveRetries('fresh.example', at));
  expect(fitting).toEqual([...Array(perHost).fill(true), false]);
  expect(budget.reserveRetries(answering, at)).toBe(true);
  const responded = new SendingBudget([{ ...budget.reserved, answeredHost: 'fresh.example' }], at, 1);
  expect(responded.reserve('fresh.example', at + minuteMs)).toBe(at + minuteMs);
  expect(responded.reserved.hostSends).toEqual({});
});

test('A message to a new host in the last seconds of a minute counts towards the sending limits of this minute and of the next', () => {
  const late = budgetAt(nextMinute - 1_000);
  expect(take(late, perHost + 1, 'fresh.example').at(-1)).toBe(nextMinute + minuteMs);
});

test('The counters of the sending limit fit into a DynamoDB item, even if a hundred webhooks change hosts ten times an hour', () => {
  let reserved: Required<Reserved> = { sends: [], hostSends: {} };
  let longest = 0;
  for (let minute = 0; minute < 360; minute += 2) {
    const budget = budgetAt(at + minute * minuteMs, reserved);
    for (let webhook = 0; webhook < 100; webhook++) {
      const host = `${webhook}-${Math.floor(minute / 6)}.example`.padStart(253, 'x');
      budget.reserveRetries(host, budget.reserve(host));
    }
    reserved = budget.reserved;
    longest = Math.max(longest, JSON.stringify(reserved).length);
  }
  expect(longest).toBeGreaterThan(100_000);
  expect(longest).toBeLessThan(350_000);
});

test('If a business has too many webhook hosts to count each, the remaining hosts share 60 delivery attempts a minute', () => {
  const hosts = Array.from({ length: 1_000 }, (_, i) => `${i}.example`.padStart(253, 'x'));
  const budget = budgetAt(at);
  const due = hosts.map((host) => budget.reserve(host));
  const { reserved } = budget;
  const withOwn = Object.keys(reserved.hostSends).length - 1;
  expect(withOwn).toBeLessThan(1_000 - 3 * perHost);
  expect(due.filter((one) => one === at)).toHaveLength(withOwn + perHost);
  // The hosts with own counts have none any more, but a further host may have attempts in the shared ones.
  const later = budgetAt(nextMinute, reserved);
  expect(take(later, 1, 'fresh.example')[0]).toBeGreaterThan(nextMinute);
  const over = budgetAt(at + 20 * minuteMs, reserved);
  expect([hosts[999], 'fresh.example'].flatMap((host) => take(over, perHost, host))).toEqual(
    Array(2 * perHost).fill(at + 20 * minuteMs),
  );
});

test('In a local run with time accelerated 60 times, the sending limit per minute applies per second', () => {
  const budget = new SendingBudget([], at, 60);
  expect(take(budget, perHost + 1, 'fresh.example').at(-1)).toBeLessThanOrEqual(at + 1_000);
});

/** Twelve webhooks at one host that never responded; each has another event and its own planner. */
async function planAtOnce(): Promise<readonly DeliveryItem[]> {
  const pipeline = begin({ sweeper: false });
  const { tenantId, keyId } = await newTenant(0);
  const names = eventNames.slice(0, 12);
  const [webhooks, raised]: [WebhookItem[], Event[][]] = [[], []];
  for (const name of names) {
    webhooks.push(await newWebhook(tenantId, keyId, { events: [name], answeredHost: 'other' }));
    raised.push(await pipeline.raiseMany(tenantId, 10, name));
  }
  // A message whose tries are used up is received again.
  const planned = (events: readonly Event[]) => Promise.all(plan([events]));
  // The first webhook, which stores the budget, takes its numbers after another planner has reserved.
  await Promise.all(raised.toReversed().map((events) => planned(events).catch(() => planned(events))));
  return (await Promise.all(webhooks.map(({ id }) => deliveriesOf(id)))).flat();
}

const timesOf = (records: readonly DeliveryItem[]) => records.map(({ dueAt }) => dueAt);

test('Twelve concurrent functions schedule at most 60 deliveries a minute to a host that never answered, and lose none', async () => {
  const records = await planAtOnce();
  expect(records).toHaveLength(120);
  expect(mostInAMinute(timesOf(records))).toBeLessThanOrEqual(perHost);
});

test('Negative control: if concurrent writes overwrite the message count, a host that never answered gets more than 60 a minute', async () => {
  const ofReservation = / AND "reservations" = \?$/;
  scriptTest([
    {
      when: 'BatchExecuteStatement',
      answer: ({ input: { Statements = [] } }, send) =>
        send({
          Statements: Statements.map(({ Statement, Parameters = [] }) => ({
            Statement: Statement.replace(ofReservation, ''),
            Parameters: ofReservation.test(Statement) ? Parameters.slice(0, -1) : Parameters,
          })),
        }),
    },
  ]);
  expect(mostInAMinute(timesOf(await planAtOnce()))).toBeGreaterThan(perHost);
});

test('A delivery that the sending limit delays is pending and shows when it will be sent, and is not sent earlier', async () => {
  const pipeline = begin({ sweeper: false });
  const tenant = await newTenant(1, { answeredHost: 'other' });
  const webhook = webhookOf(tenant);
  const startedAt = pipeline.now;
  const events = await pipeline.raiseMany(tenant.tenantId, perHost + 1);
  await pipeline.run(startedAt);
  expect(pipeline.posts).toHaveLength(perHost);
  // The retries of the sixty would fill the next minute.
  const heldUntil = startedAt + 2 * minuteMs;
  expect((await deliveriesOf(webhook.id)).at(-1)).toMatchObject({
    deliveryStatus: 'pending',
    nextAttemptAt: new Date(heldUntil).toISOString(),
  });
  expect(await webhookNow(webhook)).toMatchObject({ answeredHost: 'receiver.example', heldUntil });
  const { tenantId, keyId } = tenant;
  const early = { keyId, webhookId: webhook.id, number: perHost + 1, attempt: 1, dueAt: startedAt };
  pipeline.queues.deliveries.send(JSON.stringify({ tenantId, deliveries: [early] }));
  await pipeline.run(startedAt);
  expect(pipeline.posts).toHaveLength(perHost);

  events.push(await pipeline.raise(tenant.tenantId));
  await pipeline.run();
  expect(pipeline.posts.slice(perHost).map((post) => post.at >= heldUntil)).toEqual([true, true]);
  expect((await deliveriesOf(webhook.id)).filter(({ nextAttemptAt }) => nextAttemptAt !== null)).toEqual([]);
  expect(await webhookNow(webhook)).toMatchObject({ status: 'active', consecutiveFailures: 0 });
  expect(await violations(pipeline, tenant, events)).toEqual([]);
});

test('No later delivery overtakes a delivery that the sending limit delays, even if creating that delivery failed once', async () => {
  const pipeline = begin({ sweeper: false });
  const { tenantId, keyId } = await newTenant(0);
  const [filling, tested] = ['booking.created', 'review.created'] as const;
  await newWebhook(tenantId, keyId, { events: [filling], answeredHost: 'other' });
  const webhook = await newWebhook(tenantId, keyId, { events: [tested], answeredHost: 'other' });
  const first = await pipeline.raiseMany(tenantId, 1, tested);
  const when = ({ input }: Call) => input.Statements?.[0]?.Statement.startsWith('INSERT') ?? false;
  await scripted([{ when, fail: 'ThrottlingException' }], () => expect(plan([first])[0]).rejects.toThrow('planned'));
  await Promise.all(plan([await pipeline.raiseMany(tenantId, perHost, filling)]));
  await Promise.all(plan([first]));
  await writeOne(set('deliveries', webhook, { answeredHost: 'receiver.example' }));
  await Promise.all(plan([await pipeline.raiseMany(tenantId, 1, tested)]));
  const [held = 0, later] = timesOf(await deliveriesOf(webhook.id));
  expect(held).toBeGreaterThan(pipeline.now);
  expect(later).toBeGreaterThanOrEqual(held);
});

test('A delivery within the sending limit is sent at once, even if earlier ones were planned by a clock half a second ahead', async () => {
  const pipeline = begin({ sweeper: false });
  const tenant = await newTenant(1);
  const events = await pipeline.raiseMany(tenant.tenantId, 2);
  const { now: startedAt } = pipeline;
  for (const [i, aheadMs] of [500, 0].entries()) {
    setRuntime({ now: () => startedAt + aheadMs });
    await Promise.all(plan([events.slice(i, i + 1)]));
  }
  expect((await deliveriesOf(webhookOf(tenant).id)).at(-1)).toMatchObject({ dueAt: startedAt, nextAttemptAt: null });
});

/** How many attempts are due at once if the first of 100 webhooks changes when an event is planned for half of them. */
async function dueAfter(change: (tenant: Tenant) => Promise<unknown>): Promise<number> {
  const pipeline = begin({ sweeper: false });
  const tenant = await newTenant(2 * webhooksTogether, { answeredHost: 'other' });
  const { keyId, webhooks } = tenant;
  const [event, next] = [await pipeline.raise(tenant.tenantId), await pipeline.raise(tenant.tenantId)];
  await Promise.all(plan([[event]]));
  await change(tenant);
  const webhookId = webhooks[webhooksTogether - 1]?.id ?? 0;
  await Promise.all(plan([[{ ...event, after: { keyId, webhookId } }]]));
  await Promise.all(plan([[next]]));
  const planned = await Promise.all(webhooks.map(({ id }) => deliveriesOf(id)));
  return planned.flat().filter(({ dueAt }) => dueAt <= pipeline.now).length;
}

const deleteFirst = (tenant: Tenant) => deleteWebhook(keyPrincipal(tenant.tenantId, tenant.keyId), webhookOf(tenant));

/** A webhook of an older API key, which is not subscribed to the event, becomes the first. */
const createFirst = ({ tenantId, keyId }: Tenant) =>
  createWebhook(keyPrincipal(tenantId, keyId - 1), {
    targetUrl: 'http://127.0.0.1:9009/hooks',
    events: ['review.created'],
  });

test.each([
  ['the first webhook is deleted', deleteFirst],
  ['a new webhook becomes the first', createFirst],
])('All webhooks of a business share one sending limit even during a change (%s)', async (_, change) => {
  expect(await dueAfter(change)).toBe(perHost);
});

test('Negative control: if the message counters are deleted with a webhook, the other webhooks exceed the sending limit', async () => {
  duringTest(injected, { forgets: true });
  expect(await dueAfter(deleteFirst)).toBeGreaterThan(perHost);
});

/** The new host answers, too. */
async function moveAway(key: TestKey, webhook: WebhookItem): Promise<void> {
  await updateWebhook(key, webhook, { targetUrl: 'http://127.0.0.1:9009/hooks' });
  await changeWebhook(webhook, { answeredHost: '127.0.0.1' });
}

test.each<[string, number, ((key: TestKey, answered: WebhookItem) => Promise<unknown>)?]>([
  ['the other webhook of the business', 1],
  ['the fifty other webhooks of the business', webhooksTogether],
  ['the other webhooks of the business, even after the answered one is deleted', 2, deleteWebhook],
  ['the other webhooks of the business, even after the answered one is moved', 2, moveAway],
])(
  'A host that has answered one webhook of a business has the full sending limit for all its webhooks (for %s)',
  async (_, others, change) => {
    const pipeline = begin({ sweeper: false });
    const { tenantId, keyId } = await newTenant(others, { answeredHost: 'other' });
    const answered = await newWebhook(tenantId, keyId);
    await change?.(keyPrincipal(tenantId, keyId), answered);
    const events = Math.ceil((perHost + 1) / others);
    await pipeline.raiseMany(tenantId, events);
    await pipeline.run(pipeline.now);
    const posts = pipeline.posts.filter(({ request }) => hostOf({ targetUrl: request.url }) === 'receiver.example');
    expect(posts).toHaveLength((change ? others : others + 1) * events);
  },
);

test('If a business exceeds the sending limit, each of its webhooks gets the oldest events first', async () => {
  const pipeline = begin({ sweeper: false });
  const { tenantId, keyId, webhooks } = await newTenant(3, { answeredHost: 'other' });
  await newWebhook(tenantId, keyId, { answeredHost: 'other', status: 'failed' });
  const events = await pipeline.raiseMany(tenantId, eventsTogether);
  await Promise.all(plan([events]));
  const atOnce = events.slice(0, perHost / webhooks.length).map(({ id }) => id);
  for (const { id } of webhooks) {
    const sent = (await deliveriesOf(id)).filter(({ dueAt }) => dueAt === pipeline.now);
    expect(sent.map(({ eventId }) => eventId)).toEqual(atOnce);
  }
  // A second webhook with the budget would cost a write unit more.
  const stored = await Promise.all(webhooks.map(webhookNow));
  expect(stored.filter(({ sends }) => sends)).toHaveLength(1);
});

/** The minute of the first attempt of a new webhook, after 60 of another, which was deleted, in minute 0. */
async function minuteOfNewWebhook(inBetween: 'deleted before' | 'deleted while'): Promise<number> {
  const pipeline = begin({ sweeper: false });
  const { tenantId, keyId } = await newTenant(0);
  const key = keyPrincipal(tenantId, keyId);
  const create = () =>
    createWebhook(key, { targetUrl: 'http://127.0.0.1:9009/hooks', events: [...eventNames.slice(0, 1)] });
  const former = await create();
  const startedAt = pipeline.now;
  await Promise.all(plan([await pipeline.raiseMany(tenantId, perHost, eventNames[0])]));
  let webhook: { readonly id: number };
  if (inBetween === 'deleted before') {
    await deleteWebhook(key, former);
    webhook = await create();
  } else [webhook] = await Promise.all([create(), deleteWebhook(key, former)]);
  await Promise.all(plan([await pipeline.raiseMany(tenantId, 1, eventNames[0])]));
  const [first] = await deliveriesOf(webhook.id);
  return Math.floor((first?.dueAt ?? 0) / minuteMs) - Math.floor(startedAt / minuteMs);
}

test.each(['deleted before', 'deleted while'] as const)(
  'A webhook that replaces the only one of a business keeps the counters of the sending limit (old one %s new one created)',
  async (inBetween) => {
    expect(await minuteOfNewWebhook(inBetween)).toBe(2);
  },
);

test('Negative control: if the message counters are deleted with the only webhook, a new webhook gets the full sending limit', async () => {
  duringTest(injected, { forgets: true });
  expect(await minuteOfNewWebhook('deleted before')).toBe(0);
});
