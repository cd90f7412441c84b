/**
 * Messages of the queue `erasures`: the client whose data is searched, and the position from which to continue. Unknown
 * fields are ignored, and an unknown position means the beginning, which repeats steps and skips none.
 */
import * as z from 'zod/mini';
import { type LogDeletion, logDeletion, sendErasures } from '../webhooks/registry/log-deletion.ts';

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
  /** Hashes of the former contacts of the client. */
  contacts: z.optional(z.array(z.string())),
  /** Whether upcoming bookings of the client are cancelled, including those that were made during the erasure. */
  cancelBookings: z.optional(z.boolean()),
  /** Whether this is the last search; when it is done, the client keeps no hashes of the former contacts. */
  isLast: z.optional(z.boolean()),
  from: z.optional(position),
});

/** Erasures of clients and deletions of logs share a queue, because both search for personal data. */
const message = z.union([erasure, logDeletion]);

export type ErasurePosition = z.infer<typeof position>;
export type Erasure = z.infer<typeof erasure>;

export function parseErasure(body: string): Erasure | LogDeletion {
  return z.parse(message, JSON.parse(body));
}

/**
 * The delays of the searches after an erasure. Code that read the client before the erasure may still write personal
 * data: a request for ten seconds, a recovery or the function `plan-deliveries` for thirty, an attempt for a minute.
 */
const passesAfterSeconds = [0, 35, 90];

/**
 * 503 `temporarily_unavailable` if the queue does not accept all messages: then the erasure must be requested again.
 */
export async function beginErasure(body: Erasure): Promise<void> {
  const last = passesAfterSeconds.at(-1);
  await sendErasures(
    passesAfterSeconds.map((delaySeconds) => ({ body: { ...body, isLast: delaySeconds === last }, delaySeconds })),
  );
}

/** Sends a message with which the next run continues. */
export async function goOnErasing(erasure: Erasure, from: ErasurePosition): Promise<void> {
  await sendErasures([{ body: { ...erasure, from }, delaySeconds: 0 }]);
}
