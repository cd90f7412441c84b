/** That a booking rests on a resource (docs/rules.md#resources). */
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { ResourceItem } from './items.ts';

/**
 * Commits only while the resource is of the kind and as active as it was read. It counts the booking, so that a deletion
 * which found none commits only if none was made since.
 */
export function resourceStays(tenantId: number, { id, kind, active }: ResourceItem): Write {
  return add('records', records.resource(tenantId, id), { bookings: 1 }, { kind, active });
}
