/** Functions fed by a table's stream. */
import type { FunctionRow, Store } from './needs.ts';

export interface Stream extends FunctionRow {
  readonly store: Store;
  /** Only inserts whose partition key starts with this reach the function. */
  readonly partitionKeyPrefix: string;
  readonly batchSize: number;
}

/** The key is the operation: `relayEvents` is `functions/streams/relay-events.ts`. */
export const streams = {
  relayEvents: {
    store: 'records',
    summary: 'Outbox events to the event bus.',
    partitionKeyPrefix: 'OUTBOX#',
    // After an outage thousands of records are skipped, because the function `sweep` handles them by then.
    batchSize: 1_000,
    timeoutSeconds: 30,
    memoryMb: 256,
    needs: { publish: true },
  },
} as const satisfies Record<string, Stream>;
