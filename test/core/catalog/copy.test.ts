import { expect, test } from 'vitest';
import { copyCatalogue, copyOf, ensureSandbox } from '../../../core/catalog/copy.ts';
import type { ServiceItem, StaffItem } from '../../../core/catalog/items.ts';
import { getBusiness, listServices, listStaff } from '../../../core/catalog/read.ts';
import { inSandbox } from '../../../core/mode.ts';
import { getStaffSchedule } from '../../../core/setup/change-schedule.ts';
import { deleteService, updateService } from '../../../core/setup/change-service.ts';
import { ownerPrincipal } from '../../support/principals.ts';
import { scripted } from '../../support/scripted-dynamo.ts';
import { useTestBusiness } from '../../support/test-business.ts';

const fixture = useTestBusiness();

async function business() {
  const { tenant, owner: live } = await fixture.tenant();
  return { tenant, live, sandbox: ownerPrincipal(inSandbox(live.tenantId)) };
}

test('A sandbox gets copies of the business and its services, staff and schedules, under new ids', async () => {
  const { tenant, live, sandbox } = await business();
  await ensureSandbox(sandbox.tenantId);
  const copied = <T extends { id: number }>(one: T) => ({ ...one, id: inSandbox(one.id) });
  expect(await getBusiness(sandbox)).toEqual({ ...copied(await getBusiness(live)), mode: 'test' });
  const services = (await listServices(live, {})).data.map((one) => ({
    ...copied(one),
    staffIds: one.staffIds.map(inSandbox),
  }));
  expect((await listServices(sandbox, {})).data).toEqual(services);
  const staff = (await listStaff(live, {})).data.map((one) => ({
    ...copied(one),
    serviceIds: one.serviceIds.map(inSandbox),
  }));
  expect((await listStaff(sandbox, {})).data).toEqual(staff);
  for (const { id } of tenant.staff) {
    expect(await getStaffSchedule(sandbox, { id: inSandbox(id) })).toEqual(await getStaffSchedule(live, { id }));
  }
});

test('When services and staff of live mode are copied to the sandbox again, those that the sandbox already has are not overwritten', async () => {
  const { tenant, live, sandbox } = await business();
  const id = tenant.services[0]?.id ?? 0;
  await ensureSandbox(sandbox.tenantId);
  await updateService(sandbox, { id: inSandbox(id) }, { name: 'Tried' });
  await updateService(live, { id }, { name: 'Sold' });
  const gone = inSandbox(tenant.services[1]?.id ?? 0);
  await deleteService(sandbox, { id: gone });
  await ensureSandbox(sandbox.tenantId);
  expect((await listServices(sandbox, {})).data.map((one) => one.id)).not.toContain(gone);
  await copyCatalogue(sandbox.tenantId);
  const named = async (owner: typeof sandbox) => (await listServices(owner, {})).data.map(({ name }) => name);
  expect(await named(sandbox)).toContain('Tried');
  expect(await named(sandbox)).not.toContain('Sold');
  expect(await named(live)).not.toContain('Tried');
});

test('Concurrent copies of services and staff to one sandbox leave one complete sandbox', async () => {
  const { tenant, sandbox } = await business();
  await Promise.all(Array.from({ length: 8 }, () => ensureSandbox(sandbox.tenantId)));
  expect((await listServices(sandbox, {})).total).toBe(tenant.services.length);
  expect((await listStaff(sandbox, {})).total).toBe(tenant.staff.length);
});

test('A sandbox cannot be created before its business exists', async () => {
  const owner = ownerPrincipal(inSandbox(4_711));
  await expect(ensureSandbox(owner.tenantId)).rejects.toMatchObject({
    ...{ code: 'not_found', message: 'There is no business yet: PATCH /business in live mode creates it.' },
  });
});

test('A sandbox to which services and staff were only partly copied cannot be used until the next request completes the copy', async () => {
  const { tenant, sandbox } = await business();
  await scripted([{ when: 'BatchExecuteStatement', fail: 'Down' }], () =>
    expect(ensureSandbox(sandbox.tenantId)).rejects.toMatchObject({
      ...{ code: 'temporarily_unavailable', extras: { retryAfter: 1 } },
    }),
  );
  await expect(getBusiness(sandbox)).rejects.toMatchObject({ code: 'not_found' });
  await ensureSandbox(sandbox.tenantId);
  expect((await listServices(sandbox, {})).total).toBe(tenant.services.length);
});

test('A sandbox does not refer to services or staff members that were deleted while they were copied to the sandbox', async () => {
  const { tenant } = await fixture.tenant();
  const [service, ...services] = tenant.services as [ServiceItem, ...ServiceItem[]];
  const [member, ...staff] = tenant.staff as [StaffItem, ...StaffItem[]];
  const copy = copyOf({ business: tenant.business, services, staff });
  const named = [...copy.services.flatMap((one) => one.staffIds), ...copy.staff.flatMap((one) => one.serviceIds)];
  expect(named).not.toContain(inSandbox(service.id));
  expect(named).not.toContain(inSandbox(member.id));
  expect(named.length).toBeGreaterThan(0);
});
