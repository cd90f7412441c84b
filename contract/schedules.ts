/** Functions that run by the clock. */
import type { Needs } from './needs.ts';

export interface Schedule {
  readonly summary: string;
  readonly everyMinutes: number;
  readonly timeoutSeconds: number;
  readonly memoryMb: number;
  readonly needs: Needs;
}

/** Keyed by operation: `sweep` is `functions/schedules/sweep.ts`. */
export const schedules = {
  sweep: {
    summary: 'Publishes outbox events again that were not planned within minutes.',
    everyMinutes: 5,
    timeoutSeconds: 60,
    memoryMb: 256,
    needs: { records: ['Query'], publish: true },
  },
  sweepDeliveries: {
    summary:
      'Sends messages again for deliveries that are long overdue: a queue lost them, or a dead-letter queue has them.',
    everyMinutes: 15,
    timeoutSeconds: 600,
    memoryMb: 256,
    needs: { deliveries: ['Query', 'BatchGetItem', 'UpdateItem'], send: ['retries'] },
  },
} as const satisfies Record<string, Schedule>;
