import { expect, it } from 'vitest';
import { workingTime } from '../../../core/availability/working-time.ts';
import { datesToEpoch, isoPrinter, zoneOf } from '../../../core/availability/zone.ts';
import type { WorkSchedule } from '../../../core/catalog/items.ts';
import { hoursOf, everyDay as week } from '../../support/always-open.ts';

const everyDay = (text: string, exceptions: Record<string, string> = {}): WorkSchedule => ({
  weekly: week(text),
  exceptions: Object.fromEntries(Object.entries(exceptions).map(([date, value]) => [date, hoursOf(value)])),
});

const onDates = (dates: Record<string, string>) => everyDay('', dates);

/** The working intervals of some dates as text; a grid that restarts inside an interval is shown as `start|gridEnd`. */
function worked(zoneName: string, schedule: WorkSchedule, from: string, to = from): string[] {
  const zone = zoneOf(zoneName);
  const print = isoPrinter(zone);
  const short = (m: number) => print(m).replace(':00+', '+').replace(':00-', '-');
  return workingTime(schedule, zone, datesToEpoch(zone, from, to)).map(({ start, gridEnd, end }) =>
    gridEnd === end ? `${short(start)} ${short(end)}` : `${short(start)} ${short(end)} grid to ${short(gridEnd)}`,
  );
}

it('Working time consists of the weekly hours without the breaks', () => {
  expect(worked('Europe/Riga', everyDay('09:00-12:00 13:00-17:00'), '2026-12-01')).toEqual([
    '2026-12-01T09:00+02:00 2026-12-01T12:00+02:00',
    '2026-12-01T13:00+02:00 2026-12-01T17:00+02:00',
  ]);
});

it('Working time follows the weekday in the time zone of the business, not the weekday in UTC', () => {
  const schedule = { weekly: { ...week(''), monday: hoursOf('06:00-07:00') }, exceptions: {} };
  expect(worked('Pacific/Auckland', schedule, '2026-11-30', '2026-12-06')).toEqual([
    '2026-11-30T06:00+13:00 2026-11-30T07:00+13:00',
  ]);
});

it('A schedule exception replaces the working hours of its date, also when the exception has no hours', () => {
  const schedule = everyDay('09:00-17:00', { '2026-12-01': '11:00-12:00', '2026-12-02': '' });
  expect(worked('Europe/Riga', schedule, '2026-12-01', '2026-12-03')).toEqual([
    '2026-12-01T11:00+02:00 2026-12-01T12:00+02:00',
    '2026-12-03T09:00+02:00 2026-12-03T17:00+02:00',
  ]);
});

it('Working hours may be given in any order, overlap or be empty', () => {
  const schedule = everyDay('15:00-17:00 09:00-12:00 12:00-13:00 11:00-12:30 14:00-14:00');
  expect(worked('UTC', schedule, '2026-12-01')).toEqual([
    '2026-12-01T09:00+00:00 2026-12-01T13:00+00:00',
    '2026-12-01T15:00+00:00 2026-12-01T17:00+00:00',
  ]);
});

it('Working hours across midnight are one interval, whichever of the two days is requested', () => {
  const schedule = onDates({ '2026-12-01': '22:10-24:00', '2026-12-02': '00:00-02:00' });
  const night = ['2026-12-01T22:10+02:00 2026-12-02T02:00+02:00'];
  expect(worked('Europe/Riga', schedule, '2026-12-01')).toEqual(night);
  expect(worked('Europe/Riga', schedule, '2026-12-02')).toEqual(night);
});

it.each([
  ['Pacific/Kiritimati', '+14:00'],
  ['Etc/GMT+12', '-12:00'],
])(
  'Working hours across several midnights are one interval, even when only the fourth day is requested, in %s',
  (zone, offset) => {
    const schedule = onDates({
      '2026-12-01': '22:10-24:00',
      ...Object.fromEntries(['02', '03', '04'].map((day) => [`2026-12-${day}`, '00:00-24:00'])),
      '2026-12-05': '00:00-02:00',
    });
    const night = (from: string) => worked(zone, schedule, from)[0]?.replaceAll(offset, '');
    for (const from of ['2026-12-01', '2026-12-04']) expect(night(from)).toMatch(/^2026-12-01T22:10 2026-12-05T02:00 /);
  },
);

