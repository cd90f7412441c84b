/** Reads from the table `records` what `free-starts.ts` needs to compute free starts. */

import type { BusinessItem, ResourceItem, ServiceItem, StaffItem } from '../catalog/items.ts';
import { fail } from '../errors.ts';
import { type Actor, isFor, type Principal } from '../principal.ts';
import { getRecords, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type Calendars, loadCalendars } from './calendar-time.ts';
import type { ServiceTimes } from './free-starts.ts';
import type { Interval } from './intervals.ts';

/** A service, and who should perform it. A visit has several, each of which begins when the previous one ends. */
export interface RequestedService {
  readonly serviceId: number;
  /** Default: any staff member who performs the service. */
  readonly staffId?: number | undefined;
}

/** One requested service, which becomes a segment of the booking. */
export interface Part extends ServiceTimes {
  readonly service: ServiceItem;
  readonly staffId?: number | undefined;
  /** Minutes from the start of the booking. */
  readonly offset: number;
}

export interface Offer {
  readonly business: BusinessItem;
  readonly parts: readonly [Part, ...Part[]];
  readonly durationMinutes: number;
  /** Decides which staff members exist for the caller. */
  readonly actor: Actor;
}

/** The requested services with all calendars that may take them, and the busy time of these. */
export interface Choices extends Offer {
  /** Staff members of any of the services, even those who take no bookings now. */
  readonly staff: readonly StaffItem[];
  /** Resources of the kinds that the services need. */
  readonly resources: readonly ResourceItem[];
  readonly calendars: Calendars;
}

/**
 * The business and some of its services, as far as the principal may see them. 404 for an unknown service; 400 for a
 * visit that contains a class, at its position in the `field` of the request.
 */
export async function loadOffer(
  principal: Principal,
  requested: readonly RequestedService[],
  field: 'services' | 'serviceIds' = 'services',
): Promise<Offer> {
  const offer = await findOffer(principal, requested);
  if (!offer) throw fail('not_found', 'There is no such service.');
  const message = 'is a class, which cannot be part of a visit';
  const details = classesInVisit(offer).map((i) => ({ path: `${field}.${i}`, message }));
  if (details.length > 0) throw fail('validation_failed', { details });
  return offer;
}

/** The positions of the classes among several services: a visit must not contain any. */
export function classesInVisit({ parts }: Offer): readonly number[] {
  return parts.flatMap(({ service: { capacity = 1 } }, i) => (parts.length > 1 && capacity > 1 ? [i] : []));
}

export async function findOffer(
  { tenantId, actor }: Principal,
  requested: readonly RequestedService[],
): Promise<Offer | undefined> {
  if (!requested.every(({ serviceId }) => isFor(actor, 'serviceIds', serviceId))) return undefined;
  const [business, ...services] = (await getRecords([
    records.business(tenantId),
    ...requested.map(({ serviceId }) => records.service(tenantId, serviceId)),
  ])) as [BusinessItem | undefined, ...(ServiceItem | undefined)[]];
  if (!business) return undefined;
  const parts: Part[] = [];
  let offset = 0;
  for (const [i, service] of services.entries()) {
    if (!service) return undefined;
    const { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes } = service;
    const staffIds = service.staffIds.filter((id) => isFor(actor, 'staffIds', id));
    const times = { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes };
    parts.push({ service: { ...service, staffIds }, staffId: requested[i]?.staffId, offset, ...times });
    offset += durationMinutes;
  }
  return { business, parts: parts as [Part, ...Part[]], durationMinutes: offset, actor };
}

/**
 * The staff members and resources that may take the segments, with their busy time in a range of epoch minutes. However
 * many staff members and days there are, this needs one batch for the schedules, one query for the days, and, if a
 * service needs a resource, one query for the resources. 404 for an unknown staff member.
 */
export async function loadChoices(offer: Offer, range: Interval): Promise<Choices> {
  const { business, parts, actor } = offer;
  const ids = [...new Set(parts.flatMap(({ service, staffId }) => staffId ?? service.staffIds))];
  const kinds = new Set(parts.flatMap(({ service: { resourceKind } }) => resourceKind ?? []));
  const [found, calendars, resources] = await Promise.all([
    getRecords<StaffItem>(ids.map((id) => records.staff(business.id, id))),
    loadCalendars(business.id, range),
    kinds.size === 0 ? [] : queryPrefix<ResourceItem>('records', records.tenant(business.id), records.resourcePrefix),
  ]);
  const staff = found.flatMap((one) => one ?? []);
  const exists = (id: number) => isFor(actor, 'staffIds', id) && staff.some((one) => one.id === id);
  if (!parts.every(({ staffId }) => staffId === undefined || exists(staffId))) {
    throw fail('not_found', 'There is no such staff member.');
  }
  return { ...offer, staff, resources: resources.filter(({ kind }) => kinds.has(kind)), calendars };
}

/**
 * The reason why a staff member is never offered for a segment. Both lists decide who performs a service: a change between
 * the reads of service and staff member may be in one of them only. Likewise, a service that became inactive between the
 * reads is inactive only for the staff member.
 */
export function whyNotOffered({ service }: Part, staff: StaffItem): ('not_performed' | 'inactive')[] {
  const hasEnded = (service.revision ?? 0) <= (staff.endedRevisions?.[service.id] ?? -1);
  return [
    ...(service.staffIds.includes(staff.id) && staff.serviceIds.includes(service.id) ? [] : ['not_performed' as const]),
    ...(service.active && staff.active && !hasEnded ? [] : ['inactive' as const]),
  ];
}

/**
 * The epoch minutes whose days must be read for starts in a range: appointments extend before and after their start.
 */
export function reachOf({ parts }: Offer, starts: Interval): Interval {
  const before = parts.map(({ offset, bufferBeforeMinutes }) => offset - bufferBeforeMinutes);
  const after = parts.map((part) => part.offset + part.durationMinutes + part.bufferAfterMinutes);
  return { start: starts.start + Math.min(...before), end: starts.end + Math.max(...after) };
}
