/** Rules of the slot grid that `oracle.test.ts` seldom or never meets. */
import { expect, it } from 'vitest';
import { freeStarts, type StartRules } from '../../../core/availability/free-starts.ts';
import { datesToEpoch, isoOf, zoneOf } from '../../../core/availability/zone.ts';
import type { WorkSchedule } from '../../../core/catalog/items.ts';
import { everyDay } from '../../support/always-open.ts';

const hours = (text: string): WorkSchedule => ({ weekly: everyDay(text), exceptions: {} });

interface Changes {
  readonly durationMinutes?: number;
  readonly zone?: string;
  readonly from?: string;
  readonly to?: string;
  readonly schedule?: WorkSchedule;
  readonly rules?: Partial<StartRules>;
  readonly now?: string;
}

/** The local times of the starts: `9` is 09:00. */
function times({ zone = 'UTC', from = '2026-12-01', to = from, ...changes }: Changes): string {
  const starts = freeStarts({
    service: { durationMinutes: changes.durationMinutes ?? 60, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 },
    rules: { slotStepMinutes: 60, minNoticeMinutes: 0, maxAdvanceDays: 365, ...changes.rules },
    timeZone: zone,
    schedule: changes.schedule ?? hours('09:00-17:00'),
    busy: [],
    now: changes.now ? Date.parse(changes.now) : Date.parse(from) - 7 * 86_400_000,
    range: datesToEpoch(zoneOf(zone), from, to),
  });
  const clocks = starts.map((start) => isoOf(zoneOf(zone), start).slice(11, 16));
  return clocks.map((clock) => clock.replace(/^0/, '').replace(':00', '')).join(' ');
}

const riga = { zone: 'Europe/Riga' };
const allDay = [{ from: '00:00', to: '24:00' }];
const night = { durationMinutes: 30, schedule: hours('00:00-02:00 23:30-24:00') };

it.each<[string, Changes, string]>([
  [
    'exclude a time that is a second too soon for the minimum notice',
    { now: '2026-12-01T10:00:01Z', rules: { minNoticeMinutes: 120 } },
    '13 14 15 16',
  ],
  [
    'end with the maximum advance, whose days are counted as 24 hours each',
    { now: '2026-11-29T12:00Z', rules: { maxAdvanceDays: 2 } },
    '9 10 11 12',
  ],
  [
    'have equal distances in elapsed time when clocks are set forward',
    { ...riga, from: '2026-03-29', schedule: hours('02:30-06:00') },
    '2:30 4:30',
  ],
  ['keep their distance across midnight if the working hours continue', { ...night }, '0:30 1:30 23:30'],
  [
    'keep their distance across a date that the time zone skipped',
    {
      ...night,
      zone: 'Pacific/Apia',
      from: '2011-12-31',
      schedule: { weekly: everyDay('00:00-02:00 22:10-24:00'), exceptions: { '2011-12-30': allDay } },
    },
    '0:10 1:10 22:10 23:10',
  ],
  [
    'start again at midnight on a day with two working intervals',
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
    'have no gap when clocks are set back across midnight',
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
    'include an hour twice when clocks are set back',
    { ...riga, from: '2026-10-25', schedule: hours('02:00-05:00') },
    '2 3 3 4',
  ],
])('Start times for booking obey all rules: they %s', (_, changes, expected) => expect(times(changes)).toBe(expected));

it('A search for free start times with a slot step of zero minutes is refused, because it would never end', () => {
  const endless = () => times({ rules: { slotStepMinutes: 0 } });
  expect(endless).toThrow(new RangeError('slotStepMinutes must be at least 1'));
});