it('Working hours that end where the requested range begins, or begin where it ends, are left out', () => {
  const schedule = onDates({ '2026-12-01': '22:00-24:00', '2026-12-02': '09:00-10:00', '2026-12-03': '00:00-01:00' });
  expect(worked('Europe/Riga', schedule, '2026-12-02')).toEqual(['2026-12-02T09:00+02:00 2026-12-02T10:00+02:00']);
});

it('Working hours of one day do not change the grid of possible starts of the day before', () => {
  const schedule = onDates({ '2026-12-01': '09:00-10:00', '2026-12-02': '00:00-24:00' });
  expect(worked('Europe/Riga', schedule, '2026-12-01', '2026-12-02')).toEqual([
    '2026-12-01T09:00+02:00 2026-12-01T10:00+02:00',
    '2026-12-02T00:00+02:00 2026-12-03T00:00+02:00',
  ]);
});

it('The grid of possible starts of evening hours continues after midnight, unless the next day is open around the clock', () => {
  const schedule = onDates({ '2026-12-01': '22:10-24:00', '2026-12-02': '00:00-02:00 04:00-20:00' });
  expect(worked('Europe/Riga', schedule, '2026-12-02')).toEqual([
    '2026-12-01T22:10+02:00 2026-12-02T02:00+02:00',
    '2026-12-02T04:00+02:00 2026-12-02T20:00+02:00',
  ]);
});

it('If a business is open around the clock, the grid of possible starts begins again at 00:00 of each day', () => {
  const schedule = onDates({ '2026-12-01': '22:10-24:00', '2026-12-02': '00:00-24:00', '2026-12-03': '00:00-02:00' });
  const all = [
    '2026-12-01T22:10+02:00 2026-12-03T02:00+02:00 grid to 2026-12-02T00:00+02:00',
    '2026-12-02T00:00+02:00 2026-12-03T02:00+02:00',
  ];
  expect(worked('Europe/Riga', schedule, '2026-12-01', '2026-12-03')).toEqual(all);
  expect(worked('Europe/Riga', schedule, '2026-12-03')).toEqual(all);
});

it.each(
  [
    'a day with 23 hours | Europe/Riga | 2026-03-29 | 09:00-17:00 | 09:00+03:00 17:00+03:00',
    'a day with 25 hours | Europe/Riga | 2026-10-25 | 09:00-17:00 | 09:00+02:00 17:00+02:00',
    'hours across a gap | Europe/Riga | 2026-03-29 | 02:00-06:00 | 02:00+02:00 06:00+03:00',
    'hours that begin in a gap | Europe/Riga | 2026-03-29 | 03:30-06:00 | 04:00+03:00 06:00+03:00',
    'hours that end in a gap | Europe/Riga | 2026-03-29 | 01:00-03:30 | 01:00+02:00 04:00+03:00',
    'hours inside a gap do not exist | Europe/Riga | 2026-03-29 | 03:00-04:00 | ',
    'a break inside a gap does not exist | Europe/Riga | 2026-03-29 | 02:00-03:00 04:00-05:00 | 02:00+02:00 05:00+03:00',
    'hours across a repeated hour | Europe/Riga | 2026-10-25 | 02:00-05:00 | 02:00+03:00 05:00+02:00',
    'hours that end in a repeated hour end once | Europe/Riga | 2026-10-25 | 02:00-03:30 | 02:00+03:00 03:30+03:00',
    'hours that begin in a repeated hour never show an earlier time | Europe/Riga | 2026-10-25 | 03:30-05:00 | 03:30+03:00 03:00+02:00, 03:30+02:00 05:00+02:00',
    'a repeated hour itself | Europe/Riga | 2026-10-25 | 03:00-04:00 | 03:00+03:00 04:00+02:00',
    'half an hour skipped | Australia/Lord_Howe | 2026-10-04 | 01:30-03:00 | 01:30+10:30 03:00+11:00',
    'half an hour repeated | Australia/Lord_Howe | 2026-04-05 | 01:00-03:00 | 01:00+11:00 03:00+10:30',
    'a midnight skipped | America/Santiago | 2026-09-06 | 00:00-03:00 | 01:00-03:00 03:00-03:00',
    'the hour before midnight repeated | America/Santiago | 2026-04-04 | 22:00-24:00 | 22:00-03:00 2026-04-05T00:00-04:00',
    'a midnight skipped | Africa/Cairo | 2026-04-24 | 00:00-03:00 | 01:00+03:00 03:00+03:00',
    'closing time in the hour repeated before midnight | Africa/Cairo | 2026-10-29 | 10:00-23:30 | 10:00+03:00 23:30+03:00',
    'a midnight skipped | Asia/Beirut | 2026-03-29 | 00:00-03:00 | 01:00+03:00 03:00+03:00',
    'the hour before midnight repeated | Asia/Beirut | 2026-10-24 | 23:00-24:00 | 23:00+03:00 2026-10-25T00:00+02:00',
    'the hour after midnight repeated | America/Havana | 2026-11-01 | 00:00-02:00 | 00:00-04:00 02:00-05:00',
  ].map((row) => row.split(' | ')),
)(
  'Working time is right when the clocks change: %s (%s %s %s)',
  (_, zone = '', date = '', text = '', expected = '') => {
    const times = worked(zone, onDates({ [date]: text }), date).map((one) => one.replaceAll(`${date}T`, ''));
    expect(times.join(', ')).toBe(expected);
  },
);

