/** What the availability function needs to know, read from the records table. */

import type { BusinessItem, ServiceItem, StaffItem } from '../catalog/items.ts';
import { fail } from '../errors.ts';
import { type Actor, isFor, type Principal } from '../principal.ts';
import { getItems, queryAll } from '../store/read.ts';
import { records } from '../table-keys.ts';
import { minutesPerDay } from './calendar.ts';
import { elsewhereOf } from './elsewhere.ts';
import { type FreeStartsQuery, takenBy } from './free-starts.ts';
import type { Interval } from './intervals.ts';
import { admittedStarts, type OpenOccurrence, occurrencesOf, type Taking } from './occurrences.ts';
import { busyAt } from './staff-day.ts';
import { type StaffDayItem, type StoredDay, staffDayItem } from './staff-time.ts';

export interface Offer {
  readonly business: BusinessItem;
  readonly service: ServiceItem;
  /** Which staff members exist for the caller. */
  readonly actor: Actor;
}

export interface Member {
  readonly staff: StaffItem;
  /** By UTC day; days without changes are missing. */
  readonly days: ReadonlyMap<number, StaffDayItem>;
}

/** The business and one of its services, as the principal may see it. 404 for a service that it does not have. */
export async function loadOffer(principal: Principal, serviceId: number): Promise<Offer> {
  const offer = await findOffer(principal, serviceId);
  if (!offer) throw fail('not_found', { message: 'There is no such service.' });
  return offer;
}

export async function findOffer({ tenantId, actor }: Principal, serviceId: number): Promise<Offer | undefined> {
  if (!isFor(actor, 'serviceIds', serviceId)) return undefined;
  const [business, service] = (await getItems('records', [
    records.business(tenantId),
    records.service(tenantId, serviceId),
  ])) as [BusinessItem | undefined, ServiceItem | undefined];
  if (!business || !service) return undefined;
  const staffIds = service.staffIds.filter((id) => isFor(actor, 'staffIds', id));
  return { business, service: { ...service, staffIds }, actor };
}

/**
 * The staff of the service, or the one asked for, with what is taken of them over a range of epoch minutes: one batch for
 * the schedules beside one query for the days, whatever the number of staff and days. 404 for a staff member whom the
 * tenant does not have.
 */
export async function loadStaff(
  { business, service, actor }: Offer,
  staffId: number | undefined,
  range: Interval,
): Promise<Member[]> {
  const ids = staffId === undefined ? service.staffIds : [staffId];
  const [staff, days] = await Promise.all([
    getItems<StaffItem>(
      'records',
      ids.map((id) => records.staff(business.id, id)),
    ),
    loadDays(business.id, range),
  ]);
  const isThere = staffId === undefined || (staff[0] && isFor(actor, 'staffIds', staffId));
  if (!isThere) throw fail('not_found', { message: 'There is no such staff member.' });
  return staff
    .filter((item) => item !== undefined)
    .map((item) => ({ staff: item, days: days.get(item.id) ?? new Map() }));
}

/** Of these, those who perform it. */
export async function loadMembers(offer: Offer, staffId: number | undefined, range: Interval): Promise<Member[]> {
  const staff = await loadStaff(offer, staffId, range);
  return staff.filter((member) => whyNotOffered(offer, member).length === 0);
}

/** Why a member is not offered at all for a service. */
export function whyNotOffered({ service }: Offer, { staff }: Member): ('not_performed' | 'inactive')[] {
  return [
    ...(service.staffIds.includes(staff.id) ? [] : ['not_performed' as const]),
    ...(service.active && staff.active ? [] : ['inactive' as const]),
  ];
}

/** Days of five digits, 1997 to 2243, whose text order is their order. There are no bookings outside of them. */
const firstDay = 10_000;
const lastDay = 99_999;

