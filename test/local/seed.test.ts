import { GetCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { resource } from '../../contract/account/resources.ts';
import { business, service, staffMember } from '../../contract/integration/resources.ts';
import { toBusiness, toResource } from '../../core/catalog/items.ts';
import { newId } from '../../core/clock.ts';
import { records } from '../../core/table-keys.ts';
import { demoBusiness, demoTenant } from '../../local/demo.ts';
import { createBusiness } from '../../local/seed.ts';
import { useAdmin } from '../support/local-admin.ts';

const admin = useAdmin();

async function itemOf(store: 'keys' | 'records', Key: Record<string, string>) {
  const { Item } = await admin.db.send(new GetCommand({ TableName: admin.table(store), Key, ConsistentRead: true }));
  return Item;
}

test('The demo data fits the schemas of the API, and its services name only staff and rooms that exist', () => {
  const tenant = demoBusiness(Date.UTC(2026, 10, 21));
  const resources = tenant.resources?.map(toResource) ?? [];
  expect(z.safeParse(business, toBusiness(tenant.business)).error).toBeUndefined();
  for (const each of tenant.services) expect(z.safeParse(service, each).error).toBeUndefined();
  for (const { schedule, ...member } of tenant.staff) expect(z.safeParse(staffMember, member).error).toBeUndefined();

  expect(z.safeParse(z.array(resource), resources).error).toBeUndefined();

  const doneBy = tenant.services.flatMap(({ id, staffIds }) => staffIds.map((staffId) => `${id} by ${staffId}`));
  const does = tenant.staff.flatMap(({ id, serviceIds }) => serviceIds.map((serviceId) => `${serviceId} by ${id}`));
  expect(doneBy.toSorted()).toEqual(does.toSorted());
  const kinds = new Set<string | null>(resources.map(({ kind }) => kind));
  expect(tenant.services.filter(({ resourceKind = null }) => kinds.has(resourceKind))).toHaveLength(2);
  expect(tenant.services.map(({ capacity }) => capacity)).toEqual([1, 1, 1, 12, 1]);
  expect(tenant.business.bookingRules.confirmation).toBe('automatic');
});

test.each([
  ['2026-12-23T23:59:00Z', '2026-12-24'],
  ['2026-12-24T00:00:00Z', '2027-12-24'],
])('The schedule exception of the demo lies in the future: at %s, the date of the exception is %s', (now, date) => {
  const dates = demoTenant(Date.parse(now)).staff.flatMap(({ schedule }) => Object.keys(schedule.exceptions));
  expect(dates).toEqual([date]);
});

test('The demo business is stored together with its services and staff, or not at all', async () => {
  const tenant = await createBusiness(admin);
  const [first] = tenant.staff;
  expect(await itemOf('records', records.business(tenant.business.id))).toMatchObject(tenant.business);
  expect(await itemOf('records', records.staff(tenant.business.id, first?.id ?? 0))).toMatchObject({ ...first });

  const clash = { ...demoTenant(Date.now(), newId), staff: [] };
  const taken = { ...clash, business: tenant.business };
  await expect(createBusiness(admin, taken)).rejects.toThrow('ConditionalCheckFailed');
  const [service] = taken.services;
  expect(await itemOf('records', records.service(tenant.business.id, service?.id ?? 0))).toBeUndefined();
});