it('A day that is open around the clock has 23, 25, 24.5 or 23.5 hours when the clocks change', () => {
  const length = (zoneName: string, date: string) => {
    const zone = zoneOf(zoneName);
    const found = workingTime(onDates({ [date]: '00:00-24:00' }), zone, datesToEpoch(zone, date, date));
    return found.map(({ start, end }) => (end - start) / 60);
  };
  expect(length('Europe/Riga', '2026-03-29')).toEqual([23]);
  expect(length('Europe/Riga', '2026-10-25')).toEqual([25]);
  expect(length('Australia/Lord_Howe', '2026-04-05')).toEqual([24.5]);
  expect(length('Australia/Lord_Howe', '2026-10-04')).toEqual([23.5]);
});

it('A date that a time zone skipped (such as 30 December 2011 in Samoa) has no working time, and the working times around it are joined', () => {
  const nights = everyDay('00:00-01:00 09:00-17:00 23:00-24:00');
  expect(worked('Pacific/Apia', nights, '2011-12-29', '2011-12-31')).toEqual([
    '2011-12-28T23:00-10:00 2011-12-29T01:00-10:00',
    '2011-12-29T09:00-10:00 2011-12-29T17:00-10:00',
    '2011-12-29T23:00-10:00 2011-12-31T01:00+14:00',
    '2011-12-31T09:00+14:00 2011-12-31T17:00+14:00',
    '2011-12-31T23:00+14:00 2012-01-01T01:00+14:00',
  ]);
  expect(worked('Pacific/Apia', onDates({ '2011-12-30': '00:00-24:00' }), '2011-12-29', '2011-12-31')).toEqual([]);
});

it('A date that a time zone skipped does not begin a new grid of possible starts', () => {
  const around = (last: string) =>
    onDates({
      '2011-12-29': '22:10-24:00',
      '2011-12-30': '00:00-24:00',
      '2011-12-31': last,
      '2012-01-01': '00:00-02:00',
    });
  const first = (last: string) => worked('Pacific/Apia', around(last), '2011-12-29', '2011-12-31')[0];
  expect(first('00:00-02:00')).toBe('2011-12-29T22:10-10:00 2011-12-31T02:00+14:00');
  const untilMidnight = 'grid to 2011-12-31T00:00+14:00';
  expect(first('00:00-24:00')).toBe(`2011-12-29T22:10-10:00 2012-01-01T02:00+14:00 ${untilMidnight}`);
});

it('Working time around the clock has no gap when a clock was set back across midnight', () => {
  // St. John's changed at 00:01 until 2011: it was Sunday for a minute, and then Saturday again.
  const zone = zoneOf('America/St_Johns');
  const found = workingTime(everyDay('00:00-24:00'), zone, datesToEpoch(zone, '2010-11-05', '2010-11-09'));
  expect(new Set(found.map(({ end }) => end)).size).toBe(1);
  for (const [i, { start }] of found.entries()) if (i > 0) expect(found[i - 1]?.gridEnd).toBe(start);
});

it('An empty range of time contains no working time', () => {
  expect(workingTime(everyDay('00:00-24:00'), zoneOf('UTC'), { start: 10, end: 10 })).toEqual([]);
});
