/** Formats instants in the time zone of the business, and relative to now. */
import { useMemo } from 'react';
import { useTimeZone } from '../app/business.tsx';
import { strings } from '../strings/strings.ts';
import { useNow } from './clock.ts';
import { dateFormat, numberFormat, relativeFormat } from './formats.ts';
import { locales } from './language.ts';

export interface Times {
  /** The IANA name of the time zone. */
  readonly zone: string;
  /** Formats a date: `Tue, 24 Nov 2026`. */
  date(instant: string | number): string;
  /** Formats a date without its weekday: `24 Nov 2026`. */
  calendarDate(instant: string | number): string;
  /** Formats a time: `14:30`. */
  time(instant: string | number): string;
  /** Formats date and time: `24 Nov 2026, 14:30`. */
  dateTime(instant: string | number): string;
  /** Formats date and time with the weekday: `Tue, 24 Nov 2026, 14:30`. */
  when(instant: string | number): string;
  /** Formats a time of the last year with seconds: `24 Nov, 14:30:05`. */
  exact(instant: string | number): string;
  /** Returns the calendar day in the zone: `2026-11-24`. */
  day(instant: string | number): string;
}

/** Returns formats in the time zone of the business. */
export function useTimes(): Times {
  const zone = useTimeZone();
  return useMemo(() => timesIn(zone), [zone]);
}

export function timesIn(zone: string): Times {
  const as =
    (options: Intl.DateTimeFormatOptions, locale: string = locales().dates) =>
    (instant: string | number) =>
      dateFormat(locale, { timeZone: zone, ...options }).format(new Date(instant));
  const { day } = locales();
  const clock = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  const [date, time] = [as({ weekday: 'short', ...day }), as(clock)];
  return {
    zone,
    date,
    calendarDate: as(day),
    time,
    dateTime: as({ ...day, ...clock }),
    when: (instant) => `${date(instant)}, ${time(instant)}`,
    exact: as({ day: 'numeric', month: 'short', ...clock, second: '2-digit' }),
    day: as({ year: 'numeric', month: '2-digit', day: '2-digit' }, 'sv-SE'),
  };
}

const steps = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const;

/** Returns today in the time zone of the business: `2026-11-24`. */
export function useToday(): string {
  return useTimes().day(useNow());
}

/** Returns `ago` for rendering: the text follows the clock. */
export function useAgo(): (instant: string | number) => string {
  const now = useNow();
  return (instant) => ago(instant, now);
}

/** Formats a distance to now: `3 hours ago`, `in 2 days`, `just now`. */
export function ago(instant: string | number, now: number): string {
  const distance = new Date(instant).getTime() - now;
  const [unit, size] = steps.find(([, ms]) => Math.abs(distance) >= ms) ?? [];
  return unit ? relativeFormat().format(Math.trunc(distance / size), unit) : strings.app.justNow;
}

/** Formats the calendar day `2026-11-24` as `24 Nov`. */
export function shortDay(day: string): string {
  return dateFormat(locales().dates, { timeZone: 'UTC', day: 'numeric', month: 'short' }).format(new Date(day));
}

/** Formats the calendar day `2026-11-24` as `Tue 24`. */
export function shortWeekday(day: string): string {
  return dateFormat(locales().dates, { timeZone: 'UTC', weekday: 'short', day: 'numeric' }).format(new Date(day));
}

/** Formats a duration: `850 ms`, `2.4 s`. */
export function milliseconds(ms: number): string {
  return ms < 1_000
    ? `${ms} ms`
    : `${numberFormat({ minimumFractionDigits: 1, maximumFractionDigits: 1 }).format(ms / 1_000)} s`;
}

/** Formats the calendar day `2026-11-24` as `Tue, 24 Nov 2026`. */
export function wholeDay(day: string): string {
  return timesIn('UTC').date(day);
}
