/** `GET /slots` (docs/rules.md#slots): what the availability function lists, printed in the asked zone. */
import { limits } from '../../contract/limits.ts';
import { now } from '../clock.ts';
import { fail } from '../errors.ts';
import type { Principal } from '../principal.ts';
import { dateOf, dayOf } from './calendar.ts';
import { loadMembers, loadOffer, type Member, type MemberStarts, type Offer, reachOf, startsOf } from './load.ts';
import { leave, type Taking } from './occurrences.ts';
import { type Slot, slotList } from './slot-list.ts';
import { datesToEpoch, type Zone, zoneOf } from './zone.ts';

export interface SlotsQuery {
  readonly serviceId: number;
  /** Dates, both inclusive, in `timeZone`. */
  readonly from: string;
  readonly to: string;
  readonly staffId?: number | undefined;
  /** Only starts with so many places left; default: 1. */
  readonly places?: number | undefined;
  readonly timeZone?: string | undefined;
}

/** What one booking takes of a staff member. */
export interface TakenTime extends Taking {
  readonly staffId: number;
}

/**
 * `freed` counts as free: of a booking that is to be moved. Errors: 400 `range_too_large`, 400 `validation_failed` when
 * `to` is before `from`, 404 `not_found`.
 */
export async function listSlots(
  principal: Principal,
  query: SlotsQuery,
  freed?: TakenTime,
): Promise<{ data: Slot[]; timeZone: string }> {
  const { offer, zone, timeZone, starts } = await findStarts(principal, query, limits.slotRangeDays, freed);
  if (starts.reduce((sum, one) => sum + one.starts.length, 0) > limits.slotsPerAnswer) {
    const fits = (count: number) => {
      const { end } = datesToEpoch(zone, query.from, dateOf(dayOf(query.from) + count - 1));
      const before = starts.map((one) => one.starts.filter((start) => start < end).length);
      return before.reduce((sum, one) => sum + one, 0) <= limits.slotsPerAnswer;
    };
    let fitting = daysIn(query) - 1;
    while (fitting > 0 && !fits(fitting)) fitting -= 1;
    const fewer = fitting > 0 ? `at most ${fitting} ${fitting === 1 ? 'day' : 'days'}, or for ` : '';
    throw fail('range_too_large', {
      message: `These are more than ${limits.slotsPerAnswer} slots. Ask for ${fewer}one staff member.`,
    });
  }
  return { data: slotList(starts, offer.service, zone), timeZone };
}

/** The free starts of each staff member on the dates of a query, which may be so many days. */
export async function findStarts(
  principal: Principal,
  query: SlotsQuery,
  daysMax: number,
  freed?: TakenTime,
): Promise<{ offer: Offer; zone: Zone; timeZone: string; starts: MemberStarts[] }> {
  const days = daysIn(query);
  if (days < 1) {
    throw fail('validation_failed', { details: [{ path: 'to', message: 'must not be before from' }] });
  }
  if (days > daysMax) {
    throw fail('range_too_large', { message: `The range from \`from\` to \`to\` is longer than ${daysMax} days.` });
  }
  const offer = await loadOffer(principal, query.serviceId);
  const timeZone = query.timeZone ?? offer.business.timeZone;
  const zone = zoneOf(timeZone);
  const range = datesToEpoch(zone, query.from, query.to);
  const members = await loadMembers(offer, query.staffId, reachOf(offer, range));
  const at = now();
  const starts = members.map((member) =>
    startsOf(offer, freed ? without(principal.tenantId, member, freed) : member, range, at, { places: query.places }),
  );
  return { offer, zone, timeZone, starts };
}

function daysIn({ from, to }: SlotsQuery): number {
  return dayOf(to) - dayOf(from) + 1;
}

/** A member without what a booking takes, unless the booking was moved or cancelled since. */
export function without(tenantId: number, member: Member, freed: TakenTime): Member {
  if (member.staff.id !== freed.staffId) return member;
  const left = leave({ tenantId, staffId: freed.staffId, days: member.days }, freed);
  return left === 'absent' ? member : { ...member, days: left.days };
}
