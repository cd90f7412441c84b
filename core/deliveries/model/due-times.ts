/** The times of attempts (docs/rules.md#retries), in epoch milliseconds. Pure. */
import { limits } from '../../../contract/limits.ts';

/** The time from the end of each attempt to the next one, in milliseconds. */
export function retryDelaysMs(timeScale: number): readonly number[] {
  return limits.retryDelaysSeconds.map((seconds) => Math.ceil((seconds * 1_000) / timeScale));
}

/** When the next attempt is due, if `attempt` ended at `endedAt`; nothing after the last attempt. */
export function nextDueAt(attempt: number, endedAt: number, timeScale: number): number | undefined {
  const delayMs = retryDelaysMs(timeScale)[attempt - 1];
  return delayMs === undefined ? undefined : endedAt + delayMs;
}

/**
 * `DelaySeconds` of a message that is due at `dueAt`. Rounded up, so that it never arrives early, and at most the
 * maximum of Amazon SQS, so a message with a longer delay is sent several times.
 */
export function delaySecondsUntil(dueAt: number, now: number): number {
  return Math.min(limits.queueDelaySecondsMax, Math.max(0, Math.ceil((dueAt - now) / 1_000)));
}

/** The shortest wait after a platform fault. */
const faultPauseSeconds = 30;
/** After a day of platform faults the message goes to the dead-letter queue, which raises an alarm. */
const faultsEndAfterMs = 24 * 3_600_000;

/**
 * `DelaySeconds` until the next try of an attempt that a platform fault prevented; undefined after a day of such
 * faults. The delay equals the time by which the attempt is late, so it doubles from half a minute up to the maximum of
 * a queue.
 */
export function faultPauseSecondsAfter(dueAt: number, now: number): number | undefined {
  const overdueMs = now - dueAt;
  if (overdueMs > faultsEndAfterMs) return undefined;
  return Math.min(limits.queueDelaySecondsMax, Math.max(faultPauseSeconds, Math.ceil(overdueMs / 1_000)));
}
