/**
 * Compares the statistics of a webhook with a count of its whole log, which uses nothing of the code under test but the
 * type of a record.
 */
import { isDeepStrictEqual } from 'node:util';
import { limits } from '../../contract/limits.ts';
import type { WebhookStatistics } from '../../contract/statistics.ts';
import type { AttemptItem } from '../../core/deliveries/model/delivery-record.ts';
import { getWebhookStatistics } from '../../core/deliveries/statistics/webhook-statistics.ts';
import { deliveries } from '../../core/table-keys.ts';
import type { WebhookItem } from '../../core/webhooks/registry/webhook.ts';
import type { MemoryDynamo } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import { keyPrincipal } from '../support/principals.ts';
import type { Checkers } from './checkers/checkers.ts';
import { tables } from './environment.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

const hourMs = 3_600_000;
/** Half an hour until the sweeper counts a record, a quarter until it runs, and another for a run that fails. */
export const countedAfterMs = hourMs;
const callMs = 10_000;
const triesMax = 20;
/** One in this many items still exists after its expiry. */
const latePer = 5;

interface Observed {
  readonly runtime: SimulatedRuntime;
  readonly store: MemoryDynamo;
  readonly checkers: Checkers;
}

/** Records that have expired from the logs, by webhook. */
type Expired = ReadonlyMap<number, readonly AttemptItem[]>;

/** Reports differences from a count of the logs and expired records. Returns how many attempts were compared. */
export async function checkStatistics(observed: Observed, expired: Expired = new Map()): Promise<number> {
  let attempts = 0;
  for (const { item, deleted } of [...observed.checkers.webhooks.all.values()]) {
    if (deleted) continue;
    const counted = await agreed(observed, item, expired.get(item.id) ?? []);
    attempts += counted?.summary.attempts ?? 0;
  }
  return attempts;
}

/** Expires items as DynamoDB does: some at once, some days later. */
export function expireItems({ runtime, store }: Pick<Observed, 'runtime' | 'store'>): Expired {
  const table = store.table(tables.deliveries);
  const over = [...table.all()].filter(({ expiresAtSeconds }) => Number(expiresAtSeconds) <= runtime.now / 1_000);
  const going = over.filter((_, i) => i % latePer > 0);
  for (const item of going) table.delete(item);
  const records = (going as unknown as AttemptItem[]).filter(({ sk }) => sk.startsWith('R#'));
  return Map.groupBy(records, ({ webhookId }) => webhookId);
}

/** If a delivery is sent manually between the two reads, both are repeated. */
async function agreed(
  { runtime, store, checkers }: Observed,
  item: WebhookItem,
  expired: readonly AttemptItem[],
): Promise<WebhookStatistics | undefined> {
  let differences: readonly string[] = ['never answered'];
  for (let tries = 0; tries < triesMax; tries++) {
    const reported = await ask(runtime, item);
    if (checkers.webhooks.get(item.id)?.deleted) return undefined;
    if (!reported) continue;
    const log = [
      ...store.table(tables.deliveries).walk(undefined, deliveries.log(item.id)),
    ] as unknown as AttemptItem[];
    differences = differencesOf(reported, [...expired, ...log], runtime.now);
    if (differences.length === 0) return reported;
  }
  for (const one of differences) checkers.findings.report(`statistics of webhook ${item.id}: ${one}`);
  return undefined;
}

/** Calls as the gateway does. Returns undefined if the function died or the store failed. */
async function ask(
  runtime: SimulatedRuntime,
  { id, keyId, tenantId }: WebhookItem,
): Promise<WebhookStatistics | undefined> {
  const query = {
    from: new Date(runtime.now - limits.webhookStatisticsDays * 24 * hourMs).toISOString(),
    to: new Date(runtime.now).toISOString(),
  };
  let end: { readonly answer: WebhookStatistics | undefined } | undefined;
  runtime.invoke(
    'statistics',
    callMs,
    () => getWebhookStatistics(keyPrincipal(tenantId, keyId), { id }, query),
    (answer) => {
      end = { answer };
    },
  );
  while (!end) await runtime.timeline.step();
  return end.answer;
}

interface Counted {
  readonly successes: number;
  readonly skipped: number;
  readonly failures: Readonly<Record<string, number>>;
  readonly times: readonly number[];
}

/** Counts every record that is neither a ping nor pending, in the hour in which it was sent. */
function bruteForce(log: readonly AttemptItem[], now: number): ReadonlyMap<string, Counted> {
  const ended = log.filter(({ trigger, deliveryStatus }) => trigger !== 'ping' && deliveryStatus !== 'pending');
  const hourOf = ({ sentAt, createdAt }: AttemptItem) => {
    const at = sentAt ?? Date.parse(createdAt);
    return new Date(at - (at % hourMs)).toISOString();
  };
  const oldest = new Date(now - limits.webhookStatisticsDays * 24 * hourMs).toISOString();
  const hours = [...Map.groupBy(ended, hourOf)].filter(([hour]) => hour >= oldest);
  return new Map(hours.map(([hour, records]) => [hour, countsOf(records)]));
}

function countsOf(records: readonly AttemptItem[]): Counted {
  const codes = records.flatMap(({ errorCode }) => errorCode ?? []).filter((code) => code !== 'webhook_disabled');
  return {
    successes: records.filter(({ errorCode }) => errorCode === null).length,
    skipped: records.filter(({ errorCode }) => errorCode === 'webhook_disabled').length,
    failures: Object.fromEntries([...Map.groupBy(codes, (code) => code)].map(([code, all]) => [code, all.length])),
    times: records
      .filter(({ responseStatusCode }) => responseStatusCode > 0)
      .map(({ responseTimeMs }) => responseTimeMs)
      .sort((a, b) => a - b),
  };
}

function differencesOf(reported: WebhookStatistics, log: readonly AttemptItem[], now: number): readonly string[] {
  const counted = bruteForce(log, now);
  const hours = new Map(reported.data.map((row) => [row.hour, row]));
  const differences: string[] = [];
  for (const hour of new Set([...counted.keys(), ...hours.keys()])) {
    const one = counted.get(hour) ?? countsOf([]);
    const row = hours.get(hour);
    const failed = Object.values(one.failures).reduce((sum, count) => sum + count, 0);
    const expected = [one.successes + failed, one.successes, failed, one.skipped].join();
    const found = row && [row.attempts, row.successes, row.failures, row.skipped].join();
    if (found !== expected) differences.push(`${hour} has ${found}, not ${expected}`);
    const codes = Object.fromEntries((row?.failuresByCode ?? []).map(({ errorCode, count }) => [errorCode, count]));
    if (!isDeepStrictEqual(codes, one.failures)) {
      differences.push(`${hour} failed by ${JSON.stringify(codes)}, not ${JSON.stringify(one.failures)}`);
    }
    for (const [share, ms] of [
      [0.5, row?.medianResponseTimeMs],
      [0.95, row?.p95ResponseTimeMs],
    ] as const) {
      const exact = one.times[Math.ceil(share * one.times.length) - 1];
      if (!isNear(ms ?? undefined, exact)) differences.push(`${hour} has ${ms} ms at ${share}, not ${exact}`);
    }
  }
  return differences;
}

function isNear(found: number | undefined, exact: number | undefined): boolean {
  if (found === undefined || exact === undefined) return found === exact;
  return Math.abs(found - exact) <= (limits.responseTimeErrorPercent / 100) * exact + 1e-9;
}
