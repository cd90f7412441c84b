/**
 * Until when a call may write. An endpoint that runs out of time, or a consumer that reports late messages, responds
 * before its work is done. The work continues in the container, at once or hours later with the next call. A write at
 * that time would contradict the response. So a caller that may respond early sets a time, and no write begins after
 * this time (`clients.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { now } from './clock.ts';
import { fail } from './errors.ts';

/** The time-out of one request to an AWS service: three attempts fit into the ten seconds of an endpoint. */
export const requestTimeoutMs = 3_000;

/** A request to an AWS service that begins this long before the response has ended when the response is sent. */
export const writeReserveMs = requestTimeoutMs + 200;

const ends = new AsyncLocalStorage<number>();

/** Runs a call that may write until `endMs`, in epoch milliseconds. A call without an end may always write. */
export function writingUntil<T>(endMs: number, call: () => T): T {
  return ends.run(endMs, call);
}

/** How long the current call may still write, in milliseconds. */
export function timeLeftMs(): number {
  return (ends.getStore() ?? Number.POSITIVE_INFINITY) - now();
}

/** Whether the current call may no longer write. */
export function isTimeUp(): boolean {
  return timeLeftMs() <= 0;
}

/** 503 `temporarily_unavailable` when the time is over. */
export function assertTimeLeft(): void {
  if (isTimeUp()) {
    throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error('The time limit for writes has passed') });
  }
}
