import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type FreeStartsQuery,
  freeStarts,
  type ServiceTimes,
  type StartRules,
} from '../../../core/availability/free-starts.ts';
import { type Interval, normalize } from '../../../core/availability/intervals.ts';
import { datesToEpoch, isoPrinter, zoneOf } from '../../../core/availability/zone.ts';
import type { ClockInterval, WorkSchedule } from '../../../core/catalog/items.ts';
import { everyDay, weekOf } from '../../support/always-open.ts';
import { intlOffset, intlWalls, modelFreeStarts, timeZones, type Walls } from './intl-model.ts';

const utc = (text: string) => Date.parse(text) / 60_000;

const hours = (text: string): WorkSchedule => ({ weekly: everyDay(text), exceptions: {} });

interface Changes {
  readonly zone?: string;
  readonly from?: string;
  readonly to?: string;
  readonly schedule?: WorkSchedule;
  readonly service?: Partial<ServiceTimes>;
  readonly rules?: Partial<StartRules>;
  readonly busy?: readonly Interval[];
  readonly now?: string;
}

function ask(changes: Changes = {}): FreeStartsQuery {
  const timeZone = changes.zone ?? 'UTC';
  const from = changes.from ?? '2026-12-01';
  return {
    service: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0, ...changes.service },
    rules: { slotStepMinutes: 60, minNoticeMinutes: 0, maxAdvanceDays: 365, ...changes.rules },
    timeZone,
    schedule: changes.schedule ?? hours('09:00-17:00'),
    busy: changes.busy ?? [],
    now: Date.parse(changes.now ?? `${from}T00:00Z`) - (changes.now ? 0 : 7 * 86_400_000),
    range: datesToEpoch(zoneOf(timeZone), from, changes.to ?? from),
  };
}

/** The local times of the starts: `9` is 09:00. */
function times(query: FreeStartsQuery): string {
  const print = isoPrinter(zoneOf(query.timeZone));
  const clocks = freeStarts(query).map((start) => print(start).slice(11, 16));
  return clocks.map((clock) => clock.replace(/^0/, '').replace(':00', '')).join(' ');
}

const on = (from: string, to: string) => ({ start: utc(`2026-12-01T${from}Z`), end: utc(`2026-12-01T${to}Z`) });
const tenToEleven = [on('10:00', '11:00')];
const riga = { zone: 'Europe/Riga' };

