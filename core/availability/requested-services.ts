/** The services that a request contains: one service, or those of a visit in their order (docs/rules.md#visits). */
import type { RequestedService } from './load.ts';

/** The services of a query: `staffId` applies to all services, `staffIds` contains one staff member for each. */
export interface ServicesQuery {
  readonly serviceId?: number | undefined;
  readonly serviceIds?: readonly number[] | undefined;
  readonly staffId?: number | undefined;
  readonly staffIds?: readonly number[] | undefined;
}

/** The services of a body, in which each service of a visit may have its own `staffId`. */
export interface ServicesBody {
  readonly serviceId?: number | undefined;
  readonly staffId?: number | undefined;
  readonly services?: readonly RequestedService[] | undefined;
}

/** The schemas ensure that a request has one of these fields. */
export function requestedServices({
  serviceId,
  serviceIds,
  services,
  staffId,
  staffIds,
}: ServicesQuery & ServicesBody): readonly RequestedService[] {
  if (services) return services;
  return (serviceIds ?? [serviceId ?? 0]).map((id, i) => ({ serviceId: id, staffId: staffIds?.[i] ?? staffId }));
}
