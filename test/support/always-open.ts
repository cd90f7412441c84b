/** For tests in which the hour does not matter. */
import type { Service } from '../../contract/integration/resources.ts';
import type { Tenant } from '../../local/demo.ts';

const allDay = [{ from: '00:00', to: '24:00' }];

/** Weekly hours without an end. */
export const alwaysOpen = {
  monday: allDay,
  tuesday: allDay,
  wednesday: allDay,
  thursday: allDay,
  friday: allDay,
  saturday: allDay,
  sunday: allDay,
};

export type Times = Pick<Service, 'durationMinutes' | 'bufferBeforeMinutes' | 'bufferAfterMinutes'>;

/** The same business, whose members are always there, and whose services take these minutes. */
export function alwaysThere(tenant: Tenant, times: Partial<Times> = {}): Tenant {
  return {
    ...tenant,
    services: tenant.services.map((one) => ({ ...one, ...times })),
    staff: tenant.staff.map((one) => ({ ...one, schedule: { weekly: alwaysOpen, exceptions: {} } })),
  };
}
