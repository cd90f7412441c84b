/** Each record of a log is counted once, whenever it is seen, and the mark that says so stays small. */
import { describe, expect, test } from 'vitest';
import { limits } from '../../../../contract/limits.ts';
import { Counter } from '../../../../core/deliveries/statistics/counter.ts';
import {
  type CountedRecord,
  type Hours,
  hourMs,
  noCounts,
  packHours,
  unpackHours,
} from '../../../../core/deliveries/statistics/hours.ts';
import { at, countedRecord, variedHours } from './counted-record.ts';

const hour = at / hourMs;

const record = (id: number, change: Partial<CountedRecord> = {}) => ({ ...countedRecord(change), id });
const pending = { deliveryStatus: 'pending' } as const;

const counterOf = (mark: Partial<ConstructorParameters<typeof Counter>[0]> = {}) =>
  new Counter({ sweptThrough: 0, ...mark });
const successes = (hours: Hours) => [...hours.values()].reduce((sum, one) => sum + one.successes, 0);
const state = (counter: Counter) => [counter.through, counter.waiting, successes(counter.hours)];

/** Hours with one success each, the last of which has just begun. */
const hoursInARow = (count: number): Hours =>
  new Map(
    Array.from({ length: count }, (_, i) => [
      hour - count + 1 + i,
      { ...noCounts(), failures: new Map(), times: new Map(), successes: 1 },
    ]),
  );

describe('a record', () => {
  test.each([
    ['behind the counted ones', { sweptThrough: 2, countedThrough: 4 }, [5, [], 1]],
    ['behind the swept ones where nothing was counted yet', { sweptThrough: 4 }, [5, [], 1]],
    ['that was counted before', { sweptThrough: 2, countedThrough: 5 }, [5, [], 0]],
    ['behind numbers without one, which wait', { sweptThrough: 0, countedThrough: 2 }, [5, [3, 4], 1]],
  ])('Statistics count a record %s once', (_, mark, expected) => {
    const counter = counterOf(mark);
    for (let times = 0; times < 2; times++) counter.see(record(5), false);
    expect(state(counter)).toEqual(expected);
  });

  test('Statistics wait for a record whose attempt is pending, unless it is a ping', () => {
    const counter = counterOf();
    counter.see(record(1, pending), false);
    counter.see(record(2, { ...pending, trigger: 'ping' }), false);
    counter.see(record(4, { ...pending, trigger: 'ping' }), false);
    expect(state(counter)).toEqual([4, [1, 3], 0]);
  });

  test('A record that is too old to be waited for is counted, and no number before it is waited for', () => {
    const counter = counterOf({ countedThrough: 6 });
    counter.see(record(5), true);
    expect(state(counter)).toEqual([6, [], 0]);
    counter.see(record(1_000_000), true);
    expect(state(counter)).toEqual([1_000_000, [], 1]);
  });

  test.each([
    ['that has ended counts', 2, record(2), false, [3], 1],
    ['that has ended counts also when it was given up', 2, record(2), true, [3], 1],
    ['that is pending waits on', 2, record(2, pending), true, [2, 3], 0],
    ['that is not there waits on', 2, undefined, false, [2, 3], 0],
    ['that is not there and given up waits no more', 2, undefined, true, [3], 0],
    ['that did not wait is not counted again', 1, record(1), false, [2, 3], 0],
  ])('In statistics, a record that is looked up again, %s', (_, number, found, isGivenUp, waiting, counted) => {
    const counter = counterOf({ countedThrough: 3, waiting: [2, 3] });
    for (let times = 0; times < 2; times++) counter.lookAgain(number, found, isGivenUp);
    expect(state(counter)).toEqual([3, waiting, counted]);
  });
});

test('A record number that is looked up without being given up is still waited for', () => {
  const counter = counterOf({ waiting: [1] });
  counter.lookAgain(1, undefined);
  expect(counter.waiting).toEqual([1]);
});