it.each<[string, Changes, string]>([
  ['fill the hours on the grid', {}, '9 10 11 12 13 14 15 16'],
  ['leave room for the appointment before closing time', { service: { durationMinutes: 90 } }, '9 10 11 12 13 14 15'],
  ['are one when the appointment fills the hours', { service: { durationMinutes: 480 } }, '9'],
  ['are none when the appointment is longer than the hours', { service: { durationMinutes: 481 } }, ''],
  [
    'count the grid from the start of each working interval',
    { schedule: hours('09:10-11:00 11:25-13:30'), rules: { slotStepMinutes: 30 } },
    '9:10 9:40 11:25 11:55 12:25',
  ],
  ['do not cross a break', { schedule: hours('09:00-11:30 12:00-14:00') }, '9 10 12 13'],
  ['may touch busy time', { busy: tenToEleven }, '9 11 12 13 14 15 16'],
  ['do not share a minute with busy time', { busy: [on('10:59', '11:01')] }, '9 12 13 14 15 16'],
  [
    'stay on the grid after busy time',
    { busy: [on('09:00', '09:20')], rules: { slotStepMinutes: 30 }, schedule: hours('09:00-11:00') },
    '9:30 10',
  ],
  [
    'keep the buffer before the appointment free',
    { busy: tenToEleven, service: { bufferBeforeMinutes: 10 } },
    '9 12 13 14 15 16',
  ],
  [
    'keep the buffer after the appointment free',
    { busy: tenToEleven, service: { bufferAfterMinutes: 10 } },
    '11 12 13 14 15 16',
  ],
  [
    'allow buffers outside the working hours',
    { service: { durationMinutes: 480, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 } },
    '9',
  ],
  [
    'allow no buffer in busy time outside the working hours',
    { busy: [on('08:30', '09:00')], service: { bufferBeforeMinutes: 10 } },
    '10 11 12 13 14 15 16',
  ],
  ['are none on a day that is fully busy', { busy: [on('00:00', '23:59')] }, ''],
  [
    'are the same for any order and overlap of busy times',
    { busy: [on('15:00', '16:00'), on('09:00', '13:00'), on('10:00', '11:00')] },
    '13 14 16',
  ],
  ['begin at now plus the notice', { now: '2026-12-01T10:00Z', rules: { minNoticeMinutes: 120 } }, '12 13 14 15 16'],
  ['round the notice up', { now: '2026-12-01T10:00:01Z', rules: { minNoticeMinutes: 120 } }, '13 14 15 16'],
  ['may be now without notice, but not in the past', { now: '2026-12-01T12:00Z' }, '12 13 14 15 16'],
  [
    'end at now plus the horizon, counted in days of 24 hours',
    { now: '2026-11-29T12:00Z', rules: { maxAdvanceDays: 2 } },
    '9 10 11 12',
  ],
  [
    'are none when the notice is longer than the horizon',
    { now: '2026-11-30T12:00Z', rules: { maxAdvanceDays: 1, minNoticeMinutes: 1_441 } },
    '',
  ],
  [
    'lie in the range, where an appointment may end after it',
    { schedule: hours('00:00-02:00 22:00-24:00'), service: { durationMinutes: 120 } },
    '0 22 23',
  ],
  [
    'may be further apart than the appointment is long',
    { rules: { slotStepMinutes: 150 }, service: { durationMinutes: 30 } },
    '9 11:30 14 16:30',
  ],
  ['count elapsed minutes across a gap', { ...riga, from: '2026-03-29', schedule: hours('02:30-06:00') }, '2:30 4:30'],
  ['count a repeated hour twice', { ...riga, from: '2026-10-25', schedule: hours('02:00-05:00') }, '2 3 3 4'],
])('Free start times follow working hours, service and slot grid: the start times %s', (_, changes, expected) =>
  expect(times(ask(changes))).toBe(expected),
);

it('A search for free start times with a slot step of zero minutes is refused, because it would never end', () => {
  const endless = () => freeStarts(ask({ rules: { slotStepMinutes: 0 } }));
  expect(endless).toThrow(new RangeError('slotStepMinutes must be at least 1'));
});

