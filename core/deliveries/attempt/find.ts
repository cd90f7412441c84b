/** Reads what messages name, for a whole batch at once. */
import type { KeyFacts } from '../../keys/api-key.ts';
import { batchGet, type Lookup, type Wanted } from '../../store/batch-get.ts';
import { deliveries, records, secrets } from '../../table-keys.ts';
import type { DeliveryRef } from '../model/batch.ts';
import { type Found, type FoundDelivery, type FoundWebhook, type Means, neededFields } from './attempt.ts';

/**
 * What was read of a message's delivery. Nothing when it or its webhook is gone, and so both (docs/rules.md#webhooks).
 */
export type Find<T> = (message: DeliveryRef) => T | undefined;

const webhook = (m: DeliveryRef): Wanted => ({
  store: 'deliveries',
  key: deliveries.webhook(m.tenantId, m.keyId, m.webhookId),
  fields: neededFields.webhook,
});
const delivery = (m: DeliveryRef): Wanted => ({
  store: 'deliveries',
  key: deliveries.record(m.webhookId, m.number),
  fields: neededFields.delivery,
});
const key = (m: DeliveryRef): Wanted => ({ store: 'records', key: records.key(m.tenantId, m.keyId) });
const secret = (m: DeliveryRef): Wanted => ({ store: 'secrets', key: secrets.signing(m.webhookId) });

/** Deliveries alone. */
export async function findDeliveries(messages: readonly DeliveryRef[]): Promise<Find<Found>> {
  const lookup = await batchGet(messages.flatMap((m) => [webhook(m), delivery(m)]));
  return (m) => foundIn(lookup, m);
}

/** Deliveries with their API keys and signing secrets: one call for up to 25 messages. */
export async function findForAttempts(messages: readonly DeliveryRef[]): Promise<Find<Found & Means>> {
  const lookup = await batchGet(messages.flatMap((m) => [webhook(m), delivery(m), key(m), secret(m)]));
  return (m) => {
    const found = foundIn(lookup, m);
    if (!found) return undefined;
    return { ...found, key: lookup<KeyFacts>(key(m)), secret: lookup<{ secret: string }>(secret(m))?.secret };
  };
}

function foundIn(lookup: Lookup, m: DeliveryRef): Found | undefined {
  const found = { webhook: lookup<FoundWebhook>(webhook(m)), delivery: lookup<FoundDelivery>(delivery(m)) };
  return found.webhook && found.delivery ? { webhook: found.webhook, delivery: found.delivery } : undefined;
}
