/** The starts that the error `slot_unavailable` offers (docs/rules.md#errors): up to three. */
import { limits } from '../../contract/limits.ts';
import { type ApiError, fail } from '../errors.ts';
import { minutesPerDay } from './calendar.ts';
import { withFreed } from './list-slots.ts';
import { loadChoices, type Offer, reachOf } from './load.ts';
import type { Taking } from './occurrences.ts';
import { startsOf } from './starts.ts';
import { isoOf, zoneOf } from './zone.ts';

/**
 * The error for a start (epoch minutes) at which the places are not free at `now` (epoch milliseconds). Its next starts
 * are those of the requested staff members, or of any, in the zone of the business. A move frees the booking's own time.
 */
export async function slotUnavailable(
  offer: Offer,
  start: number,
  now: number,
  places: number,
  freed?: Taking,
): Promise<ApiError> {
  const from = Math.max(Math.floor(start), Math.floor(now / 60_000));
  const range = { start: from, end: from + limits.alternativeSlotsDays * minutesPerDay };
  const reach = reachOf(offer, range);
  const choices = await withFreed(await loadChoices(offer, reach), reach, freed);
  const starts = new Set(startsOf(choices, range, now, { places }).flatMap((one) => one.starts));
  const zone = zoneOf(offer.business.timeZone);
  const nextAvailable = [...starts]
    .sort((a, b) => a - b)
    .slice(0, limits.alternativeSlots)
    .map((next) => isoOf(zone, next));
  return fail('slot_unavailable', { details: { nextAvailable } });
}
