/** The business that services and staff are added to. */
import type { BusinessItem } from '../catalog/items.ts';
import { fail } from '../errors.ts';
import { getItem } from '../store/read.ts';
import { asRead } from '../store/revised.ts';
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/** 404 `not_found` while there is none. */
export async function loadBusiness(businessId: number): Promise<BusinessItem> {
  const business = await getItem<BusinessItem>('records', records.business(businessId));
  if (!business) throw fail('not_found', { message: 'There is no business yet: PATCH /business makes it.' });
  return business;
}

/**
 * Commits only while the business is as it was read, and counts: a change of its zone or currency must not miss what is
 * added meanwhile.
 */
export function sameBusiness(business: BusinessItem): Write {
  return add('records', records.business(business.id), { revision: 1 }, asRead(business));
}
