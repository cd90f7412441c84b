/** Verbs that are called at times of the past, in milliseconds since the epoch: each call has a time of its own. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setRuntime } from '../../core/clock.ts';

const moment = new AsyncLocalStorage<{ ms: number }>();

/** From here on `core/` uses this clock, which returns `ms` outside a call with a time of its own. */
export function startClock(ms: number): void {
  setRuntime({ now: () => moment.getStore()?.ms ?? ms });
}

/** Calls the verb at a time. */
export function at<T>(ms: number, verb: () => Promise<T>): Promise<T> {
  return moment.run({ ms }, verb);
}

/** What takes time in the verb that runs. */
export function pass(ms: number): void {
  const running = moment.getStore();
  if (running) running.ms += ms;
}
