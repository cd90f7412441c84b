/**
 * Messages of the queues `deliveries` and `retries`: each contains the ids of up to ten deliveries of one business, and
 * none of their content. Unknown fields are ignored on reading, so that a deployment can be rolled back while newer
 * messages are in the queues.
 */
import * as z from 'zod/mini';
import type { DeliveryQueue } from '../../../contract/system/needs.ts';
import { chunksOf } from '../../chunks.ts';
import { type QueueMessage, sendEach } from '../../queue/send-each.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';

const count = z.int().check(z.positive());

const named = z.object({
  keyId: count,
  webhookId: count,
  /** The number of the record of the first attempt, or of a redelivery. */
  number: count,
  /** The attempt to make, from 1. */
  attempt: count,
  /** When the attempt is due, in epoch milliseconds. */
  dueAt: z.int(),
  /** Whether the message was sent to the slow queue, because its receiver is slow or its first attempt is held. */
  isSlow: z.optional(z.literal(true)),
});
const batch = z.object({ tenantId: count, deliveries: z.array(named).check(z.minLength(1)) });

/** The ids of one delivery, and the attempt to make. */
export type DeliveryRef = z.infer<typeof named> & { readonly tenantId: number };

/** The deliveries of a message. Throws for a body without deliveries. */
export function parseDeliveryBatch(body: string): readonly DeliveryRef[] {
  const { tenantId, deliveries } = z.parse(batch, JSON.parse(body));
  return deliveries.map((one) => ({ tenantId, ...one }));
}

/** A delivery that is to be sent to a queue. */
export interface Outgoing {
  readonly ref: DeliveryRef;
  /** 0 to 900. */
  readonly delaySeconds: number;
}

/**
 * The queue of a first attempt. A batch takes as long as its slowest receiver, so a few receivers that do not respond
 * would occupy all functions; therefore slow receivers have another queue (docs/rules.md#fairness).
 */
export function queueFor({ slowUntil = 0 }: Pick<WebhookItem, 'slowUntil'>, at: number): DeliveryQueue {
  return slowUntil > at ? 'retries' : 'deliveries';
}

/**
 * With ten, a full batch of messages contains a hundred deliveries, and no message waits for a batch to be full
 * (docs/rules.md#pipeline).
 */
export const deliveriesPerBatch = 10;

/**
 * Sends the deliveries in messages, each for one business and one delay. Returns the deliveries that the queue
 * accepted.
 */
export async function sendDeliveries<T extends Outgoing>(
  queue: DeliveryQueue,
  outgoing: readonly T[],
): Promise<ReadonlySet<T>> {
  const alike = Map.groupBy(outgoing, ({ ref, delaySeconds }) => `${ref.tenantId} ${delaySeconds}`);
  const batches = [...alike.values()].flatMap((some) => chunksOf(some, deliveriesPerBatch));
  const sent = await sendEach(queue, batches.map(messageOf));
  return new Set(batches.filter((_, i) => sent[i]).flat());
}

function messageOf(batch: readonly Outgoing[]): QueueMessage {
  const [first] = batch;
  if (!first) throw new Error('A batch contains no delivery');
  const { tenantId } = first.ref;
  const deliveries = batch.map(({ ref: { tenantId: _, ...named } }) => named);
  return { body: { tenantId, deliveries }, tenantId, delaySeconds: first.delaySeconds };
}
