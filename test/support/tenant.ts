/** Tables with one business in them, for tests that call verbs directly. */
import type { ScanCommandInput } from '@aws-sdk/lib-dynamodb';
import { paginateScan } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll } from 'vitest';
import { scopeNames } from '../../contract/scopes.ts';
import type { Store } from '../../contract/system/needs.ts';
import { dynamo } from '../../core/clients.ts';
import { firstIdAt, setWorld } from '../../core/clock.ts';
import { type Event, eventOf, type OutboxItem } from '../../core/events/event.ts';
import type { ApiKey } from '../../core/keys/api-key.ts';
import type { Key } from '../../core/store/key.ts';
import { getItems } from '../../core/store/read.ts';
import type { Write } from '../../core/store/transact.ts';
import { records } from '../../core/table-keys.ts';
import type { Admin } from '../../local/admin.ts';
import { demoTenant, type Tenant } from '../../local/demo.ts';
import { createBusiness } from '../../local/seed.ts';
import { tableName } from './dynamo.ts';
import { openTables, type Tables } from './tables.ts';

/** Tuesday 1 December 2026, 05:00 UTC: what `now` is in these tests, unless a test moves it. */
export const testNow = Date.UTC(2026, 11, 1, 5);

export interface Bench {
  readonly admin: Admin;
  /** A new business like the demo's, with changes, and a key of it. */
  tenant(change?: (tenant: Tenant) => Tenant): Promise<{ tenant: Tenant; key: ApiKey }>;
  /** Every item of a table. */
  items(store: Store, filter?: Partial<ScanCommandInput>): Promise<Record<string, unknown>[]>;
  /** Events in the outbox of one business. */
  events(tenantId: number): Promise<Event[]>;
}

/** Opens tables before the file's tests and stops them after them. The clock stands at `testNow`. */
export function useBench(open = openTables): Bench {
  let tables: Tables | undefined;
  let admin: Admin | undefined;
  /** By business, the events that somebody tried to write. Which of them are there is read off the table. */
  const written = new Map<number, Map<string, Key>>();
  // `newId` begins anew where a test sets the clock back, and then meets an id of before in one of 4 096 times.
  let lastId = firstIdAt(testNow) - 1_000_000;
  const newId = () => ++lastId;

  beforeAll(async () => {
    tables = await open();
    dynamo().middlewareStack.add(
      (next) => (args) => {
        const { TransactItems = [] } = args.input as { TransactItems?: Write[] };
        for (const { Put } of TransactItems) {
          const { pk, sk, tenantId } = (Put?.Item ?? {}) as OutboxItem;
          if (!pk?.startsWith(records.outboxPrefix)) continue;
          written.set(tenantId, (written.get(tenantId) ?? new Map()).set(sk, { pk, sk }));
        }
        return next(args);
      },
      { name: 'outbox', step: 'initialize', override: true },
    );
    const db = tables.connect();
    admin = { db, table: tableName } as Admin;
    setWorld({ now: () => testNow });
  });

  afterAll(async () => {
    setWorld();
    admin?.db.destroy();
    await tables?.stop();
  });

  const started = (): Admin => {
    if (!admin) throw new Error('The bench is used inside tests only');
    return admin;
  };

  async function items(store: Store, filter: Partial<ScanCommandInput> = {}) {
    const found: Record<string, unknown>[] = [];
    for await (const page of paginateScan({ client: started().db }, { TableName: tableName(store), ...filter })) {
      found.push(...(page.Items ?? []));
    }
    return found;
  }

  return {
    get admin() {
      return started();
    },
    items,
    async tenant(change = (tenant) => tenant) {
      const tenant = await createBusiness(started(), change(demoTenant(testNow, newId)));
      return { tenant, key: { id: newId(), tenantId: tenant.business.id, scopes: scopeNames, test: false } };
    },
    async events(tenantId) {
      const found = await getItems<OutboxItem>('records', [...(written.get(tenantId)?.values() ?? [])]);
      // Where an id was taken, another business's event is in the place that was tried.
      const own = found.flatMap((item) => (item?.tenantId === tenantId ? [eventOf(item)] : []));
      return own.sort((a, b) => a.id - b.id);
    },
  };
}
