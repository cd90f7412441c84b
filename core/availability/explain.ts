/** `GET /slots/explain` (docs/rules.md#slots): whether a start is free for each staff member, and why it is not. */
import type { SlotReason } from '../../contract/integration/resources.ts';
import { now } from '../clock.ts';
import type { Principal } from '../principal.ts';
import { dateOf, minutesPerDay } from './calendar.ts';
import { type FreeStartsQuery, onGrid, startWindow, takenBy } from './free-starts.ts';
import { type Interval, merge, overlaps } from './intervals.ts';
import { type TakenTime, without } from './list-slots.ts';
import {
  loadOffer,
  loadStaff,
  type Member,
  type Offer,
  reachOf,
  startsQuery,
  takingAt,
  whyNotOffered,
} from './load.ts';
import { occurrencesOf } from './occurrences.ts';
import { emptyStaffDay } from './staff-day.ts';
import { workingTime } from './working-time.ts';
import { datesToEpoch, offsetAt, zoneOf } from './zone.ts';

export interface ExplainQuery {
  readonly serviceId: number;
  readonly startTime: string;
  readonly staffId?: number | undefined;
}

export interface Explanation {
  readonly free: boolean;
  readonly staff: { readonly staffId: number; readonly free: boolean; readonly reasons: SlotReason[] }[];
}

/** A start is free when the function that lists slots lists it. `freed` counts as free. 404 `not_found` for an unknown service or staff member. */
export async function explainSlot(
  principal: Principal,
  { serviceId, startTime, staffId }: ExplainQuery,
  freed?: TakenTime,
): Promise<Explanation> {
  const start = Date.parse(startTime) / 60_000;
  const starts = { start: Math.floor(start), end: Math.floor(start) + 1 };
  const offer = await loadOffer(principal, serviceId);
  const members = await loadStaff(offer, staffId, reachOf(offer, starts));
  const at = now();
  const staff = members.map((read) => {
    const member = freed ? without(principal.tenantId, read, freed) : read;
    const asked = startsQuery(offer, member, starts, at);
    const notOffered = whyNotOffered(offer, member);
    const free = notOffered.length === 0 && takingAt(offer, member, start, at) !== undefined;
    const reasons = free
      ? []
      : [
          ...notOffered,
          ...whyNotFree(asked, start),
          ...whyTaken(offer, member, start, at),
          ...whyElsewhere(asked, start),
        ];
    return { staffId: member.staff.id, free, reasons };
  });
  return { free: staff.some(({ free }) => free), staff };
}

/** What notice, horizon, hours and grid have against a start. */
function whyNotFree(query: FreeStartsQuery, start: number): SlotReason[] {
  const { earliest, latest } = startWindow(query);
  return [
    ...(start < earliest ? ['too_soon' as const] : []),
    ...(start > latest ? ['too_far' as const] : []),
    ...whyNotWorking(query, start),
  ];
}

function whyNotWorking({ service, rules, timeZone, schedule }: FreeStartsQuery, start: number): SlotReason[] {
  const zone = zoneOf(timeZone);
  const minute = Math.floor(start);
  const date = dateOf(Math.floor((minute + offsetAt(zone, minute)) / minutesPerDay));
  const working = workingTime(schedule, zone, datesToEpoch(zone, date, date));
  const hours = merge(working);
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return ['day_off'];
  const appointment = { start, end: start + service.durationMinutes };
  if (hours.some((interval) => interval.start <= appointment.start && appointment.end <= interval.end)) {
    const isOnGrid = working.some(
      (interval) =>
        interval.start <= start &&
        start < interval.gridEnd &&
        onGrid(interval.start, rules.slotStepMinutes, start) === start,
    );
    return isOnGrid ? [] : ['off_grid'];
  }
  const breaks = hours.slice(1).map((next, i): Interval => ({ start: hours[i]?.end ?? next.start, end: next.start }));
  const isOutside = appointment.start < first.start || appointment.end > last.end;
  return [
    ...(isOutside ? ['outside_hours' as const] : []),
    ...(breaks.some((pause) => overlaps(pause, appointment)) ? ['break' as const] : []),
  ];
}

function whyElsewhere({ service, elsewhere = [] }: FreeStartsQuery, start: number): SlotReason[] {
  const taken = takenBy(service, start);
  return elsewhere.some((block) => overlaps(block, taken)) ? ['busy_elsewhere'] : [];
}

/** `buffer`: only the buffers of the appointment that is asked for overlap what is taken, which has its own. */
function whyTaken(offer: Offer, member: Member, start: number, at: number): SlotReason[] {
  const appointment = { start, end: start + offer.service.durationMinutes };
  const occurrence = occurrencesOf(member.days, offer.service.id, at).get(start);
  if (occurrence) return occurrence.remaining < 1 ? ['full'] : occurrence.end === appointment.end ? [] : ['booked'];
  const taken = takenBy(offer.service, start);
  const by = (days: Member['days']) =>
    startsQuery(offer, { ...member, days }, appointment, at).busy.filter((busy) => overlaps(busy, taken));
  const bookings = by(new Map([...member.days].map(([day, item]) => [day, { ...item, holds: emptyStaffDay.holds }])));
  const holds = by(new Map([...member.days].map(([day, item]) => [day, { ...item, busy: emptyStaffDay.busy }])));
  const isHit = (busy: Interval) => overlaps(busy, appointment);
  return [
    ...(bookings.some(isHit) ? ['booked' as const] : []),
    ...(holds.some(isHit) ? ['held' as const] : []),
    ...([...bookings, ...holds].some((busy) => !isHit(busy)) ? ['buffer' as const] : []),
  ];
}
