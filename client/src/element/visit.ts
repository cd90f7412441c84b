/** Builds the requests for one service, for several places of it, or for a visit of several services. */
import type { Service, Slot } from '../generated/types.ts';
import type { Appointment } from './api.ts';

export const visitMin = 2;
export const visitMax = 5;
export const placesMax = 20;

/** Returns the query for a list of times. A moved appointment keeps its places, and a moved visit its staff members. */
export function queryOf(services: readonly Pick<Service, 'id'>[], moved?: Appointment): string {
  const ids = services.map(({ id }) => id).join(',');
  const places = moved && moved.places > 1 ? `&places=${moved.places}` : '';
  const isVisit = services.length > 1;
  const staff = moved && isVisit ? `&staffIds=${moved.segments.map(({ staffId }) => staffId)}` : '';
  return `${isVisit ? 'serviceIds' : 'serviceId'}=${ids}${places}${staff}`;
}

/** Returns the body of a hold or a booking, without the client. */
export function bodyOf({ startTime, staffId, serviceId, segments }: Slot, places: number): object {
  if (segments)
    return { services: segments.map((one) => ({ serviceId: one.serviceId, staffId: one.staffId })), startTime };
  return { serviceId, staffId, startTime, ...(places > 1 && { places }) };
}
