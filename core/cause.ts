/**
 * The id of the request that is being handled. Each event that the request raises contains it, and so do deliveries,
 * attempts and log lines (docs/rules.md#request-ids).
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const served = new AsyncLocalStorage<string>();

/** The id of the request that caused an item. Absent in items that were stored before this field existed. */
export interface Caused {
  readonly requestId?: string;
}

/** Runs the handling of a request, during which its id is known. */
export function runWithRequestId<T>(requestId: string, call: () => T): T {
  return served.run(requestId, call);
}

/** The field to add to items that the request creates; empty outside a request. */
export function causedByRequest(): Caused {
  return causedBy(served.getStore());
}

export function causedBy(requestId: string | undefined): Caused {
  return requestId === undefined ? {} : { requestId };
}
