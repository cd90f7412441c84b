/** What `slot_unavailable` offers instead (decisions §2): up to three next starts. */
import { limits } from '../../contract/limits.ts';
import { minutesPerDay } from '../availability/calendar.ts';
import { freeStarts } from '../availability/free-starts.ts';
import { loadMembers, type Offer, reachOf, startsQuery } from '../availability/load.ts';
import { isoOf, zoneOf } from '../availability/zone.ts';

/** How far ahead is looked, in days: far enough for a fully booked week, near enough for one page. */
const searchDays = 14;

/** Starts after `start` (epoch minutes), of the member asked for or of any, as times of the business's zone. */
export async function nextAvailable(
  offer: Offer,
  staffId: number | undefined,
  start: number,
  now: number,
): Promise<string[]> {
  const from = Math.max(Math.floor(start), Math.floor(now / 60_000));
  const range = { start: from, end: from + searchDays * minutesPerDay };
  const members = await loadMembers(offer, staffId, reachOf(offer, range));
  const starts = new Set(members.flatMap((member) => freeStarts(startsQuery(offer, member, range, now))));
  const zone = zoneOf(offer.business.timeZone);
  return [...starts]
    .sort((a, b) => a - b)
    .slice(0, limits.alternativeSlots)
    .map((next) => isoOf(zone, next));
}
