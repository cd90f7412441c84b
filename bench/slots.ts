/**
 * `npm run bench -- slots`: computes the slots of 20 staff over 30 days with 6 bookings a day each. Compares this
 * project with one zoned object per slot of Luxon, Day.js and the Temporal polyfill, in one process and one run. The
 * lower bound is printing the same strings and nothing else. All results are compared before anything is timed.
 *
 * The baselines get their bookings as a plain list of epoch milliseconds for each day and read only that day's; this
 * project starts from the compact items as they are stored. The days include a change of the clock. With Day.js, `add`
 * keeps the old offset of a zoned object, which is wrong after a clock change within working hours. So correct code
 * creates a zoned object for each slot.
 */
import { deepStrictEqual } from 'node:assert/strict';
import dayjs from 'dayjs';
import timezonePlugin from 'dayjs/plugin/timezone.js';
import utcPlugin from 'dayjs/plugin/utc.js';
import { DateTime } from 'luxon';
import { Temporal } from 'temporal-polyfill';
import { dateOf, dayOf, minutesPerDay } from '../core/availability/calendar.ts';
import { busyAt, type CalendarDay, emptyDay, insert, staffCalendar } from '../core/availability/calendar-day.ts';
import { type FreeStartsQuery, freeStarts } from '../core/availability/free-starts.ts';
import type { Choices, Part } from '../core/availability/load.ts';
import { type Slot, slotList, visitList } from '../core/availability/slot-list.ts';
import { startsOf } from '../core/availability/starts.ts';
import { datesToEpoch, isoPrinter, localToEpoch, zoneOf } from '../core/availability/zone.ts';
import { demoTenant } from '../local/demo.ts';
import type { Row } from './row.ts';
import { median, type Size, takeTurns } from './turns.ts';

dayjs.extend(utcPlugin);
dayjs.extend(timezonePlugin);

const sizes = { full: { staffCount: 20, runs: 40, rounds: 7 }, tiny: { staffCount: 1, runs: 1, rounds: 1 } } as const;

const timeZone = 'Europe/Riga';
const dayCount = 30;
const bookingsPerDay = 6;
const firstDay = dayOf('2026-10-12');
const durationMinutes = 45;
const stepMinutes = 15;
const serviceId = 7;
const hours = [
  { from: '09:00', to: '13:00' },
  { from: '14:00', to: '18:00' },
];
const now = Date.parse('2026-10-06T12:00:00Z');
const days = Array.from({ length: dayCount }, (_, i) => firstDay + i);

interface Taken {
  /** The start in epoch milliseconds. */
  readonly start: number;
  readonly end: number;
}

interface Member {
  readonly staffId: number;
  readonly stored: ReadonlyMap<number, CalendarDay>;
  readonly taken: ReadonlyMap<number, readonly Taken[]>;
}

/** A linear congruential generator selects the bookings, so that the staff members are the same in every run. */
function makeMembers(staffCount: number): Member[] {
  let seed = 42;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_664_525) + 1_013_904_223) >>> 0;
    return seed % below;
  };
  const zone = zoneOf(timeZone);
  return Array.from({ length: staffCount }, (_, i) => {
    const stored = new Map<number, CalendarDay>();
    const taken = new Map<number, Taken[]>();
    for (const day of days) {
      const opening = localToEpoch(zone, dateOf(day), 9 * 60);
      const list: Taken[] = [];
      let busy = emptyDay.busy;
      while (list.length < bookingsPerDay) {
        const start = opening + random(100) * 5;
        const placed = insert(busy, { start: start - day * minutesPerDay, end: start + 30 - day * minutesPerDay });
        if (placed === 'overlap') continue;
        busy = placed;
        list.push({ start: start * 60_000, end: (start + 30) * 60_000 });
      }
      stored.set(day, { busy, holds: [], occurrences: [] });
      taken.set(day, list);
    }
    return { staffId: 101 + i, stored, taken };
  });
}

const weekly = {
  monday: hours,
  tuesday: hours,
  wednesday: hours,
  thursday: hours,
  friday: hours,
  saturday: hours,
  sunday: hours,
};