/** Transitions of 2026 and 2027, found with Intl by day and then by minute. */
function transitionsOf(timeZone: string): number[] {
  const offset = intlOffset(timeZone);
  const days = Array.from({ length: 730 }, (_, day) => utc('2026-01-01T00:00Z') + day * 1_440);
  return days.flatMap((m) => {
    if (offset(m) === offset(m + 1_440)) return [];
    const before = offset(m);
    while (offset(m + 1) === before) m++;
    return [m + 1];
  });
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** A random query around a transition; hours are often at night, when clocks change. */
function questionAround(transition: number, timeZone: string): fc.Arbitrary<FreeStartsQuery> {
  const edge = fc.oneof(
    fc.constantFrom(0, 0, 60, 120, 180, 1_380, 1_440, 1_440),
    fc.integer({ min: 0, max: 288 }).map((n) => n * 5),
    fc.integer({ min: 0, max: 300 }),
  );
  const dayHours = fc.oneof(
    fc.constant<ClockInterval[]>([{ from: '00:00', to: '24:00' }]),
    fc
      .array(fc.tuple(edge, edge), { maxLength: 3 })
      .map((pairs) => pairs.map(([a, b]) => ({ from: clock(Math.min(a, b)), to: clock(Math.max(a, b)) }))),
  );
  const around = (minutes: number) => fc.integer({ min: transition - minutes, max: transition + minutes });
  return fc.record({
    service: fc.record({
      durationMinutes: fc.constantFrom(5, 20, 30, 45, 60, 90, 240),
      bufferBeforeMinutes: fc.constantFrom(0, 0, 10, 45),
      bufferAfterMinutes: fc.constantFrom(0, 0, 15, 60),
    }),
    rules: fc.record({
      slotStepMinutes: fc.constantFrom(5, 7, 15, 20, 30, 60, 90),
      minNoticeMinutes: fc.constantFrom(0, 60, 1_440),
      maxAdvanceDays: fc.constantFrom(1, 3, 365),
    }),
    timeZone: fc.constant(timeZone),
    schedule: fc.record({
      weekly: fc.record(weekOf(() => dayHours)),
      exceptions: fc.dictionary(
        fc
          .integer({ min: -1, max: 1 })
          .map((days) => new Date((transition + days * 1_440) * 60_000).toISOString().slice(0, 10)),
        dayHours,
        { maxKeys: 2 },
      ),
    }),
    busy: fc
      .array(
        fc
          .tuple(around(1_800), fc.integer({ min: 1, max: 200 }))
          .map(([start, length]) => ({ start, end: start + length })),
        { maxLength: 8 },
      )
      .map(normalize),
    now: around(4_000).chain((m) => fc.integer({ min: 0, max: 59_999 }).map((ms) => (m - 2_000) * 60_000 + ms)),
    range: fc
      .tuple(around(700), fc.integer({ min: 1, max: 1_000 }))
      .map(([start, length]) => ({ start, end: Math.min(start + length, transition + 720) })),
  });
}

/** The window of the model. The range reaches 720 minutes from the transition, appointments 240, grids 3 days back. */
function wallsAround(transition: number, timeZone: string): Walls {
  return intlWalls(timeZone, transition - 5_100, transition + 1_000);
}

function assertModel(timeZone: string, transition: number, walls: Walls, numRuns: number): void {
  const equal = (query: FreeStartsQuery): void => {
    expect(freeStarts(query)).toEqual(modelFreeStarts(query, walls));
  };
  fc.assert(fc.property(questionAround(transition, timeZone), equal), { numRuns });
}

it('Free start times equal those of a minute-by-minute model around every clock change of 2026 and 2027', () => {
  const ordinary = utc('2026-06-15T00:00Z');
  const compared = new Set<string>();
  let changes = 0;
  for (const timeZone of timeZones) {
    const transitions = transitionsOf(timeZone);
    changes += transitions.length;
    // Zones whose offsets change at the same minutes and by the same amounts share a local clock.
    const offset = intlOffset(timeZone);
    const offsets = transitions.map((m) => [m, offset(m - 1), offset(m)]).join() || String(offset(ordinary));
    if (compared.has(offsets)) continue;
    compared.add(offsets);
    // A zone without transitions is queried for ordinary days.
    for (const transition of transitions.length === 0 ? [ordinary] : transitions) {
      assertModel(timeZone, transition, wallsAround(transition, timeZone), 4);
    }
  }
  expect(changes).toBeGreaterThan(400);
});

it('Free start times equal those of a minute-by-minute model around the date that a time zone skipped', () => {
  const transition = utc('2011-12-30T10:00Z');
  assertModel('Pacific/Apia', transition, wallsAround(transition, 'Pacific/Apia'), 12);
});

it('Negative control: if a search uses one UTC offset for the whole range, its free start times differ from the model', () => {
  const transition = utc('2026-10-25T01:00Z');
  const walls = wallsAround(transition, 'Europe/Riga');
  expect(() =>
    fc.assert(
      fc.property(questionAround(transition, 'Europe/Riga'), (query) => {
        expect(freeStarts({ ...query, timeZone: 'Etc/GMT-3' })).toEqual(modelFreeStarts(query, walls));
      }),
      { seed: 1, numRuns: 1_000, endOnFailure: true },
    ),
  ).toThrow('Property failed');
});
