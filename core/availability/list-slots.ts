/** `GET /slots` (docs/rules.md#slots): the free starts, printed in the requested time zone. */
import type * as z from 'zod/mini';
import type { listSlots as row } from '../../contract/integration/routes.ts';
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import { fail, invalid } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { dateOf, dayOf } from './calendar.ts';
import { withDaysOf } from './calendar-time.ts';
import { type Interval, overlaps } from './intervals.ts';
import { type Choices, loadChoices, loadOffer, reachOf } from './load.ts';
import { leave, type Taking } from './occurrences.ts';
import { requestedServices } from './requested-services.ts';
import { slotList, visitList } from './slot-list.ts';
import { type FreeStarts, startsOf } from './starts.ts';
import { datesToEpoch, type Zone, zoneOf } from './zone.ts';

export type SlotsQuery = Omit<z.output<(typeof row)['query']>, 'movingBookingId'>;

/**
 * The time of the booking `freed`, which is to be moved, counts as free. Errors: 400 `range_too_large`, 400
 * `validation_failed` when `to` is before `from`, 404 `not_found`.
 */
export async function listSlots(
  principal: Principal,
  query: SlotsQuery,
  freed?: Taking,
): Promise<z.output<(typeof row)['output']>> {
  const { choices, zone, timeZone, starts } = await findStarts(principal, query, limits.slotRangeDays, freed);
  const { parts } = choices;
  const slotsMax = Math.floor(limits.slotsPerAnswer / parts.length);
  if (starts.reduce((sum, one) => sum + one.starts.length, 0) > slotsMax) {
    const fits = (count: number) => {
      const { end } = datesToEpoch(zone, query.from, dateOf(dayOf(query.from) + count - 1));
      const before = starts.map((one) => one.starts.filter((start) => start < end).length);
      return before.reduce((sum, one) => sum + one, 0) <= slotsMax;
    };
    let fitting = daysIn(query) - 1;
    while (fitting > 0 && !fits(fitting)) fitting -= 1;
    const fewer = [
      ...(fitting > 0 ? [`at most ${fitting} ${fitting === 1 ? 'day' : 'days'}`] : []),
      // A visit is listed once for each start, however many staff members are free.
      ...(starts.length > 1 ? ['one staff member'] : []),
    ];
    throw fail('range_too_large', `There are more than ${slotsMax} slots. Ask for ${fewer.join(', or for ')}.`);
  }
  const data = parts.length > 1 ? visitList(starts, parts, zone) : slotList(starts, parts[0].service, zone);
  return { data, timeZone };
}

/** The free starts on the dates of a query. Errors: 400 `range_too_large`, 400 `validation_failed`, 404 `not_found`. */
export async function findStarts(
  principal: Principal,
  query: SlotsQuery,
  daysMax: number,
  freed?: Taking,
): Promise<{ choices: Choices; zone: Zone; timeZone: string; starts: FreeStarts[] }> {
  const days = daysIn(query);
  if (days < 1) throw invalid('to', 'must not be before from');
  if (days > daysMax) {
    throw fail('range_too_large', `The range from \`from\` to \`to\` is longer than ${daysMax} days.`);
  }
  const offer = await loadOffer(principal, requestedServices(query), 'serviceIds');
  const timeZone = query.timeZone ?? offer.business.timeZone;
  const zone = zoneOf(timeZone);
  const range = datesToEpoch(zone, query.from, query.to);
  const reach = reachOf(offer, range);
  const choices = await withFreed(await loadChoices(offer, reach), reach, freed);
  return { choices, zone, timeZone, starts: startsOf(choices, range, now(), { places: query.places }) };
}

function daysIn({ from, to }: SlotsQuery): number {
  return dayOf(to) - dayOf(from) + 1;
}

/** The choices with the time of the booking free, unless it was moved or cancelled in the meantime. */
export async function withFreed(choices: Choices, read: Interval, freed: Taking | undefined): Promise<Choices> {
  if (!freed?.taken.some((time) => overlaps(time, read))) return choices;
  const left = leave(await withDaysOf(choices.calendars, read, freed.taken), freed);
  return left === 'absent' ? choices : { ...choices, calendars: left };
}
