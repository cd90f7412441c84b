/** When attempts happen (docs/rules.md#retries). Takes and returns epoch milliseconds; knows no clock. */
import { limits } from '../../../contract/limits.ts';

/** When the attempt after `attempt` is due, counted from the end of `attempt`; nothing after the last one. */
export function nextDueAt(attempt: number, endedAt: number, timeScale: number): number | undefined {
  const seconds: number | undefined = limits.retryDelaysSeconds[attempt - 1];
  return seconds === undefined ? undefined : endedAt + Math.ceil((seconds * 1_000) / timeScale);
}

/**
 * `DelaySeconds` of a message that waits for `dueAt`. Rounded up, so that it never arrives early, and never above what
 * Amazon SQS accepts, so that a longer wait is a chain of delayed messages.
 */
export function delaySecondsUntil(dueAt: number, now: number): number {
  return Math.min(limits.queueDelaySecondsMax, Math.max(0, Math.ceil((dueAt - now) / 1_000)));
}

/** The first wait after a platform fault. */
const faultPauseSeconds = 30;
/** After a day of platform faults the message goes to the dead-letter queue, which rings an alarm. */
const faultsEndAfterMs = 24 * 3_600_000;

/**
 * `DelaySeconds` until an attempt that failed by a platform fault is made again, or nothing when it failed so for a day.
 * The wait is as long as the attempt is overdue, and so doubles from half a minute up to the longest delay of a queue.
 */
export function faultPauseSecondsAfter(dueAt: number, now: number): number | undefined {
  const overdueMs = now - dueAt;
  if (overdueMs > faultsEndAfterMs) return undefined;
  return Math.min(limits.queueDelaySecondsMax, Math.max(faultPauseSeconds, Math.ceil(overdueMs / 1_000)));
}
