/**
 * The windows of the limits (docs/rules.md#limits): UTC clock minutes and UTC days. A window is an attribute of the
 * key's item, `m#<minute>` or `d#<day>`, with the number of accepted requests in it. A new window is a new attribute,
 * so nothing ever rolls over, and containers whose clocks differ count into the windows they mean.
 */
import { limits } from '../../contract/limits.ts';
import { timestamp } from '../clock.ts';

const minuteMs = 60_000;
const dayMs = 86_400_000;

export interface Windows {
  readonly minute: number;
  readonly day: number;
  /** Attribute names of the current windows. */
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
 * How many windows stay, the current one among them. The previous minute does, because another container's clock may
 * still be in it; that holds for clocks less than one whole window apart. Days stay to be shown.
 */
const kept = { m: 2, d: limits.keyUseDays } as const;

/** Old windows of a key in steady use, removed without having been seen. */
export function neighbours({ minute, day }: Windows): readonly string[] {
  return [minute - kept.m, minute - kept.m - 1]
    .map((one) => `m#${one}`)
    .concat([day - kept.d, day - kept.d - 1].map((one) => `d#${one}`));
}

/** The names among `names` that are windows nobody counts into any more. */
export function staleNames(names: readonly string[], { minute, day }: Windows): string[] {
  return names.filter((name) => {
    const [, kind, number] = /^([md])#(\d+)$/.exec(name) ?? [];
    // Another name has no number, and NaN is at most nothing.
    return Number(number) <= (kind === 'm' ? minute - kept.m : day - kept.d);
  });
}

/** The days that are kept, oldest first: the date, and the name of its window. */
export function keptDays({ day }: Windows): readonly { readonly date: string; readonly name: string }[] {
  return Array.from({ length: kept.d }, (_, i) => {
    const one = day - kept.d + 1 + i;
    return { date: timestamp(one * dayMs).slice(0, 10), name: `d#${one}` };
  });
}
