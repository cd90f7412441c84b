/**
 * Windows of the clock: all notices for an address within one window are one email (docs/rules.md#notices). All
 * functions compute the same windows, so they agree on the email without communicating.
 */
import { limits } from '../../contract/limits.ts';
import { env } from '../env.ts';

const windowMs = () => (limits.noticeWindowSeconds * 1_000) / env.timeScale();
const settleMs = () => (limits.noticeSettleSeconds * 1_000) / env.timeScale();

/** The number of the window of a moment in epoch milliseconds. */
export function windowAt(at: number): number {
  return Math.floor(at / windowMs());
}

/** How long a message waits for the end of a window, so that the last notice of the window is stored, too. */
export function secondsToEnd(window: number, at: number): number {
  const endMs = (window + 1) * windowMs() + settleMs();
  return Math.max(0, Math.ceil((endMs - at) / 1_000));
}

/** The window that began a day before this window. */
export function dayBefore(window: number): number {
  return window - Math.floor(86_400_000 / windowMs());
}
