/**
 * `GET /webhooks/:id/statistics` (docs/rules.md#statistics): the stored counts, and a limited number of newer records.
 */
import type * as z from 'zod/mini';
import type { getWebhookStatistics as row } from '../../../contract/integration/routes.ts';
import { limits } from '../../../contract/limits.ts';
import type { WebhookStatistics } from '../../../contract/statistics.ts';
import { dayMs, hourMs, now, timestamp } from '../../clock.ts';
import { fail, invalid } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { getItem, getItems, queryAll, queryPage } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { afterReset, type Registration } from '../../webhooks/registry/registration.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import { type AttemptItem, recordsBetween } from '../model/delivery-record.ts';
import { Counter } from './counter.ts';
import { addCounts, addHours, attemptCounts, type Hours, noCounts, unpackHours } from './hours.ts';

type Period = z.output<(typeof row)['query']>;

/**
 * Hours that begin before `to` and end after `from`. Errors: 404 `not_found`; 400 `validation_failed` for a period that
 * ends before it begins; 400 `range_too_large`.
 */
export async function getWebhookStatistics(
  principal: Principal,
  { id }: { id: number },
  query: Period,
): Promise<WebhookStatistics> {
  const at = now();
  const { first, end } = hoursAsked(query, at);
  const webhook = await loadWebhook(principal, id);
  const checkpoint = await getItem<Registration>('deliveries', deliveries.registration(webhook));
  if (!checkpoint) throw fail('not_found');
  const counter = new Counter(afterReset(checkpoint));
  const [segments, countedUntil] = await Promise.all([
    segmentsSince(id, first * hourMs, checkpoint.countedAt ?? 0),
    countOn(id, counter, at),
  ]);
  const hours = counter.hours;
  for (const segment of segments) addHours(hours, segment);
  return { ...shown(hours, first, end), countedUntil: timestamp(countedUntil) };
}

function hoursAsked(query: Period, at: number) {
  const toMs = query.to === undefined ? at : Date.parse(query.to);
  const fromMs = query.from === undefined ? toMs - dayMs : Date.parse(query.from);
  if (toMs < fromMs) throw invalid('to', 'must not be before from');
  const days = limits.webhookStatisticsDays;
  if (toMs - fromMs > days * dayMs) throw fail('range_too_large', `The range is longer than ${days} days.`);
  const oldest = Math.ceil((at - days * dayMs) / hourMs);
  return { first: Math.max(Math.floor(fromMs / hourMs), oldest), end: Math.ceil(toMs / hourMs) };
}

/** A segment contains no hour later than its name, and no hour that the checkpoint contains. */
async function segmentsSince(webhookId: number, fromMs: number, countedAt: number): Promise<readonly Hours[]> {
  // DynamoDB refuses a range that ends before it begins.
  if (countedAt <= fromMs) return [];
  const items = await queryAll<{ readonly hours: Uint8Array }>('deliveries', {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: {
      ':pk': deliveries.segment(webhookId, 0).pk,
      ':from': deliveries.segment(webhookId, fromMs).sk,
      ':to': deliveries.segment(webhookId, countedAt - 1).sk,
    },
    ConsistentRead: true,
  });
  return items.map(({ hours }) => unpackHours(hours));
}

/**
 * Counts what is not in the stored counts: attempts that had not ended, and the next records. Returns until when all is
 * counted.
 */
async function countOn(webhookId: number, counter: Counter, at: number): Promise<number> {
  const { waiting } = counter;
  const awaited = await getItems<AttemptItem>(
    'deliveries',
    waiting.map((number) => deliveries.record(webhookId, number)),
  );
  for (const [i, number] of waiting.entries()) counter.lookAgain(number, awaited[i]);
  const { items, isLast } = await queryPage<AttemptItem>('deliveries', {
    ...recordsBetween(webhookId, counter.through + 1),
    Limit: limits.recordsCountedPerAnswer,
  });
  for (const record of items) {
    counter.see(record, false);
    // Too many deliveries wait for their attempt.
    if (counter.through < record.id) return Date.parse(record.createdAt);
  }
  const last = items.at(-1);
  return isLast || !last ? at : Date.parse(last.createdAt);
}

function shown(hours: Hours, first: number, end: number): Pick<WebhookStatistics, 'data' | 'summary'> {
  const wanted = [...hours].filter(([hour]) => hour >= first && hour < end).sort(([a], [b]) => a - b);
  const summary = noCounts();
  for (const [, counts] of wanted) addCounts(summary, counts);
  return {
    data: wanted.map(([hour, counts]) => ({ hour: timestamp(hour * hourMs), ...attemptCounts(counts) })),
    summary: attemptCounts(summary),
  };
}
