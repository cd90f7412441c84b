/** Working hours as tests write them. */
import type { Service } from '../../contract/integration/resources.ts';
import type { ClockInterval } from '../../core/catalog/items.ts';
import type { Tenant } from '../../local/demo.ts';

/** Parses hours such as `'09:00-12:00 13:00-17:00'`. */
export const hoursOf = (text: string): ClockInterval[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((part) => ({ from: part.slice(0, 5), to: part.slice(6) }));

/** Calls `day` once for each weekday, in order. */
export const weekOf = <T>(day: () => T) => ({
  monday: day(),
  tuesday: day(),
  wednesday: day(),
  thursday: day(),
  friday: day(),
  saturday: day(),
  sunday: day(),
});

export const everyDay = (text: string) => weekOf(() => hoursOf(text));

/** Working hours for tests in which the time of day does not matter. */
export const alwaysOpen = everyDay('00:00-24:00');

export type Times = Pick<Service, 'durationMinutes' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>;

/** The business, with staff who always work, and with these durations of its services. */
export function alwaysThere(tenant: Tenant, times: Partial<Times> = {}): Tenant {
  return {
    ...tenant,
    services: tenant.services.map((one) => ({ ...one, ...times })),
    staff: tenant.staff.map((one) => ({ ...one, schedule: { weekly: alwaysOpen, exceptions: {} } })),
  };
}
