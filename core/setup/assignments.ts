/**
 * Which staff members perform which services is stored on both sides: `staffIds` of the service and `serviceIds` of the
 * staff member. The transaction of a change writes both sides.
 */
import { limits } from '../../contract/limits.ts';
import type { ServiceItem, StaffItem } from '../catalog/items.ts';
import { availabilityChanged } from '../catalog/staff-revision.ts';
import { forEachConcurrently } from '../chunks.ts';
import { timestamp } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import { getItem, getRecords } from '../store/read.ts';
import { replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import type { Write } from '../store/write.ts';
import { records } from '../table-keys.ts';

interface Difference {
  readonly before: readonly number[];
  readonly after: readonly number[];
}

/** The staff members who gain or lose a service. 404 for an unknown id, 400 for too many assignments. */
export async function staffWrites(tenantId: number, serviceId: number, difference: Difference): Promise<Write[]> {
  const ids = differing('staffIds', difference, limits.assignmentsMax);
  const found = await readStaff(tenantId, ids);
  assertKnown('staffIds', difference.after, ids, found);
  if (fitting(found) < found.length) {
    throw invalid(
      'staffIds',
      'must add and remove fewer staff members at once, because their schedules are too large together',
    );
  }
  return found.flatMap((item) => {
    if (!item) return [];
    const serviceIds = toggled('staffIds', item.serviceIds, serviceId, difference.after.includes(item.id));
    return [replaceRecord(records.staff(tenantId, item.id), item, { ...item, serviceIds })];
  });
}

/** The staff members whom one transaction cannot remove from a service, because it removes as many as fit. */
export async function leftAfterRemoval(tenantId: number, { staffIds }: ServiceItem): Promise<readonly number[]> {
  return staffIds.slice(fitting(await readStaff(tenantId, staffIds)));
}

function readStaff(tenantId: number, ids: readonly number[]): Promise<(StaffItem | undefined)[]> {
  return getRecords<StaffItem>(ids.map((id) => records.staff(tenantId, id)));
}

/**
 * Runs after a change by which staff members can no longer be booked for a service. Bookings that were decided before
 * the change then fail. `earlier` is the service before the change: a booking that read it, but reads the staff member
 * only afterwards, is refused by `endedRevisions`. This is not a part of the change's transaction, which may already
 * have the maximum size. If it is interrupted, only requests that are running can still book.
 */
export function refuseEarlierDecisions(
  tenantId: number,
  { id: serviceId, revision = 0 }: ServiceItem,
  staffIds: readonly number[],
): Promise<void> {
  return forEachConcurrently(staffIds, (id) =>
    commitWithRetry(async () => {
      const key = records.staff(tenantId, id);
      const before = await getItem<StaffItem>('records', key);
      // Of two changes, the earlier one may come here last.
      if (!before || revision <= (before.endedRevisions?.[serviceId] ?? -1)) return { writes: [], result: undefined };
      const { item, writes } = availabilityChanged(tenantId, before);
      const performed = { ...before.endedRevisions, [serviceId]: revision };
      const endedRevisions = Object.fromEntries(
        Object.entries(performed).filter(([one]) => before.serviceIds.includes(Number(one))),
      );
      return {
        writes: [replaceRecord(key, before, { ...item, endedRevisions }), ...writes],
        result: undefined,
        unaudited: true,
      };
    }),
  );
}

/** The services that gain or lose a staff member, each with its event. 404 for an unknown id, 400 for too many. */
export async function serviceWrites(
  tenantId: number,
  staffId: number,
  difference: Difference,
  at: number,
): Promise<Write[]> {
  const ids = differing('serviceIds', difference, limits.assignmentChangesMax);
  const found = await getRecords<ServiceItem>(ids.map((id) => records.service(tenantId, id)));
  assertKnown('serviceIds', difference.after, ids, found);
  return found.flatMap((item) => {
    if (!item) return [];
    const staffIds = toggled('serviceIds', item.staffIds, staffId, difference.after.includes(item.id));
    const after = { ...item, staffIds, updatedAt: timestamp(at) };
    return serviceUpdate(tenantId, item, after, ['staffIds'], at);
  });
}

/** A changed service and its event. */
export function serviceUpdate(
  tenantId: number,
  before: ServiceItem,
  after: ServiceItem,
  changedFields: string[],
  at: number,
): Write[] {
  const { id: serviceId, name, durationMinutes, price, active, updatedAt } = after;
  const data = { serviceId, name, durationMinutes, price, active, changedFields, updatedAt };
  return [
    replaceRecord(records.service(tenantId, serviceId), before, after),
    eventPut(tenantId, 'service.updated', data, at),
  ];
}

/** The ids that are added or removed, at most as many as fit into one transaction. */
function differing(path: string, { before, after }: Difference, max: number): number[] {
  const ids = [...before.filter((id) => !after.includes(id)), ...after.filter((id) => !before.includes(id))];
  if (ids.length > max) throw invalid(path, `must not add and remove more than ${max} at once`);
  return ids;
}

/** DynamoDB refuses a transaction whose items have more than 4 MB together. This leaves room for its other items. */
const staffBytesMax = 3_500_000;

/**
 * How many of the first staff members fit into one transaction. Each is stored with the schedule, which is 278 KB at
 * most. As JSON an item is larger than in the table.
 */
function fitting(staff: readonly (StaffItem | undefined)[]): number {
  let bytes = 0;
  const tooMany = staff.findIndex((item) => {
    const json = JSON.stringify([item], (_, value) => (value instanceof Uint8Array ? '='.repeat(value.length) : value));
    bytes += Buffer.byteLength(json);
    return bytes > staffBytesMax;
  });
  return tooMany < 0 ? staff.length : tooMany;
}

/** Removing an assignment that does not exist is no error; assigning an unknown id is one. */
function assertKnown(path: string, after: readonly number[], ids: readonly number[], found: readonly unknown[]): void {
  const unknown = ids.find((id, i) => found[i] === undefined && after.includes(id));
  if (unknown === undefined) return;
  throw fail('not_found', `${path}.${after.indexOf(unknown)} does not exist.`);
}

function toggled(path: string, ids: readonly number[], id: number, present: boolean): number[] {
  const others = ids.filter((one) => one !== id);
  if (!present) return others;
  if (others.length >= limits.assignmentsMax)
    throw invalid(path, `one of the added entries already has ${limits.assignmentsMax} assignments, the maximum`);
  return [...others, id];
}
