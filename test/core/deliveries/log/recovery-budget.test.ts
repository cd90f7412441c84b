/** A recovery stays within the sending budget (docs/rules.md#sending-budget). */
import { expect, test, vi } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { recover } from '../../../../core/deliveries/log/recover.ts';
import { takeNumbers } from '../../../../core/deliveries/model/delivery-record.ts';
import { recorded } from '../../../../core/store/audit-trail.ts';
import { duringTest } from '../../../support/during-test.ts';
import { interfering, withoutConditions } from '../../../support/interfere.ts';
import { refused } from '../../../support/pipeline.ts';
import { changeWebhook, newTenant, newWebhook, recordsOf } from '../../../support/pipeline-state.ts';
import { keyPrincipal } from '../../../support/principals.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const injected = vi.hoisted(() => ({ sendsAtOnce: false }));
vi.mock(import('../../../../core/deliveries/log/recovery-budget.ts'), async (original) => {
  const real = await original();
  return {
    attemptsToReserve: async (webhook, count, at) =>
      injected.sendsAtOnce
        ? { dueAt: [], writes: [takeNumbers(webhook, count)] }
        : real.attemptsToReserve(webhook, count, at),
  };
});

const begin = usePipeline();
const perMinute = limits.attemptsPerMinute.unansweredHost;
const events = 2 * perMinute + 10;

interface Recovered {
  readonly isFirst: boolean;
  readonly answeredHost: string;
  /** The host that has responded to a later webhook of the business. */
  readonly neighbour?: string;
}

/** The attempts in each minute after a recovery of events that were planned while the webhook was disabled. */
async function recovered({ isFirst, answeredHost, neighbour }: Recovered): Promise<number[]> {
  const pipeline = begin({ answer: () => refused, sweeper: false });
  const { tenantId, keyId } = await newTenant(0);
  const status = 'failed';
  if (!isFirst) await newWebhook(tenantId, keyId, { status, events: ['client.created'], answeredHost: 'other' });
  const webhook = await newWebhook(tenantId, keyId, { status, answeredHost });
  if (neighbour) await newWebhook(tenantId, keyId, { status, events: ['client.created'], answeredHost: neighbour });
  await pipeline.raiseMany(tenantId, events);
  await pipeline.run(pipeline.now);
  expect(pipeline.posts).toEqual([]);
  await changeWebhook(webhook, { status: 'active' });
  pipeline.advance(61_000);
  const principal = keyPrincipal(tenantId, keyId);
  const period = { since: '2020-01-01T00:00:00Z' };
  // As by a request: its first transaction also writes the entry in the audit log.
  const change = { principal, operation: 'POST /v1/integration/webhooks/:id/recover', fields: ['since'] };
  expect(await recorded(change, () => recover(principal, { id: webhook.id }, period))).toEqual({
    matched: events,
    stillRetrying: 0,
    leftOut: 0,
  });
  const startedAt = pipeline.now;
  const pending = (await recordsOf(webhook.id)).filter(({ trigger }) => trigger === 'manual');
  expect(pending.every(({ dueAt = 0, nextAttemptAt }) => dueAt > startedAt === (nextAttemptAt !== null))).toBe(true);
  await pipeline.run();
  expect(new Set(pipeline.posts.map(({ deliveryId }) => deliveryId)).size).toBe(events);
  expect(pipeline.posts).toHaveLength(events);
  const minutes = Map.groupBy(pipeline.posts, ({ at }) => Math.floor(at / 60_000));
  return [...minutes.values()].map(({ length }) => length);
}

test.each([
  ['the first webhook', true],
  ['another webhook', false],
] as const)(
  'A recovery of failed deliveries to a host that never answered sends all of them, at most 60 a minute (%s of a business)',
  async (_, isFirst) => {
    expect(Math.max(...(await recovered({ isFirst, answeredHost: 'other' })))).toBeLessThanOrEqual(perMinute);
  },
);

test.each([
  ['the webhook', { answeredHost: 'receiver.example' }],
  ['another webhook of the business', { answeredHost: 'other', neighbour: 'receiver.example' }],
])(
  'A recovery of failed deliveries to a host that has answered earlier messages sends all of them at once (messages to %s)',
  async (_, hosts) => {
    expect(await recovered({ isFirst: true, ...hosts })).toEqual([events]);
  },
);

test('Negative control: if a recovery ignores the sending limit, a host that never responded gets more than 60 requests a minute', async () => {
  duringTest(injected, { sendsAtOnce: true });
  const minutes = await recovered({ isFirst: true, answeredHost: 'other' });
  expect(Math.max(...minutes)).toBeGreaterThan(perMinute);
});

test.each([
  [
    'Concurrent recoveries of two webhooks of a business share one sending limit if the recovery of the first webhook ends first',
    false,
    undefined,
    1,
  ],
  [
    'Concurrent recoveries of two webhooks of a business share one sending limit if the recovery of the first webhook ends last',
    true,
    undefined,
    1,
  ],
  [
    'Negative control: if the recovery of one webhook overwrites the message count of another recovery, both together exceed the sending limit',
    false,
    withoutConditions,
    2,
  ],
] as const)('%s', async (_, isFirstLast, instead, sentAtOnce) => {
  const pipeline = begin({ answer: () => refused, sweeper: false });
  const { tenantId, keyId } = await newTenant(0);
  const own = { status: 'failed', answeredHost: 'other' } as const;
  const [first, second] = [await newWebhook(tenantId, keyId, own), await newWebhook(tenantId, keyId, own)];
  await pipeline.raise(tenantId);
  await pipeline.run(pipeline.now);
  const hostSends = { 'receiver.example': [Math.floor(pipeline.now / 60_000), perMinute - 1] };
  for (const webhook of [first, second]) await changeWebhook(webhook, { status: 'active', hostSends });
  const recoveryOf = ({ id }: { id: number }) =>
    recover(keyPrincipal(tenantId, keyId), { id }, { since: '2020-01-01T00:00:00Z' });
  await interfering(
    {
      // The transaction of the lease has one write.
      when: (writes) => writes.length > 1,
      first: () => recoveryOf(isFirstLast ? second : first),
      instead,
    },
    () => recoveryOf(isFirstLast ? first : second),
  );
  const records = [...(await recordsOf(first.id)), ...(await recordsOf(second.id))];
  const manual = records.filter(({ trigger }) => trigger === 'manual');
  expect(manual).toHaveLength(2);
  expect(manual.filter(({ nextAttemptAt }) => nextAttemptAt === null)).toHaveLength(sentAtOnce);
});
