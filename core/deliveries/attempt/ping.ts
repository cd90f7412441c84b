/** `POST /webhooks/:id/ping` (docs/rules.md#pings): one signed request while the caller waits. */
import type { DeliveryRecord } from '../../../contract/resources.ts';
import { causedByRequest } from '../../cause.ts';
import { now, timestamp } from '../../clock.ts';
import { fail } from '../../errors.ts';
import type { KeyReference } from '../../keys/api-key.ts';
import { modeOf } from '../../mode.ts';
import { decideAndCommit } from '../../store/transact.ts';
import { set, writeOne } from '../../store/write.ts';
import { findSecret } from '../../webhooks/registry/signing-secret.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import { eventBody } from '../../webhooks/sender/message.ts';
import { type Outcome, send } from '../../webhooks/sender/send.ts';
import { signedHeaders } from '../../webhooks/sender/signature.ts';
import type { Sender } from './deliver.ts';
import { deliveryId } from './delivery-id.ts';
import { type AttemptItem, recordPlace, unanswered } from './delivery-record.ts';
import { type AttemptFields, answerFields, isSuccess } from './state.ts';
import { newRecord, takeNumbers } from './writes.ts';

const event = 'ping';

export type PingResult = Pick<
  DeliveryRecord,
  'deliveryId' | 'responseStatusCode' | 'responseTimeMs' | 'errorMessage'
> & {
  readonly success: boolean;
};

/**
 * Recorded like a delivery and nothing else: no retry, and no effect on the webhook's counter or `lastTriggeredAt`. A
 * webhook that is switched off can be pinged, so that its owner sees whether it is time to switch it on. 404 `not_found`.
 */
export async function ping(key: KeyReference, { id }: { id: number }, post: Sender = send): Promise<PingResult> {
  const { webhook, record } = await recordPending(key, id);
  const secret = await findSecret(id);
  if (secret === undefined) {
    throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error(`webhook ${id} has no signing secret`) });
  }
  const sentAt = now();
  const body = eventBody({
    deliveryId: record.deliveryId,
    event,
    occurredAt: record.createdAt,
    data: { webhookId: id, message: 'This is a test message. Nothing has happened.' },
  });
  const headers = signedHeaders({
    mode: modeOf(key.businessId),
    secret,
    deliveryId: record.deliveryId,
    event,
    body,
    sentAt,
  });
  const outcome = await post({ url: webhook.targetUrl, headers, body });
  const success = outcome.kind === 'answered' && isSuccess(outcome.status);
  const { responseStatusCode, responseTimeMs, errorMessage } = await recordEnd(record, outcome, success);
  return { success, deliveryId: record.deliveryId, responseStatusCode, responseTimeMs, errorMessage };
}

function recordPending(key: KeyReference, id: number): Promise<{ webhook: WebhookItem; record: AttemptItem }> {
  return decideAndCommit(async () => {
    const webhook = await loadWebhook(key, id);
    const number = webhook.lastNumber + 1;
    const at = now();
    const record: AttemptItem = {
      ...recordPlace(id, number, at),
      id: number,
      event,
      deliveryId: deliveryId(id, number),
      ...unanswered,
      deliveryStatus: 'pending',
      attemptNumber: 1,
      createdAt: timestamp(at),
      trigger: 'ping',
      ...causedByRequest(),
    };
    return { writes: [takeNumbers(webhook, 1), newRecord(record)], answer: { webhook, record } };
  });
}

async function recordEnd({ pk, sk }: AttemptItem, outcome: Outcome, success: boolean): Promise<AttemptFields> {
  const fields: AttemptFields = {
    ...answerFields(outcome),
    deliveryStatus: success ? 'success' : 'failed',
    nextAttemptAt: null,
  };
  if (!(await writeOne(set('deliveries', { pk, sk }, fields)))) throw fail('not_found');
  return fields;
}
