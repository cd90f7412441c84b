/** Functions that run on a schedule. */
import type { FunctionRow } from './needs.ts';

export interface Schedule extends FunctionRow {
  readonly everyMinutes: number;
}

/** The key is the operation: `sweep` is `functions/schedules/sweep.ts`. */
export const schedules = {
  sweep: {
    summary: 'Publishes events again that are still in the outbox after two minutes.',
    everyMinutes: 5,
    // The function processes a backlog until the next run.
    timeoutSeconds: 290,
    memoryMb: 256,
    needs: { records: ['Query', 'BatchGetItem'], publish: true },
  },
  sweepDeliveries: {
    summary:
      'Sends new messages for overdue deliveries, whose message was lost or is in a dead-letter queue. Counts attempts for statistics. Once a day, raises events for API keys that expire.',
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
