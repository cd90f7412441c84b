/**
 * Copies the catalogue of a business into its sandbox (docs/rules.md#test-mode): business, services, staff, schedules
 * and resources. A copied item gets the same id in every copy, so that an interrupted copy can be continued.
 */
import { fail } from '../errors.ts';
import { inSandbox, liveOf } from '../mode.ts';
import type { Key } from '../store/key.ts';
import { getItem, queryPrefix } from '../store/read.ts';
import { insert, writeEach } from '../store/write-each.ts';
import { records } from '../table-keys.ts';
import type { BusinessItem, ResourceItem, ServiceItem, StaffItem } from './items.ts';
import { newStaffItems } from './staff-revision.ts';

/** The catalogue: what a business offers. */
export interface Catalogue {
  readonly business: BusinessItem;
  readonly services: readonly ServiceItem[];
  readonly staff: readonly StaffItem[];
  readonly resources?: readonly ResourceItem[];
}

/**
 * The catalogue with ids of the sandbox. Services and staff were read separately, so a service and a staff member are
 * connected only if both lists agree.
 */
export function copyOf({ business, services, staff, resources = [] }: Catalogue): Required<Catalogue> {
  const performs = (service: ServiceItem | undefined, member: StaffItem | undefined) =>
    service !== undefined &&
    member !== undefined &&
    service.staffIds.includes(member.id) &&
    member.serviceIds.includes(service.id);
  const serviceById = new Map(services.map((one) => [one.id, one]));
  const memberById = new Map(staff.map((one) => [one.id, one]));
  return {
    // The owner must set the address for notices of a sandbox separately.
    business: { ...itself(business), id: inSandbox(business.id), noticeEmail: null },
    services: services.map((service) => ({
      ...itself(service),
      id: inSandbox(service.id),
      staffIds: service.staffIds.filter((id) => performs(service, memberById.get(id))).map(inSandbox),
    })),
    staff: staff.map((member) => ({
      ...itself(member),
      id: inSandbox(member.id),
      serviceIds: member.serviceIds.filter((id) => performs(serviceById.get(id), member)).map(inSandbox),
      rating: null,
      reviewsCount: 0,
    })),
    resources: resources.map((resource) => ({ ...itself(resource), id: inSandbox(resource.id), bookings: 0 })),
  };
}

/** The item without its table keys, revisions, and busy times from other calendars. */
function itself<T extends BusinessItem | ServiceItem | StaffItem | ResourceItem>(
  stored: T,
): Omit<T, 'revision' | 'availabilityRevision' | 'endedRevisions' | 'elsewhere' | keyof Key> {
  const { pk, sk, revision, availabilityRevision, endedRevisions, elsewhere, ...item } = stored as T &
    Partial<StaffItem & Key>;
  return item as ReturnType<typeof itself<T>>;
}

/**
 * Creates the sandbox if it does not exist. Errors: 404 `not_found` if there is no business to copy, 409
 * `invalid_state` during a reset, because data that the reset has not removed yet would stay.
 */
export async function ensureSandbox(sandboxId: number): Promise<void> {
  if (await getItem('records', records.business(sandboxId))) return;
  if (await getItem('records', records.reset(sandboxId))) {
    throw fail('invalid_state', 'The reset of the sandbox has not ended: send POST /sandbox/reset again.');
  }
  await copyCatalogue(sandboxId);
}

/**
 * Copies items that the sandbox does not have, the business last: the sandbox exists only when the business is copied,
 * so the next copy completes an interrupted one.
 */
export async function copyCatalogue(sandboxId: number): Promise<void> {
  const { business, services, staff, resources } = copyOf(await loadCatalogue(sandboxId));
  await insertAll([
    ...services.map((service) => ({ ...service, ...records.service(sandboxId, service.id) })),
    ...staff.flatMap((member) => newStaffItems(sandboxId, member, business.timeZone)),
    ...resources.map((resource) => ({ ...resource, ...records.resource(sandboxId, resource.id) })),
  ]);
  await insertAll([{ ...business, ...records.business(sandboxId) }]);
}

/** The business whose catalogue is copied. 404 `not_found` before it exists. */
export async function loadLiveBusiness(sandboxId: number): Promise<BusinessItem> {
  const business = await getItem<BusinessItem>('records', records.business(liveOf(sandboxId)));
  if (business) return business;
  throw fail('not_found', 'There is no business yet: PATCH /business in live mode creates it.');
}

async function loadCatalogue(sandboxId: number): Promise<Catalogue> {
  const tenant = records.tenant(liveOf(sandboxId));
  const [business, services, staff, resources] = await Promise.all([
    loadLiveBusiness(sandboxId),
    queryPrefix<ServiceItem>('records', tenant, records.servicePrefix),
    queryPrefix<StaffItem>('records', tenant, records.staffPrefix),
    queryPrefix<ResourceItem>('records', tenant, records.resourcePrefix),
  ]);
  return { business, services, staff, resources };
}

/** Existing items are not changed. */
async function insertAll(items: readonly object[]): Promise<void> {
  const written = await writeEach(items.map((item) => insert('records', item)));
  if (!written.includes('failed')) return;
  throw fail('temporarily_unavailable', { retryAfter: 1, cause: new Error('The catalogue was copied in part') });
}
