/**
 * A planning run is bounded: large fan-outs continue in another message, and delay no other business. A run that is out
 * of time reports it and begins no more writes: its messages are received again.
 */
import { expect, test } from 'vitest';
import { parseDeliveryBatch } from '../../../../core/deliveries/model/batch.ts';
import { eventsTogether, parseEventMessage } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan, webhooksTogether } from '../../../../core/deliveries/plan/plan.ts';
import { consumer } from '../../../../core/queue/consumer.ts';
import { writingUntil } from '../../../../core/time-left.ts';
import { collectMetrics } from '../../../support/emitted-metrics.ts';
import type { Functions } from '../../../support/functions.ts';
import { context, eventMessage, type Pipeline } from '../../../support/pipeline.ts';
import { newTenant, outbox, violations } from '../../../support/pipeline-state.ts';
import { sqsEvent } from '../../../support/queue-and-bus.ts';
import { scriptDynamo, scripted } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

/** The number of messages in a queue by business. */
function waiting({ queues }: Pipeline): Map<number, number> {
  const all = queues.deliveries.bodies.flatMap(parseDeliveryBatch);
  return new Map([...Map.groupBy(all, ({ tenantId }) => tenantId)].map(([id, some]) => [id, some.length]));
}

test('An event with more webhooks than one function run can handle is delivered once to each webhook', async () => {
  const runs: number[] = [];
  const counting = (real: Functions): Partial<Functions> => ({
    plan: async (...args) => {
      const before = pipeline.queues.deliveries.size;
      const answer = await real.plan(...args);
      const sent = pipeline.queues.deliveries.bodies.slice(before).flatMap(parseDeliveryBatch);
      runs.push(sent.length);
      if (runs.length < 3) expect(await outbox()).toHaveLength(1);
      return answer;
    },
  });
  const pipeline = begin({ functions: counting, sweeper: false });
  const tenant = await newTenant(2 * webhooksTogether + 7);
  const event = await pipeline.raise(tenant.tenantId);
  await pipeline.run();
  expect(runs).toEqual([webhooksTogether, webhooksTogether, 7]);
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test("If the queue refuses the message about an event's remaining webhooks, the event is handled again and reaches all", async () => {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const tenant = await newTenant(webhooksTogether + 1);
  const event = await pipeline.raise(tenant.tenantId);
  // With ten entries a call, the batches are accepted and the message to continue is refused in every round.
  const packs = Math.ceil(webhooksTogether / 10);
  pipeline.refuseMessages = [...Array(Math.ceil(packs / 10)).fill([]), ...Array(4).fill([0])];
  const [end] = await Promise.allSettled(plan([[event]]));
  expect(end).toMatchObject({
    status: 'rejected',
    reason: { message: expect.stringContaining('The queue refused the message') },
  });
  expect(await outbox()).toHaveLength(1);
  await Promise.all(plan([[event]]));
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

test('If a function runs out of time while it creates deliveries, queue messages continue, and no delivery is lost', async () => {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const [first, second] = await Promise.all([newTenant(2), newTenant(1)]);
  const many = await pipeline.raiseMany(first.tenantId, 40);
  const few = await pipeline.raiseMany(second.tenantId, 2);
  // A batch ends with a deletion. After the first there is only time for a second, and then for no third.
  const tookMs = [20_000, 5_000];
  using slow = scriptDynamo([{ when: 'BatchWriteItem', after: () => pipeline.advance(tookMs.shift() ?? 0) }]);
  await writingUntil(pipeline.now + 30_000, () => Promise.all(plan([many, few])));
  slow.end();
  // The first batch begins with the business of the fewest events, so that a second has the rest of 25.
  expect(waiting(pipeline)).toEqual(
    new Map([
      [second.tenantId, 2],
      [first.tenantId, 2 * eventsTogether],
    ]),
  );
  const handedOn = pipeline.queues.events.bodies.map(parseEventMessage);
  expect(handedOn.map(({ length }) => length)).toEqual([40 - eventsTogether]);
  await pipeline.run();
  expect(await violations(pipeline, first, many)).toEqual([]);
  expect(await violations(pipeline, second, few)).toEqual([]);
});

test('If the deliveries of an event cannot be created in time, the queue message of the event goes back to the queue', async () => {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const emitted = collectMetrics(() => undefined);
  const tenant = await newTenant(1);
  const event = await pipeline.raise(tenant.tenantId);
  const late = { when: 'BatchGetItem', before: () => pipeline.advance(20_001), fail: 'ThrottlingException' };
  const [end] = await scripted([late], () =>
    writingUntil(pipeline.now + 30_000, () => Promise.allSettled(plan([[event]]))),
  );
  expect(end).toMatchObject({ reason: { message: expect.stringContaining('could not be planned') } });
  expect(pipeline.queues.events.bodies).toEqual([]);
  expect(emitted).toMatchObject([{ name: 'OwnFaults', values: [1] }]);
  await Promise.all(plan([[event]]));
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
});

/** The calls are: webhooks, outbox and keys, numbers, records, the event's end. */
const callsOfOneRun = 5;

/** Runs until the response to one call to DynamoDB comes after the time is up. Returns the calls begun after that. */
async function outOfTimeAfter(call: number, handler: ReturnType<typeof consumer>) {
  const pipeline = begin({ losesStream: true, sweeper: false });
  const tenant = await newTenant(2);
  const event = await pipeline.raise(tenant.tenantId);
  let sent = 0;
  let started = 0;
  const message = sqsEvent([{ messageId: 'one', body: eventMessage(event) }]);
  const script = scriptDynamo(
    [
      {
        nth: call + 1,
        after: () => {
          pipeline.advance(context.getRemainingTimeInMillis());
          sent = pipeline.sendCalls;
          started = script.calls.length;
        },
      },
    ],
    { attempts: true },
  );
  const { batchItemFailures } = await handler(message, context);
  script.end();
  const calls = script.calls.length;
  const late = script.operations
    .slice(started || calls)
    .filter((operation) => /Write|Execute|Update|Put/.test(operation));
  if (pipeline.sendCalls > sent) late.push('SendMessageBatch');

  await handler(message, context);
  await pipeline.run();
  expect(await violations(pipeline, tenant, [event])).toEqual([]);
  return { calls, late, failed: batchItemFailures.length };
}

test.each(Array.from({ length: callsOfOneRun }, (_, call) => [call + 1, call] as const))(
  'If the function that creates deliveries runs out of time in DynamoDB call number %i, this function writes and sends nothing afterwards',
  async (_, call) => {
    const { late, failed } = await outOfTimeAfter(call, consumer(parseEventMessage, plan));
    expect({ late, failed }).toEqual({ late: [], failed: call === callsOfOneRun - 1 ? 0 : 1 });
  },
);

test('Negative control: without a time limit, the function that creates deliveries still writes after its time is over', async () => {
  const handler = consumer(parseEventMessage, (messages) =>
    writingUntil(Number.POSITIVE_INFINITY, () => plan(messages)),
  );
  const { calls, late } = await outOfTimeAfter(0, handler);
  expect(calls).toBe(callsOfOneRun);
  expect(late).toEqual(['BatchExecuteStatement', 'BatchExecuteStatement', 'BatchWriteItem', 'SendMessageBatch']);
});
