/** A record in a list, as a principal may see it (docs/rules.md#scopes). */
import type { DeliveryRecord } from '../../../contract/integration/resources.ts';
import { mayRead } from '../../keys/event-access.ts';
import type { Principal } from '../../principal.ts';
import { type AttemptItem, recordOf } from '../model/delivery-record.ts';

/** The response of a receiver may repeat the message, so a key that may not read the message does not get it either. */
export function recordFor({ actor }: Principal, item: AttemptItem): DeliveryRecord {
  const record = recordOf(item);
  const isReadable = actor.kind !== 'key' || item.trigger === 'ping' || mayRead(actor, item.event);
  return isReadable ? record : { ...record, responseBody: null };
}
