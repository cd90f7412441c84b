/** The services that a request asks for: one, or those of a visit in their order (docs/rules.md#visits). */
import type { AskedService } from './load.ts';

/** A query: `staffId` is of all its services, `staffIds` of one each. */
export interface ServicesQuery {
  readonly serviceId?: number | undefined;
  readonly serviceIds?: readonly number[] | undefined;
  readonly staffId?: number | undefined;
  readonly staffIds?: readonly number[] | undefined;
}

/** A body, in which each service of a visit may name its own staff member. */
export interface ServicesBody {
  readonly serviceId?: number | undefined;
  readonly staffId?: number | undefined;
  readonly services?: readonly AskedService[] | undefined;
}

/** What is asked for has one of these fields: the schemas see to it. */
export function askedOf({
  serviceId,
  serviceIds,
  services,
  staffId,
  staffIds,
}: ServicesQuery & ServicesBody): readonly AskedService[] {
  if (services) return services;
  return (serviceIds ?? [serviceId ?? 0]).map((id, i) => ({ serviceId: id, staffId: staffIds?.[i] ?? staffId }));
}
