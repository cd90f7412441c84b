/** Businesses and keys that are written directly to the tables, because this API does not create them. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { type Scope, scopeNames } from '../contract/scopes.ts';
import { newStaffItems } from '../core/catalog/staff-revision.ts';
import { chunksOf } from '../core/chunks.ts';
import { newId } from '../core/clock.ts';
import { createKeyValue, parseKeyValue } from '../core/keys/key-value.ts';
import { isSandbox } from '../core/mode.ts';
import { keys, records } from '../core/table-keys.ts';
import type { Admin } from './admin.ts';
import { demoTenant, type Tenant } from './demo.ts';

/** Writes a business with its catalog, atomically up to 100 items; by default one like the demo's with its own ids. */
export async function createBusiness(admin: Admin, tenant: Tenant = demoTenant(Date.now(), newId)): Promise<Tenant> {
  const { business, services, staff, resources = [] } = tenant;
  const items = [
    { ...records.business(business.id), ...business },
    ...services.map((service) => ({ ...records.service(business.id, service.id), ...service })),
    ...staff.flatMap((member) => newStaffItems(business.id, member, business.timeZone)),
    ...resources.map((resource) => ({ ...records.resource(business.id, resource.id), ...resource })),
  ];
  const TableName = admin.table('records');
  const puts = items.map((Item) => ({ Put: { TableName, Item, ConditionExpression: 'attribute_not_exists(pk)' } }));
  for (const TransactItems of chunksOf(puts, 100))
    await admin.db.send(new TransactWriteCommand({ TransactItems: [...TransactItems] }));
  return tenant;
}

export interface NewKey {
  /** The tenant; a sandbox gets a `bk_test_` key. */
  readonly tenantId: number;
  /** The default is a new id. */
  readonly id?: number;
  /** The default is a new value. Only its hash is stored. */
  readonly value?: string;
  readonly name?: string;
  /** The default is all eight scopes. */
  readonly scopes?: readonly Scope[];
  /** The default is none, which allows every origin. */
  readonly origins?: readonly string[];
  /** Whether a live key may serve agents. The default is no. */
  readonly agents?: true;
  readonly status?: 'active' | 'revoked';
  /** The expiry in milliseconds since the epoch. In the past: the key is expired. */
  readonly expiresAt?: number;
}

export interface SeededKey {
  readonly id: number;
  readonly tenantId: number;
  /** The value of `X-API-Key` in a request. */
  readonly value: string;
  readonly hash: string;
}

/** Writes an API key: the item that the key check reads and the record that the deliveries read, in one transaction. */
export async function createKey(admin: Admin, options: NewKey): Promise<SeededKey> {
  const { tenantId, id = newId(), scopes = scopeNames, origins = [], status = 'active' } = options;
  const test = isSandbox(tenantId);
  const value = options.value ?? createKeyValue({ test });
  const parts = parseKeyValue(value);
  if (!parts) throw new Error('This is not the value of an API key.');
  const { hash, prefix } = parts;
  const shared = { id, tenantId, status, expiresAt: options.expiresAt, scopes, origins, test, agents: options.agents };
  const record = { ...shared, name: options.name ?? 'Seeded key', hash, prefix, createdAt: new Date().toISOString() };
  await admin.db.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: admin.table('keys'), Item: { ...keys.apiKey(hash), ...shared } } },
        { Put: { TableName: admin.table('records'), Item: { ...records.key(tenantId, id), ...record } } },
      ],
    }),
  );
  return { id, tenantId, value, hash };
}
