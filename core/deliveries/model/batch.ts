/**
 * Messages of the queues `deliveries` and `retries`: packs, which name up to ten deliveries of one business and carry
 * nothing of their content. They are read loosely and written exactly, so that a deployment can be rolled back while messages
 * of a newer form are under way.
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
  /** Of the delivery's first record, its head. */
  number: count,
  /** The attempt to make, from 1. */
  attempt: count,
  /** When it is to be made, in epoch milliseconds. */
  dueAt: z.int(),
});
const pack = z.object({ tenantId: count, deliveries: z.array(named).check(z.minLength(1)) });

/** One delivery that a message names. */
export type DeliveryRef = z.infer<typeof named> & { readonly tenantId: number };

/** The deliveries that a message names. Throws for a body that names none. */
export function parseDeliveryBatch(body: string): readonly DeliveryRef[] {
  const read = JSON.parse(body);
  // What was sent before there were packs names one delivery, and nothing else.
  const { tenantId, deliveries } = z.parse(pack, read?.deliveries ? read : { ...read, deliveries: [read] });
  return deliveries.map((one) => ({ tenantId, ...one }));
}

export interface Outgoing {
  readonly message: DeliveryRef;
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

/** A full batch of messages then names a hundred, and waits for nobody to be full (docs/rules.md#pipeline). */
export const deliveriesPerBatch = 10;

/** Packs the deliveries by business and delay, sends the packs, and says of each delivery whether the queue took it. */
export async function sendMessages(queue: DeliveryQueue, outgoing: readonly Outgoing[]): Promise<readonly boolean[]> {
  const alike = Map.groupBy(outgoing, ({ message, delaySeconds }) => `${message.tenantId} ${delaySeconds}`);
  const packs = [...alike.values()].flatMap((some) => chunksOf(some, deliveriesPerBatch));
  const taken = await sendEach(queue, packs.map(messageOf));
  const sent = new Set(packs.filter((_, i) => taken[i]).flat());
  return outgoing.map((one) => sent.has(one));
}

function messageOf(alike: readonly Outgoing[]): QueueMessage {
  const [first] = alike;
  if (!first) throw new Error('A pack names at least one delivery');
  const { message, delaySeconds } = first;
  const { tenantId } = message;
  const deliveries = alike.map(({ message: { keyId, webhookId, number, attempt, dueAt } }) => {
    return { keyId, webhookId, number, attempt, dueAt };
  });
  return { body: { tenantId, deliveries }, tenantId, delaySeconds };
}
