/** The environment of the functions: names of tables and queues that do not exist, virtual time, and no log output. */
import { setRuntime } from '../../core/clock.ts';
import { log } from '../../core/log.ts';
import { queueAndBusEnvironment } from '../support/queue-and-bus.ts';
import type { Random } from './random.ts';
import type { SimulatedRuntime } from './simulated-runtime.ts';

export const tables = {
  keys: 'sim-keys',
  records: 'sim-records',
  deliveries: 'sim-deliveries',
  secrets: 'sim-secrets',
};

/** Replaces the surroundings of the functions. Returns the function that restores them. */
export function surround(runtime: SimulatedRuntime, ids: Random): () => void {
  const before = process.env;
  const names = Object.entries(tables).map(([store, name]) => [`TABLE_${store.toUpperCase()}`, name]);
  // A plain object is faster: the real environment asks the operating system on every read.
  process.env = {
    ...before,
    AWS_REGION: 'eu-central-1',
    METRICS_NAMESPACE: 'sim',
    ...queueAndBusEnvironment,
    ...Object.fromEntries(names),
  };
  log.setLogLevel('SILENT');
  setRuntime({
    now: () => runtime.clock,
    randomBytes: (size) => ids.bytes(size),
    sleep: (ms, signal) => runtime.timeline.sleep(ms, signal),
  });
  return () => {
    process.env = before;
    setRuntime();
  };
}
