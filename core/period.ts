/** The periods of lists and sums. */
import { invalid } from './errors.ts';

/** In epoch milliseconds; the end is excluded. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

interface PeriodQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** The period of a request; without `from` or `to` it has no limit. 400 `validation_failed` if it ends before it begins. */
export function periodOf({ from, to }: PeriodQuery): Period {
  const fromMs = from === undefined ? Number.NEGATIVE_INFINITY : Date.parse(from);
  const toMs = to === undefined ? Number.POSITIVE_INFINITY : Date.parse(to);
  if (toMs < fromMs) throw invalid('to', 'must not be before from');
  return { fromMs, toMs };
}

export function isWithin({ fromMs, toMs }: Period, time: string): boolean {
  const at = Date.parse(time);
  return at >= fromMs && at < toMs;
}
