/**
 * How long a call may still write. A function that answers before it is done (an endpoint that runs out of time, a
 * consumer that reports what is late) goes on in its container, at once or when the next call thaws it hours later. What
 * it writes then contradicts its answer. So a caller that may answer early says until when the call may write, and no write
 * begins after that (`clients.ts`).
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { now } from './clock.ts';
import { fail } from './errors.ts';

/** Of one request to a service of AWS: three attempts fit into the ten seconds of an endpoint. */
export const requestTimeoutMs = 3_000;

/** What is begun this long before an answer has ended by then, one way or another. */
export const writeReserveMs = requestTimeoutMs + 200;

const ends = new AsyncLocalStorage<number>();

/** Runs a call that may write until `endMs`, in epoch milliseconds. A call without an end may always write. */
export function writingUntil<T>(endMs: number, call: () => T): T {
  return ends.run(endMs, call);
}

/** For so long the call that asks may still write, in milliseconds. */
export function timeLeftMs(): number {
  return (ends.getStore() ?? Number.POSITIVE_INFINITY) - now();
}

/** Whether the call that asks may no longer write. */
export function isTimeUp(): boolean {
  return timeLeftMs() <= 0;
}

/** 503 `temporarily_unavailable` once the time is up. */
export function assertTimeLeft(): void {
  if (isTimeUp()) {
    throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error('The time to write is up') });
  }
}
