/** `POST /webhooks/:id/ping` (docs/rules.md#pings): one signed request while the caller waits, or a message in the feed. */
import { eventExamples } from '../../../contract/event-examples.ts';
import type { EventName } from '../../../contract/event-names.ts';
import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { limits } from '../../../contract/limits.ts';
import { causedByRequest } from '../../cause.ts';
import { newId, now, timestamp } from '../../clock.ts';
import { compressText, decompressText } from '../../compressed-text.ts';
import { fail } from '../../errors.ts';
import type { Principal } from '../../principal.ts';
import { commitWithRetry } from '../../store/transact.ts';
import { set, writeOne } from '../../store/write.ts';
import { findSecret, signingOf } from '../../webhooks/registry/signing-secret.ts';
import { loadWebhook, reloadWebhook } from '../../webhooks/registry/store.ts';
import { hostOf, type WebhookItem } from '../../webhooks/registry/webhook.ts';
import { eventBody } from '../../webhooks/sender/message.ts';
import { type SendOutcome, send } from '../../webhooks/sender/send.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import { deliveryId } from '../model/delivery-id.ts';
import { newRecord, type PingItem, recordBase, takeNumbers, unanswered } from '../model/delivery-record.ts';
import { withLease } from '../model/lease.ts';
import { type AttemptFields, isSuccess, responseFields } from '../model/state.ts';
import type { Sender } from './deliver.ts';

export type PingResult = Pick<
  DeliveryRecord,
  'deliveryId' | 'responseStatusCode' | 'responseTimeMs' | 'errorMessage'
> & { readonly success: boolean };

/**
 * A ping is only recorded: it is never retried, and changes neither the failure counter nor `lastTriggeredAt`. A
 * disabled webhook can be pinged too, so that its owner sees whether the receiver works again. With `event`, the
 * message is the published example of that event. For a webhook with a feed, the message is added to the feed. 404
 * `not_found`, 409 `ping_in_progress`.
 */
export async function ping(
  principal: Principal,
  { id }: { id: number },
  { event }: { event?: EventName | undefined } = {},
  post: Sender = send,
): Promise<PingResult> {
  const webhook = await loadWebhook(principal, id);
  if (webhook.delivery === 'push') {
    return withLease('ping', webhook, limits.deliveryTimeoutMs, async () => {
      const pending = await recordPending(webhook, event);
      return sendPing(pending.webhook, pending.record, post);
    });
  }
  return resultOf((await recordPending(webhook, event)).record, true);
}

async function sendPing(webhook: WebhookItem, record: PingItem, post: Sender): Promise<PingResult> {
  const { id } = webhook;
  const secret = await findSecret(id);
  if (secret === undefined) {
    // 404 if the webhook was deleted concurrently.
    await reloadWebhook(webhook);
    throw fail('temporarily_unavailable', { cause: new Error(`webhook ${id} has no secret`) });
  }
  const sentAt = now();
  const { deliveryId } = record;
  const body = decompressText(record.body);
  const headers = signedHeaders({ ...signingOf(webhook, secret, sentAt), deliveryId, event: record.event, body });
  const outcome = await post({ url: webhook.targetUrl, headers, body });
  const success = outcome.kind === 'response' && isSuccess(outcome.status);
  const fields = await recordEnd(record, outcome, success, sentAt);
  const { targetUrl, answeredHost } = webhook;
  const host = hostOf(webhook);
  if (success && answeredHost !== host) {
    // The condition is false if the webhook has another receiver now.
    await writeOne(set('deliveries', webhook, { answeredHost: host }, { targetUrl }));
  }
  return resultOf({ ...record, ...fields }, success);
}

function resultOf(
  { deliveryId, responseStatusCode, responseTimeMs, errorMessage }: Omit<PingResult, 'success'>,
  success: boolean,
): PingResult {
  return { success, deliveryId, responseStatusCode, responseTimeMs, errorMessage };
}

function recordPending(
  before: WebhookItem,
  event: EventName | undefined,
): Promise<{ webhook: WebhookItem; record: PingItem }> {
  return commitWithRetry(async () => {
    const webhook = await reloadWebhook(before);
    const { id: webhookId } = webhook;
    const number = webhook.lastNumber + 1;
    const at = now();
    const named = { deliveryId: deliveryId(webhookId, number), event: event ?? 'ping' };
    const record: PingItem = {
      ...recordBase(webhookId, number, at),
      id: number,
      ...named,
      ...unanswered,
      deliveryStatus: webhook.delivery === 'poll' ? 'success' : 'pending',
      attemptNumber: 1,
      createdAt: timestamp(at),
      trigger: 'ping',
      ...causedByRequest(),
      body: compressText(
        eventBody({
          ...named,
          eventId: newId(),
          occurredAt: timestamp(at),
          ...(event
            ? { data: eventExamples[event], test: true }
            : { data: { webhookId, message: 'This is a test message. Nothing has happened.' } }),
        }),
      ),
    };
    return { writes: [takeNumbers(webhook, 1), newRecord(record)], result: { webhook, record } };
  });
}

async function recordEnd(
  { pk, sk }: PingItem,
  outcome: SendOutcome,
  success: boolean,
  sentAt: number,
): Promise<AttemptFields> {
  const fields: AttemptFields = {
    ...responseFields(outcome),
    deliveryStatus: success ? 'success' : 'failed',
    nextAttemptAt: null,
  };
  if (!(await writeOne(set('deliveries', { pk, sk }, { ...fields, sentAt })))) throw fail('not_found');
  return fields;
}
