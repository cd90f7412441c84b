/** Business, services and staff of a tenant (docs/rules.md#catalog). */
import type { Business, Service, StaffMember } from '../../contract/integration/resources.ts';
import { fail } from '../errors.ts';
import { cutPage, type PageQuery } from '../page.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import {
  type BusinessItem,
  type LaterIndex,
  type ServiceItem,
  type StaffItem,
  toBusiness,
  toService,
  toStaffMember,
} from './items.ts';

interface Tenant {
  readonly tenantId: number;
}

interface Page<T> {
  data: T[];
  total: number;
}

/** 404 `not_found` while there is none. */
export async function loadBusiness(tenantId: number): Promise<BusinessItem> {
  const business = await getItem<BusinessItem>('records', records.business(tenantId));
  if (!business) {
    throw fail('not_found', { message: 'There is no business yet: its owner makes it with PATCH /business.' });
  }
  return business;
}

/** Whether that index holds everything of the business. */
export async function isIndexed(tenantId: number, index: LaterIndex): Promise<boolean> {
  const business = await getItem<BusinessItem>('records', records.business(tenantId));
  return business?.indexed?.includes(index) ?? false;
}

export async function getBusiness({ tenantId }: Tenant): Promise<Business> {
  return toBusiness(await loadBusiness(tenantId));
}

export async function listServices(
  { tenantId }: Tenant,
  query: PageQuery & { staffId?: number | undefined },
): Promise<Page<Service>> {
  const items = await queryPrefix<ServiceItem>('records', records.tenant(tenantId), records.servicePrefix);
  const { staffId } = query;
  const wanted = staffId === undefined ? items : items.filter((item) => item.staffIds.includes(staffId));
  return cutPage(wanted.map(toService), query);
}

/** 404 `not_found` for an unknown id and for one of another tenant alike. */
export async function getService({ tenantId }: Tenant, { id }: { id: number }): Promise<Service> {
  const item = await getItem<ServiceItem>('records', records.service(tenantId, id));
  if (!item) throw fail('not_found');
  return toService(item);
}

export async function listStaff(
  { tenantId }: Tenant,
  query: PageQuery & { serviceId?: number | undefined },
): Promise<Page<StaffMember>> {
  const items = await queryPrefix<StaffItem>('records', records.tenant(tenantId), records.staffPrefix);
  const { serviceId } = query;
  const wanted = serviceId === undefined ? items : items.filter((item) => item.serviceIds.includes(serviceId));
  return cutPage(wanted.map(toStaffMember), query);
}

/** 404 `not_found` for an unknown id and for one of another tenant alike. */
export async function getStaffMember({ tenantId }: Tenant, { id }: { id: number }): Promise<StaffMember> {
  const item = await getItem<StaffItem>('records', records.staff(tenantId, id));
  if (!item) throw fail('not_found');
  return toStaffMember(item);
}
