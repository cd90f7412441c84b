/** Reads the data that the attempts of a whole batch need, and defines an attempt that has ended. */
import type { KeyFacts } from '../../keys/api-key.ts';
import { batchGet, type ItemRequest, type Lookup } from '../../store/batch-get.ts';
import { deliveries, records, secrets } from '../../table-keys.ts';
import type { SigningSecret } from '../../webhooks/registry/signing-secret.ts';
import type { WebhookItem } from '../../webhooks/registry/webhook.ts';
import type { DeliveryRef } from '../model/batch.ts';
import type { DeliveryItem } from '../model/delivery-record.ts';
import type { AttemptOutcome, Next } from '../model/state.ts';

/**
 * Only the needed fields are read. More than half of a delivery record is for readers of the log, and a webhook
 * contains the claims of all its late events.
 */
const neededFields = {
  delivery: [
    'pk',
    'sk',
    'id',
    'webhookId',
    'deliveryId',
    'event',
    'eventId',
    'requestId',
    'trigger',
    'body',
    'state',
    'attempts',
    'attemptNumber',
    'dueAt',
    'nextAttemptAt',
    'laterRecords',
    'reservesRetries',
    'reservedFor',
  ],
  webhook: [
    'pk',
    'sk',
    'id',
    'tenantId',
    'keyId',
    'targetUrl',
    'status',
    'consecutiveFailures',
    'failingSince',
    'disabledAt',
    'slowUntil',
    'answeredHost',
    'lastNumber',
    'movedAfter',
  ],
} as const satisfies { delivery: readonly (keyof DeliveryItem)[]; webhook: readonly (keyof WebhookItem)[] };

/** A delivery and its webhook. Its API key and signing secret are present if it is about to be sent. */
export interface Found {
  readonly webhook: Pick<WebhookItem, (typeof neededFields.webhook)[number]>;
  readonly delivery: Pick<DeliveryItem, (typeof neededFields.delivery)[number]>;
  readonly key?: KeyFacts | undefined;
  readonly secret?: SigningSecret | undefined;
}

/** An attempt that has ended, with the data that was read before it. Times are epoch milliseconds. */
export interface Attempt extends Found {
  readonly ref: DeliveryRef;
  readonly outcome: AttemptOutcome;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** A delivery whose next step is known. */
export interface Decided {
  readonly ref: DeliveryRef;
  readonly next: Next;
  /** A platform fault prevented the attempt. */
  readonly isPlatformFault?: true;
}

/** Whether an attempt was made that must be recorded. Otherwise the delivery needed none now. */
export function isAttempt(handled: Attempt | Decided): handled is Attempt {
  return 'outcome' in handled;
}

/** The data of a delivery. Undefined if the delivery or its webhook is deleted (docs/rules.md#webhooks). */
export type Find = (ref: DeliveryRef) => Found | undefined;

const webhook = (ref: DeliveryRef): ItemRequest => ({
  store: 'deliveries',
  key: deliveries.webhook(ref.tenantId, ref.keyId, ref.webhookId),
  fields: neededFields.webhook,
});
const delivery = (ref: DeliveryRef): ItemRequest => ({
  store: 'deliveries',
  key: deliveries.record(ref.webhookId, ref.number),
  fields: neededFields.delivery,
});
const key = (ref: DeliveryRef): ItemRequest => ({ store: 'records', key: records.key(ref.tenantId, ref.keyId) });
const secret = (ref: DeliveryRef): ItemRequest => ({ store: 'secrets', key: secrets.signing(ref.webhookId) });

/** Deliveries without keys and secrets. */
export async function findDeliveries(refs: readonly DeliveryRef[]): Promise<Find> {
  const lookup = await batchGet(refs.flatMap((ref) => [webhook(ref), delivery(ref)]));
  return (ref) => findItems(lookup, ref);
}

/** Deliveries with their API keys and signing secrets: one call for up to 25 of them. */
export async function findForAttempts(refs: readonly DeliveryRef[]): Promise<Find> {
  const lookup = await batchGet(refs.flatMap((ref) => [webhook(ref), delivery(ref), key(ref), secret(ref)]));
  return (ref) => {
    const found = findItems(lookup, ref);
    if (!found) return undefined;
    return { ...found, key: lookup<KeyFacts>(key(ref)), secret: lookup<SigningSecret>(secret(ref)) };
  };
}

function findItems(lookup: Lookup, ref: DeliveryRef): Found | undefined {
  const found = { webhook: lookup<Found['webhook']>(webhook(ref)), delivery: lookup<Found['delivery']>(delivery(ref)) };
  return found.webhook && found.delivery ? { webhook: found.webhook, delivery: found.delivery } : undefined;
}
