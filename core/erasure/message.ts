/**
 * Messages of the queue `erasures`: whose traces are to be looked for, and from where on. Read loosely: a position that is not
 * understood means from the beginning, which repeats steps and skips none.
 */
import * as z from 'zod/mini';
import { fail } from '../errors.ts';
import { type QueueMessage, sendEach } from '../queue/send-each.ts';
import { type LogDeletion, logDeletion } from '../webhooks/registry/log-deletion.ts';

const count = z.int().check(z.positive());

export const position = z.object({
  step: z.string(),
  /** Partitions of the step are in the order of their ids. */
  part: z.int(),
  /** The last key that was read, of a table or of an index. */
  after: z.optional(z.record(z.string(), z.string())),
});
const erasure = z.object({
  tenantId: count,
  clientId: count,
  /** Hashes of the contacts that the client had. */
  contacts: z.optional(z.array(z.string())),
  from: z.optional(position),
});

/** Erasures of clients and deletions of logs share a queue: both look for traces of people. */
const message = z.union([erasure, logDeletion]);

export type ErasurePosition = z.infer<typeof position>;
export type Erasure = z.infer<typeof erasure>;

export function parseErasure(body: string): Erasure | LogDeletion {
  return z.parse(message, JSON.parse(body));
}

/**
 * When a client's traces are looked for, after the client is erased. A request that read the client before may still write what
 * it read: a request within ten seconds, a recovery or a plan within thirty, an attempt within a minute.
 */
const passesAfterSeconds = [0, 35, 90];

/** 503 `temporarily_unavailable` when the queue does not take every pass: then it is to be asked for again. */
export async function beginErasure(body: Erasure): Promise<void> {
  const { tenantId } = body;
  await sendAll(passesAfterSeconds.map((delaySeconds) => ({ body, tenantId, delaySeconds })));
}

/** Hands the rest to the next run. */
export async function goOnErasing(erasure: Erasure, from: ErasurePosition): Promise<void> {
  const { tenantId } = erasure;
  await sendAll([{ body: { ...erasure, from }, tenantId, delaySeconds: 0 }]);
}

async function sendAll(messages: readonly QueueMessage[]): Promise<void> {
  const sent = await sendEach('erasures', messages);
  if (sent.includes(false)) {
    throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error('The queue took no erasure') });
  }
}
