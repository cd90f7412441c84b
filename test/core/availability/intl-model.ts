/**
 * The model for tests of availability: it asks Intl for the local time of every single minute and uses no transitions,
 * tables or intervals. It is slow, but simple enough to be trusted.
 */
import type { FreeStartsQuery } from '../../../core/availability/free-starts.ts';
import type { WorkSchedule } from '../../../core/catalog/items.ts';

export const timeZones = Intl.supportedValuesOf('timeZone');

export function intlOffset(timeZone: string): (epochMinute: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (m) => {
    const text = format.format(m * 60_000);
    const [, sign, hours, minutes, seconds] = /GMT(?:([+-])(\d+):(\d+):?(\d+)?)?$/.exec(text) ?? [];
    if (!sign) return 0;
    const size = Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds ?? 0) / 60);
    return sign === '-' ? -size : size;
  };
}

export type Walls = ReturnType<typeof intlWalls>;

/**
 * The local time of every minute of a window, in minutes since 1970-01-01T00:00, from the fields that Intl prints.
 * `shownBefore` is the latest local time that was shown before a minute.
 */
export function intlWalls(timeZone: string, start: number, end: number) {
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  });
  const walls: number[] = [];
  const shown = [Number.NEGATIVE_INFINITY];
  for (let m = start; m < end; m++) {
    // The format is 12/31/2026, 23:59.
    const text = format.format(m * 60_000);
    const two = (at: number) => (text.charCodeAt(at) - 48) * 10 + text.charCodeAt(at + 1) - 48;
    const wall = Date.UTC(two(6) * 100 + two(8), two(0) - 1, two(3), two(12), two(15)) / 60_000;
    walls.push(wall);
    shown.push(Math.max(wall, shown.at(-1) ?? wall));
  }
  return {
    start,
    end,
    at: (m: number) => walls[m - start] ?? Number.NaN,
    shownBefore: (m: number) => shown[m - start] ?? Number.NaN,
  };
}

const weekdayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'] as const;
const clockMinutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/** Whether the hours of its date contain a local minute. */
function hoursOf(schedule: WorkSchedule): (local: number) => boolean {
  const open = new Map<number, boolean[]>();
  return (local) => {
    const day = Math.floor(local / 1_440);
    let minutes = open.get(day);
    if (!minutes) {
      const midnight = new Date(day * 86_400_000);
      const weekday = weekdayNames[midnight.getUTCDay()] ?? 'sunday';
      const rows = schedule.exceptions[midnight.toISOString().slice(0, 10)] ?? schedule.weekly[weekday];
      const spans = rows.map(({ from, to }) => [clockMinutes(from), clockMinutes(to)] as const);
      minutes = Array.from({ length: 1_440 }, (_, minute) => spans.some(([from, to]) => from <= minute && minute < to));
      open.set(day, minutes);
    }
    return minutes[local - day * 1_440] ?? false;
  };
}

/** Finds free starts by checking every minute. The window of `walls` must reach days beyond the query's range. */
export function modelFreeStarts(query: FreeStartsQuery, walls: Walls): number[] {
  const { service, rules, now, range } = query;
  const inHours = hoursOf(query.schedule);
  const working = (m: number): boolean => {
    const wall = walls.at(m);
    if (!inHours(wall)) return false;
    // Clocks were set back: these hours are over if the minute after them was shown already.
    for (let seen = wall; seen <= walls.shownBefore(m); seen++) if (!inHours(seen)) return false;
    return true;
  };
  const openAroundTheClock = (day: number) =>
    Array.from({ length: 1_440 }, (_, minute) => day * 1_440 + minute).every(inHours);

  const taken = new Set<number>();
  for (const { start, end } of query.busy) for (let m = start; m < end; m++) taken.add(m);

  const isWorking: boolean[] = [];
  for (let m = walls.start; m < walls.end; m++) isWorking.push(working(m));
  const worked = (m: number) => isWorking[m - walls.start] ?? false;

  const starts: number[] = [];
  let origin = Number.NaN;
  let day = Number.NaN;
  for (let m = walls.start; m < walls.end; m++) {
    const today = Math.floor(walls.at(m) / 1_440);
    const dayBegins = today > day;
    if (dayBegins || Number.isNaN(day)) day = today;
    if (!worked(m)) continue;
    if (!worked(m - 1) || (dayBegins && openAroundTheClock(today))) origin = m;
    if ((m - origin) % rules.slotStepMinutes !== 0) continue;
    if (m < range.start || m >= range.end) continue;
    if (m * 60_000 < now + rules.minNoticeMinutes * 60_000) continue;
    if (m * 60_000 > now + rules.maxAdvanceDays * 86_400_000) continue;
    const end = m + service.durationMinutes;
    let free = true;
    for (let minute = m; free && minute < end; minute++) free = worked(minute);
    for (let minute = m - service.bufferBeforeMinutes; free && minute < end + service.bufferAfterMinutes; minute++) {
      free = !taken.has(minute);
    }
    if (free) starts.push(m);
  }
  return starts;
}
