/** What `slot_unavailable` offers instead (docs/rules.md#errors): up to three next starts. */
import { limits } from '../../contract/limits.ts';
import { type ApiError, fail } from '../errors.ts';
import { minutesPerDay } from './calendar.ts';
import { loadChoices, type Offer, reachOf } from './load.ts';
import { type StartOptions, startsOf } from './starts.ts';
import { isoOf, zoneOf } from './zone.ts';

/** How far ahead is looked, in days: far enough for a fully booked week, near enough for one page. */
const searchDays = 14;

/** The error of a start that is not free, with what is free next. */
export async function slotUnavailable(...asked: Parameters<typeof nextAvailable>): Promise<ApiError> {
  return fail('slot_unavailable', { details: { nextAvailable: await nextAvailable(...asked) } });
}

/** Starts after `start` (epoch minutes), of the members asked for or of any, as times of the business's zone. */
async function nextAvailable(
  offer: Offer,
  start: number,
  now: number,
  { places }: StartOptions = {},
): Promise<string[]> {
  const from = Math.max(Math.floor(start), Math.floor(now / 60_000));
  const range = { start: from, end: from + searchDays * minutesPerDay };
  const choices = await loadChoices(offer, reachOf(offer, range));
  const starts = new Set(startsOf(choices, range, now, { places }).flatMap((one) => one.starts));
  const zone = zoneOf(offer.business.timeZone);
  return [...starts]
    .sort((a, b) => a - b)
    .slice(0, limits.alternativeSlots)
    .map((next) => isoOf(zone, next));
}
