/** Parsing and formatting of money, durations and days. */
import { expect, test } from 'vitest';
import { Wording } from '../../client/src/element/wording.ts';
import type { Service } from '../../client/src/generated/types.ts';
import { addDays, endOfDay, readDay, startOfDay } from '../../console/src/format/days.ts';
import { minutes } from '../../console/src/format/durations.ts';
import { amountProblem, money, readMoney, typedMoney } from '../../console/src/format/money.ts';
import { phoneProblem } from '../../console/src/format/phone.ts';
import { readTime } from '../../console/src/format/time-of-day.ts';
import { existingInstantOf, instantAt, isSkipped, periodLabel, timeLabel } from '../../console/src/format/zone.ts';

test.each([
  ['45', 'EUR', 4_500],
  ['45.5', 'EUR', 4_550],
  ['45,50', 'EUR', 4_550],
  [' 1 250,50 ', 'EUR', 125_050],
  ['1.250,50', 'EUR', 125_050],
  ['1,250.50', 'EUR', 125_050],
  ['1,234,567', 'EUR', 123_456_700],
  ['1250', 'JPY', 1_250],
  ['1,250', 'JPY', 1_250],
  ['1.250', 'KWD', 1_250],
  ['0.29', 'USD', 29],
  ['0,125', 'KWD', 125],
  ['0.125', 'KWD', 125],
  ['45.50', 'HUF', 4_550],
  ['45,50', 'RSD', 4_550],
  ['1.250', 'IQD', 1_250],
  ['12.3456', 'CLF', 123_456],
  ['1.250', 'CLF', 12_500],
] as const)('The console reads the typed amount “%s” in %s as %d minor units', (text, currency, amount) => {
  expect(readMoney(text, currency)).toBe(amount);
  expect(readMoney(typedMoney({ amount, currency }), currency)).toBe(amount);
});

test.each([
  ['12.3456', 'USD'],
  ['12,345', 'EUR'],
  ['12.345', 'EUR'],
  ['1,250', 'KWD'],
  ['1,250', 'CLF'],
  ['12.5', 'JPY'],
  ['0.300', 'EUR'],
  ['0,125', 'JPY'],
  ['-5', 'EUR'],
  ['five', 'EUR'],
  ['1,25,50', 'EUR'],
  ['1.234,567', 'EUR'],
] as const)('The console refuses the typed amount “%s” in %s, and guesses no similar amount', (text, currency) => {
  expect(readMoney(text, currency)).toBeNaN();
});

test.each([
  ['HUF', 'HUF 45.00'],
  ['PKR', 'PKR 45.00'],
  ['IQD', 'IQD 4.500'],
  ['JPY', '¥4,500'],
])(
  'The console and the <booking-slots> element show 4500 minor units of %s as %s, whatever decimals the browser uses',
  (currency, shown) => {
    const plain = (text: string) => text.replace('\u00a0', ' ');
    expect(plain(money({ amount: 4_500, currency }))).toBe(shown);
    const page = { closest: () => ({ lang: 'en' }) } as unknown as HTMLElement;
    const service = { durationMinutes: 45, price: { amount: 4_500, currency } } as Service;
    expect(plain(new Wording(page, (name) => name).cost([service]))).toBe(`45 min · ${shown}`);
  },
);

test('The console reads an empty amount field as no amount, not as zero', () => {
  expect(readMoney('  ', 'EUR')).toBeUndefined();
});

test.each([
  [0, '0 min'],
  [45, '45 min'],
  [90, '1 hr 30 min'],
  [1_500, '1 day 1 hr'],
])('The console shows a duration of %d minutes as “%s”', (length, words) => {
  expect(minutes(length)).toBe(words);
});

test.each([
  ['2026-11-24', '2026-11-24'],
  ['24 Nov 2026', '2026-11-24'],
  ['24 november 2026', '2026-11-24'],
  ['4.3.2026', '2026-03-04'],
  ['24/11/2026', '2026-11-24'],
  ['24 Nov', '2026-11-24'],
  ['4.3.', '2027-03-04'],
])('The console reads the typed date “%s” as %s', (text, day) => {
  expect(readDay(text, '2026-11-29')).toBe(day);
});

test.each([
  ['31 Feb 2026', '31 Feb 2026'],
  ['11/24/2026', '11/24/2026'],
  ['31 Feb', '31 Feb'],
  ['that is empty', ''],
])('The console refuses a typed date %s', (_, text) => {
  expect(readDay(text, '2026-11-29')).toBeUndefined();
});

test.each([
  ['9', '09:00'],
  ['930', '09:30'],
  ['14.05', '14:05'],
  ['00:00', '00:00'],
])('The console reads the typed time “%s” as %s', (text, time) => {
  expect(readTime(text)).toBe(time);
});

test.each(['24:00', '9:75', 'noon'])('The console refuses the typed time “%s”', (text) => {
  expect(readTime(text)).toBeUndefined();
});

test('A day in the console starts and ends at midnight in the time zone of the business, even when the clocks change', () => {
  expect(startOfDay('2026-03-29', 'Europe/Riga')).toBe('2026-03-28T22:00:00.000Z');
  expect(endOfDay('2026-03-29', 'Europe/Riga')).toBe('2026-03-29T20:59:59.000Z');
  expect(addDays('2026-12-30', 3)).toBe('2027-01-02');
});

