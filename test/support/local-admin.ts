/** The tables of a test, in the form in which `local/seed.ts` uses those of a local run. */
import { afterAll, beforeAll } from 'vitest';
import type { Admin } from '../../local/admin.ts';
import { tableName } from './dynamo.ts';
import { onEmulator, type Tables } from './tables.ts';

/** Starts an emulator with empty tables for the tests of a file, also for other processes, and uses it for `core/`. */
export function useAdmin(): Admin {
  let tables: Tables;
  let db: Admin['db'];
  beforeAll(async () => {
    tables = await onEmulator()();
    db = tables.connect();
  });
  afterAll(async () => {
    db.destroy();
    await tables.stop();
  });
  return {
    table: tableName,
    get db() {
      return db;
    },
  };
}
