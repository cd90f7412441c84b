/** The answer of `GET /slots` (docs/rules.md#slots) from the free starts of each staff member. */
import type { MemberStarts } from './load.ts';
import { isoPrinter, type Zone } from './zone.ts';

export interface Slot {
  startTime: string;
  endTime: string;
  staffId: number;
  serviceId: number;
  /** Of a service that several bookings share a start of. */
  capacity?: number;
  remaining?: number;
}

/**
 * Slots ascending by start, and at one start in the order of `members`. Members who share a start share its two
 * strings: a month of twenty members has some twenty times fewer starts than slots.
 */
export function slotList(
  members: readonly MemberStarts[],
  service: { readonly id: number; readonly durationMinutes: number; readonly capacity?: number },
  zone: Zone,
): Slot[] {
  const slots: Slot[] = [];
  const print = isoPrinter(zone);
  // Ends run on a printer of their own, so that each of the two prints ascending times.
  const printEnd = isoPrinter(zone);
  const heads = members.map(({ staffId, starts, occurrences }) => ({ staffId, starts, occurrences, at: 0 }));
  const { capacity = 1 } = service;
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const head of heads) start = Math.min(start, head.starts[head.at] ?? Number.POSITIVE_INFINITY);
    if (start === Number.POSITIVE_INFINITY) return slots;
    const startTime = print(start);
    const endTime = printEnd(start + service.durationMinutes);
    for (const head of heads) {
      if (head.starts[head.at] !== start) continue;
      head.at++;
      const slot: Slot = { startTime, endTime, staffId: head.staffId, serviceId: service.id };
      const shared = head.occurrences?.get(start) ?? (capacity > 1 ? { capacity, remaining: capacity } : undefined);
      if (shared) {
        slot.capacity = shared.capacity;
        slot.remaining = shared.remaining;
      }
      slots.push(slot);
    }
  }
}
