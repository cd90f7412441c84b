/** Delivery records in a list, as far as a principal may see them (docs/rules.md#scopes). */
import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { personalDataScope } from '../../../contract/personal-data.ts';
import { hasScopesOfMessage } from '../../keys/event-access.ts';
import type { Principal } from '../../principal.ts';
import { getItems } from '../../store/read.ts';
import { deliveries } from '../../table-keys.ts';
import { parseDeliveryId } from '../model/delivery-id.ts';
import { type AttemptItem, type DeliveryItem, recordOf } from '../model/delivery-record.ts';

/** The response of a receiver may repeat the message, so a key that may not read the message does not get it either. */
export async function recordsFor({ actor }: Principal, items: readonly AttemptItem[]): Promise<DeliveryRecord[]> {
  if (actor.kind !== 'key' || actor.scopes.includes(personalDataScope)) return items.map(recordOf);
  const withResponseBody = items.filter(({ responseBody, trigger }) => responseBody !== null && trigger !== 'ping');
  // Only the first record of a delivery contains the message; the id of the delivery contains its number.
  const later = withResponseBody.filter((one) => !hasMessage(one));
  const firsts = await getItems<DeliveryItem>(
    'deliveries',
    later.map(({ webhookId, deliveryId }) => deliveries.record(webhookId, parseDeliveryId(deliveryId)?.number ?? 0)),
  );
  const messageOf = new Map(later.map((one, i) => [one, firsts[i]]));
  const isHidden = (one: AttemptItem) => {
    const message = hasMessage(one) ? one : messageOf.get(one);
    return !message || !hasScopesOfMessage(actor, message);
  };
  const hidden = new Set(withResponseBody.filter(isHidden));
  return items.map((item) => ({ ...recordOf(item), ...(hidden.has(item) && { responseBody: null }) }));
}

function hasMessage(record: AttemptItem): record is DeliveryItem {
  return 'body' in record;
}
