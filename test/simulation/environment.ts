/** The environment variables of the functions: names of tables and queues that lead nowhere. */
import { queueAndBusEnvironment } from '../support/queue-and-bus.ts';

export const tables = {
  keys: 'sim-keys',
  records: 'sim-records',
  deliveries: 'sim-deliveries',
  secrets: 'sim-secrets',
};

/** A plain object is faster: the real environment asks the operating system on every read. */
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
