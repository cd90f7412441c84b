/**
 * A small item for each staff member, which bookings check. A transaction pays for the size of every item that it
 * writes, and a schedule may have a thousand exceptions (docs/decisions/staff-revisions.md).
 */
import type { Key } from '../store/key.ts';
import { queryPrefix } from '../store/read.ts';
import { add, remove, set, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { StaffItem } from './items.ts';

export interface StaffRevision {
  readonly staffId: number;
  /** The revision of the staff member. */
  readonly availabilityRevision?: number;
  /** The time zone of the business in which bookings must have been decided. */
  readonly timeZone: string;
  /** How many bookings were ever made with the staff member, or moved to them. */
  readonly bookings: number;
}

export function newStaffItems(tenantId: number, member: StaffItem, timeZone: string): [object & Key, object & Key] {
  const { id } = member;
  const revision: StaffRevision = { staffId: id, timeZone, bookings: 0 };
  return [
    { ...member, ...records.staff(tenantId, id) },
    { ...revision, ...records.staffRevision(tenantId, id) },
  ];
}

/**
 * Commits only if the schedule and `active` of the staff member and the time zone of the business have not changed
 * since the booking was decided. Also counts the booking: a deletion or a change of the zone that found no booking then
 * fails if one was made since. Costs no more than a condition check.
 */
export function staffUnchanged(tenantId: number, { id, availabilityRevision }: StaffItem, timeZone: string): Write {
  return add('records', records.staffRevision(tenantId, id), { bookings: 1 }, { availabilityRevision, timeZone });
}

/**
 * The new item of a staff member whose schedule, services or field `active` have changed, and its new revision. With
 * `read`, the change commits only if the staff member was not booked since the revision was read.
 */
export function availabilityChanged(
  tenantId: number,
  item: StaffItem,
  read?: StaffRevision,
): { item: StaffItem; writes: Write[] } {
  const availabilityRevision = (item.availabilityRevision ?? 0) + 1;
  const expected = read && { bookings: read.bookings };
  const write = set('records', records.staffRevision(tenantId, item.id), { availabilityRevision }, expected);
  return { item: { ...item, availabilityRevision }, writes: [write] };
}

export function loadStaffRevisions(tenantId: number): Promise<StaffRevision[]> {
  return queryPrefix<StaffRevision>('records', records.tenant(tenantId), records.staffRevisionPrefix);
}

/** The write that changes the zone, on the condition that the staff member was not booked since it was read. */
export function zoneChanged(tenantId: number, { staffId, bookings }: StaffRevision, timeZone: string): Write {
  return set('records', records.staffRevision(tenantId, staffId), { timeZone }, { bookings });
}

/** The write of a deletion, on the condition that the staff member was not booked since it was read. */
export function staffRevisionDeleted(tenantId: number, { staffId, bookings }: StaffRevision): Write {
  return remove('records', records.staffRevision(tenantId, staffId), { bookings });
}
