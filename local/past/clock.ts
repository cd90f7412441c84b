/** Calls functions at times of the past, in milliseconds since the epoch: each call has its own time. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setRuntime } from '../../core/clock.ts';

const moment = new AsyncLocalStorage<{ ms: number }>();

/** Makes `core/` use this clock, which returns `ms` outside a call with its own time. */
export function startClock(ms: number): void {
  setRuntime({ now: () => moment.getStore()?.ms ?? ms });
}

/** Calls the function at a time. */
export function at<T>(ms: number, verb: () => Promise<T>): Promise<T> {
  return moment.run({ ms }, verb);
}

/** Advances the time of the current function. */
export function pass(ms: number): void {
  const running = moment.getStore();
  if (running) running.ms += ms;
}
