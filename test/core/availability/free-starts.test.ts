import { expect, it } from 'vitest';
import { freeStarts, type ServiceTimes, type StartRules } from '../../../core/availability/free-starts.ts';
import type { Interval } from '../../../core/availability/intervals.ts';
import { datesToEpoch, isoOf, zoneOf } from '../../../core/availability/zone.ts';
import type { WorkSchedule } from '../../../core/catalog/items.ts';
import { everyDay } from '../../support/always-open.ts';

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

/** The local times of the starts: `9` is 09:00. */
function times({ zone = 'UTC', from = '2026-12-01', to = from, ...changes }: Changes): string {
  const starts = freeStarts({
    service: { durationMinutes: 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0, ...changes.service },
    rules: { slotStepMinutes: 60, minNoticeMinutes: 0, maxAdvanceDays: 365, ...changes.rules },
    timeZone: zone,
    schedule: changes.schedule ?? hours('09:00-17:00'),
    busy: changes.busy ?? [],
    now: changes.now ? Date.parse(changes.now) : Date.parse(from) - 7 * 86_400_000,
    range: datesToEpoch(zoneOf(zone), from, to),
  });
  const clocks = starts.map((start) => isoOf(zoneOf(zone), start).slice(11, 16));
  return clocks.map((clock) => clock.replace(/^0/, '').replace(':00', '')).join(' ');
}

const on = (from: string, to: string) => ({ start: utc(`2026-12-01T${from}Z`), end: utc(`2026-12-01T${to}Z`) });
const tenToEleven = [on('10:00', '11:00')];
const riga = { zone: 'Europe/Riga' };
const allDay = [{ from: '00:00', to: '24:00' }];
const night = { service: { durationMinutes: 30 }, schedule: hours('00:00-02:00 23:30-24:00') };

it.each<[string, Changes, string]>([
  [
    'are counted in steps from the beginning of each working interval',
    { schedule: hours('09:10-11:00 11:25-13:30'), rules: { slotStepMinutes: 30 } },
    '9:10 9:40 11:25 11:55 12:25',
  ],
  ['leave room for the appointment before a break', { schedule: hours('09:00-11:30 12:00-14:00') }, '9 10 12 13'],
  [
    'allow an appointment to end when busy time begins, and to begin when busy time ends',
    { busy: tenToEleven },
    '9 11 12 13 14 15 16',
  ],
  ['allow no appointment to overlap busy time by even a minute', { busy: [on('10:59', '11:01')] }, '9 12 13 14 15 16'],
  [
    'are counted in steps from opening time, not from the end of busy time',
    { busy: [on('09:00', '09:20')], rules: { slotStepMinutes: 30 }, schedule: hours('09:00-11:00') },
    '9:30 10',
  ],
  [
    'leave a free buffer between busy time and the appointment',
    { busy: tenToEleven, service: { bufferBeforeMinutes: 10 } },
    '9 12 13 14 15 16',
  ],
  [
    'leave a free buffer between the appointment and busy time',
    { busy: tenToEleven, service: { bufferAfterMinutes: 10 } },
    '11 12 13 14 15 16',
  ],
  [
    'include a start whose buffers lie outside the working hours',
    { service: { durationMinutes: 480, bufferBeforeMinutes: 60, bufferAfterMinutes: 60 } },
    '9',
  ],
  [
    'exclude a start whose buffer overlaps busy time, even before opening time',
    { busy: [on('08:30', '09:00')], service: { bufferBeforeMinutes: 10 } },
    '10 11 12 13 14 15 16',
  ],
  ['begin after the minimum notice', { now: '2026-12-01T10:00Z', rules: { minNoticeMinutes: 120 } }, '12 13 14 15 16'],
  [
    'exclude a start that is a second too soon for the minimum notice',
    { now: '2026-12-01T10:00:01Z', rules: { minNoticeMinutes: 120 } },
    '13 14 15 16',
  ],
  [
    'end after the maximum number of days ahead, counted as 24 hours each',
    { now: '2026-11-29T12:00Z', rules: { maxAdvanceDays: 2 } },
    '9 10 11 12',
  ],
  [
    'lie in the requested range, even if the appointment ends after it',
    { schedule: hours('00:00-02:00 22:00-24:00'), service: { durationMinutes: 120 } },
    '0 22 23',
  ],
  [
    'have equal distances in elapsed time when the clock is set forward',
    { ...riga, from: '2026-03-29', schedule: hours('02:30-06:00') },
    '2:30 4:30',
  ],
  ['continue after midnight the slot grid of the evening before', { ...night }, '0:30 1:30 23:30'],
  [
    'continue the slot grid after a date that a time zone skipped',
    {
      ...night,
      zone: 'Pacific/Apia',
      from: '2011-12-31',
      schedule: { weekly: everyDay('00:00-02:00 22:10-24:00'), exceptions: { '2011-12-30': allDay } },
    },
    '0:10 1:10 22:10 23:10',
  ],
  [
    'begin a new slot grid at midnight on a day with two working intervals',
    {
      schedule: {
        weekly: everyDay('22:10-24:00'),
        exceptions: {
          '2026-12-01': [
            { from: '00:00', to: '12:00' },
            { from: '12:00', to: '24:00' },
          ],
        },
      },
      rules: { slotStepMinutes: 720 },
    },
    '0 12',
  ],
  // The clock went from 00:01 on the 7th to 23:01 on the 6th.
  [
    'have no gap when the clock is set back across midnight',
    {
      zone: 'America/St_Johns',
      from: '2010-11-06',
      to: '2010-11-07',
      schedule: hours('00:00-24:00'),
      rules: { slotStepMinutes: 720 },
    },
    '0 12 0 11 23',
  ],
  [
    'include an hour twice when the clock is set back',
    { ...riga, from: '2026-10-25', schedule: hours('02:00-05:00') },
    '2 3 3 4',
  ],
])('The start times offered for booking %s', (_, changes, expected) => expect(times(changes)).toBe(expected));

it('A search for free start times with a slot step of zero minutes is refused, because it would never end', () => {
  const endless = () => times({ rules: { slotStepMinutes: 0 } });
  expect(endless).toThrow(new RangeError('slotStepMinutes must be at least 1'));
});
