/** The week that a day is in, from Monday on. */
import { addDays } from '../../format/days.ts';

export interface Week {
  readonly from: string;
  /** The last day. */
  readonly to: string;
}

/** Of a calendar day, `2026-11-24`. */
export function weekOf(day: string): Week {
  const sinceMonday = (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
  const from = addDays(day, -sinceMonday);
  return { from, to: addDays(from, 6) };
}
