/** The services that can be booked, and the requests for one service, for several places of it, or for a visit of several services. */
import type { Service, Slot } from '../generated/types.ts';
import type { Api, Appointment } from './api.ts';

export const visitMin = 2;
export const visitMax = 5;

export async function bookableServices(api: Api): Promise<readonly Service[]> {
  const all: Service[] = [];
  for (let total = 1, page = 1; all.length < total; page++) {
    const listed = await api<{ data: Service[]; total: number }>('GET', `/services?limit=100&page=${page}`);
    all.push(...listed.data);
    total = listed.data.length > 0 ? listed.total : 0;
  }
  return all.filter(({ active, staffIds }) => active && staffIds.length > 0);
}

/**
 * Returns the query for a list of times. A moved appointment keeps its places, and a moved visit its staff members; its
 * current time counts as free. `staffId` is that of the only staff member whose times are listed.
 */
export function queryOf(serviceIds: readonly number[], moved?: Appointment, staffId?: number): string {
  const places = moved && moved.places > 1 ? `&places=${moved.places}` : '';
  const isVisit = serviceIds.length > 1;
  const staff = moved && isVisit ? `&staffIds=${moved.segments.map(({ staffId }) => staffId)}` : '';
  const only = staffId === undefined ? '' : `&staffId=${staffId}`;
  const moving = moved ? `&movingBookingId=${moved.id}` : '';
  return `${isVisit ? 'serviceIds' : 'serviceId'}=${serviceIds}${places}${staff}${only}${moving}`;
}

/** Returns the body of a hold or a booking, without the client. */
export function bodyOf({ startTime, staffId, serviceId, segments }: Slot, places: number): object {
  if (segments)
    return { services: segments.map((one) => ({ serviceId: one.serviceId, staffId: one.staffId })), startTime };
  return { serviceId, staffId, startTime, ...(places > 1 && { places }) };
}
