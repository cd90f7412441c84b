/**
 * Computes which starts are free (docs/rules.md#slots). The same function lists the slots of `GET /slots` and decides
 * `POST /bookings`, so a listed start is accepted and any other start is refused.
 */

import type { Business, Service } from '../../contract/integration/resources.ts';
import type { WorkSchedule } from '../catalog/items.ts';
import { dayMs, minuteMs } from '../clock.ts';
import { type Interval, intersect, merge, normalize } from './intervals.ts';
import { type WorkingInterval, workingTime } from './working-time.ts';
import { zoneOf } from './zone.ts';

export type ServiceTimes = Pick<Service, 'durationMinutes' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>;
export type StartRules = Pick<Business['bookingRules'], 'slotStepMinutes' | 'minNoticeMinutes' | 'maxAdvanceDays'>;

export interface FreeStartsQuery {
  readonly service: ServiceTimes;
  readonly rules: StartRules;
  /** The time zone of the business, in which the schedule is written. */
  readonly timeZone: string;
  readonly schedule: WorkSchedule;
  /** Epoch minutes of bookings, with their own buffers, and of holds that have not expired. */
  readonly busy: readonly Interval[];
  /**
   * Epoch minutes of other calendars, in any order. A booking that joins an occurrence must not overlap them either.
   */
  readonly elsewhere?: readonly Interval[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch minutes [start, end) in which an appointment may start; it may end later. */
  readonly range: Interval;
  /** Only starts in these ascending intervals are listed: those at which a resource is free. */
  readonly within?: readonly Interval[] | undefined;
  /** For an owner: working hours, grid, notice and horizon are ignored, but busy time is not. */
  readonly outsideRules?: boolean | undefined;
}

/** How far before or after now an owner may book outside the rules; before now, to enter a forgotten booking. */
const outsideRulesMinutes = 400 * 1_440;

/** The time of a booking that starts at `start`: the appointment with its buffers. Two such times never overlap. */
export function takenBy(service: ServiceTimes, start: number): Interval {
  return {
    start: start - service.bufferBeforeMinutes,
    end: start + service.durationMinutes + service.bufferAfterMinutes,
  };
}

/**
 * Every start, in epoch minutes and strictly ascending, that meets these conditions:
 * - it is in the range, not before now plus the notice, and not after now plus `maxAdvanceDays` times 24 hours;
 * - it is a whole number of steps of elapsed time after the start of its working interval (see `working-time.ts`);
 * - the appointment lies inside that working interval. Its buffers may lie outside: they separate appointments, and
 *   there are none before opening;
 * - the appointment with its buffers does not overlap busy time, which contains other bookings with their buffers. So
 *   the gap between two neighbours is the first one's buffer after plus the second one's buffer before.
 */
export function freeStarts(query: FreeStartsQuery, hours = hoursOf(query)): number[] {
  const free = possibleStarts(query.service, merge(hours), busyIn(query));
  return startsIn(query, hours, query.within ? intersect(free, query.within) : free);
}

/** The starts on the grid within some intervals; outside the rules, each minute of the intervals near now. */
export function startsIn(
  { rules, range, now, outsideRules }: Pick<FreeStartsQuery, 'rules' | 'range' | 'now' | 'outsideRules'>,
  hours: readonly WorkingInterval[],
  free: readonly Interval[],
): number[] {
  const allowed = allowedStarts({ rules, now, outsideRules });
  const earliest = Math.max(range.start, allowed.earliest);
  const latest = Math.min(range.end - 1, allowed.latest);
  const step = outsideRules ? 1 : rules.slotStepMinutes;
  if (!(step >= 1)) throw new RangeError('slotStepMinutes must be at least 1');
  return onGrids(hours, free, earliest, latest, step);
}

/** The first and the last epoch minute that notice and horizon allow, or that an owner may book outside the rules. */
function allowedStarts({ rules, now, outsideRules }: Pick<FreeStartsQuery, 'rules' | 'now' | 'outsideRules'>) {
  if (!outsideRules) return startWindow({ rules, now });
  const nowMinute = now / minuteMs;
  return { earliest: Math.ceil(nowMinute - outsideRulesMinutes), latest: Math.floor(nowMinute + outsideRulesMinutes) };
}

/** The working interval for a booking outside the rules, and for a resource, which has no working hours: always. */
export const always: readonly WorkingInterval[] = [
  { start: 0, end: Number.MAX_SAFE_INTEGER, gridEnd: Number.MAX_SAFE_INTEGER },
];

/** The working intervals that appointments of a query can touch. */
export function hoursOf({
  service: { durationMinutes },
  ...query
}: Omit<FreeStartsQuery, 'busy'>): readonly WorkingInterval[] {
  if (query.outsideRules) return always;
  const touched = { start: query.range.start, end: query.range.end - 1 + durationMinutes };
  return workingTime(query.schedule, zoneOf(query.timeZone), touched);
}

/** The busy time, in order and joined. */
export function busyIn({ busy, elsewhere = [] }: Pick<FreeStartsQuery, 'busy' | 'elsewhere'>): Interval[] {
  return normalize([...busy, ...elsewhere]);
}

/**
 * The minutes at which an appointment may begin. It must be inside one interval of the hours, and must not overlap busy
 * time with its buffers. Both lists are ascending, and have a gap between any two intervals.
 */
export function possibleStarts(
  { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes }: ServiceTimes,
  hours: readonly Interval[],
  busy: readonly Interval[],
): Interval[] {
  const found: Interval[] = [];
  let passed = 0;
  for (const interval of hours) {
    const end = interval.end - durationMinutes + 1;
    let { start } = interval;
    while ((busy[passed]?.end ?? Number.POSITIVE_INFINITY) + bufferBeforeMinutes <= start) passed++;
    for (let at = passed; start < end; at++) {
      const next = busy[at] ?? never;
      const until = Math.min(end, next.start - durationMinutes - bufferAfterMinutes + 1);
      if (start < until) found.push({ start, end: until });
      start = Math.max(start, next.end + bufferBeforeMinutes);
    }
  }
  return found;
}

/** For each of some ascending minutes, after an offset: 1 if an appointment may begin then. */
export function mayBegin(
  { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes }: ServiceTimes,
  hours: readonly Interval[],
  busy: readonly Interval[],
  minutes: readonly number[],
  offset: number,
): Uint8Array {
  const found = new Uint8Array(minutes.length);
  let [interval, next] = [hours[0] ?? never, busy[0] ?? never];
  let [passedHours, passed] = [0, 0];
  for (let i = 0; i < minutes.length; i++) {
    const start = (minutes[i] ?? 0) + offset;
    while (interval.end <= start) interval = hours[++passedHours] ?? never;
    while (next.end + bufferBeforeMinutes <= start) next = busy[++passed] ?? never;
    const end = start + durationMinutes;
    if (interval.start <= start && end <= interval.end && end + bufferAfterMinutes <= next.start) found[i] = 1;
  }
  return found;
}

const never: Interval = { start: Number.POSITIVE_INFINITY, end: Number.POSITIVE_INFINITY };

/** Goes through grid and free intervals side by side. */
function onGrids(
  hours: readonly WorkingInterval[],
  free: readonly Interval[],
  earliest: number,
  latest: number,
  step: number,
): number[] {
  const starts: number[] = [];
  let passed = 0;
  for (const interval of hours) {
    while ((free[passed]?.end ?? Number.POSITIVE_INFINITY) <= interval.start) passed++;
    for (let at = passed, next = free[at]; next && next.start < interval.gridEnd; next = free[++at]) {
      const last = Math.min(latest, interval.gridEnd - 1, next.end - 1);
      for (let start = onGrid(interval.start, step, Math.max(earliest, next.start)); start <= last; start += step) {
        starts.push(start);
      }
    }
  }
  return starts;
}

/** Whether a minute is on the grid of some working hours. */
export function isOnGrid(hours: readonly WorkingInterval[], step: number, minute: number): boolean {
  return hours.some(({ start, gridEnd }) => start <= minute && minute < gridEnd && (minute - start) % step === 0);
}

/** The first and the last epoch minute that notice and horizon allow. */
export function startWindow({ rules, now }: Pick<FreeStartsQuery, 'rules' | 'now'>) {
  return {
    earliest: Math.ceil(now / minuteMs + rules.minNoticeMinutes),
    latest: Math.floor((now + rules.maxAdvanceDays * dayMs) / minuteMs),
  };
}

/** The first point at or after both `origin` and `bound`, on the grid that begins at `origin`. */
function onGrid(origin: number, step: number, bound: number): number {
  return origin + Math.max(0, Math.ceil((bound - origin) / step)) * step;
}
