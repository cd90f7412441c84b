/**
 * The bus, or the stream, fails for an hour. Nothing is lost, the backlog is delivered fast and oldest first, and later
 * events do not wait behind it. Here with an event in two seconds; for 200 a second run
 * `npm run prove -- simulate --preset no-bus --events 840000`, and `no-stream`.
 */
import { expect, test } from 'vitest';
import { schedules } from '../../contract/system/schedules.ts';
import { firstIdAt, now } from '../../core/clock.ts';
import { eventRefOf, type OutboxItem, overdueMs, readableEvent } from '../../core/events/event.ts';
import { publish } from '../../core/events/publish.ts';
import { pages } from '../../core/store/read.ts';
import { outboxShards, records } from '../../core/table-keys.ts';
import type { Scheduled } from '../support/functions.ts';
import { type OutageFigures, OutageWatch, outage } from './outage.ts';
import { oneHourOptions } from './presets.ts';
import { simulate } from './simulation.ts';

const events = 2_100;
const minute = 60_000;

async function hourWithout(broken: 'busOff' | 'streamOff', sweep?: Scheduled['handler']): Promise<OutageFigures> {
  const watch = new OutageWatch();
  const report = await simulate({ ...oneHourOptions(broken, events, 7), onRequest: watch.onRequest, sweep });
  expect(report.violations).toEqual([]);
  const { deliveries, success } = report.counts;
  expect({ deliveries, success }).toEqual({ deliveries: events, success: events });
  const figures = watch.figures();
  process.stderr.write(`outage: ${broken} ${JSON.stringify(figures)}\n`);
  return figures;
}

/** The slices of so small a backlog double in size until the last is half of it. */
const inOrder = 0.6;

function expectDrained(figures: OutageFigures): void {
  const { arrivedPerSecond, drainedPerSecond, drainedAfterMs, displaced, slowestAfterwardsMs } = figures;
  expect(drainedPerSecond).toBeGreaterThan(5 * arrivedPerSecond);
  expect(drainedAfterMs).toBeLessThan((outage.toMs - outage.fromMs) / 5);
  expect(displaced).toBeLessThan(inOrder);
  expect(slowestAfterwardsMs).toBeLessThan(10_000);
}

test('After an hour without the DynamoDB stream, missed events arrive within minutes, in order, without delaying new events', async () => {
  const figures = await hourWithout('streamOff');
  expectDrained(figures);
  expect(figures.slowestMs).toBeLessThan(8 * minute);
});

/** The maximum per run at the rate of this test: it corresponds to 10 000 events in five minutes at 200 a second. */
const eventsPerRun = 10_000 / 400;

/** An injected bug: each run publishes a limited number of events, and those of one run in six half an hour late. */
async function cappedSweep(): Promise<void> {
  const at = now();
  const run = Math.floor(at / (schedules.sweep.everyMinutes * minute));
  let left = eventsPerRun;
  for (let shard = 0; shard < outboxShards && left > 0; shard++) {
    const overdue = pages<OutboxItem>('records', {
      KeyConditionExpression: 'pk = :shard AND sk < :before',
      ExpressionAttributeValues: {
        ':shard': records.outboxShard(shard),
        ':before': records.outboxId(firstIdAt(at - overdueMs)),
      },
    });
    for await (const { items } of overdue) {
      const now = items.filter(({ id }) => id >= firstIdAt(at - 30 * minute) || (run + id) % 6 === 0).slice(0, left);
      left -= now.length;
      const events = now.flatMap((item) => readableEvent(item) ?? []);
      await publish(events.map(eventRefOf));
    }
  }
}

test('Negative control: if each run of `sweep` publishes a fixed number of events, a backlog arrives late and unordered', async () => {
  const figures = await hourWithout('busOff', cappedSweep);
  expect(() => expectDrained(figures)).toThrow();
  expect(figures.drainedAfterMs).toBeGreaterThan((outage.toMs - outage.fromMs) * 2);
  expect(figures.displaced).toBeGreaterThan(inOrder);
});
