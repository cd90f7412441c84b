/** The fields of a new or moved booking that the chosen start, staff members and resources determine. */
import type { Offer, Part } from '../availability/load.ts';
import type { Choice } from '../availability/starts.ts';
import type { ResourceItem } from '../catalog/items.ts';
import { staffUnchanged } from '../catalog/staff-revision.ts';
import { add, type Write } from '../store/write.ts';
import { records } from '../table-keys.ts';
import type { BookingItem, SegmentItem } from './booking.ts';

/** The fields for time, staff members and resources. */
export function bookedTimeFields(
  { parts }: Offer,
  { staff, resources, start, end, taking }: Choice,
  keeps: (part: Part, index: number) => Pick<SegmentItem, 'serviceName' | 'price'>,
): Pick<BookingItem, 'segments' | 'start' | 'end' | 'taken' | 'capacity'> {
  const [first, ...others] = parts.map((part, i): SegmentItem => {
    const [member, resource] = [staff[i], resources[i]];
    const begin = start + part.offset;
    return {
      serviceId: part.service.id,
      ...keeps(part, i),
      staffId: member?.id ?? 0,
      staffName: member?.name ?? '',
      start: begin,
      end: begin + part.durationMinutes,
      ...(resource && { resource }),
    };
  });
  if (!first) throw new Error('A booking has no segment');
  return {
    segments: [first, ...others],
    start,
    end,
    taken: taking.taken,
    ...(taking.of && { capacity: taking.of.capacity }),
  };
}

/**
 * Writes that are conditional on the chosen staff members and resources: they must not have changed since they were
 * read.
 */
export function choiceUnchanged({ business }: Offer, { staff, opened }: Choice): Write[] {
  const { id: tenantId, timeZone } = business;
  const once = <T extends { readonly id: number }>(all: readonly T[]) =>
    new Map(all.map((one) => [one.id, one])).values();
  return [
    ...[...once(staff)].map((one) => staffUnchanged(tenantId, one, timeZone)),
    ...[...once(opened)].map((one) => resourceUnchanged(tenantId, one)),
  ];
}

/**
 * Commits only if kind and `active` of the resource have not changed since they were read. Also counts the booking: a
 * deletion that found no booking then fails if one was made since.
 */
function resourceUnchanged(tenantId: number, { id, kind, active }: ResourceItem): Write {
  return add('records', records.resource(tenantId, id), { bookings: 1 }, { kind, active });
}
