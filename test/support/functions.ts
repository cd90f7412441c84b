/** The production code that runs in the pipelines under test, called as by Lambda and integrators. */
import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent, SQSBatchResponse, SQSEvent } from 'aws-lambda';
import type { EventName } from '../../contract/events.ts';
import { fileName } from '../../contract/integration/api.ts';
import { type Schedule, schedules } from '../../contract/system/schedules.ts';
import { deliver, type Sender } from '../../core/deliveries/attempt/deliver.ts';
import { ping } from '../../core/deliveries/attempt/ping.ts';
import { recover } from '../../core/deliveries/log/recover.ts';
import { redeliver } from '../../core/deliveries/log/redeliver.ts';
import { parseDeliveryBatch } from '../../core/deliveries/model/batch.ts';
import { relay } from '../../core/events/relay.ts';
import type { Principal } from '../../core/principal.ts';
import { consumer } from '../../core/queue/consumer.ts';
import { handler as planHandler } from '../../functions/queues/plan-deliveries.ts';

export interface Functions {
  relay(event: DynamoDBStreamEvent): Promise<DynamoDBBatchResponse>;
  plan(event: SQSEvent, context: Context): Promise<SQSBatchResponse>;
  deliver(event: SQSEvent, context: Context): Promise<SQSBatchResponse>;
  ping(key: Principal, webhook: { id: number }, body?: { event?: EventName }): ReturnType<typeof ping>;
  redeliver: typeof redeliver;
  recover: typeof recover;
}

/** `post` replaces the network: it leads to the receivers of the simulation. */
export function realFunctions(post: Sender): Functions {
  return {
    relay,
    plan: planHandler,
    // This line is the same as in `functions/queues/deliver-webhook.ts`.
    deliver: consumer(parseDeliveryBatch, (messages, time) => deliver(messages, time, post)),
    ping: (key, webhook, body) => ping(key, webhook, body, post),
    redeliver,
    recover,
  };
}

export interface Scheduled {
  readonly operation: string;
  readonly row: Schedule;
  readonly handler: (event: unknown, context: Context) => Promise<void>;
}

/** Every scheduled row with its handler, which is found by name. */
export const scheduled: readonly Scheduled[] = await Promise.all(
  Object.entries<Schedule>(schedules).map(async ([operation, row]) => {
    const { handler } = await import(`../../functions/schedules/${fileName(operation)}.ts`);
    return { operation, row, handler };
  }),
);