test('Statistics wait for at most three hundred records', () => {
  const counter = counterOf();
  for (let id = 1; id <= 299; id++) counter.see(record(id, pending), false);
  expect(counter.isFull).toBe(false);
  for (let id = 300; id <= 302; id++) counter.see(record(id, pending), false);
  expect([counter.isFull, counter.through, counter.waiting.length]).toEqual([true, 300, 300]);
  counter.lookAgain(7, record(7));
  counter.see(record(301), false);
  expect([counter.isFull, counter.through, successes(counter.hours)]).toEqual([false, 301, 2]);
});

test.each<[string, boolean, (counter: Counter) => void]>([
  ['nothing was seen', false, () => {}],
  ['one that waits still waits', false, (counter) => counter.lookAgain(2, record(2, pending))],
  ['one that waited has ended', true, (counter) => counter.lookAgain(2, record(2))],
  ['another record was counted', true, (counter) => counter.see(record(4), false)],
])('When %s, the checkpoint of statistics must be written again: %s', (_, hasMoved, happens) => {
  const counter = counterOf({ countedThrough: 3, waiting: [2] });
  happens(counter);
  expect(counter.hasMoved).toBe(hasMoved);
});

test('The first checkpoint of statistics is written even if no record is waited for', () => {
  expect(counterOf({ countedThrough: 3 }).hasMoved).toBe(false);
  expect(counterOf().hasMoved).toBe(true);
});

describe('the next mark', () => {
  test('A checkpoint contains how far was counted, which records are waited for, and all hours', () => {
    const counter = counterOf({ countedThrough: 1, waiting: [1], hours: packHours(hoursInARow(2)) });
    counter.see(record(3), false);
    const { mark, segment } = counter.next(at);
    expect(mark).toEqual({ countedThrough: 3, waiting: [1, 2], countedAt: at, hours: expect.any(Uint8Array) });
    expect([...unpackHours(mark.hours)].map(([hour, one]) => [hour, one.successes])).toEqual([
      [hour - 1, 1],
      [hour, 2],
    ]);
    expect(segment).toBeUndefined();
  });

  test('A checkpoint is always later than the one before, even if the clock goes back', () => {
    expect(counterOf({ countedAt: at }).next(at - 5).mark.countedAt).toBe(at + 1);
    expect(counterOf({ countedAt: at }).next(at + 5).mark.countedAt).toBe(at + 5);
  });

  test.each([
    ['in the hour', at],
    ['between hours', at + hourMs / 2],
  ])('A checkpoint leaves out hours older than any period that can be requested, %s', (_, now) => {
    const oldest = hour - limits.webhookStatisticsDays * 24;
    const both = new Map([...hoursInARow(1)].flatMap(([, one]) => [oldest - 1, oldest].map((old) => [old, one])));
    const { mark } = counterOf({ hours: packHours(both as Hours) }).next(now);
    expect([...unpackHours(mark.hours).keys()]).toEqual([oldest]);
  });

  test('The next checkpoint keeps hours that have room in it, and moves more hours into a segment', () => {
    let count = 1;
    while (packHours(variedHours(count + 1)).length <= 700) count += 1;
    const fitting = packHours(variedHours(count));
    const full = packHours(variedHours(count + 1));
    expect(counterOf({ hours: fitting }).next(at)).toMatchObject({ mark: { hours: fitting } });
    expect(counterOf({ hours: fitting }).next(at).segment).toBeUndefined();
    const { mark, segment } = counterOf({ hours: full }).next(at);
    expect([mark.hours, segment]).toEqual([packHours(new Map()), full]);
  });

  test('A checkpoint keeps all hours if there was no segment before', () => {
    const counter = counterOf();
    for (let id = 1; id <= 200; id++) counter.see(record(id, { sentAt: at - id * hourMs }), false);
    const { mark, segment } = counter.next(at);
    expect([unpackHours(mark.hours).size, segment]).toEqual([200, undefined]);
  });
});
