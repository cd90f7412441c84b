/** A planning run that is out of time reports it and begins no more writes: its messages are received again. */
import { expect, test } from 'vitest';
import { parseEventMessage } from '../../../../core/deliveries/plan/event-refs.ts';
import { plan } from '../../../../core/deliveries/plan/plan.ts';
import { consumer } from '../../../../core/queue/consumer.ts';
import { writingUntil } from '../../../../core/time-left.ts';
import { context, eventMessage } from '../../../support/pipeline.ts';
import { newTenant, violations } from '../../../support/pipeline-state.ts';
import { sqsEvent } from '../../../support/queue-and-bus.ts';
import { scriptDynamo } from '../../../support/scripted-dynamo.ts';
import { usePipeline } from '../../../support/use-pipeline.ts';

const begin = usePipeline();

type Handler = ReturnType<typeof consumer>;

/** The calls are: webhooks, outbox and keys, numbers, records, the event's end. */
const callsOfOneRun = 5;

/** Runs until the response to one call to DynamoDB comes after the time is up. Returns the calls begun after that. */
async function outOfTimeAfter(call: number, handler: Handler) {
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
  'If the function that creates deliveries runs out of time in DynamoDB call number %i, it writes and sends nothing afterwards',
  async (_, call) => {
    const { late, failed } = await outOfTimeAfter(call, consumer(parseEventMessage, plan));
    expect({ late, failed }).toEqual({ late: [], failed: call === callsOfOneRun - 1 ? 0 : 1 });
  },
);

test('Negative control: if the function that creates deliveries has no time limit, it still writes after its time is over', async () => {
  const handler = consumer(parseEventMessage, (messages) =>
    writingUntil(Number.POSITIVE_INFINITY, () => plan(messages)),
  );
  const { calls, late } = await outOfTimeAfter(0, handler);
  expect(calls).toBe(callsOfOneRun);
  expect(late).toEqual(['BatchExecuteStatement', 'BatchExecuteStatement', 'BatchWriteItem', 'SendMessageBatch']);
});
