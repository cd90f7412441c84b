/** Creates, changes and deletes staff members (docs/rules.md#catalog). */
import type * as z from 'zod/mini';
import type { createStaffMember as createRow, updateStaffMember as updateRow } from '../../contract/account/routes.ts';
import type { StaffMember } from '../../contract/integration/resources.ts';
import { limits } from '../../contract/limits.ts';
import { staffCalendar } from '../availability/calendar-day.ts';
import { assertNoUnfinishedBookings } from '../bookings/unfinished-bookings.ts';
import { type StaffItem, toStaffMember } from '../catalog/items.ts';
import { loadBusiness } from '../catalog/read.ts';
import {
  availabilityChanged,
  newStaffItems,
  type StaffRevision,
  staffRevisionDeleted,
} from '../catalog/staff-revision.ts';
import { newId, now } from '../clock.ts';
import type { Principal } from '../principal.ts';
import { loadItem } from '../store/read.ts';
import { changed, deleteRecord, replaceRecord } from '../store/revised.ts';
import { type Commit, commitWithRetry } from '../store/transact.ts';
import { putNew } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { serviceWrites } from './assignments.ts';
import { businessUnchanged } from './own-business.ts';

type NewStaffMember = z.output<(typeof createRow)['body']>;
type StaffChanges = z.output<(typeof updateRow)['body']>;

/** 404 `not_found` if the business does not exist yet, and for unknown services. */
export function createStaffMember(
  { tenantId }: Principal,
  body: NewStaffMember,
  commit: Commit = commitWithRetry,
): Promise<StaffMember> {
  return commit(async () => {
    const business = await loadBusiness(tenantId);
    const item: StaffItem = {
      id: newId(),
      name: body.name,
      position: body.position ?? null,
      photoUrl: body.photoUrl ?? null,
      serviceIds: body.serviceIds ?? [],
      rating: null,
      reviewsCount: 0,
      active: body.active ?? true,
      schedule: { weekly: body.schedule?.weekly ?? business.workingHours, exceptions: body.schedule?.exceptions ?? {} },
    };
    const assigned = await serviceWrites(tenantId, item.id, { before: [], after: item.serviceIds }, now());
    return {
      writes: [
        ...newStaffItems(tenantId, item, business.timeZone).map((one) => putNew('records', one)),
        businessUnchanged(business),
        ...assigned,
      ],
      result: toStaffMember(item),
    };
  });
}

/** 404 for unknown services. Existing bookings stay, even those of a staff member who becomes inactive. */
export function updateStaffMember(
  { tenantId }: Principal,
  { id }: { id: number },
  body: StaffChanges,
): Promise<StaffMember> {
  return commitWithRetry(async () => {
    const before = await loadStaffMember(tenantId, id);
    const { item, changedFields } = changed(before, body);
    if (changedFields.length === 0) return { writes: [], result: toStaffMember(before) };
    const decidesBookings = changedFields.includes('active') || changedFields.includes('serviceIds');
    const stored = decidesBookings ? availabilityChanged(tenantId, item) : { item, writes: [] };
    const difference = { before: before.serviceIds, after: item.serviceIds };
    const assigned = await serviceWrites(tenantId, id, difference, now());
    return {
      writes: [replaceRecord(records.staff(tenantId, id), before, stored.item), ...stored.writes, ...assigned],
      result: toStaffMember(item),
    };
  });
}

/**
 * Deletes a staff member without bookings that are not over; otherwise 409 `future_bookings` with their number. Every
 * booking is counted at the staff member, so a concurrent booking makes the first commit of the deletion fail. The
 * assigned services are removed first, as many in each transaction as fit. From the first transaction on, the staff
 * member is inactive, so no later booking can end the deletion.
 */
export async function deleteStaffMember({ tenantId }: Principal, { id }: { id: number }): Promise<void> {
  for (let rest = Number.POSITIVE_INFINITY; rest > 0; ) {
    rest = await commitWithRetry(async () => {
      const before = await loadStaffMember(tenantId, id);
      const revision = await loadItem<StaffRevision>(records.staffRevision(tenantId, id));
      const at = now();
      const sentence = 'The staff member has bookings that are not over yet';
      await assertNoUnfinishedBookings(tenantId, at, sentence, staffCalendar(id));
      const left = before.serviceIds.slice(limits.assignmentChangesMax);
      const leaving = await serviceWrites(tenantId, id, { before: before.serviceIds, after: left }, at);
      const key = records.staff(tenantId, id);
      const kept = availabilityChanged(tenantId, { ...before, serviceIds: left, active: false }, revision);
      const own =
        left.length === 0
          ? [deleteRecord(key, before), staffRevisionDeleted(tenantId, revision)]
          : [replaceRecord(key, before, kept.item), ...kept.writes];
      return { writes: [...own, ...leaving], result: left.length };
    });
  }
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export function loadStaffMember(tenantId: number, id: number): Promise<StaffItem> {
  return loadItem(records.staff(tenantId, id));
}
