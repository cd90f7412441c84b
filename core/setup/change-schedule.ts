/** A staff member's schedule: weekly hours with breaks, and date exceptions (docs/rules.md#catalog). */
import { isDeepStrictEqual } from 'node:util';
import type * as z from 'zod/mini';
import type { BusyElsewhere, StaffSchedule } from '../../contract/account/resources.ts';
import type { updateStaffSchedule as row } from '../../contract/account/routes.ts';
import { limits } from '../../contract/limits.ts';
import type { StaffItem, WorkSchedule } from '../catalog/items.ts';
import { availabilityChanged } from '../catalog/staff-revision.ts';
import { dayMs, now, timestamp } from '../clock.ts';
import { invalid } from '../errors.ts';
import { eventPut } from '../events/event.ts';
import type { Principal } from '../principal.ts';
import { changed, replaceRecord } from '../store/revised.ts';
import { commitWithRetry } from '../store/transact.ts';
import { records } from '../table-keys.ts';
import { toBusyElsewhere } from './busy-elsewhere.ts';
import { loadStaffMember } from './change-staff.ts';

type ScheduleChanges = z.output<(typeof row)['body']>;

export async function getStaffSchedule({ tenantId }: Principal, { id }: { id: number }): Promise<StaffSchedule> {
  return toSchedule((await loadStaffMember(tenantId, id)).schedule);
}

/** The schedule and busy times of a staff member for the seven days from this date on, in any time zone. */
export function weekOf(date: string): (item: StaffItem) => { schedule: StaffSchedule; busy: BusyElsewhere[] } {
  const day = (days: number) => timestamp(Date.parse(date) + days * dayMs);
  const [before, last, after] = [day(-1), day(6), day(8)];
  return ({ schedule, elsewhere = {} }) => {
    const { weekly, exceptions } = toSchedule(schedule);
    const ofWeek = Object.entries(exceptions).filter(([one]) => date <= one && one <= last);
    const busy = Object.entries(elsewhere).map(([source, blocks]) => toBusyElsewhere(source, blocks));
    return {
      schedule: { weekly, exceptions: Object.fromEntries(ofWeek) },
      busy: busy.map((one) => ({
        ...one,
        blocks: one.blocks.filter(({ startTime, endTime }) => before < endTime && startTime < after),
      })),
    };
  };
}

/**
 * Changes the schedule and raises `staff.schedule_updated`. Its `from` and `to` are the first and last changed date;
 * both are null if the weekly hours have changed, because then every date may have. Existing bookings stay.
 */
export function updateStaffSchedule(
  { tenantId }: Principal,
  { id }: { id: number },
  body: ScheduleChanges,
): Promise<StaffSchedule> {
  return commitWithRetry(async () => {
    const before = await loadStaffMember(tenantId, id);
    const all = Object.entries({ ...before.schedule.exceptions, ...body.exceptions });
    const exceptions = Object.fromEntries(all.flatMap(([date, hours]) => (hours ? [[date, hours]] : [])));
    const { item: schedule, changedFields } = changed(before.schedule, { weekly: body.weekly, exceptions });
    const changedDates = Object.keys(body.exceptions ?? {}).filter(
      (date) => !isDeepStrictEqual(exceptions[date], before.schedule.exceptions[date]),
    );
    if (changedFields.length === 0) return { writes: [], result: toSchedule(before.schedule) };
    assertBounded(schedule);
    const at = now();
    const { item, writes } = availabilityChanged(tenantId, { ...before, schedule, scheduleUpdatedAt: timestamp(at) });
    const dates = changedFields.includes('weekly') ? { from: null, to: null } : span(changedDates);
    const data = { staffId: id, staffName: before.name, ...dates, updatedAt: timestamp(at) };
    return {
      writes: [
        replaceRecord(records.staff(tenantId, id), before, item),
        ...writes,
        eventPut(tenantId, 'staff.schedule_updated', data, at),
      ],
      result: toSchedule(schedule),
    };
  });
}

function span(dates: readonly string[]): { from: string | null; to: string | null } {
  const sorted = dates.toSorted();
  return { from: sorted[0] ?? null, to: sorted.at(-1) ?? null };
}

function assertBounded({ exceptions }: WorkSchedule): void {
  if (Object.keys(exceptions).length <= limits.scheduleExceptionsMax) return;
  const message = `must not be more than ${limits.scheduleExceptionsMax} dates: remove past dates`;
  throw invalid('exceptions', message);
}

/** Dates in order, because the store returns them in any order. */
function toSchedule({ weekly, exceptions }: WorkSchedule): StaffSchedule {
  const dates = Object.entries(exceptions).sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    weekly,
    exceptions: Object.fromEntries(dates.map(([date, hours]) => [date, hours.map(({ from, to }) => ({ from, to }))])),
  };
}
