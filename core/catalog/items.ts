/** Catalog items as stored, and the resources that others see of them (docs/rules.md#catalog). */

import type { AccountBusiness, AddressOff, Resource } from '../../contract/account/resources.ts';
import type { Business, Service, StaffMember, WeeklyHours } from '../../contract/integration/resources.ts';
import { modeOf } from '../mode.ts';
import type { Revised } from '../store/revised.ts';

/** `HH:MM` on the wall clock. */
export interface ClockInterval {
  readonly from: string;
  readonly to: string;
}

/** When a staff member works. */
export interface WorkSchedule {
  readonly weekly: WeeklyHours;
  /** Replaces the weekly hours of a date; an empty list is a day off. */
  readonly exceptions: Readonly<Record<string, readonly ClockInterval[]>>;
}

export interface BusySource {
  readonly updatedAt: string;
  readonly blocks: Uint8Array;
}

/** The mode is read off the id. */
export type BusinessItem = Omit<Business, 'mode'> & Revised & { readonly noticeEmail?: string | null };

export type ServiceItem = Omit<Service, 'capacity' | 'resourceKind'> &
  Revised & { readonly capacity?: number; readonly resourceKind?: string | null };

/** A room or another thing that a booking may need. `bookings` counts those that were ever made with it, or moved to it. */
export interface ResourceItem extends Resource, Revised {
  readonly bookings: number;
}

export type StaffItem = StaffMember &
  Revised & {
    readonly schedule: WorkSchedule;
    /** What other calendars say, by source (`core/availability/elsewhere.ts`). */
    readonly elsewhere?: Readonly<Record<string, BusySource>>;
    /** Counts the changes of `schedule`, `elsewhere` and `active`: bookings commit only if there was none since they read it. */
    readonly availabilityRevision?: number;
    /** When `schedule` last changed. */
    readonly scheduleUpdatedAt?: string;
  };

export function toBusiness(item: BusinessItem): Business {
  const { id, name, description, phone, email, address, timeZone, currency, workingHours, bookingRules } = item;
  return {
    id,
    name,
    description,
    phone,
    email,
    address,
    timeZone,
    currency,
    workingHours,
    bookingRules,
    mode: modeOf(id),
  };
}

/** `off` is why nothing is sent to its `noticeEmail`. */
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
