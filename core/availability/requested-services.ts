/** The services that a request contains: one service, or those of a visit in their order (docs/rules.md#visits). */
import type { RequestedService } from './load.ts';

/**
 * A request has exactly one of `serviceId`, `serviceIds` and `services`. `staffId` applies to all services, `staffIds`
 * contains one staff member for each of `serviceIds`.
 */
interface Requested {
  readonly serviceId?: number | undefined;
  readonly staffId?: number | undefined;
  readonly serviceIds?: readonly number[] | undefined;
  readonly staffIds?: readonly number[] | undefined;
  readonly services?: readonly RequestedService[] | undefined;
}

export function requestedServices(request: Requested): readonly RequestedService[] {
  const { serviceId, serviceIds, services, staffId, staffIds } = request;
  if (services) return services;
  return (serviceIds ?? [serviceId ?? 0]).map((id, i) => ({ serviceId: id, staffId: staffIds?.[i] ?? staffId }));
}
