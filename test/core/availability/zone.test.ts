import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { datesToEpoch, isoOf, isoPrinter, localToEpoch, offsetAt, zoneOf } from '../../../core/availability/zone.ts';
import { intlOffset, timeZones } from './intl-model.ts';
import { ianaOffset, ianaTransitions } from './other-zones.ts';

const RealFormat = Intl.DateTimeFormat;
const utc = (text: string) => Date.parse(text) / 60_000;

describe('UTC offsets', () => {
  it.each([
    ['Pacific/Apia', '2011-12-30T09:59Z', -600],
    ['Pacific/Apia', '2011-12-30T10:00Z', 840],
    // Transitions are twelve and seven days apart: a table with coarse samples would miss both.
    ['America/Argentina/Tucuman', '2004-06-05T00:00Z', -240],
    ['America/Recife', '2000-10-10T00:00Z', -120],
    // An offset with seconds is rounded to the minute that can be printed.
    ['Africa/Monrovia', '1971-01-01T00:00Z', -45],
    ['Etc/GMT+5', '2026-01-01T00:00Z', -300],
    ['Europe/Paris', '9999-12-31T23:59Z', 60],
  ])('The UTC offset of %s at %s is %d minutes', (name, time, offset) => {
    expect(offsetAt(zoneOf(name), utc(time))).toBe(offset);
  });

  it('The computed UTC offsets equal those of the IANA database on each day of three years and at each clock change', () => {
    // Later years are not compared, because one database may contain a new law before the other does.
    const [first, last] = [Date.UTC(2023, 0, 1), Date.UTC(2026, 0, 1)];
    let changes = 0;
    for (const name of timeZones) {
      const [zone, expected] = [zoneOf(name), ianaOffset(name)];
      const transitions = ianaTransitions(name, first, last);
      changes += transitions.length;
      const minutes = transitions.flatMap((m) => [m - 1, m]);
      for (let m = first / 60_000; m < last / 60_000; m += 1_440) minutes.push(m);
      for (const m of minutes) if (offsetAt(zone, m) !== expected(m)) expect.fail(`${name} at ${m}`);
    }
    expect(changes).toBeGreaterThan(400);
  });

  it('The UTC offset of a time zone does not depend on earlier look-ups or on the number of cached time zones', () => {
    const questions = timeZones.slice(0, 100).map((name, i) => ({ name, m: utc('2026-01-01T00:00Z') + i * 5_000 }));
    const ask = ({ name, m }: { name: string; m: number }) => offsetAt(zoneOf(name), m);
    const forward = questions.map(ask);
    expect(questions.toReversed().map(ask).toReversed()).toEqual(forward);
  });

  it('The UTC offsets of a time zone are computed once for each year, with fewer than 350 calls of `Intl`', () => {
    const formatter = vi.spyOn(Intl, 'DateTimeFormat');
    const questions = vi.fn();
    formatter.mockImplementation(function (this: unknown, ...args) {
      const format = new RealFormat(...args);
      return { format: (time: number) => questions() ?? format.format(time) } as Intl.DateTimeFormat;
    });
    const days = Array.from({ length: 300 }, (_, day) => utc('2031-02-01T00:00Z') + day * 1_440);
    const offsets = () => new Set(days.map((day) => offsetAt(zoneOf('Europe/Vilnius'), day)));
    expect(offsets()).toEqual(new Set([120, 180]));
    expect(questions.mock.calls.length).toBeLessThan(350);
    questions.mockClear();
    offsets();
    zoneOf('Europe/Tallinn');
    offsets();
    expect(questions).not.toHaveBeenCalled();
    expect(formatter).toHaveBeenCalledTimes(2);
  });
});

describe('conversion of local times', () => {
  it.each([
    ['2026-12-01', '10:00', 'Europe/Riga', 'an ordinary time', '2026-12-01T08:00Z'],
    ['2026-12-01', '24:00', 'Europe/Riga', 'the end of a day', '2026-12-01T22:00Z'],
    ['2026-03-29', '03:30', 'Europe/Riga', 'a time that the clock skips', '2026-03-29T01:00Z'],
    ['2026-03-29', '04:00', 'Europe/Riga', 'the end of a skipped hour', '2026-03-29T01:00Z'],
    ['2026-10-25', '03:30', 'Europe/Riga', 'a time that the clock shows twice', '2026-10-25T00:30Z'],
    ['2026-10-25', '04:00', 'Europe/Riga', 'the end of a repeated hour', '2026-10-25T02:00Z'],
    ['2026-10-04', '02:15', 'Australia/Lord_Howe', 'a time in a skipped half hour', '2026-10-03T15:30Z'],
    ['2026-04-05', '01:45', 'Australia/Lord_Howe', 'a time in a repeated half hour', '2026-04-04T14:45Z'],
    ['2026-09-06', '00:00', 'America/Santiago', 'a midnight that is skipped', '2026-09-06T04:00Z'],
    ['2026-04-04', '24:00', 'America/Santiago', 'a midnight after a repeated hour', '2026-04-05T04:00Z'],
    ['2011-12-30', '12:00', 'Pacific/Apia', 'a time on a skipped day', '2011-12-30T10:00Z'],
    ['2011-12-31', '00:00', 'Pacific/Apia', 'the beginning of the day after a skipped one', '2011-12-30T10:00Z'],
  ])('The local time %s %s in %s (%s) is converted to the instant %s', (date, clock, name, _, time) => {
    const minute = Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));
    expect(localToEpoch(zoneOf(name), date, minute)).toBe(utc(time));
  });

  it('A range of local dates is converted to UTC, from the beginning of the first date to the end of the last', () => {
    expect(datesToEpoch(zoneOf('Europe/Riga'), '2026-10-25', '2026-10-25')).toEqual({
      start: utc('2026-10-24T21:00Z'),
      end: utc('2026-10-25T22:00Z'),
    });
    expect(datesToEpoch(zoneOf('Europe/Riga'), '0001-01-01', '9999-12-31').end).toBe(utc('9999-12-31T22:00Z'));
  });
});

describe('printed times', () => {
  it('A UTC offset of zero is printed with a plus sign, and a negative offset of less than an hour with a minus sign', () => {
    expect(isoOf(zoneOf('UTC'), 0)).toBe('1970-01-01T00:00:00+00:00');
    expect(isoOf(zoneOf('Africa/Monrovia'), 0)).toBe('1969-12-31T23:15:00-00:45');
  });

  it('In every time zone, printed times have the local time and UTC offset that `Intl` computes, in whatever order they are printed', () => {
    const minutes = fc.array(fc.integer({ min: utc('1973-01-01T00:00Z'), max: utc('2100-01-01T00:00Z') }), {
      minLength: 1,
      maxLength: 8,
    });
    for (const name of timeZones) {
      const print = isoPrinter(zoneOf(name));
      const referenceOffset = intlOffset(name);
      fc.assert(
        fc.property(minutes, (list) => {
          for (const m of list) {
            for (const near of [m, m + 1, m - 1_440]) {
              const text = print(near);
              expect(text).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00[+-]\d\d:\d\d$/);
              expect(Date.parse(text)).toBe(near * 60_000);
              expect(Date.parse(`${text.slice(0, 19)}Z`) / 60_000).toBe(near + referenceOffset(near));
            }
          }
        }),
        { numRuns: 1 },
      );
    }
  });
});