async function loadDays(tenantId: number, range: Interval): Promise<Map<number, Map<number, StaffDayItem>>> {
  const from = Math.max(firstDay, Math.floor(range.start / minutesPerDay));
  const to = Math.min(lastDay, Math.floor((range.end - 1) / minutesPerDay));
  if (from > to) return new Map();
  const stored = await queryAll<StoredDay & { sk: string }>('records', {
    KeyConditionExpression: 'pk = :pk AND sk BETWEEN :from AND :to',
    ExpressionAttributeValues: { ':pk': records.staffDay(tenantId, 0, 0).pk, ':from': `${from}#`, ':to': `${to}#~` },
    ConsistentRead: true,
  });
  const byStaff = new Map<number, Map<number, StaffDayItem>>();
  for (const item of stored) {
    const [day = 0, staffId = 0] = item.sk.split('#').map(Number);
    const days = byStaff.get(staffId) ?? new Map<number, StaffDayItem>();
    byStaff.set(staffId, days.set(day, staffDayItem(item)));
  }
  return byStaff;
}

/** What a caller asks for beside the start. */
export interface StartOptions {
  /** Default: 1. */
  readonly places?: number | undefined;
  /** A hold that is about to be used. */
  readonly using?: { readonly id: string; readonly createdAt: number } | undefined;
  /** An owner's: hours, grid, notice and horizon are ignored (docs/rules.md#bookings). */
  readonly outsideRules?: boolean | undefined;
}

/**
 * The question to the availability function about one member: `range` are the epoch minutes of starts. A hold that is
 * about to be used does not stand in its own way, and the notice was kept if it was kept when the hold was made.
 */
export function startsQuery(
  { business, service }: Offer,
  { staff, days }: Member,
  range: Interval,
  now: number,
  { using, outsideRules }: StartOptions = {},
): FreeStartsQuery {
  return {
    service,
    rules: business.bookingRules,
    timeZone: business.timeZone,
    schedule: staff.schedule,
    elsewhere: elsewhereOf(staff),
    busy: [...days].flatMap(([day, item]) => busyAt(day, item, now, using?.id)),
    now: using?.createdAt ?? now,
    range,
    outsideRules,
  };
}

/** A member, with what can be had of them. */
export interface MemberStarts {
  readonly staffId: number;
  /** Epoch minutes, strictly ascending. */
  readonly starts: readonly number[];
  /** Those that others share, by their start. */
  readonly occurrences?: ReadonlyMap<number, OpenOccurrence>;
}

/** The starts of a range that so many places can be had at: what is listed, and what is accepted. */
export function startsOf(
  offer: Offer,
  member: Member,
  range: Interval,
  at: number,
  options: StartOptions = {},
): MemberStarts {
  const { service } = offer;
  const occurrences = occurrencesOf(member.days, service.id, at, options.using?.id);
  const query = startsQuery(offer, member, range, at, options);
  return {
    staffId: member.staff.id,
    occurrences,
    starts: admittedStarts(query, service, options.places ?? 1, occurrences),
  };
}

/** What a booking or hold of so many places takes at a start that can be had, or nothing at any other. */
export function takingAt(
  offer: Offer,
  member: Member,
  start: number,
  at: number,
  options: StartOptions = {},
): Taking | undefined {
  if (!Number.isSafeInteger(start)) return undefined;
  const { service } = offer;
  const { starts, occurrences } = startsOf(offer, member, { start, end: start + 1 }, at, options);
  if (starts.length === 0) return undefined;
  const { capacity = 1, durationMinutes } = service;
  const end = start + durationMinutes;
  const opened = { end, taken: takenBy(service, start), ...(capacity > 1 && { capacity }) };
  const { remaining: _, ...of }: Partial<OpenOccurrence> & typeof opened = occurrences?.get(start) ?? opened;
  return { ...of, serviceId: service.id, start, places: options.places ?? 1 };
}

/** The epoch minutes whose days matter for starts in a range: an appointment reaches past its start on both sides. */
export function reachOf({ service }: Offer, starts: Interval): Interval {
  return {
    start: starts.start - service.bufferBeforeMinutes,
    end: starts.end + service.durationMinutes + service.bufferAfterMinutes,
  };
}
