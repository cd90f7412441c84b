/** Redriving as in `docs/operating.md`: dead letters that are sent back complete their work, and repeat none. */
import { expect, test } from 'vitest';
import { eventMessage, ok, type Pipeline, platformFault } from '../../../support/pipeline.ts';
import { newTenant, recordsOf, violations } from '../../../support/pipeline-state.ts';
import type { PipelineQueue } from '../../../support/queue-and-bus.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();
const hourMs = 3_600_000;

/** Takes the waiting messages out of their queues. */
function bury({ queues }: Pipeline): { from: Pipeline['queues'][PipelineQueue]; body: string }[] {
  return Object.values(queues).flatMap((from) => from.take().map((body) => ({ from, body })));
}

test('Messages that are redriven from a dead-letter queue days later cause each event to be delivered once to each webhook', async () => {
  let well = false;
  const pipeline = begin({ answer: () => (well ? ok : platformFault), sweeper: false });
  const tenant = await newTenant(2);
  const events = [await pipeline.raise(tenant.tenantId)];
  await pipeline.run(pipeline.now + hourMs);
  const dead = bury(pipeline);
  events.push(await pipeline.raise(tenant.tenantId));
  pipeline.queues.events.send(eventMessage(...events.slice(1)));
  pipeline.loseStream();
  dead.push(...bury(pipeline));
  expect(dead.length).toBeGreaterThanOrEqual(2);
  pipeline.advance(72 * hourMs);
  well = true;
  for (const { from, body } of dead) for (let copy = 1; copy <= 3; copy++) from.send(body);
  await pipeline.run();
  expect(await violations(pipeline, tenant, events)).toEqual([]);
  for (const { id } of tenant.webhooks) {
    const all = await recordsOf(id);
    expect(all.map(({ deliveryStatus, attemptNumber }) => [deliveryStatus, attemptNumber])).toEqual([
      ['success', 1],
      ['success', 1],
    ]);
  }
});

test("After a day of platform faults, a delivery's message is in the dead-letter queue, and a redrive completes the delivery", async () => {
  let well = false;
  const pipeline = begin({ answer: () => (well ? ok : platformFault) });
  const tenant = await newTenant(1);
  const event = await pipeline.raise(tenant.tenantId);
  await pipeline.run(pipeline.now + 25 * hourMs);
  const before = pipeline.posts.length;
  expect(pipeline.waiting).toBe(0);
  well = true;
  expect(pipeline.queues.retries.redrive()).toBe(1);
  await pipeline.run();
  expect(pipeline.posts).toHaveLength(before + 1);
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});
