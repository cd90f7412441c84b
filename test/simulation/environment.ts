/** What the functions find in their environment: names of tables and queues, and nothing that leads anywhere. */
import { queueAndBusEnvironment } from '../support/queue-and-bus.ts';

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
    ...queueAndBusEnvironment,
    ...Object.fromEntries(names),
  };
}
