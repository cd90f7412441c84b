/**
 * Which request is being served, so that what it changes can say so: its id goes with each event that it raises into the
 * outbox, and from there to deliveries, attempts and log lines (docs/rules.md#request-ids).
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const served = new AsyncLocalStorage<string>();

/** What carries the id of the request that caused it. Absent on what was stored before there were such ids. */
export interface Caused {
  readonly requestId?: string;
}

/** Runs what a request asks for. */
export function serving<T>(requestId: string, call: () => T): T {
  return served.run(requestId, call);
}

/** To be spread into what the request makes: nothing outside of a request. */
export function causedByRequest(): Caused {
  return causedBy(served.getStore());
}

export function causedBy(requestId: string | undefined): Caused {
  return requestId === undefined ? {} : { requestId };
}
