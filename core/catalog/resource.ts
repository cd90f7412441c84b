/** The condition of a booking on its resource (docs/rules.md#resources). */
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { ResourceItem } from './items.ts';

/**
 * Commits only if kind and `active` of the resource have not changed since they were read. Counts the booking, so that
 * a deletion that found no booking commits only if none was made since.
 */
export function resourceUnchanged(tenantId: number, { id, kind, active }: ResourceItem): Write {
  return add('records', records.resource(tenantId, id), { bookings: 1 }, { kind, active });
}
