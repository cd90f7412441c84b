import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FreeStartsQuery,
  freeStarts,
  type ServiceTimes,
  type StartRules,
} from '../../../core/availability/free-starts.ts';
import { type Interval, normalize } from '../../../core/availability/intervals.ts';
import { datesToEpoch, isoPrinter, zoneOf } from '../../../core/availability/zone.ts';
import type { ClockInterval, WorkSchedule } from '../../../core/catalog/items.ts';
import { intlOffset, intlWalls, modelFreeStarts, timeZones, type Walls } from './intl-model.ts';

const utc = (text: string) => Date.parse(text) / 60_000;

function everyDay(...hours: ClockInterval[]): WorkSchedule {
  const day = [...hours];
  return {
    weekly: { monday: day, tuesday: day, wednesday: day, thursday: day, friday: day, saturday: day, sunday: day },
    exceptions: {},
  };
}

const nine = everyDay({ from: '09:00', to: '17:00' });

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
    schedule: changes.schedule ?? nine,
    busy: changes.busy ?? [],
    now: Date.parse(changes.now ?? `${from}T00:00Z`) - (changes.now ? 0 : 7 * 86_400_000),
    range: datesToEpoch(zoneOf(timeZone), from, changes.to ?? from),
  };
}

/** Starts of the day as the wall clock shows them. */
function times(query: FreeStartsQuery): string {
  const print = isoPrinter(zoneOf(query.timeZone));
  return freeStarts(query)
    .map((start) => print(start).slice(11, 16))
    .join(' ');
}

const on = (from: string, to: string) => ({ start: utc(`2026-12-01T${from}Z`), end: utc(`2026-12-01T${to}Z`) });

/** Decided like a booking: by the list of the one minute. */
function isFreeStart(query: FreeStartsQuery, start: number): boolean {
  return freeStarts({ ...query, range: { start, end: start + 1 } }).length === 1;
}

