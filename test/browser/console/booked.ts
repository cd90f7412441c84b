/** Makes bookings through the account API, for tests of the console. */
import { isoOf, zoneOf } from '../../../core/availability/zone.ts';
import { clientNamed, nextTuesday as day, type Owner } from '../../support/console.ts';

export interface Made {
  readonly id: number;
  readonly startTime: string;
}

/** Books the haircut with a staff member who is free at that time. */
export async function booked(owner: Owner, time: string, name: string, staff = 0): Promise<Made> {
  const local = Date.parse(`${day}T${time}:00Z`) / 60_000;
  const startTime = [-180, -120]
    .map((ahead) => isoOf(zoneOf(owner.tenant.business.timeZone), local + ahead))
    .find((text) => text.includes(`T${time}`));
  return bookedAt(owner, startTime, name, staff);
}

/** Books the haircut with a staff member at a time of any time zone. */
export function bookedAt({ tenant, call }: Owner, startTime: string | undefined, name: string, staff = 0, more = {}) {
  const [serviceId, staffId] = [tenant.services[0]?.id, tenant.staff[staff]?.id];
  return call<Made>('POST', '/bookings', { serviceId, staffId, startTime, client: clientNamed(name), ...more });
}
