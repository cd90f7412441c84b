/** `GET /webhooks/:id/deliveries/:deliveryId` (docs/rules.md#delivery-detail): the message as sent, and its attempts. */
import type { Delivery } from '../../../contract/integration/resources.ts';
import { now, timestamp } from '../../clock.ts';
import { decompressText } from '../../compressed-text.ts';
import { fail } from '../../errors.ts';
import { assertMayRead } from '../../keys/event-access.ts';
import { modeOf } from '../../mode.ts';
import type { Principal } from '../../principal.ts';
import { getItem, getItems } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { loadWebhook } from '../../webhooks/registry/store.ts';
import { unsignedHeaders } from '../../webhooks/sender/signature.ts';
import { parseDeliveryId } from '../model/delivery-id.ts';
import { type AttemptItem, type DeliveryItem, type PingItem, recordOf } from '../model/delivery-record.ts';

/**
 * One delivery or ping of the webhook that its `deliveryId` contains. Its first record lists the numbers of all later
 * attempts, so the cost does not depend on the length of the log. Errors: 404 `not_found` for an unknown delivery, for
 * a delivery of another webhook than `id`, and after 30 days; 403 `insufficient_scope` if the key may not read the
 * message any more.
 */
export async function getDelivery(
  principal: Principal,
  { deliveryId, id = parseDeliveryId(deliveryId)?.webhookId ?? 0 }: { deliveryId: string; id?: number },
): Promise<Delivery> {
  const [first] = await Promise.all([loadNamed(id, deliveryId), loadWebhook(principal, id)]);
  const { tenantId, actor } = principal;
  if (actor.kind === 'key' && first.trigger !== 'ping') assertMayRead(actor, first);
  const laterRecords = 'laterRecords' in first ? first.laterRecords : [];
  const later = await getItems<AttemptItem>(
    'deliveries',
    laterRecords.map((number) => deliveries.record(id, number)),
  );
  const attempts = [first, ...later.filter((one) => one !== undefined)];
  const newest = attempts.at(-1) ?? first;
  const sentAt = attempts.findLast((one) => one.sentAt !== undefined)?.sentAt;
  return {
    deliveryId,
    webhookId: id,
    event: first.event,
    deliveryStatus: newest.deliveryStatus,
    createdAt: first.createdAt,
    message: {
      headers: unsignedHeaders({ mode: modeOf(tenantId), deliveryId, event: first.event, sentAt }),
      body: decompressText(first.body),
    },
    attempts: attempts.map((one) => ({
      ...recordOf(one),
      sentAt: one.sentAt === undefined ? null : timestamp(one.sentAt),
      requestId: one.requestId ?? null,
    })),
  };
}

/** The first record of a delivery or ping, found by its `deliveryId`. 404 `not_found`, also after 30 days. */
export async function loadNamed(webhookId: number, deliveryId: string): Promise<DeliveryItem | PingItem> {
  const named = parseDeliveryId(deliveryId);
  if (named?.webhookId !== webhookId) throw fail('not_found');
  const item = await getItem<DeliveryItem | PingItem>('deliveries', deliveries.record(webhookId, named.number));
  if (item?.deliveryId !== deliveryId || item.expiresAtSeconds <= now() / 1_000) throw fail('not_found');
  return item;
}
