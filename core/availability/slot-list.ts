/** Makes the response of `GET /slots` (docs/rules.md#slots) from the free starts of each staff member. */
import type * as z from 'zod/mini';
import type { slot } from '../../contract/integration/resources.ts';
import type { Part } from './load.ts';
import type { FreeStarts } from './starts.ts';
import { isoPrinter, type Zone } from './zone.ts';

export type Slot = z.infer<typeof slot>;

/**
 * Slots ascending by start, and at one start in the order of `members`. Members with the same start share its two
 * strings: in a month of twenty members there are about twenty times fewer starts than slots.
 */
export function slotList(
  members: readonly FreeStarts[],
  service: { readonly id: number; readonly durationMinutes: number; readonly capacity?: number },
  zone: Zone,
): Slot[] {
  const slots: Slot[] = [];
  const print = isoPrinter(zone);
  // Ends have a printer of their own, so that each of the two printers gets ascending times.
  const printEnd = isoPrinter(zone);
  const cursors = members.map(({ staffId, starts, occurrences }) => ({ staffId, starts, occurrences, at: 0 }));
  const { capacity = 1 } = service;
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const cursor of cursors) start = Math.min(start, cursor.starts[cursor.at] ?? Number.POSITIVE_INFINITY);
    if (start === Number.POSITIVE_INFINITY) return slots;
    const startTime = print(start);
    const endTime = printEnd(start + service.durationMinutes);
    for (const cursor of cursors) {
      if (cursor.starts[cursor.at] !== start) continue;
      cursor.at++;
      const slot: Slot = { startTime, endTime, staffId: cursor.staffId, serviceId: service.id };
      const shared = cursor.occurrences?.get(start) ?? (capacity > 1 ? { capacity, remaining: capacity } : undefined);
      if (shared) {
        slot.capacity = shared.capacity;
        slot.remaining = shared.remaining;
      }
      slots.push(slot);
    }
  }
}

/**
 * One slot for each start of a visit, with its segments. The other fields of the slot have the values of the first
 * segment.
 */
export function visitList(
  visits: readonly FreeStarts[],
  parts: readonly Pick<Part, 'service' | 'offset' | 'durationMinutes'>[],
  zone: Zone,
): Slot[] {
  // Each edge of a segment has a printer of its own, which gets ascending times.
  const edges = [0, ...parts.map(({ offset, durationMinutes }) => offset + durationMinutes)];
  const printers = edges.map((edge) => ({ edge, print: isoPrinter(zone) }));
  return visits.flatMap(({ starts, chosen }) =>
    starts.map((start): Slot => {
      const times = printers.map(({ edge, print }) => print(start + edge));
      const segments = parts.map(({ service }, i) => ({
        serviceId: service.id,
        staffId: chosen?.get(start)?.[i] ?? 0,
        startTime: times[i] ?? '',
        endTime: times[i + 1] ?? '',
      }));
      return {
        startTime: times[0] ?? '',
        endTime: times.at(-1) ?? '',
        staffId: segments[0]?.staffId ?? 0,
        serviceId: segments[0]?.serviceId ?? 0,
        segments,
      };
    }),
  );
}
