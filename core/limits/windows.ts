/**
 * The windows of the limits (docs/rules.md#limits): UTC clock minutes and UTC days. A window is an attribute of the
 * key's item, `m#<minute>` or `d#<day>`, with the number of accepted requests in it. A new window is a new attribute,
 * so nothing ever rolls over, and containers whose clocks differ count into the windows they mean.
 */
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
 * Old windows of a key in steady use, removed without having been seen. The previous window stays: another container's
 * clock may still be in it. That holds for clocks less than one whole window apart.
 */
export function neighbours({ minute, day }: Windows): readonly string[] {
  return [`m#${minute - 2}`, `m#${minute - 3}`, `d#${day - 2}`, `d#${day - 3}`];
}

/** The names among `names` that are windows nobody counts into any more. */
export function staleNames(names: readonly string[], { minute, day }: Windows): string[] {
  return names.filter((name) => {
    const [, kind, number] = /^([md])#(\d+)$/.exec(name) ?? [];
    if (kind === undefined) return false;
    return Number(number) <= (kind === 'm' ? minute : day) - 2;
  });
}
