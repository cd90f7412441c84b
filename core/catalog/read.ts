/** Reads business, services and staff of a tenant (docs/rules.md#catalog). */
import type { AccountBusiness } from '../../contract/account/resources.ts';
import type { Business, Service, StaffMember } from '../../contract/integration/resources.ts';
import { fail } from '../errors.ts';
import { suppressionOf } from '../mail/address.ts';
import { isSandbox } from '../mode.ts';
import { cutPage, type Page, type PageQuery } from '../page.ts';
import { type Actor, isFor, type Principal } from '../principal.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import {
  type BusinessItem,
  type ServiceItem,
  type StaffItem,
  toAccountBusiness,
  toBusiness,
  toService,
  toStaffMember,
} from './items.ts';

/** 404 `not_found` if the business does not exist yet. */
export async function loadBusiness(tenantId: number): Promise<BusinessItem> {
  const business = await getItem<BusinessItem>('records', records.business(tenantId));
  if (!business) {
    const message = isSandbox(tenantId)
      ? 'There is no sandbox now. If its reset has not ended, send POST /sandbox/reset again.'
      : 'There is no business yet: its owner creates it with PATCH /business.';
    throw fail('not_found', message);
  }
  return business;
}

export async function getBusiness({ tenantId }: Principal): Promise<Business> {
  return toBusiness(await loadBusiness(tenantId));
}

export async function getAccountBusiness({ tenantId }: Principal): Promise<AccountBusiness> {
  const business = await loadBusiness(tenantId);
  return toAccountBusiness(business, await suppressionOf(business.noticeEmail));
}

export async function listServices(
  { tenantId, actor }: Principal,
  query: PageQuery & { staffId?: number | undefined },
): Promise<Page<Service>> {
  const items = await queryPrefix<ServiceItem>('records', records.tenant(tenantId), records.servicePrefix);
  const { staffId } = query;
  const services = items.filter(({ id }) => isFor(actor, 'serviceIds', id)).map((item) => serviceFor(actor, item));
  const matching = services.filter(({ staffIds }) => staffId === undefined || staffIds.includes(staffId));
  return cutPage(matching, query);
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function getService({ tenantId, actor }: Principal, { id }: { id: number }): Promise<Service> {
  const item = await getItem<ServiceItem>('records', records.service(tenantId, id));
  if (!item || !isFor(actor, 'serviceIds', id)) throw fail('not_found');
  return serviceFor(actor, item);
}

/** `more` adds fields to each staff member of the page. */
export async function listStaff<More = unknown>(
  { tenantId, actor }: Principal,
  query: PageQuery & { serviceId?: number | undefined },
  more: (item: StaffItem) => More = () => ({}) as More,
): Promise<Page<StaffMember & More>> {
  const items = await queryPrefix<StaffItem>('records', records.tenant(tenantId), records.staffPrefix);
  const { serviceId } = query;
  const offers = (item: StaffItem) => staffMemberFor(actor, item).serviceIds;
  const matching = items.filter(
    (item) => isFor(actor, 'staffIds', item.id) && (serviceId === undefined || offers(item).includes(serviceId)),
  );
  const { data, total } = cutPage(matching, query);
  return { data: data.map((item) => ({ ...staffMemberFor(actor, item), ...more(item) })), total };
}

/** 404 `not_found` for an unknown id, and for an id of another tenant. */
export async function getStaffMember({ tenantId, actor }: Principal, { id }: { id: number }): Promise<StaffMember> {
  const item = await getItem<StaffItem>('records', records.staff(tenantId, id));
  if (!item || !isFor(actor, 'staffIds', id)) throw fail('not_found');
  return staffMemberFor(actor, item);
}

/** A session with `staffIds` sees no ids of other staff members; the same applies to services. */
function serviceFor(actor: Actor, item: ServiceItem): Service {
  const service = toService(item);
  return { ...service, staffIds: service.staffIds.filter((id) => isFor(actor, 'staffIds', id)) };
}

function staffMemberFor(actor: Actor, item: StaffItem): StaffMember {
  const member = toStaffMember(item);
  return { ...member, serviceIds: member.serviceIds.filter((id) => isFor(actor, 'serviceIds', id)) };
}
