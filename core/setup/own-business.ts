/** The business that services and staff are added to. */
import type { BusinessItem } from '../catalog/items.ts';
import { asRead } from '../store/revised.ts';
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

/**
 * Commits only while the business is as it was read, and counts: a change of its zone or currency must not miss what is
 * added concurrently.
 */
export function sameBusiness(business: BusinessItem): Write {
  return add('records', records.business(business.id), { revision: 1 }, asRead(business));
}
