/**
 * Messages of the queues `deliveries` and `retries`: batches, which name up to ten deliveries of one business and carry
 * nothing of their content. They are read loosely and written exactly, so that a deployment can be rolled back while
 * messages of a newer form are under way.
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
  /** Of the delivery record: the record of its first attempt, or of a redelivery. */
  number: count,
  /** The attempt to make, from 1. */
  attempt: count,
  /** When it is to be made, in epoch milliseconds. */
  dueAt: z.int(),
  /** It was handed to the slow queue, its receiver being slow or its first attempt held, and is attempted there. */
  isSlow: z.optional(z.literal(true)),
});
const batch = z.object({ tenantId: count, deliveries: z.array(named).check(z.minLength(1)) });

/** Names one delivery, and which of its attempts is to be made. */
export type DeliveryRef = z.infer<typeof named> & { readonly tenantId: number };

/** The deliveries that a message names. Throws for a body that names none. */
export function parseDeliveryBatch(body: string): readonly DeliveryRef[] {
  const { tenantId, deliveries } = z.parse(batch, JSON.parse(body));
  return deliveries.map((one) => ({ tenantId, ...one }));
}

/** A delivery on its way to a queue. */
export interface Outgoing {
  readonly ref: DeliveryRef;
  /** 0 to 900. */
  readonly delaySeconds: number;
}

/**
 * The queue of a first attempt. Slow receivers are kept out of the queue of first attempts: a batch lasts as long as its
 * slowest receiver, so a few that hang would take all workers from those that answer (docs/rules.md#fairness).
 */
export function queueFor({ slowUntil = 0 }: Pick<WebhookItem, 'slowUntil'>, at: number): DeliveryQueue {
  return slowUntil > at ? 'retries' : 'deliveries';
}

/** A full batch of messages then names a hundred, and none waits to be full (docs/rules.md#pipeline). */
export const deliveriesPerBatch = 10;

/** Sends the deliveries in batches of one business and delay. Returns those that the queue took. */
export async function sendDeliveries<T extends Outgoing>(
  queue: DeliveryQueue,
  outgoing: readonly T[],
): Promise<ReadonlySet<T>> {
  const alike = Map.groupBy(outgoing, ({ ref, delaySeconds }) => `${ref.tenantId} ${delaySeconds}`);
  const batches = [...alike.values()].flatMap((some) => chunksOf(some, deliveriesPerBatch));
  const taken = await sendEach(queue, batches.map(messageOf));
  return new Set(batches.filter((_, i) => taken[i]).flat());
}

function messageOf(batch: readonly Outgoing[]): QueueMessage {
  const [first] = batch;
  if (!first) throw new Error('A batch names at least one delivery');
  const { tenantId } = first.ref;
  const deliveries = batch.map(({ ref: { tenantId: _, ...named } }) => named);
  return { body: { tenantId, deliveries }, tenantId, delaySeconds: first.delaySeconds };
}
