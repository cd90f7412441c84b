/** Stored items of the catalog, and the resources that callers see (docs/rules.md#catalog). */

import type { AccountBusiness, AddressOff, Resource } from '../../contract/account/resources.ts';
import type { Business, Service, StaffMember, WeeklyHours } from '../../contract/integration/resources.ts';
import { modeOf } from '../mode.ts';
import type { Revised } from '../store/revised.ts';

/** `HH:MM` in local time. */
export interface ClockInterval {
  readonly from: string;
  readonly to: string;
}

/** The working hours of a staff member. */
export interface WorkSchedule {
  readonly weekly: WeeklyHours;
  /** Replaces the weekly hours on one date; an empty list is a day off. */
  readonly exceptions: Readonly<Record<string, readonly ClockInterval[]>>;
}

export interface BusySource {
  readonly updatedAt: string;
  readonly blocks: Uint8Array;
}

/** The mode follows from the id. */
export type BusinessItem = Omit<Business, 'mode'> & Revised & { readonly noticeEmail?: string | null };

export type ServiceItem = Omit<Service, 'capacity' | 'resourceKind'> &
  Revised & { readonly capacity?: number; readonly resourceKind?: string | null };

/**
 * A room or another thing that a booking may need. `bookings` counts all bookings that were ever made with it, or moved
 * to it.
 */
export interface ResourceItem extends Resource, Revised {
  readonly bookings: number;
}

export type StaffItem = StaffMember &
  Revised & {
    readonly schedule: WorkSchedule;
    /** Busy times from other calendars, by source (`core/availability/elsewhere.ts`). */
    readonly elsewhere?: Readonly<Record<string, BusySource>>;
    /**
     * Counts changes of `schedule`, `elsewhere` and `active`, and of the services that can be booked: a booking commits
     * only if it has not changed since it was read.
     */
    readonly availabilityRevision?: number;
    /** By service, the last revision in which the service could be booked before it became inactive. */
    readonly endedRevisions?: Readonly<Record<string, number>>;
    /** When `schedule` last changed. */
    readonly scheduleUpdatedAt?: string;
  };

export function toBusiness(item: BusinessItem): Business {
  const { id, name, description, phone, email, address, timeZone, currency, workingHours, bookingRules } = item;
  const mode = modeOf(id);
  return { id, name, description, phone, email, address, timeZone, currency, workingHours, bookingRules, mode };
}

/** `off` is the reason why no emails are sent to `noticeEmail`. */
export function toAccountBusiness(item: BusinessItem, off: AddressOff): AccountBusiness {
  return { ...toBusiness(item), noticeEmail: item.noticeEmail ?? null, noticeEmailOff: off };
}

export function toService(item: ServiceItem): Service {
  return {
    id: item.id,
    name: item.name,
    description: item.description,
    category: item.category,
    durationMinutes: item.durationMinutes,
    bufferBeforeMinutes: item.bufferBeforeMinutes,
    bufferAfterMinutes: item.bufferAfterMinutes,
    capacity: item.capacity ?? 1,
    resourceKind: item.resourceKind ?? null,
    price: item.price,
    staffIds: item.staffIds,
    active: item.active,
    updatedAt: item.updatedAt,
  };
}

export function toResource({ id, name, kind, active }: ResourceItem): Resource {
  return { id, name, kind, active };
}

export function toStaffMember(item: StaffItem): StaffMember {
  const { id, name, position, photoUrl, serviceIds, rating, reviewsCount, active } = item;
  return { id, name, position, photoUrl, serviceIds, rating, reviewsCount, active };
}