function ours(members: readonly Member[]): Slot[] {
  const zone = zoneOf(timeZone);
  const common: Omit<FreeStartsQuery, 'busy'> = {
    service: { durationMinutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    rules: { slotStepMinutes: stepMinutes, minNoticeMinutes: 60, maxAdvanceDays: 90 },
    timeZone,
    schedule: { weekly, exceptions: {} },
    now,
    range: datesToEpoch(zone, dateOf(firstDay), dateOf(firstDay + dayCount - 1)),
  };
  const starts = members.map(({ staffId, stored }) => ({
    staffId,
    starts: freeStarts({ ...common, busy: [...stored].flatMap(([day, item]) => busyAt(day, item, now)) }),
  }));
  return slotList(starts, { id: serviceId, durationMinutes }, zone);
}

/** Three services by the same members, each as long as the single one. */
function visits(members: readonly Member[]): Slot[] {
  const zone = zoneOf(timeZone);
  const { business, services, staff } = demoTenant(now);
  const [service, member] = [services[0], staff[0]];
  if (!service || !member) throw new Error('The demo has services and staff');
  const rules = { slotStepMinutes: stepMinutes, minNoticeMinutes: 60, maxAdvanceDays: 90 };
  const staffIds = members.map(({ staffId }) => staffId);
  const times = { durationMinutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  const part = (i: number): Part => ({
    ...times,
    service: { ...service, ...times, id: serviceId + i, staffIds },
    offset: i * durationMinutes,
  });
  const parts: Choices['parts'] = [part(0), part(1), part(2)];
  const choices: Choices = {
    business: { ...business, timeZone, bookingRules: { ...business.bookingRules, ...rules } },
    parts,
    durationMinutes: 3 * durationMinutes,
    actor: { kind: 'owner', subject: '', role: 'owner' },
    staff: staffIds.map((id) => ({
      ...member,
      id,
      serviceIds: parts.map((one) => one.service.id),
      schedule: { weekly, exceptions: {} },
    })),
    resources: [],
    calendars: {
      tenantId: 1,
      days: new Map(
        members.map(({ staffId, stored }) => [
          staffCalendar(staffId),
          new Map([...stored].map(([day, item]) => [day, { ...item, version: 1 }])),
        ]),
      ),
    },
  };
  const range = datesToEpoch(zone, dateOf(firstDay), dateOf(firstDay + dayCount - 1));
  const found = visitList(startsOf(choices, range, now), choices.parts, zone);
  if (found.length === 0) throw new Error('There is no free visit, so its time would be that of an empty list');
  return found;
}

const earliest = now + 60 * 60_000;
const latest = now + 90 * 86_400_000;

function isFree(taken: readonly Taken[], start: number, end: number): boolean {
  return start >= earliest && start <= latest && !taken.some((other) => start < other.end && other.start < end);
}

/** The common part of the baselines: the hours of every day and member, one zoned object after the other. */
function perSlot<T>(library: {
  at(date: string, clock: string): T;
  plus(time: T, minutes: number): T;
  ms(time: T): number;
  print(time: T): string;
}): (members: readonly Member[]) => Slot[] {
  return (members) => {
    const found: { ms: number; slot: Slot }[] = [];
    for (const { staffId, taken } of members) {
      for (const day of days) {
        const bookings = taken.get(day) ?? [];
        const date = dateOf(day);
        for (const { from, to } of hours) {
          const closing = library.ms(library.at(date, to));
          let start = library.at(date, from);
          for (;;) {
            const end = library.plus(start, durationMinutes);
            const ms = library.ms(start);
            const endMs = library.ms(end);
            if (endMs > closing) break;
            if (isFree(bookings, ms, endMs)) {
              found.push({
                ms,
                slot: { startTime: library.print(start), endTime: library.print(end), staffId, serviceId },
              });
            }
            start = library.plus(start, stepMinutes);
          }
        }
      }
    }
    return found.sort((a, b) => a.ms - b.ms || a.slot.staffId - b.slot.staffId).map(({ slot }) => slot);
  };
}

const withLuxon = perSlot<DateTime>({
  at: (date, clock) => DateTime.fromISO(`${date}T${clock}`, { zone: timeZone }),
  plus: (time, minutes) => time.plus({ minutes }),
  ms: (time) => time.toMillis(),
  print: (time) => time.toISO({ suppressMilliseconds: true }) ?? '',
});

const withDayjs = perSlot<dayjs.Dayjs>({
  at: (date, clock) => dayjs.tz(`${date}T${clock}`, timeZone),
  plus: (time, minutes) => dayjs(time.valueOf() + minutes * 60_000).tz(timeZone),
  ms: (time) => time.valueOf(),
  print: (time) => time.format(),
});

const withTemporal = perSlot<Temporal.ZonedDateTime>({
  at: (date, clock) => Temporal.PlainDateTime.from(`${date}T${clock}`).toZonedDateTime(timeZone),
  plus: (time, minutes) => time.add({ minutes }),
  ms: (time) => time.epochMilliseconds,
  print: (time) => time.toString({ timeZoneName: 'never', smallestUnit: 'second' }),
});

/** The lower bound: only the strings, from known minutes, each printed separately. */
function printing(minutes: readonly number[]): string[] {
  const print = isoPrinter(zoneOf(timeZone));
  return minutes.map(print);
}

/** The rows about computing slots. Takes some ten seconds. */
export async function bench(size: Size): Promise<Row[]> {
  const { staffCount, runs, rounds } = sizes[size];
  const members = makeMembers(staffCount);
  const slots = ours(members);
  const minutes = slots.flatMap(({ startTime, endTime }) => [
    Date.parse(startTime) / 60_000,
    Date.parse(endTime) / 60_000,
  ]);
  const strings = slots.flatMap(({ startTime, endTime }) => [startTime, endTime]);
  deepStrictEqual(printing(minutes), strings);
  for (const other of [withLuxon, withDayjs, withTemporal]) deepStrictEqual(other(members), slots);

  const repeated = (work: () => unknown) => () => {
    for (let i = 0; i < runs; i++) work();
  };
  const times = await takeTurns(
    [
      { name: 'ours', run: repeated(() => ours(members)) },
      { name: 'visits', run: repeated(() => visits(members)) },
      { name: 'printing', run: repeated(() => printing(minutes)) },
      { name: 'luxon', run: () => withLuxon(members) },
      { name: 'dayjs', run: () => withDayjs(members) },
      { name: 'temporal', run: () => withTemporal(members) },
    ],
    rounds,
  );
  const once: readonly string[] = ['luxon', 'dayjs', 'temporal'];
  const ms = (name: string) => median(times.get(name) ?? []) / (once.includes(name) ? 1 : runs);
  const slower = (name: string) => ms(name) / ms('ours');
  const versus = (name: string) => `${slower(name).toFixed(0)} × ours`;
  const overPrinting = ms('ours') / ms('printing');
  return [
    {
      name: `slots: ours, ${staffCount} staff × ${dayCount} days, ${slots.length} slots`,
      value: ms('ours'),
      unit: 'ms',
      ratio: `${overPrinting.toFixed(2)} × formatting`,
      goal: '≤ 12 × formatting',
      met: overPrinting <= 12,
    },
    {
      name: `slots: ours, a visit with three services, ${visits(members).length} slots`,
      value: ms('visits'),
      unit: 'ms',
      ratio: `${(ms('visits') / ms('ours')).toFixed(2)} × one service`,
      goal: '≤ 4 × one service',
      met: ms('visits') <= 4 * ms('ours'),
    },
    { name: 'slots: formatting the same strings, without computing them', value: ms('printing'), unit: 'ms' },
    {
      name: 'slots: Luxon, one DateTime a slot',
      value: ms('luxon'),
      unit: 'ms',
      ratio: versus('luxon'),
      goal: '≥ 200 × ours',
      met: slower('luxon') >= 200,
    },
    {
      name: 'slots: Day.js, one zoned object a slot',
      value: ms('dayjs'),
      unit: 'ms',
      ratio: versus('dayjs'),
      goal: '≥ 200 × ours',
      met: slower('dayjs') >= 200,
    },
    {
      name: 'slots: Temporal polyfill, one ZonedDateTime a slot',
      value: ms('temporal'),
      unit: 'ms',
      ratio: versus('temporal'),
    },
  ];
}
