/** How the API is asked for one service, for places of it, or for a visit of several services. */
import type { Appointment, Service, Slot } from './api.ts';

export const visitMin = 2;
export const visitMax = 5;
export const placesMax = 20;

/** What a list of times is asked of. An appointment that is moved keeps its places, and a visit its staff members. */
export function queryOf(services: readonly Pick<Service, 'id'>[], moved?: Appointment): string {
  const ids = services.map(({ id }) => id).join(',');
  const places = moved && moved.places > 1 ? `&places=${moved.places}` : '';
  const [only, ...others] = new Set(moved && services.length > 1 ? moved.segments.map(({ staffId }) => staffId) : []);
  const staff = only !== undefined && others.length === 0 ? `&staffId=${only}` : '';
  return `${services.length > 1 ? 'serviceIds' : 'serviceId'}=${ids}${places}${staff}`;
}

/** Whether an appointment can be moved to a slot: the members of a visit stay. */
export function fits({ segments }: Slot, moved: Appointment): boolean {
  return segments?.every(({ staffId }, i) => staffId === moved.segments[i]?.staffId) ?? true;
}

/** The body of a hold and of a booking, without the client. */
export function bodyOf({ startTime, staffId, serviceId, segments }: Slot, places: number): object {
  if (segments)
    return { services: segments.map((one) => ({ serviceId: one.serviceId, staffId: one.staffId })), startTime };
  return { serviceId, staffId, startTime, ...(places > 1 && { places }) };
}
