/**
 * The metrics that functions emit in embedded metric format: one log line becomes the metrics that it names. Alarms and
 * dashboard use these names. None has a dimension: a stage has its own namespace, in the variable `METRICS_NAMESPACE`
 * of every function, and ids are properties of the line.
 */
export interface MetricRow {
  readonly unit: 'Count' | 'Seconds' | 'Milliseconds';
  readonly says: string;
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
    says: 'Age of the oldest event that was not planned within two minutes, when the sweeper looks; 0 when there is none.',
    emittedBy: sweep,
    everyRun: true,
  },
  OutboxEventsOverdue: {
    unit: 'Count',
    says: 'Events that the sweeper found unplanned after two minutes and published again.',
    emittedBy: sweep,
    everyRun: true,
  },
  DeliveriesOverdue: {
    unit: 'Count',
    says: 'Deliveries that the sweeper of the log found overdue and sent again.',
    emittedBy: ['schedules/sweep-deliveries'],
    everyRun: true,
  },
  SweepLag: {
    unit: 'Seconds',
    says: 'How far the sweeper of the log is behind in the log that it reads last, when its time is up; 0 when it read all to their end.',
    emittedBy: ['schedules/sweep-deliveries'],
    everyRun: true,
  },
  AttemptsSucceeded: { unit: 'Count', says: 'Attempts that the receiver took.', emittedBy: deliver },
  AttemptsRetrying: {
    unit: 'Count',
    says: 'Attempts that failed at the receiver, with another to follow.',
    emittedBy: deliver,
  },
  AttemptsFailed: {
    unit: 'Count',
    says: 'Attempts that failed at the receiver, with none to follow.',
    emittedBy: deliver,
  },
  OwnFaults: {
    unit: 'Count',
    says: 'Messages put back for a fault of our own: a store, a key or a network that was not there.',
    emittedBy: [...deliver, 'queues/plan-deliveries'],
  },
  EventToFirstAttempt: {
    unit: 'Milliseconds',
    says: 'From the change to the start of the first attempt to tell of it.',
    emittedBy: deliver,
  },
  WebhooksFailing: {
    unit: 'Count',
    says: 'Webhooks of which the third delivery in a row had failed; two more switch it off.',
    emittedBy: deliver,
  },
  WebhooksDisabled: {
    unit: 'Count',
    says: 'Webhooks disabled because five deliveries in a row had failed.',
    emittedBy: deliver,
  },
  WebhooksRecovered: {
    unit: 'Count',
    says: 'Webhooks that took a delivery again after three in a row had failed, or after they had been disabled.',
    emittedBy: deliver,
  },
} as const satisfies Record<string, MetricRow>;

export type MetricName = keyof typeof metrics;
