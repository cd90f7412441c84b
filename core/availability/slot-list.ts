/** The answer of `GET /slots` (docs/rules.md#slots) from the free starts of each staff member. */
import { isoPrinter, type Zone } from './zone.ts';

export interface Slot {
  startTime: string;
  endTime: string;
  staffId: number;
  serviceId: number;
}

export interface MemberStarts {
  readonly staffId: number;
  /** Epoch minutes, strictly ascending. */
  readonly starts: readonly number[];
}

/**
 * Slots ascending by start, and at one start in the order of `members`. Members who share a start share its two
 * strings: a month of twenty members has some twenty times fewer starts than slots.
 */
export function slotList(
  members: readonly MemberStarts[],
  service: { readonly id: number; readonly durationMinutes: number },
  zone: Zone,
): Slot[] {
  const slots: Slot[] = [];
  const print = isoPrinter(zone);
  // Ends run on a printer of their own, so that each of the two prints ascending times.
  const printEnd = isoPrinter(zone);
  const heads = members.map(({ staffId, starts }) => ({ staffId, starts, at: 0 }));
  for (;;) {
    let start = Number.POSITIVE_INFINITY;
    for (const head of heads) start = Math.min(start, head.starts[head.at] ?? Number.POSITIVE_INFINITY);
    if (start === Number.POSITIVE_INFINITY) return slots;
    const startTime = print(start);
    const endTime = printEnd(start + service.durationMinutes);
    for (const head of heads) {
      if (head.starts[head.at] !== start) continue;
      head.at++;
      slots.push({ startTime, endTime, staffId: head.staffId, serviceId: service.id });
    }
  }
}
