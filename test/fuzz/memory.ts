import { median } from '../../bench/turns.ts';

/** Fewer samples only show how the functions start. */
const samplesToJudge = 8;
/** The allowed factor between the median of the second quarter of a run and that of its last. */
const allowedRise = 1.25;

/**
 * Detects a memory leak from sizes of a process that handles requests. Sizes vary, and containers start and stop with
 * the load, so single samples prove nothing: the median of the last quarter is compared with that of the second.
 */
export function judgeMemory(megabytes: readonly number[]): { readonly grows: boolean; readonly verdict: string } {
  if (megabytes.length < samplesToJudge) return { grows: false, verdict: 'too few samples to judge' };
  const quarter = Math.floor(megabytes.length / 4);
  const [before, after] = [median(megabytes.slice(quarter, 2 * quarter)), median(megabytes.slice(-quarter))];
  const grows = after > before * allowedRise;
  const sizes = `${before} MB in the second quarter of the run, ${after} MB in the last`;
  return { grows, verdict: `${sizes}: ${grows ? 'growing' : 'steady'}` };
}
