/**
 * What the bookings of a staff member rest on, in a small item of its own: a transaction pays for the whole of every item
 * that it writes, and a schedule may have a thousand exceptions (docs/decisions/staff-revisions.md).
 */
import type { Key } from '../store/key.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { add, remove, set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { StaffItem } from './items.ts';

export interface StaffRevision {
  readonly staffId: number;
  /** That of the staff member. */
  readonly availabilityRevision?: number;
  /** The zone of the business that bookings must have been decided in. */
  readonly timeZone: string;
  /** How many bookings were ever made with the staff member, or moved to them. */
  readonly bookings: number;
}

/** Both items of a new staff member. */
export function newStaffItems(tenantId: number, member: StaffItem, timeZone: string): [object & Key, object & Key] {
  const { id } = member;
  const revision: StaffRevision = { staffId: id, timeZone, bookings: 0 };
  return [
    { ...member, ...records.staff(tenantId, id) },
    { ...revision, ...records.staffRevision(tenantId, id) },
  ];
}

/**
 * Commits only while the staff member works as they were read, and the business is in the zone that the booking was
 * decided in. It counts the booking, so that a deletion, or a change of zone, which found none commits only if none was
 * made since. It costs what a mere condition would.
 */
export function staffStays(tenantId: number, { id, availabilityRevision }: StaffItem, timeZone: string): Write {
  return add('records', records.staffRevision(tenantId, id), { bookings: 1 }, { availabilityRevision, timeZone });
}

/** The successor of a staff member whose schedule changes, or whether they work at all, and what bookings see of it. */
export function availabilityChanged(tenantId: number, item: StaffItem): { item: StaffItem; writes: Write[] } {
  const availabilityRevision = (item.availabilityRevision ?? 0) + 1;
  const write = set('records', records.staffRevision(tenantId, item.id), { availabilityRevision });
  return { item: { ...item, availabilityRevision }, writes: [write] };
}

export function loadStaffRevision(tenantId: number, id: number): Promise<StaffRevision | undefined> {
  return getItem<StaffRevision>('records', records.staffRevision(tenantId, id));
}

/** Of all staff. */
export function loadStaffRevisions(tenantId: number): Promise<StaffRevision[]> {
  return queryPrefix<StaffRevision>('records', records.tenant(tenantId), records.staffRevisionPrefix);
}

/** The write that changes the zone, unless the staff member was booked since it was read. */
export function zoneChanged(tenantId: number, { staffId, bookings }: StaffRevision, timeZone: string): Write {
  return set('records', records.staffRevision(tenantId, staffId), { timeZone }, { bookings });
}

/** The write of a deletion, refused when the staff member was booked since it was read. */
export function staffRevisionDeleted(tenantId: number, { staffId, bookings }: StaffRevision): Write {
  return remove('records', records.staffRevision(tenantId, staffId), { bookings });
}
