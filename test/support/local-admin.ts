/** The tables of a test, in the form in which `local/seed.ts` uses those of a local run. */
import type { Admin } from '../../local/admin.ts';
import { tableName } from './dynamo.ts';
import { onEmulator } from './tables.ts';

/** Starts an emulator with empty tables, also for other processes, and uses it for `core/`. Call `stop` at the end. */
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
