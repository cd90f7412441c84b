/**
 * The count of a key's active webhooks, ten at most (docs/rules.md#webhooks), and that of all webhooks of a business, a
 * hundred at most (docs/rules.md#webhooks). Both are held by conditions of every transaction that adds one.
 */
import { limits } from '../../../contract/limits.ts';
import { absentOr, below } from '../../store/expected.ts';
import { add, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';

export function oneMoreActive(tenantId: number, keyId: number): Write {
  const hasRoom = { active: absentOr(below(limits.activeWebhooksPerKey)) };
  return add('deliveries', deliveries.quota(tenantId, keyId), { active: 1 }, hasRoom);
}

/** A webhook that is deleted or disabled no longer counts. */
export function oneLessActive(tenantId: number, keyId: number): Write {
  return add('deliveries', deliveries.quota(tenantId, keyId), { active: -1 });
}

export function oneMoreWebhook(tenantId: number): Write {
  const hasRoom = { webhooks: absentOr(below(limits.webhooksPerBusiness)) };
  return add('deliveries', deliveries.quotaOfBusiness(tenantId), { webhooks: 1 }, hasRoom);
}

/** Only a webhook that is deleted leaves its place. */
export function oneLessWebhook(tenantId: number): Write {
  return add('deliveries', deliveries.quotaOfBusiness(tenantId), { webhooks: -1 });
}
