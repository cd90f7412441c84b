/** The business to which services and staff are added. */
import type { BusinessItem } from '../catalog/items.ts';
import { asRead } from '../store/revised.ts';
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/**
 * Commits only if the business has not changed since it was read, and raises its revision. So a concurrent change of
 * its zone or currency cannot overlook the added item.
 */
export function businessUnchanged(business: BusinessItem): Write {
  return add('records', records.business(business.id), { revision: 1 }, asRead(business));
}
