/** The tables of a test's own DynamoDB engine, as `local/booking/seed.ts` sees those of a local run. */
import type { Admin } from '../../local/booking/admin.ts';
import { connect, connectFunctions, createTables, startDynamo, tableName } from './dynamo.ts';

/** Starts the engine with empty tables, and points the verbs of `core/` to it. Call `stop` in `afterAll`. */
export async function startAdmin(): Promise<Admin & { stop(): Promise<void> }> {
  const engine = await startDynamo();
  await createTables(engine.endpoint);
  connectFunctions(engine.endpoint);
  const db = connect(engine.endpoint);
  return {
    db,
    table: tableName,
    stop: async () => {
      db.destroy();
      await engine.stop();
    },
  };
}
