/**
 * The metrics that functions emit in embedded metric format: one log line becomes the metrics that it names. Alarms and
 * dashboard use these names. None has a dimension: a stage has its own namespace, in the variable `METRICS_NAMESPACE`
 * of every function, and ids are properties of the line.
 */
export interface MetricRow {
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds';
  readonly description: string;
  /** The functions that emit it, as files of `functions/`. */
  readonly emittedBy: readonly string[];
  /** Whether each run emits it, including 0: missing data then mean that no run takes place. */
  readonly everyRun?: true;
}

const sweep = ['schedules/sweep'];
const deliver = ['queues/deliver-webhook'];

export const metrics = {
  OldestOutboxEvent: {
    unit: 'Seconds',
    description: 'Age of the oldest event that waits in the outbox for more than two minutes; 0 if there is none.',
    emittedBy: sweep,
    everyRun: true,
  },
  OutboxEventsOverdue: {
    unit: 'Count',
    description:
      'Events that the function sweep published again, because they were in the outbox for more than two minutes.',
    emittedBy: sweep,
    everyRun: true,
  },
  DeliveriesOverdue: {
    unit: 'Count',
    description: 'Overdue deliveries that the function sweep-deliveries sent again.',
    emittedBy: ['schedules/sweep-deliveries'],
    everyRun: true,
  },
  SweepLag: {
    unit: 'Seconds',
    description:
      'How far the function sweep-deliveries is behind when its time is up; 0 if it read all records of the webhooks that it reached.',
    emittedBy: ['schedules/sweep-deliveries'],
    everyRun: true,
  },
  AttemptsSucceeded: { unit: 'Count', description: 'Attempts that the receiver accepted.', emittedBy: deliver },
  AttemptsRetrying: {
    unit: 'Count',
    description: 'Attempts that failed at the receiver, and are followed by another.',
    emittedBy: deliver,
  },
  AttemptsFailed: { unit: 'Count', description: 'Last attempts that failed at the receiver.', emittedBy: deliver },
  OwnFaults: {
    unit: 'Count',
    description:
      'Messages that wait for another try because of a platform fault: a table, the KMS key or the network was not available.',
    emittedBy: [...deliver, 'queues/plan-deliveries'],
  },
  EventToFirstAttempt: {
    unit: 'Milliseconds',
    description: 'Time from a change to the start of the first attempt to send its event.',
    emittedBy: deliver,
  },
  WebhooksFailing: {
    unit: 'Count',
    description: 'Webhooks with three failed deliveries in a row. After five, a webhook is disabled.',
    emittedBy: deliver,
  },
  WebhooksDisabled: {
    unit: 'Count',
    description: 'Webhooks that were disabled, because five deliveries in a row had failed.',
    emittedBy: deliver,
  },
  WebhooksRecovered: {
    unit: 'Count',
    description: 'Webhooks that accepted a delivery after three in a row had failed, or after they had been disabled.',
    emittedBy: deliver,
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof metrics;
