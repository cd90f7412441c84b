/**
 * The one availability function (docs/rules.md#slots): it lists the slots of `GET /slots`, and it decides `POST
 * /bookings`, so a start that was listed is accepted and a start that is not listed is refused.
 */
import { type Interval, normalize } from './intervals.ts';
import { type Schedule, type WorkingInterval, workingTime } from './working-time.ts';
import { zoneOf } from './zone.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface ServiceTimes {
  readonly durationMinutes: number;
  readonly bufferBeforeMinutes: number;
  readonly bufferAfterMinutes: number;
}

export interface StartRules {
  readonly slotStepMinutes: number;
  readonly minNoticeMinutes: number;
  readonly maxAdvanceDays: number;
}

export interface FreeStartsQuery {
  readonly service: ServiceTimes;
  readonly rules: StartRules;
  /** Zone of the business, in which the schedule is written. */
  readonly timeZone: string;
  readonly schedule: Schedule;
  /** Epoch minutes that bookings, with their own buffers, and live holds take of this staff member. */
  readonly busy: readonly Interval[];
  /** Epoch minutes that other calendars take, in any order. Who joins an occurrence keeps clear of these, too. */
  readonly elsewhere?: readonly Interval[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** Epoch minutes [start, end) in which an appointment may start; it may end later. */
  readonly range: Interval;
  /** Hours, grid, notice and horizon count for nothing: an owner knows better. What is taken stays taken. */
  readonly outsideRules?: boolean | undefined;
}

/** How far from now an owner may book outside the rules: what was forgotten in the past, too. */
const outsideRulesMs = 400 * dayMs;

/** What a booking that starts at `start` takes: the appointment with its buffers. Two of these never overlap. */
export function takenBy(service: ServiceTimes, start: number): Interval {
  return {
    start: start - service.bufferBeforeMinutes,
    end: start + service.durationMinutes + service.bufferAfterMinutes,
  };
}

/**
 * Every start, in epoch minutes and strictly ascending, at which all of this holds:
 * - it is in the range, not before now plus the notice, and not after now plus `maxAdvanceDays` times 24 hours;
 * - it is a whole number of steps of elapsed time after the start of its working interval (see `working-time.ts`);
 * - the appointment lies inside that working interval. Its buffers may reach out of it: they keep neighbours apart,
 *   and before opening there is no neighbour;
 * - the appointment with its buffers does not overlap busy time, which holds other bookings with theirs. So the gap
 *   between two neighbours is the first one's buffer after plus the second one's buffer before.
 */
export function freeStarts(query: FreeStartsQuery): number[] {
  const { service, rules, range } = query;
  if (query.outsideRules) return untakenStarts(query);
  if (!(rules.slotStepMinutes >= 1)) throw new RangeError('slotStepMinutes must be at least 1');
  const allowed = startWindow(query);
  const earliest = Math.max(range.start, allowed.earliest);
  const latest = Math.min(range.end - 1, allowed.latest);
  const zone = zoneOf(query.timeZone);
  const working = workingTime(query.schedule, zone, { start: earliest, end: latest + service.durationMinutes });
  return gridOf(working, earliest, latest, rules.slotStepMinutes, service, normalize(takenIn(query)));
}

function takenIn({ busy, elsewhere = [] }: FreeStartsQuery): readonly Interval[] {
  return elsewhere.length === 0 ? busy : [...busy, ...elsewhere];
}

function untakenStarts(query: FreeStartsQuery): number[] {
  const { service, range, now } = query;
  const busy = takenIn(query);
  const minutes = Array.from({ length: range.end - range.start }, (_, i) => range.start + i);
  return minutes.filter((start) => {
    const taken = takenBy(service, start);
    const isNear = Math.abs(start * minuteMs - now) <= outsideRulesMs;
    return isNear && !busy.some((one) => one.start < taken.end && taken.start < one.end);
  });
}

/** The first and the last epoch minute that notice and horizon allow. */
export function startWindow({ rules, now }: Pick<FreeStartsQuery, 'rules' | 'now'>) {
  return {
    earliest: Math.ceil(now / minuteMs + rules.minNoticeMinutes),
    latest: Math.floor((now + rules.maxAdvanceDays * dayMs) / minuteMs),
  };
}

/** Whether `freeStarts` lists this start, whatever the query's range. */
export function isFreeStart(query: FreeStartsQuery, start: number): boolean {
  if (!Number.isSafeInteger(start)) return false;
  return freeStarts({ ...query, range: { start, end: start + 1 } }).length === 1;
}

/** Walks grid and busy time side by side; a start that collides jumps past what it collided with. */
function gridOf(
  working: readonly WorkingInterval[],
  earliest: number,
  latest: number,
  step: number,
  service: ServiceTimes,
  busy: readonly Interval[],
): number[] {
  const starts: number[] = [];
  const { durationMinutes, bufferBeforeMinutes } = service;
  const untilEnd = durationMinutes + service.bufferAfterMinutes;
  let passed = 0;
  for (const interval of working) {
    const last = Math.min(latest, interval.gridEnd - 1, interval.end - durationMinutes);
    let start = onGrid(interval.start, step, earliest);
    while (start <= last) {
      let blocking = busy[passed];
      while (blocking && blocking.end <= start - bufferBeforeMinutes) blocking = busy[++passed];
      if (blocking && blocking.start < start + untilEnd) {
        start = onGrid(interval.start, step, blocking.end + bufferBeforeMinutes);
      } else {
        starts.push(start);
        start += step;
      }
    }
  }
  return starts;
}

/** The first point of the grid that begins at `origin` which is neither before it nor before `bound`. */
export function onGrid(origin: number, step: number, bound: number): number {
  return origin + Math.max(0, Math.ceil((bound - origin) / step)) * step;
}
