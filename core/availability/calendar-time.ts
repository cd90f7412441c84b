/** Takes and releases time of calendars: the conditional writes of calendar days (docs/rules.md#bookings, #tables). */
import { isNew } from '../store/expected.ts';
import { getRecords, queryAll } from '../store/read.ts';
import { put, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import { minutesPerDay } from './calendar.ts';
import { type CalendarDay, type DayPart, daysOf, decodeBusy, emptyDay, encodeBusy } from './calendar-day.ts';
import type { Interval } from './intervals.ts';

/** A day of a calendar as it was read, or with its changes. */
export interface CalendarDayItem extends CalendarDay {
  /** Counts the changes of the item; the next write is conditional on it. 0 while there is no item. */
  readonly version: number;
  readonly changed?: true;
}

/** The days of one calendar, by UTC day; a day without changes is missing. */
export type CalendarDays = ReadonlyMap<number, CalendarDayItem>;

/** The busy time of the calendars of a business; a calendar without changes is missing. */
export interface Calendars {
  readonly tenantId: number;
  readonly days: ReadonlyMap<string, CalendarDays>;
}

/** Time that is taken in one calendar, in epoch minutes. */
export interface TakenTime extends Interval {
  readonly calendar: string;
}

export interface StoredDay extends Partial<CalendarDay> {
  readonly version: number;
}

export function calendarDayItem({ busy, holds = [], occurrences = [], version }: StoredDay): CalendarDayItem {
  return { busy: busy ? decodeBusy(busy) : emptyDay.busy, holds, occurrences, version };
}

const untouched: CalendarDays = new Map();

export function daysOfCalendar({ days }: Calendars, calendar: string): CalendarDays {
  return days.get(calendar) ?? untouched;
}

/** Reads the days of some calendars that the given times touch. */
export async function loadTaken(tenantId: number, taken: readonly TakenTime[]): Promise<Calendars> {
  const wanted = taken.flatMap(({ calendar, ...time }) => daysOf(time).map(({ day }) => ({ calendar, day })));
  const stored = await getRecords<StoredDay>(
    wanted.map(({ calendar, day }) => records.calendarDay(tenantId, day, calendar)),
  );
  const found = wanted.flatMap((one, i) => (stored[i] ? [{ ...one, item: calendarDayItem(stored[i]) }] : []));
  return { tenantId, days: byCalendar(found) };
}

/**
 * UTC days from 1997 to 2243 have five digits, so they are sorted correctly as text. No booking is outside this range.
 */
const firstDay = 10_000;
const lastDay = 99_999;

/** Reads the days of all calendars that a range of epoch minutes touches, in one query. */
export async function loadCalendars(tenantId: number, range: Interval): Promise<Calendars> {
  const from = Math.max(firstDay, Math.floor(range.start / minutesPerDay));
  const to = Math.min(lastDay, Math.floor((range.end - 1) / minutesPerDay));
  if (from > to) return { tenantId, days: new Map() };
  const stored = await queryAll<StoredDay & { sk: string }>('records', {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': records.calendarDays(tenantId), ':from': `${from}#`, ':to': `${to}#~` },
    ConsistentRead: true,
  });
  return { tenantId, days: byCalendar(stored.map((one) => ({ ...parseDayKey(one), item: calendarDayItem(one) }))) };
}

/** The calendar and the day of a stored item. */
export function parseDayKey({ sk }: { readonly sk: string }): { readonly calendar: string; readonly day: number } {
  const [day = '', calendar = ''] = sk.split('#');
  return { calendar, day: Number(day) };
}

function byCalendar(
  found: readonly { readonly calendar: string; readonly day: number; readonly item: CalendarDayItem }[],
): Map<string, CalendarDays> {
  const calendars = new Map<string, Map<number, CalendarDayItem>>();
  for (const { calendar, day, item } of found) {
    const days = calendars.get(calendar) ?? new Map<number, CalendarDayItem>();
    calendars.set(calendar, days.set(day, item));
  }
  return calendars;
}

/**
 * The same calendars with all days of some times. A hold or an occurrence may have taken time outside the range that is
 * read for a booking, if the buffers of the service have changed since.
 */
export async function withDaysOf(
  calendars: Calendars,
  read: Interval,
  times: readonly TakenTime[],
): Promise<Calendars> {
  const outside = times.filter(({ start, end }) => start < read.start || end > read.end);
  return together(calendars, await loadTaken(calendars.tenantId, outside));
}

/** Joins days that were read later, or of other calendars, to days that were read or changed before. */
export function together({ tenantId, days }: Calendars, more: Calendars): Calendars {
  const all = new Map(more.days);
  for (const [calendar, known] of days) all.set(calendar, new Map([...daysOfCalendar(more, calendar), ...known]));
  return { tenantId, days: all };
}

/**
 * Applies a change to every UTC day that the given times touch, or returns the reason why the change of one day is
 * refused.
 */
export function changeTime<Refusal extends string>(
  { tenantId, days }: Calendars,
  taken: readonly TakenTime[],
  change: (day: CalendarDay, part: DayPart) => CalendarDay | Refusal,
): Calendars | Refusal {
  const after = new Map(days);
  for (const { calendar, ...time } of taken) {
    const changed = new Map(after.get(calendar));
    for (const part of daysOf(time)) {
      const before = changed.get(part.day) ?? { ...emptyDay, version: 0 };
      const day = change(before, part);
      if (typeof day === 'string') return day;
      changed.set(part.day, { ...day, version: before.version, changed: true });
    }
    after.set(calendar, changed);
  }
  return { tenantId, days: after };
}

/** The writes of all changed days, each on the condition that its version has not changed since it was read. */
export function timeWrites({ tenantId, days }: Calendars): Write[] {
  return [...days].flatMap(([calendar, its]) =>
    [...its]
      .filter(([, item]) => item.changed)
      .map(([day, { busy, holds, occurrences, version }]) => {
        const item = {
          ...records.calendarDay(tenantId, day, calendar),
          version: version + 1,
          ...(busy.length > 0 && { busy: encodeBusy(busy) }),
          ...(holds.length > 0 && { holds }),
          ...(occurrences.length > 0 && { occurrences }),
        };
        return put('records', item, version === 0 ? isNew : { version });
      }),
  );
}
