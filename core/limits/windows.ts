/**
 * The windows of the limits (docs/rules.md#limits): minutes and days of the UTC clock. A window is a field of the key's
 * item, `m#<minute>` or `d#<day>`, with the number of accepted requests. A new window is a new field, so no counter is
 * ever reset, and containers whose clocks differ count in the right windows.
 */
import { limits } from '../../contract/limits.ts';
import { dayMs, minuteMs, timestamp } from '../clock.ts';

export interface Windows {
  readonly minute: number;
  readonly day: number;
  /** The field names of the current windows. */
  readonly minuteName: string;
  readonly dayName: string;
  /** When they end: epoch milliseconds. */
  readonly minuteEndsMs: number;
  readonly dayEndsMs: number;
}

export function windowsAt(ms: number): Windows {
  const minute = Math.floor(ms / minuteMs);
  const day = Math.floor(ms / dayMs);
  return {
    minute,
    day,
    minuteName: `m#${minute}`,
    dayName: `d#${day}`,
    minuteEndsMs: (minute + 1) * minuteMs,
    dayEndsMs: (day + 1) * dayMs,
  };
}

/**
 * How many windows are kept, the current one included. The previous minute is kept for containers whose clocks are up
 * to one minute late. Days are kept because the owner sees them.
 */
const retention = { m: 2, d: limits.keyUseDays } as const;

/** The counters of the newest minutes that are no longer kept: they are removed without a read. */
export function expiredMinutes({ minute }: Windows): readonly string[] {
  return [minute - retention.m, minute - retention.m - 1].map((one) => `m#${one}`);
}

/** The names of windows in which no container counts any more. */
export function staleNames(names: readonly string[], { minute, day }: Windows): string[] {
  return names.filter((name) => {
    const [kind, number] = name.split('#');
    // Any other name results in NaN, and the comparison is false.
    return Number(number) <= (kind === 'm' ? minute - retention.m : day - retention.d);
  });
}

/** The days that are kept, oldest first: the date, and the name of its window. */
export function keptDays({ day }: Windows): readonly { readonly date: string; readonly name: string }[] {
  return Array.from({ length: retention.d }, (_, i) => {
    const one = day - retention.d + 1 + i;
    return { date: timestamp(one * dayMs).slice(0, 10), name: `d#${one}` };
  });
}
