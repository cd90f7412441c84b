/**
 * Counts of the key's active webhooks, ten at most, and of all webhooks of a business, a hundred at most
 * (docs/rules.md#webhooks). Every transaction that adds a webhook is conditional on both.
 */
import { limits } from '../../../contract/limits.ts';
import { absentOr, below } from '../../store/expected.ts';
import { add, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';

export function incrementActiveWebhooks(tenantId: number, keyId: number): Write {
  const hasRoom = { active: absentOr(below(limits.activeWebhooksPerKey)) };
  return add('deliveries', deliveries.quota(tenantId, keyId), { active: 1 }, hasRoom);
}

/** A webhook that is deleted or disabled no longer counts. */
export function decrementActiveWebhooks(tenantId: number, keyId: number): Write {
  return add('deliveries', deliveries.quota(tenantId, keyId), { active: -1 });
}

export function incrementWebhooks(tenantId: number): Write {
  const hasRoom = { webhooks: absentOr(below(limits.webhooksPerBusiness)) };
  return add('deliveries', deliveries.quotaOfBusiness(tenantId), { webhooks: 1 }, hasRoom);
}

/** Only the deletion of a webhook lowers the count of all webhooks. */
export function decrementWebhooks(tenantId: number): Write {
  return add('deliveries', deliveries.quotaOfBusiness(tenantId), { webhooks: -1 });
}
