/**
 * Taking and giving back a staff member's time: the conditional writes of staff-day items (docs/rules.md#bookings,
 * #tables).
 */
import { isNew } from '../store/expected.ts';
import { getItems } from '../store/read.ts';
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { Interval } from './intervals.ts';
import { type DayPart, daysOf, decodeBusy, emptyStaffDay, encodeBusy, type StaffDay } from './staff-day.ts';

/** A staff-day item as read, or as it shall become. */
export interface StaffDayItem extends StaffDay {
  /** Counts the item's changes and is the condition of the next one; 0 while there is no item. */
  readonly version: number;
  readonly changed?: true;
}

/** What is taken of one staff member, by UTC day; a day without changes is missing. */
export interface StaffTime {
  readonly tenantId: number;
  readonly staffId: number;
  readonly days: ReadonlyMap<number, StaffDayItem>;
}

export interface StoredDay {
  readonly busy?: Uint8Array;
  readonly holds?: StaffDay['holds'];
  readonly occurrences?: StaffDay['occurrences'];
  readonly version: number;
}

export function staffDayItem({ busy, holds = [], occurrences = [], version }: StoredDay): StaffDayItem {
  return { busy: busy ? decodeBusy(busy) : emptyStaffDay.busy, holds, occurrences, version };
}

/** Reads the days that an interval of epoch minutes touches. */
export async function loadStaffTime(tenantId: number, staffId: number, interval: Interval): Promise<StaffTime> {
  const days = daysOf(interval).map(({ day }) => day);
  const stored = await getItems<StoredDay>(
    'records',
    days.map((day) => records.staffDay(tenantId, day, staffId)),
  );
  const found = days.flatMap((day, i) => {
    const item = stored[i];
    return item ? [[day, staffDayItem(item)] as const] : [];
  });
  return { tenantId, staffId, days: new Map(found) };
}

/** Applies a change to every UTC day that an interval of epoch minutes touches, or returns why one of them refuses it. */
export function changeTime<Refusal extends string>(
  time: StaffTime,
  interval: Interval,
  change: (day: StaffDay, part: DayPart) => StaffDay | Refusal,
): StaffTime | Refusal {
  const days = new Map(time.days);
  for (const part of daysOf(interval)) {
    const before = days.get(part.day) ?? { ...emptyStaffDay, version: 0 };
    const after = change(before, part);
    if (typeof after === 'string') return after;
    days.set(part.day, { ...after, version: before.version, changed: true });
  }
  return { ...time, days };
}

/** The writes of what was changed, each under the version that was read. */
export function timeWrites({ tenantId, staffId, days }: StaffTime): Write[] {
  return [...days]
    .filter(([, item]) => item.changed)
    .map(([day, { busy, holds, occurrences, version }]) => {
      const item = {
        ...records.staffDay(tenantId, day, staffId),
        version: version + 1,
        ...(busy.length > 0 && { busy: encodeBusy(busy) }),
        ...(holds.length > 0 && { holds }),
        ...(occurrences.length > 0 && { occurrences }),
      };
      return put('records', item, version === 0 ? isNew : { version });
    });
}
