import { expect, test } from 'vitest';
import { keptDays, neighbours, staleNames, windowsAt } from '../../../core/limits/windows.ts';

test('Limits are counted by UTC clock minutes and UTC days, without gaps between them', () => {
  const windows = windowsAt(Date.parse('2026-12-01T23:59:59.999Z'));
  expect(new Date(windows.minuteEndsMs).toISOString()).toBe('2026-12-02T00:00:00.000Z');
  expect(windows.dayEndsMs).toBe(windows.minuteEndsMs);
  expect(windowsAt(windows.minuteEndsMs)).toMatchObject({ minute: windows.minute + 1, day: windows.day + 1 });
});

test('A caller in steady use keeps counters of two minutes and thirty days, and no older ones', () => {
  const begin = Date.parse('2026-12-01T00:00:00Z');
  const kept = new Set<string>();
  for (let minute = 0; minute < 40 * 1_440; minute++) {
    const windows = windowsAt(begin + minute * 60_000);
    for (const name of neighbours(windows)) kept.delete(name);
    kept.add(windows.minuteName).add(windows.dayName);
  }
  const last = windowsAt(begin + 40 * 1_440 * 60_000 - 1);
  const days = [...kept].filter((name) => name.startsWith('d'));
  expect(kept.size - days.length).toBe(2);
  expect(days.sort()).toEqual(keptDays(last).map(({ name }) => name));
  expect(keptDays(last).map(({ date }) => date)).toEqual(
    Array.from({ length: 30 }, (_, i) => new Date(begin + (10 + i) * 86_400_000).toISOString().slice(0, 10)),
  );
});

test('Counters of the current, the previous and later minutes and days are never removed', () => {
  const windows = windowsAt(Date.parse('2026-12-01T12:00:00Z'));
  const { minute, day } = windows;
  const kept = [-1, 0, 1].flatMap((n) => [`m#${minute + n}`, `d#${day + n}`]);
  expect(neighbours(windows).filter((name) => kept.includes(name))).toEqual([]);
  expect(staleNames([...kept, 'pk', 'm#', 'm#x', 'xm#1', 'd#1x', 'status'], windows)).toEqual([]);
  expect(staleNames([`m#${minute - 2}`, `d#${day - 2}`, `d#${day - 30}`, 'm#1'], windows)).toHaveLength(3);
});
