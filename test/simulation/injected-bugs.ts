/** Bugs that are typical of such pipelines. The simulation must find each. */

import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { PutEventsCommand } from '@aws-sdk/client-eventbridge';
import {
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
  type UpdateCommandInput,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { schedules } from '../../contract/system/schedules.ts';
import { dynamo, eventBridge } from '../../core/clients.ts';
import { now, timestamp } from '../../core/clock.ts';
import { buildRedeliveries, sendRedeliveries } from '../../core/deliveries/log/redeliver.ts';
import { parseDeliveryId } from '../../core/deliveries/model/delivery-id.ts';
import { type DeliveryItem, recordOf } from '../../core/deliveries/model/delivery-record.ts';
import { env } from '../../core/env.ts';
import { fail } from '../../core/errors.ts';
import { eventOf, eventRefOf, type OutboxItem } from '../../core/events/event.ts';
import { requestsOf } from '../../core/events/publish.ts';
import { getItem, queryPrefix } from '../../core/store/read.ts';
import { commitWithRetry, transact } from '../../core/store/transact.ts';
import { set, type Write } from '../../core/store/write.ts';
import { deliveries } from '../../core/table-keys.ts';
import { loadWebhook } from '../../core/webhooks/registry/store.ts';
import type { Command } from '../../packages/memory-dynamo/src/memory-dynamo.ts';
import type { Functions } from '../support/functions.ts';
import type { PipelineQueue } from '../support/queue-and-bus.ts';
import type { RequestedCall } from './checkers/calls.ts';
import { manyFaults, noFaults } from './faults.ts';
import { alikeBusinesses, oneHost } from './population.ts';
import { healthy } from './receivers.ts';
import type { SimulationOptions } from './simulation.ts';

export interface InjectedBug {
  /** What goes wrong, as a clause. */
  readonly bug: string;
  readonly functions?: (real: Functions) => Partial<Functions>;
  /** A row of `contract/system/schedules.ts` that never runs. */
  readonly without?: keyof typeof schedules;
  readonly acknowledgesFirst?: true;
  /** An operation whose messages are lost on their way to the queue. */
  readonly loses?: RequestedCall['verb'];
  /** A queue that accepts messages from functions, and loses them. */
  readonly losesTo?: PipelineQueue;
  readonly rewrites?: (command: Command) => Command;
  /** Changes to the simulation that the bug needs in order to show. */
  readonly options?: Partial<SimulationOptions>;
}

export const injectedBugs = {
  'deduplicate-before-enqueue': {
    bug: 'a message that was seen before is dropped, even if its first run crashed',
    functions: (real) => {
      const seen = new Set<number>();
      return {
        plan: ({ Records }, context) => {
          const fresh = Records.map((record) => {
            const { detail, ...envelope } = JSON.parse(record.body);
            const events = detail.events.filter(({ id }: { id: number }) => !seen.has(id));
            for (const { id } of events) seen.add(id);
            return { ...record, body: JSON.stringify({ ...envelope, detail: { events } }) };
          }).filter(({ body }) => JSON.parse(body).detail.events.length > 0);
          return real.plan({ Records: fresh }, context);
        },
      };
    },
  },
  'count-twice': {
    bug: 'attempts are counted twice',
    rewrites: (command) => {
      const input = command.input as UpdateCommandInput;
      const { ':countedThrough': through, ...values } = input.ExpressionAttributeValues ?? {};
      if (!(command instanceof UpdateCommand) || through === undefined) return command;
      return new UpdateCommand({ ...input, ExpressionAttributeValues: { ...values, ':countedThrough': through - 1 } });
    },
  },
  'statistics-go-first': {
    bug: 'statistics expire before the deliveries that they count',
    rewrites: (command) => {
      const { TransactItems = [] } = command.input as TransactWriteCommandInput;
      const isSegment = ({ Put }: Write) => String(Put?.Item?.pk).startsWith('STATISTICS#');
      if (!(command instanceof TransactWriteCommand) || !TransactItems.some(isSegment)) return command;
      const writes = TransactItems.map((write) => {
        const { Put } = write;
        if (!Put?.Item || !isSegment(write)) return write;
        const expiresAtSeconds = Number(Put.Item.expiresAtSeconds) - 3 * 86_400;
        return { Put: { ...Put, Item: { ...Put.Item, expiresAtSeconds } } };
      });
      return new TransactWriteCommand({ TransactItems: writes });
    },
    // A webhook with so many deliveries that its sweep mark cannot hold all hours.
    options: {
      events: 2_500,
      spanMs: 12 * 3_600_000,
      rates: noFaults,
      eventful: false,
      streamOff: undefined,
      populate: (plan) => alikeBusinesses(plan, 1, () => healthy),
    },
  },
  'restored-to-different-seconds': {
    bug: 'the tables are restored to different points in time',
    options: {
      eventful: false,
      spanMs: 24 * 3_600_000,
      restore: { toMs: 3 * 3_600_000, stopMs: 6 * 3_600_000, recordsLaterMs: 2 * 3_600_000 },
    },
  },
  'no-sweeper': { bug: 'events that the stream lost are never found', without: 'sweep' },
  'no-delivery-sweeper': {
    bug: 'deliveries whose messages are in a dead-letter queue are never found',
    without: 'sweepDeliveries',
  },
  'acknowledge-before-next-hop': {
    bug: 'a queue message is deleted before the function has handled it',
    acknowledgesFirst: true,
  },
  'acknowledge-half-a-batch': {
    bug: 'a queue message is deleted although only one of its ten deliveries was handled',
    // Often one attempt in many meets a platform bug, and the others succeed.
    options: { rates: { ...manyFaults, misuse: 0.02 } },
    functions: (real) => ({
      deliver: async ({ Records }, context) => {
        const apart = Records.flatMap((record) => {
          const { tenantId, deliveries } = JSON.parse(record.body);
          return deliveries.map((one: object, i: number) => ({
            ...record,
            messageId: `${record.messageId}/${i}`,
            body: JSON.stringify({ tenantId, deliveries: [one] }),
          }));
        });
        const { batchItemFailures } = await real.deliver({ Records: apart }, context);
        const failed = new Set(batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        const whole = Records.filter(({ messageId }) =>
          apart.every((one) => !one.messageId.startsWith(`${messageId}/`) || failed.has(one.messageId)),
        );
        return { batchItemFailures: whole.map(({ messageId }) => ({ itemIdentifier: messageId })) };
      },
    }),
  },
  'fan-out-does-not-go-on': {
    bug: 'an event with very many webhooks is not continued after the first function run',
    losesTo: 'events',
    options: { populate: (plan) => oneHost(plan, 120, healthy, true) },
  },
  'ignore-failed-entry-count': {
    bug: 'a partial failure of PutEvents counts as success',
    functions: () => ({
      relay: async ({ Records }) => {
        const images = Records.map(({ dynamodb }) => (dynamodb?.NewImage ?? {}) as Record<string, AttributeValue>);
        const events = images.map((image) => eventOf(unmarshall(image) as OutboxItem));
        for (const request of requestsOf(events.map(eventRefOf))) {
          await eventBridge().send(new PutEventsCommand({ Entries: request.map(({ entry }) => entry) }));
        }
        return { batchItemFailures: [] };
      },
    }),
  },
  'redeliver-without-count': {
    bug: 'two concurrent redeliveries use the same attempt number',
    functions: () => ({ redeliver: redeliverNoting(() => []) }),
  },
  'redelivery-not-named': {
    bug: 'a delivery counts its redeliveries, but does not store the numbers of their records',
    functions: () => ({
      redeliver: redeliverNoting((first, delivery) => {
        const { attempts, state, redeliveries = 0 } = first;
        const fields = { attempts: attempts + 1, redeliveries: redeliveries + 1, lastRedelivery: delivery.id };
        return [set('deliveries', first, fields, { attempts, state })];
      }),
    }),
  },
  'recover-announces-first': {
    bug: 'messages are sent before the records that they name are stored',
    functions: () => ({
      recover: async (key, { id }, { since, until = timestamp(now()) }) => {
        const webhook = await loadWebhook(key, id);
        const log = await queryPrefix<DeliveryItem>('deliveries', deliveries.log(id), 'R#');
        const failed = log.filter(
          ({ state, trigger, lastRedelivery, createdAt }) =>
            state === 'failed' &&
            trigger === 'scheduled' &&
            !lastRedelivery &&
            since <= createdAt &&
            createdAt <= until,
        );
        const ended = failed.map((first) => ({ first, newest: undefined }));
        const { writes, redeliveries } = buildRedeliveries(webhook, ended, now());
        await sendRedeliveries(redeliveries);
        if (redeliveries.length > 0) await transact(writes);
        return { matched: redeliveries.length, stillRetrying: 0, leftOut: 0 };
      },
    }),
  },
  'redelivery-never-sent': {
    bug: 'the message of a redelivery is lost, and no sweeper finds it',
    loses: 'redeliver',
    without: 'sweepDeliveries',
  },
  'ping-counts-as-trigger': {
    bug: 'a ping counts as an event',
    functions: (real) => ({
      ping: async (principal, { id }) => {
        const { tenantId, keyId } = await loadWebhook(principal, id);
        const result = await real.ping(principal, { id });
        await dynamo().send(
          new UpdateCommand({
            TableName: env.table('deliveries'),
            Key: deliveries.webhook(tenantId, keyId, id),
            UpdateExpression: 'SET lastTriggeredAt = :now',
            ExpressionAttributeValues: { ':now': timestamp(now()) },
          }),
        );
        return result;
      },
    }),
  },
} as const satisfies Record<string, InjectedBug>;

/** `redeliver` with other notes in the record of attempt 1. */
function redeliverNoting(notes: (first: DeliveryItem, delivery: DeliveryItem) => Write[]): Functions['redeliver'] {
  return async (key, { id, deliveryId }) => {
    const delivery = await commitWithRetry(async () => {
      const webhook = await loadWebhook(key, id);
      const first = await getItem<DeliveryItem>('deliveries', recordNamed(deliveryId));
      if (!first?.state || first.state === 'pending' || first.state === 'retrying') throw fail('invalid_state');
      const { writes, redeliveries } = buildRedeliveries(webhook, [{ first, newest: undefined }], now());
      const [redelivery = first] = redeliveries;
      return { writes: [...writes.slice(0, -1), ...notes(first, redelivery)], result: redelivery };
    });
    await sendRedeliveries([delivery]);
    return recordOf(delivery);
  };
}

function recordNamed(deliveryId: string) {
  const { webhookId = 0, number = 0 } = parseDeliveryId(deliveryId) ?? {};
  return deliveries.record(webhookId, number);
}

export type InjectedBugName = keyof typeof injectedBugs;