test.each([
  ['2026-09-06', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00:00.000Z'],
  ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00:00.000Z'],
])('If a clock change skips midnight on %s in %s, the day in the console starts at %s', (day, zone, start) => {
  expect(startOfDay(day, zone)).toBe(start);
});

test.each([
  ['2026-03-28', '2026-03-29T00:59:59.000Z'],
  ['2026-10-24', '2026-10-25T01:59:59.000Z'],
])('On %s, when the clocks of America/Nuuk change before midnight, the day in the console ends at %s', (day, end) => {
  expect(endOfDay(day, 'America/Nuuk')).toBe(end);
});

test('A booking cannot begin at a local time that the clocks skip in spring, but can begin just before or after it', () => {
  const at = (time: string) => existingInstantOf(`2027-03-28 ${time}:00`, 'Europe/Riga');
  expect(at('02:59')).toBe('2027-03-28T00:59:00.000Z');
  expect([at('03:00'), at('03:30'), at('03:59')]).toEqual([undefined, undefined, undefined]);
  expect(at('04:00')).toBe('2027-03-28T01:00:00.000Z');
});

test.each([
  ['03:00', '04:00', 'does not exist'],
  ['03:15', '03:45', 'does not exist'],
  ['02:59', '04:00', 'exists'],
  ['03:30', '04:01', 'exists'],
  ['22:00', '24:00', 'exists'],
  ['3', '04:00', 'exists'],
])('On the day when summer time begins in Riga at 03:00, the period %s–%s %s', (from, to, claim) => {
  expect(isSkipped('2027-03-28', from, to, 'Europe/Riga')).toBe(claim === 'does not exist');
  expect(isSkipped('2027-03-27', from, to, 'Europe/Riga')).toBe(false);
});

test('If the start or end of a period occurs twice because the clocks go back, the console shows a UTC offset after that time', () => {
  const period = (start: string, end: string) =>
    periodLabel(`2026-10-25T${start}:00Z`, `2026-10-25T${end}:00Z`, 'Europe/Riga');
  expect(period('00:45', '01:30')).toBe('03:45 (UTC+03:00)–03:30 (UTC+02:00)');
  expect(period('00:45', '02:30')).toBe('03:45 (UTC+03:00)–04:30');
  expect(period('02:45', '03:30')).toBe('04:45–05:30');
});

test('The console shows UTC offsets to distinguish two start times at 03:30, before and after the clocks go back', () => {
  const zone = 'Europe/Riga';
  const starts = [
    '2026-10-24T23:30:00.000Z',
    '2026-10-25T00:30:00.000Z',
    '2026-10-25T01:30:00.000Z',
    '2026-10-25T02:30:00.000Z',
  ];
  const labels = starts.map((start) => timeLabel(start, zone));
  expect(labels).toEqual(['02:30', '03:30 (UTC+03:00)', '03:30 (UTC+02:00)', '04:30']);
  expect(labels.map((label) => instantAt('2026-10-25', label, zone))).toEqual(starts);
  expect(['noon', '3 (UTC+25:00)'].map((text) => instantAt('2026-10-25', text, zone))).toEqual([undefined, undefined]);
});

test('The console ignores the UTC offset in the typed time “03:30 (UTC+02:00)” on a day when the clocks do not change', () => {
  const instants = ['+03:00', '+02:00'].map((offset) => instantAt('2026-10-26', `03:30 (UTC${offset})`, 'Europe/Riga'));
  expect(instants).toEqual(['2026-10-26T01:30:00.000Z', '2026-10-26T01:30:00.000Z']);
});

test('The error for a missing amount shows an example with the decimals of the currency, and the amount zero has a different error', () => {
  expect(amountProblem(undefined, 'EUR')).toBe('Enter an amount without a thousands separator, such as 1250.50');
  expect(amountProblem(Number.NaN, 'JPY')).toBe('Enter an amount without a thousands separator, such as 125050');
  expect(amountProblem(0, 'EUR')).toBe('Enter an amount above zero');
  expect(amountProblem(1, 'EUR')).toBeUndefined();
});

test.each(['+371 2000 0000', '00371 2000-0000', '(+44) 20 7946 0958', '+1 415.555.2671', ' +37120000000 ', ''])(
  'The console accepts the phone number “%s”, which has a country code or is empty',
  (phone) => {
    expect(phoneProblem(phone)).toBeUndefined();
  },
);

test.each(['2000 0000', '020 7946 0958', '0171 20000', '+0371 20000000', '+371', '+1234567890123456', 'call me', '+'])(
  'The console refuses the phone number “%s”, which is malformed or lacks its country code',
  (phone) => {
    expect(phoneProblem(phone)).toBe('Enter the number with its country code, such as +371 2000 0000');
  },
);

test('An owner can save other fields of a client whose stored phone number lacks its country code', () => {
  expect(phoneProblem('20000000', '20000000')).toBeUndefined();
  expect(phoneProblem('20000001', '20000000')).toBeDefined();
});
