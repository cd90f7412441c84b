/** The functions emit exactly the metrics in `contract/system/metrics.ts`, each from the functions listed there. */
import { expect, test } from 'vitest';
import { limits } from '../../contract/limits.ts';
import { type MetricRow, metrics } from '../../contract/system/metrics.ts';
import { collectMetrics } from '../support/emitted-metrics.ts';
import { type Answer, ok, platformFault, refused } from '../support/pipeline.ts';
import { newTenant } from '../support/pipeline-state.ts';
import { usePipeline } from '../support/use-pipeline.ts';

const begin = usePipeline();
const rows = Object.entries<MetricRow>(metrics);
const minute = 60_000;

/** The functions by their names in the pipeline and in the table. */
const files: Readonly<Record<string, string>> = {
  'relay-events': 'streams/relay-events',
  'plan-deliveries': 'queues/plan-deliveries',
  'deliver-webhook': 'queues/deliver-webhook',
  sweep: 'schedules/sweep',
  sweepDeliveries: 'schedules/sweep-deliveries',
};

test('The scheduled searches for lost events and deliveries emit their metrics as 0 when they find nothing', async () => {
  const pipeline = begin();
  const emitted = collectMetrics(() => pipeline.inside);
  await pipeline.sweep();
  await pipeline.sweepDeliveries();
  const expected = rows.filter(([, { everyRun }]) => everyRun).map(([name]) => ({ name, values: [0] }));
  expect(emitted.map(({ name, values }) => ({ name, values }))).toEqual(expected);
});

test('Every metric in the file contract/system/metrics.ts is emitted, in its unit, by exactly the functions listed there', async () => {
  let answer: Answer = ok;
  const pipeline = begin({ answer: () => answer });
  const emitted = collectMetrics(() => pipeline.inside);
  const { tenantId } = await newTenant(1);
  const raiseAndRun = async (next: Answer, forMs = Number.POSITIVE_INFINITY) => {
    answer = next;
    await pipeline.raise(tenantId);
    await pipeline.run(pipeline.now + forMs);
  };

  await raiseAndRun(platformFault, minute);
  // The queue refuses more often than its client retries.
  pipeline.refuseMessages = Array.from({ length: 5 }, () => [0]);
  await raiseAndRun(ok);
  await raiseAndRun(refused, minute);
  pipeline.queues.retries.take();
  pipeline.advance(24 * 60 * minute);
  await pipeline.sweepDeliveries();
  await pipeline.run();
  for (let i = 0; i < limits.failedDeliveriesToWarn; i++) await raiseAndRun(refused);
  await raiseAndRun(ok);
  for (let i = 0; i < limits.failedDeliveriesToDisable; i++) await raiseAndRun(refused);
  await pipeline.raise(tenantId);
  pipeline.loseStream();
  await pipeline.run();

  const units = new Map(rows.map(([name, { unit }]) => [name, unit as string]));
  for (const { name, unit } of emitted) expect(unit, name).toBe(units.get(name));
  for (const [name, { emittedBy }] of rows) {
    const emitters = new Set(emitted.filter((one) => one.name === name).map(({ by }) => files[by ?? ''] ?? 'nobody'));
    expect([...emitters].sort(), name).toEqual([...emittedBy].sort());
  }
  const total = (name: string) =>
    emitted.flatMap((one) => (one.name === name ? one.values : [])).reduce((all, value) => all + value, 0);
  for (const name of ['OutboxEventsOverdue', 'DeliveriesOverdue', 'OldestOutboxEvent']) {
    expect(total(name), name).toBeGreaterThan(0);
  }
  expect(['WebhooksFailing', 'WebhooksDisabled', 'WebhooksRecovered'].map(total)).toEqual([2, 1, 1]);
});
