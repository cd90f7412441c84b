/** Working hours as tests write them. */
import type { Service } from '../../contract/integration/resources.ts';
import type { ClockInterval } from '../../core/catalog/items.ts';
import type { Tenant } from '../../local/demo.ts';

/** `'09:00-12:00 13:00-17:00'`. */
export const hoursOf = (text: string): ClockInterval[] =>
  text
    .split(' ')
    .filter(Boolean)
    .map((part) => ({ from: part.slice(0, 5), to: part.slice(6) }));

/** Asks for the weekdays in their order. */
export const weekOf = <T>(day: () => T) => ({
  monday: day(),
  tuesday: day(),
  wednesday: day(),
  thursday: day(),
  friday: day(),
  saturday: day(),
  sunday: day(),
});

/** The same hours on every weekday. */
export const everyDay = (text: string) => weekOf(() => hoursOf(text));

/** For tests in which the hour does not matter. */
export const alwaysOpen = everyDay('00:00-24:00');

export type Times = Pick<Service, 'durationMinutes' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>;

/** The same business, whose members are always there, and whose services take these minutes. */
export function alwaysThere(tenant: Tenant, times: Partial<Times> = {}): Tenant {
  return {
    ...tenant,
    services: tenant.services.map((one) => ({ ...one, ...times })),
    staff: tenant.staff.map((one) => ({ ...one, schedule: { weekly: alwaysOpen, exceptions: {} } })),
  };
}
