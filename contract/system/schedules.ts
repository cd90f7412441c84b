/** Functions that run on a schedule. */
import type { FunctionRow } from './needs.ts';

export interface Schedule extends FunctionRow {
  readonly everyMinutes: number;
}

/** The key is the operation: `sweep` is `functions/schedules/sweep.ts`. */
export const schedules = {
  sweep: {
    summary: 'Republishes outbox events that nobody planned within minutes.',
    everyMinutes: 5,
    // The function processes a backlog until the next run.
    timeoutSeconds: 290,
    memoryMb: 256,
    needs: { records: ['Query', 'BatchGetItem'], publish: true },
  },
  sweepDeliveries: {
    summary:
      'Queues overdue deliveries again: their message was lost, or it is in a dead-letter queue. Counts attempts for statistics. Once a day, tells of API keys that expire.',
    everyMinutes: 15,
    timeoutSeconds: 600,
    memoryMb: 256,
    needs: {
      deliveries: ['Query', 'BatchGetItem', 'UpdateItem', 'PutItem'],
      // It reads API keys and the outbox.
      records: ['GetItem', 'BatchGetItem', 'Query', 'PutItem'],
      send: ['retries'],
    },
  },
} as const satisfies Record<string, Schedule>;
