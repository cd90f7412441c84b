/** Random businesses with visits, classes, rooms, holds and busy blocks, in forty zones. */
import { insertBooking, resourceCalendar, staffCalendar } from '../../../core/availability/calendar-day.ts';
import type { CalendarDayItem, Calendars, TakenTime } from '../../../core/availability/calendar-time.ts';
import { changeTime } from '../../../core/availability/calendar-time.ts';
import { packBlocks } from '../../../core/availability/elsewhere.ts';
import { type Interval, normalize } from '../../../core/availability/intervals.ts';
import type { Choices, Part } from '../../../core/availability/load.ts';
import { take, takeForHold } from '../../../core/availability/occurrences.ts';
import type { ServiceItem, StaffItem, WorkSchedule } from '../../../core/catalog/items.ts';
import { demoTenant } from '../../../local/demo.ts';
import { Random } from '../../simulation/random.ts';
import { weekOf } from '../../support/always-open.ts';
import { intlWalls, type Walls } from './intl-model.ts';

/** Forty zones, each on a day with a transition, a day that occurs twice or not at all, or an ordinary day. */
export const places = (
  [
    ['2027-03-28', 'Europe/Riga Europe/London Europe/Lisbon Europe/Dublin Atlantic/Azores Europe/Chisinau'],
    ['2026-10-25', 'Europe/Paris Europe/Kyiv Antarctica/Troll Africa/Ceuta America/Scoresbysund Arctic/Longyearbyen'],
    [
      '2027-03-14',
      'America/New_York America/Chicago America/Denver America/Los_Angeles America/St_Johns America/Havana',
    ],
    ['2026-11-01', 'America/Halifax America/Anchorage America/Winnipeg America/Port-au-Prince America/Nuuk'],
    ['2026-10-04', 'Australia/Sydney Australia/Lord_Howe Australia/Adelaide Pacific/Norfolk'],
    ['2027-04-04', 'Pacific/Auckland Pacific/Chatham'],
    ['2026-09-06', 'America/Santiago Pacific/Easter'],
    ['2026-10-30', 'Africa/Cairo'],
    ['2027-03-28', 'Asia/Beirut'],
    ['2027-02-07', 'Africa/Casablanca'],
    ['2027-03-26', 'Asia/Jerusalem'],
    ['2011-12-30', 'Pacific/Apia'],
    ['2026-12-01', 'Asia/Kathmandu Asia/Kolkata Etc/UTC Pacific/Kiritimati'],
  ] as const
).flatMap(([date, zones]) => zones.split(' ').map((zone) => [zone, date] as const));