describe('free starts', () => {
  it.each<[string, Changes, string]>([
    ['fill the hours on the grid', {}, '09:00 10:00 11:00 12:00 13:00 14:00 15:00 16:00'],
    [
      'end so that the appointment ends within the hours',
      { service: { durationMinutes: 90 } },
      '09:00 10:00 11:00 12:00 13:00 14:00 15:00',
    ],
    ['may be one, that fills the hours', { service: { durationMinutes: 480 } }, '09:00'],
    ['are none when the appointment is longer than the hours', { service: { durationMinutes: 481 } }, ''],
    [
      'count the grid from the start of each working interval',
      {
        schedule: everyDay({ from: '09:10', to: '11:00' }, { from: '11:25', to: '13:30' }),
        rules: { slotStepMinutes: 30 },
      },
      '09:10 09:40 11:25 11:55 12:25',
    ],
    [
      'do not cross a break',
      { schedule: everyDay({ from: '09:00', to: '11:30' }, { from: '12:00', to: '14:00' }) },
      '09:00 10:00 12:00 13:00',
    ],
    ['may touch what is busy', { busy: [on('10:00', '11:00')] }, '09:00 11:00 12:00 13:00 14:00 15:00 16:00'],
    [
      'do not share a minute with what is busy',
      { busy: [on('10:59', '11:01')] },
      '09:00 12:00 13:00 14:00 15:00 16:00',
    ],
    [
      'stay on the grid after what is busy',
      { busy: [on('09:00', '09:20')], rules: { slotStepMinutes: 30 } },
      '09:30 10:00 10:30 11:00 11:30 12:00 12:30 13:00 13:30 14:00 14:30 15:00 15:30 16:00',
    ],
    [
      'keep the buffer before from what is busy',
      { busy: [on('10:00', '11:00')], service: { bufferBeforeMinutes: 10 } },
      '09:00 12:00 13:00 14:00 15:00 16:00',
    ],
    [
      'keep the buffer after from what is busy',
      { busy: [on('10:00', '11:00')], service: { bufferAfterMinutes: 10 } },
      '11:00 12:00 13:00 14:00 15:00 16:00',
    ],
    [
      'let buffers reach out of the hours',
      { service: { durationMinutes: 480, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 } },
      '09:00',
    ],
    [
      'keep buffers that reach out of the hours from what is busy there',
      { busy: [on('08:30', '09:00')], service: { bufferBeforeMinutes: 10 } },
      '10:00 11:00 12:00 13:00 14:00 15:00 16:00',
    ],
    ['are none on a day that is fully busy', { busy: [on('00:00', '23:59')] }, ''],
    [
      'take busy time in any order, overlapping or not',
      { busy: [on('15:00', '16:00'), on('09:00', '13:00'), on('10:00', '11:00')] },
      '13:00 14:00 16:00',
    ],
    [
      'begin at now plus the notice, to the minute',
      { now: '2026-12-01T10:00Z', rules: { minNoticeMinutes: 120 } },
      '12:00 13:00 14:00 15:00 16:00',
    ],
    [
      'begin after now plus the notice when a second is missing',
      { now: '2026-12-01T10:00:01Z', rules: { minNoticeMinutes: 120 } },
      '13:00 14:00 15:00 16:00',
    ],
    ['may be now without notice, but not in the past', { now: '2026-12-01T12:00Z' }, '12:00 13:00 14:00 15:00 16:00'],
    [
      'end at now plus the horizon, counted in days of 24 hours',
      { now: '2026-11-29T12:00Z', rules: { maxAdvanceDays: 2 } },
      '09:00 10:00 11:00 12:00',
    ],
    [
      'are none when the notice is longer than the horizon',
      { now: '2026-11-30T12:00Z', rules: { maxAdvanceDays: 1, minNoticeMinutes: 1_441 } },
      '',
    ],
    [
      'lie in the range, where an appointment may end after it',
      {
        schedule: everyDay({ from: '00:00', to: '02:00' }, { from: '22:00', to: '24:00' }),
        service: { durationMinutes: 120 },
      },
      '00:00 22:00 23:00',
    ],
    [
      'may be further apart than the appointment is long',
      { rules: { slotStepMinutes: 150 }, service: { durationMinutes: 30 } },
      '09:00 11:30 14:00 16:30',
    ],
    [
      'count elapsed minutes across a gap',
      { zone: 'Europe/Riga', from: '2026-03-29', schedule: everyDay({ from: '02:30', to: '06:00' }) },
      '02:30 04:30',
    ],
    [
      'count elapsed minutes across a repeated hour',
      { zone: 'Europe/Riga', from: '2026-10-25', schedule: everyDay({ from: '02:00', to: '05:00' }) },
      '02:00 03:00 03:00 04:00',
    ],
  ])(
    'Free start times follow working hours, service and slot grid: the start times %s (%o)',
    (_, changes, expected) => {
      expect(times(ask(changes))).toBe(expected);
    },
  );

  it('A search for free start times with a slot step of zero minutes is refused, because it would never end', () => {
    const endless = () => freeStarts(ask({ rules: { slotStepMinutes: 0 } }));
    expect(endless).toThrow(new RangeError('slotStepMinutes must be at least 1'));
  });
});

/** Transitions of 2026 and 2027, found by asking Intl day by day and then minute by minute. */
function transitionsOf(timeZone: string): number[] {
  const offset = intlOffset(timeZone);
  const found: number[] = [];
  const first = utc('2026-01-01T00:00Z');
  let before = offset(first);
  for (let day = first; day < utc('2028-01-01T00:00Z'); day += 1_440) {
    const after = offset(day + 1_440);
    if (before !== after) {
      let m = day;
      while (offset(m) === offset(m + 1)) m++;
      found.push(m + 1);
    }
    before = after;
  }
  return found;
}

const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

