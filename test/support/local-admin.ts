/** The tables of a test's own, as `local/seed.ts` sees those of a local run. */
import type { Admin } from '../../local/admin.ts';
import { tableName } from './dynamo.ts';
import { onEmulator } from './tables.ts';

/** Starts an emulator with empty tables, which other processes may use too, and points the verbs of `core/` to it. Call `stop` in `afterAll`. */
export async function startAdmin(): Promise<Admin & { stop(): Promise<void> }> {
  const tables = await onEmulator()();
  const db = tables.connect();
  return {
    db,
    table: tableName,
    stop: async () => {
      db.destroy();
      await tables.stop();
    },
  };
}
