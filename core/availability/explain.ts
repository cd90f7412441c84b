/**
 * `GET /slots/explain` (docs/rules.md#slots): whether a start is free for each staff member and, if not, the reasons.
 */
import type * as z from 'zod/mini';
import type { SlotReason } from '../../contract/integration/resources.ts';
import type { explainSlot as row } from '../../contract/integration/routes.ts';
import type { StaffItem } from '../catalog/items.ts';
import { now } from '../clock.ts';
import type { Principal } from '../principal.ts';
import { dateOf, minutesPerDay } from './calendar.ts';
import { type CalendarDay, emptyDay, staffCalendar } from './calendar-day.ts';
import { type CalendarDays, daysOfCalendar } from './calendar-time.ts';
import { type FreeStartsQuery, isOnGrid, startWindow, takenBy } from './free-starts.ts';
import { type Interval, merge, minuteOf, overlaps } from './intervals.ts';
import { withFreed } from './list-slots.ts';
import { type Choices, loadChoices, loadOffer, type Part, reachOf, whyNotOffered } from './load.ts';
import type { Taking } from './occurrences.ts';
import { requestedServices } from './requested-services.ts';
import { busyOf, choiceAt, hasRoom, occurrencesAt, startsQuery } from './starts.ts';
import { workingTime } from './working-time.ts';
import { datesToEpoch, offsetAt, zoneOf } from './zone.ts';

export type ExplainQuery = Omit<z.output<(typeof row)['query']>, 'movingBookingId'>;
type Explanation = z.output<(typeof row)['output']>;

/** The time of the booking `freed` counts as free. 404 `not_found` for an unknown service or staff member. */
export async function explainSlot(
  principal: Principal,
  { startTime, places, ...services }: ExplainQuery,
  freed?: Taking,
): Promise<Explanation> {
  const start = Date.parse(startTime) / 60_000;
  const offer = await loadOffer(principal, requestedServices(services), 'serviceIds');
  const reach = reachOf(offer, minuteOf(start));
  const choices = await withFreed(await loadChoices(offer, reach), reach, freed);
  return explainStart(choices, start, now(), places);
}

/**
 * A start, in epoch minutes, is free if the function that lists slots lists it at `at`, in epoch milliseconds. Each
 * service of a visit is explained separately, at its own time.
 */
export function explainStart(choices: Choices, start: number, at: number, places = 1): Explanation {
  const free = choiceAt(choices, start, at, { places }) !== undefined;
  const members = choices.parts.map((part, i) =>
    choices.staff
      .filter(({ id }) => (part.staffId === undefined ? part.service.staffIds.includes(id) : part.staffId === id))
      .map((member) => explained(choices, member, i, { start, at, places })),
  );
  const staff = members.flat();
  const isCoupled = !free && members.every((ofPart) => ofPart.some((one) => one.free));
  // Each service would be possible alone, so the reason is the buffers of one staff member or resource.
  if (isCoupled) return { free, staff: staff.map((one) => (one.free ? { ...one, free, reasons: ['buffer'] } : one)) };
  return { free, staff };
}

function explained(
  choices: Choices,
  member: StaffItem,
  index: number,
  { start, at, places }: Readonly<Record<'start' | 'at' | 'places', number>>,
): Explanation['staff'][number] {
  const { parts } = choices;
  const part = parts[index] ?? parts[0];
  const its = { serviceId: part.service.id, staffId: member.id };
  // A run of services may be free where one of its services alone is not, because buffers are only around the run.
  const by = parts.map((one, i) => (i === index ? { ...one, staffId: member.id } : one)) as [Part, ...Part[]];
  if (choiceAt({ ...choices, parts: by }, start, at, { places })) return { ...its, free: true, reasons: [] };
  const query = startsQuery(choices, member, minuteOf(start), at);
  const begin = start + part.offset;
  const reasons: SlotReason[] = [
    ...whyNotOffered(part, member),
    ...(index === 0 ? whyNotStart(query, start) : []),
    ...whyNotWorking({ ...query, service: part }, begin, index === 0),
    ...whyTaken(choices, part, member, begin, at, places),
    ...(query.elsewhere?.some((block) => overlaps(block, takenBy(part, begin))) ? ['busy_elsewhere' as const] : []),
    ...(hasRoom(choices, index, start, at) || occurrencesAt(choices, member.id, at).has(begin)
      ? []
      : ['no_resource' as const]),
  ];
  return { ...its, free: reasons.length === 0, reasons };
}

/** The reasons of notice and horizon against a start. */
function whyNotStart(query: FreeStartsQuery, start: number): SlotReason[] {
  const { earliest, latest } = startWindow(query);
  return [...(start < earliest ? ['too_soon' as const] : []), ...(start > latest ? ['too_far' as const] : [])];
}

/** The reasons of working hours and grid against a start. A service that follows another need not be on the grid. */
function whyNotWorking(
  { service, rules, timeZone, schedule }: FreeStartsQuery,
  start: number,
  isFirst: boolean,
): SlotReason[] {
  const zone = zoneOf(timeZone);
  const minute = Math.floor(start);
  const date = dateOf(Math.floor((minute + offsetAt(zone, minute)) / minutesPerDay));
  const working = workingTime(schedule, zone, datesToEpoch(zone, date, date));
  const hours = merge(working);
  const [first, last] = [hours[0], hours.at(-1)];
  if (!first || !last) return ['day_off'];
  const appointment = { start, end: start + service.durationMinutes };
  if (hours.some((interval) => interval.start <= appointment.start && appointment.end <= interval.end)) {
    return !isFirst || isOnGrid(working, rules.slotStepMinutes, start) ? [] : ['off_grid'];
  }
  const breaks = hours.slice(1).map((next, i): Interval => ({ start: hours[i]?.end ?? next.start, end: next.start }));
  const isOutside = appointment.start < first.start || appointment.end > last.end;
  return [
    ...(isOutside ? ['outside_hours' as const] : []),
    ...(breaks.some((pause) => overlaps(pause, appointment)) ? ['break' as const] : []),
  ];
}

/** `buffer`: the busy time, with its buffers, overlaps only the buffers of the appointment. */
function whyTaken(
  choices: Choices,
  part: Part,
  { id }: StaffItem,
  start: number,
  at: number,
  places: number,
): SlotReason[] {
  const days = daysOfCalendar(choices.calendars, staffCalendar(id));
  const appointment = { start, end: start + part.durationMinutes };
  const occurrence = occurrencesAt(choices, id, at).get(start);
  if (occurrence) {
    if (occurrence.remaining < places) return ['full'];
    return occurrence.end === appointment.end ? [] : [occurrence.isHeld ? 'held' : 'booked'];
  }
  const taken = takenBy(part, start);
  const without = (field: keyof CalendarDay): CalendarDays =>
    new Map([...days].map(([day, item]) => [day, { ...item, [field]: emptyDay[field] }]));
  const by = (some: CalendarDays) => busyOf(some, at).filter((busy) => overlaps(busy, taken));
  const bookings = by(without('holds'));
  const holds = by(without('busy'));
  const isHit = (busy: Interval) => overlaps(busy, appointment);
  return [
    ...((part.service.capacity ?? 1) < places ? ['full' as const] : []),
    ...(bookings.some(isHit) ? ['booked' as const] : []),
    ...(holds.some(isHit) ? ['held' as const] : []),
    ...([...bookings, ...holds].some((busy) => !isHit(busy)) ? ['buffer' as const] : []),
  ];
}
