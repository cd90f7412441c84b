/** Businesses and keys that are written directly to the tables, because this API does not create them. */
import { TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { scopeNames } from '../contract/scopes.ts';
import { newStaffItems } from '../core/catalog/staff-revision.ts';
import { chunksOf } from '../core/chunks.ts';
import { newId } from '../core/clock.ts';
import type { KeyFacts } from '../core/keys/api-key.ts';
import { createKeyValue, parseKeyValue } from '../core/keys/key-value.ts';
import type { StoredKey } from '../core/keys/stored-key.ts';
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

/** Absent fields have defaults: a new id and value, all scopes, every origin, active without an end. */
export interface NewKey extends Partial<Omit<KeyFacts, 'tenantId' | 'test'>>, Pick<KeyFacts, 'tenantId'> {
  readonly value?: string;
  readonly name?: string;
}

export interface SeededKey extends Pick<StoredKey, 'id' | 'tenantId' | 'hash'> {
  /** The value of `X-API-Key` in a request. */
  readonly value: string;
}

/** Writes the two items of an API key in one transaction. A sandbox gets a `bk_test_` key. */
export async function createKey(admin: Admin, { name = 'Seeded key', ...options }: NewKey): Promise<SeededKey> {
  const test = isSandbox(options.tenantId);
  const { value = createKeyValue({ test }), ...given } = options;
  const parts = parseKeyValue(value);
  if (!parts) throw new Error('This is not the value of an API key.');
  const { hash, prefix } = parts;
  const facts: KeyFacts = { id: newId(), scopes: scopeNames, origins: [], status: 'active', test, ...given };
  const { id, tenantId } = facts;
  const stored: StoredKey = { ...facts, name, hash, prefix, createdAt: new Date().toISOString() };
  await admin.db.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName: admin.table('keys'), Item: { ...keys.apiKey(hash), ...facts } } },
        { Put: { TableName: admin.table('records'), Item: { ...records.key(tenantId, id), ...stored } } },
      ],
    }),
  );
  return { id, tenantId, value, hash };
}
