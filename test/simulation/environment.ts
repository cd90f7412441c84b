/** What the functions find in their environment: names of tables and queues, and nothing that leads anywhere. */

export const tables = {
  keys: 'sim-keys',
  records: 'sim-records',
  deliveries: 'sim-deliveries',
  secrets: 'sim-secrets',
};

/** A plain object: the real one asks the operating system at every look. */
export function environment(before: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const names = Object.entries(tables).map(([store, name]) => [`TABLE_${store.toUpperCase()}`, name]);
  return {
    ...before,
    AWS_REGION: 'eu-central-1',
    METRICS_NAMESPACE: 'sim',
    EVENT_BUS: 'bus',
    QUEUE_EVENTS: 'https://sqs.invalid/events',
    QUEUE_DELIVERIES: 'https://sqs.invalid/deliveries',
    QUEUE_RETRIES: 'https://sqs.invalid/retries',
    ...Object.fromEntries(names),
  };
}
