/** What the availability function needs to know, read from the records table. */

import type { BusinessItem, ResourceItem, ServiceItem, StaffItem } from '../catalog/items.ts';
import { fail } from '../errors.ts';
import { type Actor, isFor, type Principal } from '../principal.ts';
import { getItems, queryPrefix } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { type Calendars, loadCalendars } from './calendar-time.ts';
import type { ServiceTimes } from './free-starts.ts';
import type { Interval } from './intervals.ts';

/** A service, and whom it shall be by. A visit is several of these, each of which begins when the one before ends. */
export interface AskedService {
  readonly serviceId: number;
  /** Default: anybody who does it. */
  readonly staffId?: number | undefined;
}

/** One service of what is asked for: it becomes a segment. */
export interface Part extends ServiceTimes {
  readonly service: ServiceItem;
  readonly staffId?: number | undefined;
  /** Minutes from the start of the whole. */
  readonly offset: number;
}

export interface Offer {
  readonly business: BusinessItem;
  /** At least one. */
  readonly parts: readonly [Part, ...Part[]];
  readonly durationMinutes: number;
  /** Which staff members exist for the caller. */
  readonly actor: Actor;
}

/** An offer with all that may take its parts, and what is taken of them. */
export interface Choices extends Offer {
  /** Staff of any of the services, also those who are not offered now. */
  readonly staff: readonly StaffItem[];
  /** Of the kinds that the services need. */
  readonly resources: readonly ResourceItem[];
  readonly calendars: Calendars;
}

/**
 * The business and some of its services, as the principal may see them. 404 for a service that it does not have; 400 for
 * a visit with a service whose starts are shared.
 */
export async function loadOffer(principal: Principal, asked: readonly AskedService[]): Promise<Offer> {
  const offer = await findOffer(principal, asked);
  if (!offer) throw fail('not_found', { message: 'There is no such service.' });
  if (offer.parts.length > 1) {
    const details = offer.parts.flatMap(({ service: { capacity = 1 } }, i) =>
      capacity > 1
        ? [{ path: `services.${i}`, message: 'has places that are shared, and is not part of a visit' }]
        : [],
    );
    if (details.length > 0) throw fail('validation_failed', { details });
  }
  return offer;
}

export async function findOffer(
  { tenantId, actor }: Principal,
  asked: readonly AskedService[],
): Promise<Offer | undefined> {
  if (!asked.every(({ serviceId }) => isFor(actor, 'serviceIds', serviceId))) return undefined;
  const [business, ...services] = (await getItems('records', [
    records.business(tenantId),
    ...asked.map(({ serviceId }) => records.service(tenantId, serviceId)),
  ])) as [BusinessItem | undefined, ...(ServiceItem | undefined)[]];
  if (!business) return undefined;
  const parts: Part[] = [];
  let offset = 0;
  for (const [i, service] of services.entries()) {
    if (!service) return undefined;
    const { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes } = service;
    const staffIds = service.staffIds.filter((id) => isFor(actor, 'staffIds', id));
    const times = { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes };
    parts.push({ service: { ...service, staffIds }, staffId: asked[i]?.staffId, offset, ...times });
    offset += durationMinutes;
  }
  return { business, parts: parts as [Part, ...Part[]], durationMinutes: offset, actor };
}

/**
 * Who and what may take the parts, with what is taken of them over a range of epoch minutes: one batch for the schedules
 * beside one query for the days, whatever the number of staff and days, and one query for the resources where a service
 * needs one. 404 for a staff member whom the tenant does not have.
 */
export async function loadChoices(offer: Offer, range: Interval): Promise<Choices> {
  const { business, parts, actor } = offer;
  const ids = [...new Set(parts.flatMap(({ service, staffId }) => staffId ?? service.staffIds))];
  const kinds = new Set(parts.flatMap(({ service: { resourceKind } }) => resourceKind ?? []));
  const [found, calendars, resources] = await Promise.all([
    getItems<StaffItem>(
      'records',
      ids.map((id) => records.staff(business.id, id)),
    ),
    loadCalendars(business.id, range),
    kinds.size === 0 ? [] : queryPrefix<ResourceItem>('records', records.tenant(business.id), records.resourcePrefix),
  ]);
  const staff = found.flatMap((one) => one ?? []);
  const exists = (id: number) => isFor(actor, 'staffIds', id) && staff.some((one) => one.id === id);
  if (!parts.every(({ staffId }) => staffId === undefined || exists(staffId))) {
    throw fail('not_found', { message: 'There is no such staff member.' });
  }
  return { ...offer, staff, resources: resources.filter(({ kind }) => kinds.has(kind)), calendars };
}

/** Why a member is not offered at all for a part. */
export function whyNotOffered({ service }: Part, staff: StaffItem): ('not_performed' | 'inactive')[] {
  return [
    ...(service.staffIds.includes(staff.id) ? [] : ['not_performed' as const]),
    ...(service.active && staff.active ? [] : ['inactive' as const]),
  ];
}

/** The epoch minutes whose days matter for starts in a range: appointments reach past their start on both sides. */
export function reachOf({ parts }: Offer, starts: Interval): Interval {
  const before = parts.map(({ offset, bufferBeforeMinutes }) => offset - bufferBeforeMinutes);
  const after = parts.map((part) => part.offset + part.durationMinutes + part.bufferAfterMinutes);
  return { start: starts.start + Math.min(...before), end: starts.end + Math.max(...after) };
}