const wallsOf = new Map<string, Walls>();
function walls(zone: string, date: string): Walls {
  const first = Date.parse(date) / 60_000;
  const known = wallsOf.get(zone) ?? intlWalls(zone, first - 5 * 1_440, first + 4 * 1_440);
  wallsOf.set(zone, known);
  return known;
}
const clock = (minute: number) =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`;

function someSchedule(random: Random, date: string): WorkSchedule {
  const day = () => {
    const kind = random.below(6);
    if (kind === 0) return [];
    if (kind < 3) return [{ from: '00:00', to: '24:00' }];
    const edges = Array.from({ length: 4 }, () => 15 * random.below(97)).sort((a, b) => a - b);
    const [a = 0, b = 0, c = 0, d = 0] = edges;
    return [[a, b] as const, [c, d] as const].flatMap(([from, to]) =>
      from < to ? [{ from: clock(from), to: clock(to) }] : [],
    );
  };
  return { weekly: weekOf(day), exceptions: random.chance(0.3) ? { [date]: day() } : {} };
}

export interface RandomBusiness {
  readonly choices: Choices;
  readonly now: number;
  readonly range: Interval;
  readonly shown: Walls;
  /** The taken time of each calendar, without blocks. */
  readonly taken: ReadonlyMap<string, readonly Interval[]>;
  /** Blocks of other calendars by staff member. */
  readonly blocks: ReadonlyMap<number, readonly Interval[]>;
  readonly occurrences: readonly { staffId: number; start: number; remaining: number }[];
  readonly places: number;
}

export function randomBusiness(seed: number): RandomBusiness {
  const random = new Random(seed, 'oracle');
  const [timeZone, date] = places[seed % places.length] ?? ['Etc/UTC', '2026-12-01'];
  const shown = walls(timeZone, date);
  const noon = Date.parse(date) / 60_000;
  const begin = noon + random.between(-600, 900);
  const range = { start: begin, end: begin + 120 };
  const now = (begin - random.between(-30, 600)) * 60_000;
  const {
    business,
    services: [demo],
    staff: [member],
  } = demoTenant(now);
  if (!demo || !member) throw new Error('The demo has services and staff');
  const count = random.pick([1, 1, 2, 3, 4]);
  const isClass = count === 1 && random.chance(0.4);
  const staffIds = Array.from({ length: random.pick([1, 2, 3]) }, (_, i) => 11 + i);
  const kinds = [null, null, 'room', 'bath'] as const;
  const services = Array.from(
    { length: count },
    (_, i): ServiceItem => ({
      ...demo,
      id: 1 + i,
      durationMinutes: random.pick([10, 25, 60, 180]),
      bufferBeforeMinutes: random.pick([0, 0, 5, 30]),
      bufferAfterMinutes: random.pick([0, 0, 7, 45]),
      capacity: isClass ? 3 : 1,
      resourceKind: random.pick([...kinds]),
      staffIds: staffIds.filter(() => random.chance(0.8)),
      active: random.chance(0.97),
    }),
  );
  const blocks = new Map(
    staffIds.map((id) => [id, random.chance(0.3) ? normalize([someTime(random, range)]) : []] as const),
  );
  const staff = staffIds.map((id): StaffItem => {
    const block = blocks.get(id) ?? [];
    return {
      ...member,
      id,
      serviceIds: services.flatMap((service) => (service.staffIds.includes(id) ? service.id : [])),
      schedule: someSchedule(random, date),
      active: random.chance(0.95),
      ...(block.length > 0 && { elsewhere: { other: { updatedAt: '', blocks: packBlocks(block) } } }),
    };
  });
  const resources = [21, 22, 23].map((id) => ({
    ...{ id, name: `Room ${id}`, bookings: 0 },
    kind: random.pick(['room', 'bath']),
    active: random.chance(0.85),
  }));
  let offset = 0;
  const parts = services.map((service): Part => {
    const { durationMinutes, bufferBeforeMinutes, bufferAfterMinutes } = service;
    const part = { service, offset, durationMinutes, bufferBeforeMinutes, bufferAfterMinutes };
    offset += durationMinutes;
    return random.chance(0.15) ? { ...part, staffId: random.pick(staffIds) } : part;
  });
  let calendars: Calendars = { tenantId: 1, days: new Map<string, Map<number, CalendarDayItem>>() };
  const taken = new Map<string, Interval[]>();
  const note = (times: readonly TakenTime[]) => {
    for (const { calendar, ...time } of times) taken.set(calendar, [...(taken.get(calendar) ?? []), time]);
  };
  const names = [...staffIds.map(staffCalendar), ...resources.map(({ id }) => resourceCalendar(id))];
  for (let n = random.below(12); n > 0; n--) {
    const times = [{ calendar: random.pick(names), ...someTime(random, range) }];
    const isHold = random.chance(0.3);
    const next = isHold
      ? takeForHold(calendars, { taken: times }, { id: `h${n}`, expiresAt: now + random.pick([-1, 60_000]) }, now)
      : changeTime(calendars, times, (day, part) => insertBooking(day, part, now));
    if (typeof next === 'string') continue;
    const held = [...(next.days.get(times[0]?.calendar ?? '')?.values() ?? [])].flatMap(({ holds }) => holds);
    if (!isHold || held.some(({ id, expiresAt }) => id === `h${n}` && expiresAt > now)) note(times);
    calendars = next;
  }
  const occurrences: { staffId: number; start: number; remaining: number }[] = [];
  const [service] = services;
  for (let n = isClass && service ? random.below(5) : 0; n > 0 && service; n--) {
    const [staffId, start] = [random.pick(staffIds), begin + 5 * random.below(8)];
    const time = {
      start: start - service.bufferBeforeMinutes,
      end: start + service.durationMinutes + service.bufferAfterMinutes,
    };
    const end = start + service.durationMinutes;
    const places = random.between(1, 3);
    const of = { serviceId: service.id, staffId, start, end, taken: time, capacity: 3, places };
    const taking = { taken: [{ calendar: staffCalendar(staffId), ...time }], of };
    const known = occurrences.find((one) => one.staffId === staffId && one.start === start);
    if (known && known.remaining < places) continue;
    const expiresAt = now + random.pick([-1, 60_000, 60_000]);
    const isHold = random.chance(0.4);
    const next = isHold
      ? takeForHold(calendars, taking, { id: `p${n}`, expiresAt }, now)
      : take(calendars, taking, now);
    if (typeof next === 'string') continue;
    calendars = next;
    if (isHold && expiresAt < now) continue;
    note(taking.taken);
    if (known) known.remaining -= places;
    else occurrences.push({ staffId, start, remaining: 3 - places });
  }
  const bookingRules = {
    ...business.bookingRules,
    slotStepMinutes: random.pick([5, 15, 20]),
    minNoticeMinutes: random.pick([0, 0, 60]),
    maxAdvanceDays: random.pick([1, 30]),
  };
  const [first, ...others] = parts;
  if (!first) throw new Error('There is a service');
  const choices: Choices = {
    business: { ...business, timeZone, bookingRules },
    parts: [first, ...others],
    durationMinutes: offset,
    actor: { kind: 'owner', subject: '', role: 'owner' },
    staff,
    resources: resources.filter(({ kind }) => services.some(({ resourceKind }) => resourceKind === kind)),
    calendars,
  };
  return { choices, now, range, shown, taken, blocks, occurrences, places: isClass ? random.pick([1, 1, 2]) : 1 };
}

function someTime(random: Random, { start }: Interval): Interval {
  const begin = start + random.between(-200, 500);
  return { start: begin, end: begin + random.pick([5, 30, 90]) };
}