/** A random question around a transition; hours cluster at night, where clocks change. */
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
      weekly: fc.record({
        monday: dayHours,
        tuesday: dayHours,
        wednesday: dayHours,
        thursday: dayHours,
        friday: dayHours,
        saturday: dayHours,
        sunday: dayHours,
      }),
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

/** Window of the model: the range reaches 720 minutes from the transition, appointments 240 more, grids three days back. */
function wallsAround(transition: number, timeZone: string): Walls {
  return intlWalls(timeZone, transition - 5_100, transition + 1_000);
}

function obeysTheModel(query: FreeStartsQuery, walls: Walls): number[] {
  const starts = freeStarts(query);
  expect(starts).toEqual(modelFreeStarts(query, walls));
  for (const [i, start] of starts.entries()) {
    expect(start).toBeGreaterThan(starts[i - 1] ?? Number.NEGATIVE_INFINITY);
    expect(start).toBeGreaterThanOrEqual(query.range.start);
    expect(start).toBeLessThan(query.range.end);
  }
  return starts;
}

describe('comparison with a model that asks Intl for the local time of every minute', () => {
  it('Free start times equal those of a minute-by-minute model around every clock change of 2026 and 2027', () => {
    const ordinary = utc('2026-06-15T00:00Z');
    const known = new Map<string, Walls>();
    let changes = 0;
    for (const timeZone of timeZones) {
      const transitions = transitionsOf(timeZone);
      changes += transitions.length;
      // A zone that changes nothing is asked about ordinary days. Zones whose offsets change at the same minutes from and
      // to the same share their wall clock.
      const offset = intlOffset(timeZone);
      const offsets = transitions.map((m) => [m, offset(m - 1), offset(m)]).join() || offset(ordinary);
      for (const transition of transitions.length === 0 ? [ordinary] : transitions) {
        const name = `${transition} ${offsets}`;
        const walls = known.get(name) ?? wallsAround(transition, timeZone);
        known.set(name, walls);
        fc.assert(
          fc.property(questionAround(transition, timeZone), fc.array(fc.nat(), { maxLength: 20 }), (query, picks) => {
            const starts = obeysTheModel(query, walls);
            const listed = new Set(starts);
            const length = query.range.end - query.range.start;
            const sample = [...starts.slice(0, 10), ...picks.map((pick) => query.range.start + (pick % length))];
            for (const m of sample) expect(isFreeStart(query, m)).toBe(listed.has(m));
          }),
          { numRuns: 2 },
        );
      }
    }
    expect(changes).toBeGreaterThan(400);
  }, 180_000);

  it.each([
    ['Europe/Riga', '2026-03-29T01:00Z'],
    ['Europe/Riga', '2026-10-25T01:00Z'],
    ['Australia/Lord_Howe', '2026-04-04T15:00Z'],
    ['Australia/Lord_Howe', '2026-10-03T15:30Z'],
    ['America/Santiago', '2026-04-05T03:00Z'],
    ['America/Santiago', '2026-09-06T04:00Z'],
    ['Africa/Cairo', '2026-04-23T22:00Z'],
    ['Africa/Cairo', '2026-10-29T21:00Z'],
    ['Asia/Beirut', '2026-03-28T22:00Z'],
    ['Asia/Beirut', '2026-10-24T21:00Z'],
    ['Antarctica/Troll', '2026-03-29T01:00Z'],
    ['Pacific/Apia', '2011-12-30T10:00Z'],
  ])(
    'Around the clock change in %s at %s, every listed start time can be booked and no other start time can',
    (timeZone, time) => {
      const transition = utc(time);
      const walls = wallsAround(transition, timeZone);
      fc.assert(
        fc.property(questionAround(transition, timeZone), (query) => {
          const listed = new Set(obeysTheModel(query, walls));
          for (let m = query.range.start; m < query.range.end; m++) {
            if (isFreeStart(query, m) !== listed.has(m)) expect.fail(`minute ${m}`);
          }
        }),
        { numRuns: 12 },
      );
    },
  );

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
});
