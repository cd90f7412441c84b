/**
 * Messages of the queue `erasures` that ask for a webhook's log to be deleted: with its webhook, or what a sandbox had
 * before its reset (docs/rules.md#erasure).
 */
import * as z from 'zod/mini';
import { fail } from '../../errors.ts';
import { sendEach } from '../../queue/send-each.ts';
import type { WebhookItem } from './webhook.ts';

const count = z.int().check(z.positive());

export const logDeletion = z.object({
  tenantId: count,
  keyId: count,
  webhookId: count,
  /** Deletes what happened before, in epoch milliseconds, and leaves the webhook. Absent: all, once the webhook is gone. */
  before: z.optional(z.int()),
});

export type LogDeletion = z.infer<typeof logDeletion>;

/** Before a transaction is over nothing is deleted, and what was being planned by then is on record a minute later. */
const passesAfterSeconds = [5, 90];

/**
 * Sent before the webhook is deleted, so that no crash leaves its log: where the webhook stays, nothing is deleted. 503
 * `temporarily_unavailable` when the queue does not take every pass.
 */
export async function beginLogDeletion(
  webhooks: readonly Pick<WebhookItem, 'tenantId' | 'keyId' | 'id'>[],
  before?: number,
): Promise<void> {
  await sendLogDeletions(
    webhooks.flatMap(({ tenantId, keyId, id }) => {
      const body = { tenantId, keyId, webhookId: id, ...(before !== undefined && { before }) };
      return passesAfterSeconds.map((delaySeconds) => ({ body, delaySeconds }));
    }),
  );
}

export async function sendLogDeletions(
  messages: readonly { readonly body: LogDeletion; readonly delaySeconds: number }[],
): Promise<void> {
  const sent = await sendEach(
    'erasures',
    messages.map((message) => ({ ...message, tenantId: message.body.tenantId })),
  );
  if (sent.includes(false)) {
    throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error('The queue took no deletion of a log') });
  }
}
