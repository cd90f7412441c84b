/** `GET /slots/days` (docs/rules.md#slots): how many of the slots of `GET /slots` each date has. */
import type * as z from 'zod/mini';
import type { listSlotDays as row } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';
import type { Principal } from '../principal.ts';
import { dateOf, dayOf } from './calendar.ts';
import { findStarts, type SlotsQuery } from './list-slots.ts';
import type { Taking } from './occurrences.ts';
import type { FreeStarts } from './starts.ts';
import { datesToEpoch, isoOf, type Zone } from './zone.ts';

type SlotDays = z.output<(typeof row)['output']>;

/** Every date of the query, also a date without a slot. Errors: those of `listSlots`, but the range may be longer. */
export async function listSlotDays(principal: Principal, query: SlotsQuery, freed?: Taking): Promise<SlotDays> {
  const { zone, timeZone, starts } = await findStarts(principal, query, limits.slotDaysRangeDays, freed);
  return { data: countDays(starts, zone, query), timeZone };
}

/** Counts starts by their date in the zone. */
export function countDays(
  starts: readonly FreeStarts[],
  zone: Zone,
  { from, to }: Pick<SlotsQuery, 'from' | 'to'>,
): SlotDays['data'] {
  const all = starts.flatMap((member) => member.starts).sort((a, b) => a - b);
  const days: SlotDays['data'] = [];
  let next = 0;
  for (let day = dayOf(from); day <= dayOf(to); day++) {
    const date = dateOf(day);
    const { end } = datesToEpoch(zone, date, date);
    const begin = next;
    while ((all[next] ?? end) < end) next += 1;
    const first = all[begin];
    const count = next - begin;
    days.push({ date, count, first: count > 0 && first !== undefined ? isoOf(zone, first) : null });
  }
  return days;
}
