/** The count of a key's active webhooks: ten at most (section 8), held by a condition of every transaction that adds one. */
import { limits } from '../../../contract/limits.ts';
import { absentOr, below } from '../../store/expected.ts';
import { add, type Write } from '../../store/write.ts';
import { deliveries } from '../../table-keys.ts';

export function oneMoreActive(businessId: number, keyId: number): Write {
  const hasRoom = { active: absentOr(below(limits.activeWebhooksPerKey)) };
  return add('deliveries', deliveries.quota(businessId, keyId), { active: 1 }, hasRoom);
}

/** A webhook that is deleted or switched off leaves its place. */
export function oneLessActive(businessId: number, keyId: number): Write {
  return add('deliveries', deliveries.quota(businessId, keyId), { active: -1 });
}
