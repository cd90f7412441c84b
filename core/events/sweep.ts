/**
 * Finds events that were not planned in time and publishes them again (docs/rules.md#pipeline): the stream or the bus
 * lost them.
 */
import { schedules } from '../../contract/schedules.ts';
import { firstIdAt, now, timeOfId } from '../clock.ts';
import { log } from '../log.ts';
import { emit } from '../metrics.ts';
import type { TimeLeft } from '../queue/consumer.ts';
import { pages } from '../store/read.ts';
import { outboxShards, records } from '../table-keys.ts';
import { type OutboxItem, readableEvent } from './event.ts';
import { publish } from './publish.ts';

/** An event is normally planned within a second. */
export const overdueMs = 120_000;
const oftenMs = 30 * 60_000;
const seldomRuns = 6;
const pageSize = 100;
/** A run that finds more leaves the rest to the next one, and the bus room for what is new. */
const eventsPerRun = 10_000;
/** A page is read and published well within it. */
const reserveMs = 10_000;

/** Reads every shard, oldest first, as far as time and `eventsPerRun` go. */
export async function sweep(_schedule: unknown, time: TimeLeft): Promise<void> {
  const at = now();
  const perShard = eventsPerRun / outboxShards;
  const shards = await Promise.all(
    Array.from({ length: outboxShards }, (_, shard) => sweepShard(shard, at, perShard, time)),
  );
  const republished = shards.reduce((sum, shard) => sum + shard.republished, 0);
  const oldestAt = Math.min(...shards.map((shard) => shard.oldestAt));
  emit({
    Seconds: { OldestOutboxEvent: Math.round((at - oldestAt) / 1_000) },
    Count: { OutboxEventsOverdue: republished },
  });
  if (republished > 0) log.warn('Published overdue events again', { republished });
}

/**
 * Whether an event is published again in this run: in each one at first, and after half an hour in one of six, each event
 * in its own, because what has not helped six times fills the queue with copies.
 */
export function isTurn(id: number, at: number): boolean {
  if (id >= firstIdAt(at - oftenMs)) return true;
  const run = Math.floor(at / (schedules.sweep.everyMinutes * 60_000));
  return (run + id) % seldomRuns === 0;
}

/** How many events it published, and when the oldest that it found happened: now, if it found none. */
async function sweepShard(shard: number, at: number, most: number, time: TimeLeft) {
  let republished = 0;
  let oldestAt = at;
  const overdue = pages<OutboxItem>('records', {
    KeyConditionExpression: 'pk = :shard AND sk < :before',
    ExpressionAttributeValues: {
      ':shard': records.outboxShard(shard),
      ':before': records.outboxId(firstIdAt(at - overdueMs)),
    },
    Limit: pageSize,
  });
  for await (const { items, isLast } of overdue) {
    const events = items.filter(({ id }) => isTurn(id, at)).flatMap((item) => readableEvent(item) ?? []);
    oldestAt = Math.min(oldestAt, ...items.slice(0, 1).map(({ id }) => timeOfId(id)));
    const refused = await publish(events);
    republished += events.length - refused.length;
    if (!isLast) log.info('Sweeping', { shard, republished });
    if (republished >= most || time.getRemainingTimeInMillis() <= reserveMs) break;
  }
  return { republished, oldestAt };
}
