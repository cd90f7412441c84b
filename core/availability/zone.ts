/**
 * Time zones as tables of transitions. The offset of an epoch minute is looked up in a table, which takes nanoseconds
 * for each slot; an object with a time zone would take microseconds. The tables are read from `Intl` in blocks of about
 * a year, when a minute of the block is first requested.
 */
import { BoundedMap } from '../bounded-map.ts';
import { dateOf, dayOf, minutesPerDay } from './calendar.ts';
import type { Interval } from './intervals.ts';

/** Epoch minutes [start, end) with one offset: the minutes to add to get local time. */
interface Stretch extends Interval {
  readonly offset: number;
}

export interface Zone {
  /**
   * The stretch that contains a whole epoch minute. Stretches also end at the edges of blocks, where the next stretch
   * may have the same offset.
   */
  stretchAt(epochMinute: number): Stretch;
}

const blockMinutes = 2 ** 19;
const blocksKept = 160;
const zonesKept = 64;
/**
 * Far less than the time between any two transitions of a zone since 1970: the closest are a week apart (Recife 2000,
 * Gaza 2040).
 */
const probeMinutes = 3 * minutesPerDay;
/** No zone has ever been further from UTC. */
const offsetMinutesMax = 16 * 60;

const nowhere: Stretch = { start: 0, end: 0, offset: 0 };

const zones = new BoundedMap<string, Zone>(zonesKept);

/** The zone with an IANA name; the tables of the last used zones are kept. Throws a RangeError for an unknown name. */
export function zoneOf(name: string): Zone {
  const zone = zones.get(name) ?? buildZone(name);
  zones.set(name, zone);
  return zone;
}

function buildZone(name: string): Zone {
  const offset = offsetReader(name);
  const blocks = new BoundedMap<number, Stretch[]>(blocksKept);
  let recent = nowhere;
  return {
    stretchAt(minute) {
      if (minute >= recent.start && minute < recent.end) return recent;
      const index = Math.floor(minute / blockMinutes);
      let block = blocks.get(index);
      if (!block) {
        block = stretchesOf(offset, index * blockMinutes, (index + 1) * blockMinutes);
        blocks.set(index, block);
      }
      recent = block.find(({ end }) => minute < end) ?? nowhere;
      return recent;
    },
  };
}

/**
 * Asks Intl. ISO 8601 prints offsets in minutes, so an offset with seconds (Monrovia until 1972, earlier local mean
 * times) is rounded. Local time is computed from the rounded offset: the printed text then names the exact instant.
 */
function offsetReader(timeZone: string): (epochMinute: number) => number {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  return (minute) => {
    const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?$/.exec(format.format(minute * 60_000));
    if (!found) throw new Error('Intl printed no offset');
    const [, sign, hours, minutes, seconds = 0] = found;
    const size = Number(hours) * 60 + Number(minutes) + Math.round(Number(seconds) / 60);
    return sign === '-' ? -size : size;
  };
}

function stretchesOf(offset: (epochMinute: number) => number, start: number, end: number): Stretch[] {
  const stretches: Stretch[] = [];
  let from = start;
  let current = offset(start);
  for (let known = start; known < end; ) {
    const probe = Math.min(known + probeMinutes, end);
    if (offset(probe) === current) {
      known = probe;
      continue;
    }
    const transition = firstMinuteOff(offset, current, known, probe);
    stretches.push({ start: from, end: transition, offset: current });
    from = transition;
    known = transition;
    current = offset(transition);
  }
  // Empty when the block ends with a transition; then no minute is in it.
  stretches.push({ start: from, end, offset: current });
  return stretches;
}

/** Bisects (low, high]: at `low` the offset is `current`, at `high` it is not. */
function firstMinuteOff(offset: (epochMinute: number) => number, current: number, low: number, high: number): number {
  let on = low;
  let off = high;
  while (off - on > 1) {
    const middle = Math.floor((on + off) / 2);
    if (offset(middle) === current) on = middle;
    else off = middle;
  }
  return off;
}

/** Minutes that the wall clock is ahead of UTC at a whole epoch minute. */
export function offsetAt(zone: Zone, epochMinute: number): number {
  return zone.stretchAt(epochMinute).offset;
}

/**
 * The epoch minute at which the wall clock first shows `minuteOfDay` of `date`, or first shows something later because
 * it skipped it. A time that the clock skips becomes the moment of the clock change. A time that it shows twice becomes
 * the first of the two. So a later local time never comes before an earlier one. `minuteOfDay` 1440 is the end of the
 * day.
 */
export function localToEpoch(zone: Zone, date: string, minuteOfDay: number): number {
  return firstShown(zone, dayOf(date) * minutesPerDay + minuteOfDay);
}

/** As `localToEpoch`, of a local minute counted since 1970-01-01T00:00 on the wall clock. */
export function firstShown(zone: Zone, localMinute: number): number {
  let stretch = zone.stretchAt(localMinute - offsetMinutesMax);
  while (localMinute - stretch.offset >= stretch.end) stretch = zone.stretchAt(stretch.end);
  return Math.max(stretch.start, localMinute - stretch.offset);
}

/**
 * Adds to `intervals` the epoch minutes whose wall clock shows a local time in [start, end) and has not shown `end`
 * yet. This is one interval on most days, none when the clock skips all of it, and two when `start` itself is repeated.
 * If the clock is set back into an interval that was over, the interval does not begin again.
 */
export function addEpochIntervals(intervals: Interval[], zone: Zone, local: Interval): void {
  let stretch = zone.stretchAt(local.start - offsetMinutesMax);
  for (;;) {
    const start = Math.max(stretch.start, local.start - stretch.offset);
    const end = Math.min(stretch.end, local.end - stretch.offset);
    if (start < end) intervals.push({ start, end });
    if (local.end - stretch.offset < stretch.end) return;
    stretch = zone.stretchAt(stretch.end);
  }
}

/** The epoch minutes of whole local dates, both inclusive (docs/rules.md#slots: `from` and `to` of a slot query). */
export function datesToEpoch(zone: Zone, from: string, to: string): Interval {
  return { start: localToEpoch(zone, from, 0), end: localToEpoch(zone, to, minutesPerDay) };
}

const twoDigits = (value: number) => String(value).padStart(2, '0');

/** `HH:MM:00` of every minute of a day. */
const clocks: readonly string[] = Array.from(
  { length: minutesPerDay },
  (_, minute) => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}:00`,
);

function offsetText(offset: number): string {
  const size = Math.abs(offset);
  return `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

/**
 * Prints epoch minutes as `2026-12-01T10:00:00+02:00` (docs/rules.md#times: appointment times). The printer remembers
 * the day and the offset, so that neighbours cost one concatenation; make one and print many.
 */
export function isoPrinter(zone: Zone): (epochMinute: number) => string {
  let offset = Number.NaN;
  let suffix = '';
  let day = Number.NaN;
  let date = '';
  return (minute) => {
    const there = zone.stretchAt(minute);
    if (there.offset !== offset) {
      offset = there.offset;
      suffix = offsetText(offset);
    }
    const local = minute + offset;
    const today = Math.floor(local / minutesPerDay);
    if (today !== day) {
      day = today;
      date = `${dateOf(day)}T`;
    }
    return date + clocks[local - day * minutesPerDay] + suffix;
  };
}

/** One epoch minute as ISO 8601 with the zone's offset. */
export function isoOf(zone: Zone, epochMinute: number): string {
  return isoPrinter(zone)(epochMinute);
}
