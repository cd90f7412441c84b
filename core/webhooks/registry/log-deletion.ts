/**
 * Messages of the queue `erasures` that delete the log of a deleted webhook, or the part of a log before a reset of the
 * sandbox (docs/rules.md#erasure).
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
  /** Deletes only records before this time, in epoch milliseconds. Absent: all, when the webhook is deleted. */
  before: z.optional(z.int()),
});

export type LogDeletion = z.infer<typeof logDeletion>;

/** The deletion begins after the transaction, and again a minute later for records that were being planned. */
const passesAfterSeconds = [5, 90];

/**
 * Sent before the webhook is deleted, so that no crash leaves its log. If the webhook still exists, nothing is deleted.
 * 503 `temporarily_unavailable`.
 */
export async function beginLogDeletion(
  webhooks: readonly Pick<WebhookItem, 'tenantId' | 'keyId' | 'id'>[],
  before?: number,
): Promise<void> {
  await sendErasures(
    webhooks.flatMap(({ tenantId, keyId, id }) => {
      const body = { tenantId, keyId, webhookId: id, before };
      return passesAfterSeconds.map((delaySeconds) => ({ body, delaySeconds }));
    }),
  );
}

/** 503 `temporarily_unavailable` if the queue `erasures` does not accept all messages. */
export async function sendErasures<Body extends { readonly tenantId: number }>(
  messages: readonly { readonly body: Body; readonly delaySeconds: number }[],
): Promise<void> {
  const sent = await sendEach(
    'erasures',
    messages.map((message) => ({ ...message, tenantId: message.body.tenantId })),
  );
  if (sent.includes(false)) {
    throw fail('temporarily_unavailable', {
      retryAfter: 1,
      cause: new Error('The queue refused the message about an erasure'),
    });
  }
}
