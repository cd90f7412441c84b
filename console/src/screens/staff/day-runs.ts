/** Groups consecutive days with the same hours, so that two weeks off are one line. */
import { hashKey } from '@tanstack/react-query';
import { addDays } from '../../format/days.ts';
import type { DayHours } from '../../format/working-hours.ts';

export interface DayRun {
  readonly from: string;
  /** The last day, included. */
  readonly to: string;
  readonly hours: DayHours;
}

/** Returns the groups in the order of the days. */
export function dayRuns(exceptions: Readonly<Record<string, DayHours>>): readonly DayRun[] {
  const runs: DayRun[] = [];
  for (const [day, hours] of Object.entries(exceptions).sort(([one], [other]) => one.localeCompare(other))) {
    const last = runs.at(-1);
    const isNext = last && addDays(last.to, 1) === day && hashKey(last.hours) === hashKey(hours);
    if (isNext) runs[runs.length - 1] = { ...last, to: day };
    else runs.push({ from: day, to: day, hours });
  }
  return runs;
}
