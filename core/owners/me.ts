/** `GET /v1/account/me`: who is signed in, for which business, in which mode (docs/rules.md#owners). */
import type { Me } from '../../contract/account/resources.ts';
import type { BusinessItem } from '../catalog/items.ts';
import { modeOf } from '../mode.ts';
import type { OwnerActor, Principal } from '../principal.ts';
import { getItem } from '../store/read.ts';
import { records } from '../table-keys.ts';

/** `business` is null before the first `PATCH /business`, and in test mode before the first test key. */
export async function whoAmI({ tenantId, actor }: Principal<OwnerActor>): Promise<Me> {
  const business = await getItem<BusinessItem>('records', records.business(tenantId));
  return {
    subject: actor.subject,
    email: actor.email ?? null,
    role: actor.role,
    staffId: actor.staffId ?? null,
    mode: modeOf(tenantId),
    business: business ? { id: tenantId, name: business.name } : null,
  };
}
