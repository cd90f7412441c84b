/** What is read of a catalogue (docs/rules.md#catalog). */

import { expect, test } from 'vitest';
import { getBusiness, listServices } from '../../../core/catalog/read.ts';
import { newId } from '../../../core/clock.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

test('The list of services can be filtered by a staff member who performs them', async () => {
  const { tenant, key } = await fixture.tenant();
  const ids = async (staffId?: number) => (await listServices(key, { staffId })).data.map(({ id }) => id).sort();
  const few = tenant.staff.find(({ serviceIds }) => serviceIds.length < tenant.services.length);
  expect(await ids(few?.id)).toEqual([...(few?.serviceIds ?? [])].sort());
  expect(await ids()).toEqual(tenant.services.map(({ id }) => id).sort());
  expect(await ids(1)).toEqual([]);
});

test('Reading a business that does not exist yet gets a 404 that says how to create the business', async () => {
  const tenantId = newId();
  await expect(getBusiness(ownerPrincipal(tenantId))).rejects.toMatchObject({
    ...{ code: 'not_found', message: 'There is no business yet: its owner makes it with PATCH /business.' },
  });
});
