/** Reading the catalogue (docs/rules.md#catalog). */

import { expect, test } from 'vitest';
import { listServices, listStaff } from '../../../core/catalog/read.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('The list of services can be filtered by a staff member, and the list of staff by a service', async () => {
  const { tenant, key } = await fixture.tenant();
  const ids = (list: { readonly data: readonly { readonly id: number }[] }) => list.data.map(({ id }) => id).sort();
  const few = tenant.staff.find(({ serviceIds }) => serviceIds.length < tenant.services.length);
  expect(ids(await listServices(key, { staffId: few?.id }))).toEqual([...(few?.serviceIds ?? [])].sort());
  expect(ids(await listServices(key, {}))).toEqual(tenant.services.map(({ id }) => id).sort());
  expect(ids(await listServices(key, { staffId: 1 }))).toEqual([]);

  const beard = tenant.services[2];
  expect(beard?.staffIds.length).toBeLessThan(tenant.staff.length);
  const listed = await listStaff(key, { serviceId: beard?.id });
  expect(ids(listed)).toEqual([...(beard?.staffIds ?? [])].sort());
  expect(listed.total).toBe(beard?.staffIds.length);
  expect((await listStaff(key, {})).total).toBe(tenant.staff.length);
  expect(await listStaff(key, { serviceId: 1 })).toEqual({ data: [], total: 0 });
});
