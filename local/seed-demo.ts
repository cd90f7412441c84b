/** The demo business, its sandbox, and a key of each, which are the same on every start with the same data folder. */
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DeleteCommand, GetCommand, paginateScan } from '@aws-sdk/lib-dynamodb';
import { stores } from '../contract/system/needs.ts';
import { copyOf } from '../core/catalog/copy.ts';
import type { BusinessItem, ResourceItem, ServiceItem, StaffItem } from '../core/catalog/items.ts';
import { forEachConcurrently } from '../core/chunks.ts';
import { createKeyValue, parseKeyValue } from '../core/keys/key-value.ts';
import { inSandbox, modeOf } from '../core/mode.ts';
import { keys, records } from '../core/table-keys.ts';
import { type Admin, itemsIn } from './admin.ts';
import { demoBusiness, type Tenant } from './demo.ts';
import { firstFreeStart, type Taken } from './first-free-start.ts';
import { createBusiness, createKey } from './seed.ts';

const demoKeyId = 1_000;
const keptFile = 'demo-key.json';
/** The names of the demo keys in the file with their values. */
const keptAs = { live: 'key', test: 'testKey' } as const;

export interface Demo {
  readonly tenant: Tenant;
  /** The value of a key with all eight scopes. */
  readonly apiKey: string;
  /** The value of a key of the business's sandbox. */
  readonly testKey: string;
  /** A booking that the API accepts now; undefined if the business is fully booked. */
  readonly free: { readonly serviceId: number; readonly startTime: string } | undefined;
}

/**
 * Seeds what is missing and changes nothing that exists. The database contains only hashes. With a data folder, the
 * values are stored in `demo-key.json`, which only its owner can read: the next start shows them again. `create`
 * creates a new business; by default one without a past. What an interrupted start left of it is deleted before.
 */
export async function seedDemo(
  admin: Admin,
  dataDir: string | undefined,
  now: number,
  create: (tenant: Tenant) => Promise<unknown> = (tenant) => createBusiness(admin, tenant),
): Promise<Demo> {
  const wanted = demoBusiness(now);
  const tenantId = wanted.business.id;
  if (!(await getBusiness(admin, tenantId))) {
    await deleteItems(admin, tenantId);
    await create(wanted);
  }
  const apiKey = await ensureDemoKey(admin, tenantId, dataDir);

  const below = (prefix: string) => itemsIn(admin, 'records', records.tenant(tenantId), prefix);
  const tenant = {
    business: (await getBusiness(admin, tenantId)) ?? wanted.business,
    services: (await below(records.servicePrefix)) as ServiceItem[],
    staff: (await below(records.staffPrefix)) as StaffItem[],
    resources: (await below(records.resourcePrefix)) as ResourceItem[],
  };
  const bookings = (await below(records.bookingPrefix)) as Taken[];
  const sandbox = inSandbox(tenantId);
  if (!(await getBusiness(admin, sandbox))) await createBusiness(admin, copyOf(tenant));
  const testKey = await ensureDemoKey(admin, sandbox, dataDir);
  return { tenant, apiKey, testKey, free: freeBooking(tenant, bookings, now) };
}

/** Whether the files show that an earlier run kept a demo in this folder. */
export function isSeeded(dataDir: string): boolean {
  return existsSync(join(dataDir, keptFile));
}

function freeBooking(tenant: Tenant, bookings: readonly Taken[], now: number): Demo['free'] {
  for (const { id, active, resourceKind } of tenant.services) {
    const startTime = active && !resourceKind ? firstFreeStart(tenant, id, bookings, now) : undefined;
    if (startTime) return { serviceId: id, startTime };
  }
  return undefined;
}

/**
 * Returns the value kept in the data folder if the database knows it. Otherwise creates a new one: a lost value cannot
 * be read back from its hash, and a regenerated one must never work again (docs/rules.md#api-keys).
 */
async function ensureDemoKey(admin: Admin, tenantId: number, dataDir: string | undefined): Promise<string> {
  const file = dataDir === undefined ? undefined : join(dataDir, keptFile);
  const name = keptAs[modeOf(tenantId)];
  const all = file === undefined ? {} : await readKept(file);
  const stored = all[name];
  const { Item: record } = await admin.db.send(
    new GetCommand({ TableName: admin.table('records'), Key: records.key(tenantId, demoKeyId), ConsistentRead: true }),
  );
  if (stored && record?.hash === parseKeyValue(stored)?.hash) return stored;

  const fresh = createKeyValue({ test: modeOf(tenantId) === 'test' });
  const value = record ? fresh : (stored ?? fresh);
  if (file !== undefined) await keep(file, { ...all, [name]: value });
  if (record) {
    await admin.db.send(new DeleteCommand({ TableName: admin.table('keys'), Key: keys.apiKey(String(record.hash)) }));
  }
  await createKey(admin, { tenantId, id: demoKeyId, value, name: name === 'key' ? 'Demo key' : 'Demo test key' });
  return value;
}

type Kept = { readonly [name in (typeof keptAs)[keyof typeof keptAs]]?: string };

async function readKept(file: string): Promise<Kept> {
  try {
    const entries = Object.entries(JSON.parse(await readFile(file, 'utf8')) as object);
    return Object.fromEntries(entries.filter(([, value]) => typeof value === 'string' && parseKeyValue(value)));
  } catch {
    return {};
  }
}

/** Replaces the file, so that its old mode has no effect, and a link is not followed. */
async function keep(file: string, values: Kept): Promise<void> {
  await rm(file, { force: true });
  await writeFile(file, `${JSON.stringify(values)}\n`, { mode: 0o600, flag: 'wx' });
}

/** A second past has other ids: items of an incomplete first past would be shown next to it. */
async function deleteItems({ db, table }: Admin, tenantId: number): Promise<void> {
  const pk = records.tenant(tenantId);
  const ofTenant = {
    FilterExpression: 'tenantId = :tenantId OR pk = :pk OR begins_with(pk, :others)',
    ExpressionAttributeValues: { ':tenantId': tenantId, ':pk': pk, ':others': `${pk}#` },
  };
  for (const store of stores) {
    const TableName = table(store);
    for await (const { Items = [] } of paginateScan({ client: db }, { TableName, ...ofTenant, ConsistentRead: true })) {
      await forEachConcurrently(Items, async ({ pk, sk }) => {
        await db.send(new DeleteCommand({ TableName, Key: { pk, ...(sk !== undefined && { sk }) } }));
      });
    }
  }
}

async function getBusiness(admin: Admin, tenantId: number): Promise<BusinessItem | undefined> {
  const { Item } = await admin.db.send(
    new GetCommand({ TableName: admin.table('records'), Key: records.business(tenantId), ConsistentRead: true }),
  );
  return Item as BusinessItem | undefined;
}
