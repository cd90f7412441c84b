/** Taking and giving back a staff member's time: the conditional writes of staff-day items (design §4). */
import type { Interval } from '../availability/intervals.ts';
import type { StaffDayItem } from '../availability/load.ts';
import { type DayPart, daysOf, emptyStaffDay, type StaffDay } from '../availability/staff-day.ts';
import { env } from '../env.ts';
import type { Write } from '../records/transact.ts';
import { records } from '../table-keys.ts';

interface StaffTime {
  readonly businessId: number;
  readonly staffId: number;
  readonly days: ReadonlyMap<number, StaffDayItem>;
}

type Change = (day: StaffDay, part: DayPart) => StaffDay | 'overlap' | 'absent';

/**
 * The writes that change every UTC day which an interval of epoch minutes touches, each under the version that was
 * read; or why that cannot be.
 */
export function changeDays(time: StaffTime, interval: Interval, change: Change): Write[] | 'overlap' | 'absent' {
  const writes: Write[] = [];
  for (const part of daysOf(interval)) {
    const read = time.days.get(part.day);
    const changed = change(read ?? emptyStaffDay, part);
    if (changed === 'overlap' || changed === 'absent') return changed;
    writes.push(dayWrite(time, part.day, changed, read?.version));
  }
  return writes;
}

function dayWrite({ businessId, staffId }: StaffTime, day: number, changed: StaffDay, version: number | undefined) {
  return {
    Put: {
      TableName: env.table('records'),
      Item: {
        ...records.staffDay(businessId, day, staffId),
        version: (version ?? 0) + 1,
        ...(changed.busy.length > 0 && { busy: changed.busy }),
        ...(changed.holds.length > 0 && { holds: changed.holds }),
      },
      ...(version === undefined
        ? { ConditionExpression: 'attribute_not_exists(pk)' }
        : { ConditionExpression: 'version = :read', ExpressionAttributeValues: { ':read': version } }),
    },
  } satisfies Write;
}
