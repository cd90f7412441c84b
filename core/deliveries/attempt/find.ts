/** Reads what messages name, for a whole batch at once. */
import type { KeyFacts } from '../../keys/api-key.ts';
import { batchGet, type Wanted } from '../../store/batch-get.ts';
import { deliveries, records, secrets } from '../../table-keys.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { DeliveryItem } from './delivery-record.ts';
import type { DeliveryMessage } from './messages.ts';

/** A delivery and the webhook it is for. Nothing when either is gone, and with it the delivery (decisions §6). */
export interface Found {
  readonly webhook: WebhookItem;
  readonly head: DeliveryItem;
}

/** What an attempt needs beside the delivery. */
export interface Means {
  readonly key: KeyFacts | undefined;
  readonly secret: string | undefined;
}

const webhook = (m: DeliveryMessage): Wanted => ({
  store: 'deliveries',
  key: deliveries.webhook(m.businessId, m.keyId, m.webhookId),
});
const head = (m: DeliveryMessage): Wanted => ({ store: 'deliveries', key: deliveries.record(m.webhookId, m.number) });
const key = (m: DeliveryMessage): Wanted => ({ store: 'records', key: records.key(m.businessId, m.keyId) });
const secret = (m: DeliveryMessage): Wanted => ({ store: 'secrets', key: secrets.signing(m.webhookId) });

/** Deliveries alone, in the order of the messages. */
export async function findDeliveries(messages: readonly DeliveryMessage[]): Promise<readonly (Found | undefined)[]> {
  const lookup = await batchGet(messages.flatMap((m) => [webhook(m), head(m)]));
  return messages.map((m) => {
    const found = { webhook: lookup<WebhookItem>(webhook(m)), head: lookup<DeliveryItem>(head(m)) };
    return found.webhook && found.head ? { webhook: found.webhook, head: found.head } : undefined;
  });
}

/** Deliveries with their API keys and signing secrets: one call for up to 25 messages. */
export async function findForAttempts(
  messages: readonly DeliveryMessage[],
): Promise<readonly ((Found & Means) | undefined)[]> {
  const lookup = await batchGet(messages.flatMap((m) => [webhook(m), head(m), key(m), secret(m)]));
  return messages.map((m) => {
    const found = { webhook: lookup<WebhookItem>(webhook(m)), head: lookup<DeliveryItem>(head(m)) };
    if (!found.webhook || !found.head) return undefined;
    return {
      webhook: found.webhook,
      head: found.head,
      key: lookup<KeyFacts>(key(m)),
      secret: lookup<{ secret: string }>(secret(m))?.secret,
    };
  });
}
