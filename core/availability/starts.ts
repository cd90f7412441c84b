/**
 * Decides at which starts all requested segments are possible, and which staff members and resources then take them.
 * Slots, holds, bookings, moves and explanations use this decision (docs/rules.md#slots).
 */
import type { ResourceItem, StaffItem } from '../catalog/items.ts';
import { minutesPerDay } from './calendar.ts';
import { bookingsOn, busyAt, type Occurrence, resourceCalendar, staffCalendar } from './calendar-day.ts';
import { type CalendarDays, daysOfCalendar, type TakenTime } from './calendar-time.ts';
import { type Candidate, choose, runOf, runsOf, type Span } from './choose.ts';
import { elsewhereOf } from './elsewhere.ts';
import {
  always,
  busyIn,
  type FreeStartsQuery,
  hoursOf,
  mayBegin,
  possibleStarts,
  startsIn,
  takenBy,
} from './free-starts.ts';
import { type Interval, merge, normalize } from './intervals.ts';
import { type Choices, type Part, whyNotOffered } from './load.ts';
import { admittedStarts, type OpenOccurrence, occurrencesOf, type Taking } from './occurrences.ts';
import type { WorkingInterval } from './working-time.ts';

/** What a caller requests in addition to the start. */
interface StartOptions {
  /** Default: 1. */
  readonly places?: number | undefined;
  /** A hold that the caller is about to use. */
  readonly using?: { readonly id: string; readonly createdAt: number } | undefined;
  /** Only for an owner: hours, grid, notice and horizon are ignored (docs/rules.md#bookings). */
  readonly outsideRules?: boolean | undefined;
}

/** The possible starts: of one staff member for a single service, of the chosen staff members for a visit. */
export interface FreeStarts {
  /** 0 for a visit, whose staff members are `chosen`. */
  readonly staffId: number;
  /** Epoch minutes, strictly ascending. */
  readonly starts: readonly number[];
  /** Occurrences, by their start. */
  readonly occurrences?: ReadonlyMap<number, OpenOccurrence>;
  /** Only of a visit: the calendars that take its segments, by its start. */
  readonly chosen?: ReadonlyMap<number, readonly number[]>;
}

/** The calendars and times that a booking or a hold takes at a start. */
export interface Choice {
  /** The staff member of each part. */
  readonly staff: readonly StaffItem[];
  readonly resources: readonly (Pick<ResourceItem, 'id' | 'name'> | undefined)[];
  /** The resources that the booking takes itself. One that joins an occurrence of a class uses the occurrence's. */
  readonly opened: readonly ResourceItem[];
  readonly start: number;
  readonly end: number;
  readonly taking: Taking;
}

/** A calendar that may take segments. */
interface Calendar extends Candidate {
  readonly calendar: string;
}

interface Member extends Calendar {
  readonly staff: StaffItem;
  readonly query: FreeStartsQuery;
  readonly hours: readonly WorkingInterval[];
  /** The starts of a visit that the working hours and the rules allow. */
  grid(): readonly number[];
  /** The occurrences of a class; empty for other services. */
  readonly occurrences: ReadonlyMap<number, OpenOccurrence>;
}

interface Room extends Calendar {
  readonly resource: ResourceItem;
  readonly busy: readonly Interval[];
}

/**
 * The starts of a range at which all segments are possible; exactly these are listed and accepted. For a single service
 * those of each staff member; for a visit one combination for each start.
 */
export function startsOf(choices: Choices, range: Interval, at: number, options: StartOptions = {}): FreeStarts[] {
  const members = membersOf(choices, range, at, options);
  if (choices.parts.length > 1) return [visitStarts(choices, members, range, at, options)];
  const within = withRoom(choices, at, options);
  return members
    .filter((one) => one.can(0))
    .map((one) => ({
      staffId: one.id,
      occurrences: one.occurrences,
      starts: plainStarts(choices, one, within, options),
    }));
}

/** What a booking or hold takes at a start, or nothing if the start is not possible. */
export function choiceAt(choices: Choices, start: number, at: number, options: StartOptions): Choice | undefined {
  const { parts } = choices;
  const members = membersOf(choices, { start, end: start + 1 }, at, options);
  // An occurrence with places left is preferred to a new one.
  const able = parts.length > 1 ? members : members.map((one) => asOne(choices, one, options));
  const chosen = choose(parts, () => true, able, [start]).get(start) ?? [];
  const staff = chosen.flatMap((one) => one ?? []);
  const [first] = staff;
  if (!first) return undefined;
  const shared = first.occurrences.get(start);
  if (shared) return joined(choices, first, shared, options);
  const rooms = chooseRooms(choices, at, options, [start]).get(start);
  return rooms && opened(choices, staff, rooms, start, options);
}

/** The starts of a single service at which the staff member is free, whether or not a resource is. */
function asOne(choices: Choices, one: Member, options: StartOptions): Member {
  return {
    ...one,
    fits: (candidates) => {
      const starts = plainStarts(choices, one, undefined, options);
      return Uint8Array.from(candidates, (start) => (starts.includes(start) ? 1 : 0));
    },
    load: (start) => (one.occurrences.has(start) ? -1 : one.load(start)),
  };
}

function plainStarts(
  { parts: [{ service }] }: Choices,
  { query, hours, occurrences }: Member,
  within: readonly Interval[] | undefined,
  { places = 1 }: StartOptions,
): readonly number[] {
  return admittedStarts({ ...query, within }, service, places, occurrences, hours);
}

function visitStarts(
  choices: Choices,
  members: readonly Member[],
  range: Interval,
  at: number,
  options: StartOptions,
): FreeStarts {
  const { parts } = choices;
  const isStart = new Uint8Array(Math.max(0, range.end - range.start));
  for (const { can, grid } of members) {
    if (can(0)) for (const start of grid()) isStart[start - range.start] = 1;
  }
  const starts: number[] = [];
  for (let i = isStart.indexOf(1); i >= 0; i = isStart.indexOf(1, i + 1)) starts.push(range.start + i);
  const staffed = choose(parts, () => true, members, starts);
  const chosen = new Map<number, readonly number[]>();
  for (const start of chooseRooms(choices, at, options, [...staffed.keys()]).keys()) {
    chosen.set(start, staffed.get(start)?.flatMap((one) => one?.id ?? []) ?? []);
  }
  return { staffId: 0, starts: [...chosen.keys()], chosen };
}

/** The input of `free-starts.ts` for one staff member: `range` contains the epoch minutes of starts. */
export function startsQuery(
  { business, durationMinutes, parts, calendars }: Choices,
  staff: StaffItem,
  range: Interval,
  now: number,
  { using, outsideRules }: StartOptions = {},
): FreeStartsQuery {
  const whole = { durationMinutes, bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
  return {
    service: parts.length > 1 ? whole : parts[0],
    rules: business.bookingRules,
    timeZone: business.timeZone,
    schedule: staff.schedule,
    elsewhere: elsewhereOf(staff),
    busy: busyOf(daysOfCalendar(calendars, staffCalendar(staff.id)), now, using?.id),
    // The minimum notice was checked when the hold was made.
    now: using?.createdAt ?? now,
    range,
    outsideRules,
  };
}

/** The busy time without the hold that the caller is about to use. */
export function busyOf(days: CalendarDays, now: number, exceptHold?: string): Interval[] {
  return [...days].flatMap(([day, item]) => busyAt(day, item, now, exceptHold));
}

function membersOf(choices: Choices, range: Interval, at: number, options: StartOptions): Member[] {
  const { parts, staff, calendars } = choices;
  return staff.map((member) => {
    const calendar = staffCalendar(member.id);
    const days = daysOfCalendar(calendars, calendar);
    const query = startsQuery(choices, member, range, at, options);
    const hours = hoursOf(query);
    const worked = merge(hours);
    let known: readonly number[] | undefined;
    const grid = () => {
      const first = { ...parts[0], bufferBeforeMinutes: 0, bufferAfterMinutes: 0 };
      known ??= startsIn(query, hours, possibleStarts(first, worked, []));
      return known;
    };
    const able = parts.map(
      (part) => (part.staffId ?? member.id) === member.id && whyNotOffered(part, member).length === 0,
    );
    const its = calendarOf(member.id, calendar, able, parts, days, () => [worked, busyIn(query)]);
    return {
      ...its,
      fits: (starts, first, last) => {
        const fits = its.fits(starts, first, last);
        return first > 0 ? fits : keepOnly(fits, starts, grid());
      },
      grid,
      staff: member,
      query,
      hours,
      occurrences: occurrencesAt(choices, member.id, at, options),
    };
  });
}

/**
 * The occurrences of a class, by start. The resource of an occurrence that has only holds may have been deleted or made
 * inactive. Then nothing more is booked in the occurrence, and its time is free again when the holds expire.
 */
export function occurrencesAt(
  { parts, resources, calendars }: Choices,
  staffId: number,
  at: number,
  { using }: StartOptions = {},
): ReadonlyMap<number, OpenOccurrence> {
  if (parts.length > 1) return new Map();
  const days = daysOfCalendar(calendars, staffCalendar(staffId));
  const isThere = (id: number) => resources.some((one) => one.id === id && one.active);
  const found = [...occurrencesOf(days, parts[0].service.id, at, using?.id)];
  return new Map(found.filter(([, { isHeld, resource }]) => !isHeld || !resource || isThere(resource.id)));
}

function roomsOf({ parts, resources, calendars }: Choices, at: number, { using }: StartOptions): Room[] {
  return resources.map((resource) => {
    const calendar = resourceCalendar(resource.id);
    const days = daysOfCalendar(calendars, calendar);
    const able = parts.map(({ service: { resourceKind } }) => resource.active && resource.kind === resourceKind);
    const busy = normalize(busyOf(days, at, using?.id));
    return { ...calendarOf(resource.id, calendar, able, parts, days, () => [always, busy]), resource, busy };
  });
}

function calendarOf(
  id: number,
  calendar: string,
  able: readonly boolean[],
  spans: readonly Span[],
  days: CalendarDays,
  /** The working hours and the busy time of a calendar. */
  times: () => readonly [readonly Interval[], readonly Interval[]],
): Calendar {
  let read: ReturnType<typeof times> | undefined;
  return {
    id,
    calendar,
    can: (part) => able[part] === true,
    fits: (starts, first, last) => {
      read ??= times();
      const run = runOf(spans, first, last);
      return mayBegin(run, ...read, starts, run.offset);
    },
    load: (start) => {
      const day = days.get(Math.floor(start / minutesPerDay));
      return day ? bookingsOn(day) : 0;
    },
  };
}

/** Clears the flags of starts that are missing in the other list. Both lists are ascending. */
function keepOnly(fits: Uint8Array, starts: readonly number[], others: readonly number[]): Uint8Array {
  let passed = 0;
  for (let i = 0; i < starts.length; i++) {
    const start = starts[i] ?? 0;
    while ((others[passed] ?? Number.POSITIVE_INFINITY) < start) passed++;
    if (others[passed] !== start) fits[i] = 0;
  }
  return fits;
}

/** The starts at which a single service has a free resource; undefined if it needs none. */
function withRoom(choices: Choices, at: number, options: StartOptions): Interval[] | undefined {
  const [part] = choices.parts;
  if (!needsRoom(choices.parts)(0)) return undefined;
  const rooms = roomsOf(choices, at, options).filter((room) => room.can(0));
  return normalize(rooms.flatMap(({ busy }) => possibleStarts(part, always, busy)));
}

const needsRoom = (parts: readonly Part[]) => (part: number) => (parts[part]?.service.resourceKind ?? null) !== null;

/** The free resources of the segments, by start. */
function chooseRooms(choices: Choices, at: number, options: StartOptions, starts: readonly number[]) {
  return choose(choices.parts, needsRoom(choices.parts), roomsOf(choices, at, options), starts);
}

/** Whether a segment alone would have a free resource at a start of the visit. */
export function hasRoom(choices: Choices, part: number, start: number, at: number): boolean {
  const { parts } = choices;
  return (
    !needsRoom(parts)(part) ||
    roomsOf(choices, at, {}).some((room) => room.can(part) && room.fits([start], part, part)[0] === 1)
  );
}

/** Places of an occurrence that has a booking or a hold. */
function joined(
  { resources }: Choices,
  { staff, calendar }: Member,
  shared: OpenOccurrence,
  { places = 1 }: StartOptions,
): Choice {
  const { remaining: _, isHeld, ...occurrence } = shared;
  const { start, end, taken, resource } = occurrence;
  const calendars = [calendar, ...(resource ? [resourceCalendar(resource.id)] : [])];
  return {
    staff: [staff],
    resources: [resource],
    opened: isHeld ? resources.filter(({ id }) => id === resource?.id) : [],
    start,
    end,
    taking: { taken: calendars.map((one) => ({ calendar: one, ...taken })), of: { ...occurrence, places } },
  };
}

function opened(
  { parts, durationMinutes }: Choices,
  members: readonly Member[],
  rooms: readonly (Room | undefined)[],
  start: number,
  { places = 1 }: StartOptions,
): Choice {
  const end = start + durationMinutes;
  const [{ service }] = parts;
  const [member] = members;
  const resources = rooms.map((room) => room && { id: room.resource.id, name: room.resource.name });
  const taken = [...runsOf(members), ...runsOf(rooms)].map(({ one, first, last }): TakenTime => {
    const run = runOf(parts, first, last);
    return { calendar: one.calendar, ...takenBy(run, start + run.offset) };
  });
  const { capacity = 1 } = service;
  const of: Occurrence | undefined =
    capacity > 1 && member
      ? {
          ...{ serviceId: service.id, staffId: member.id, start, end, capacity, places },
          taken: takenBy(parts[0], start),
          ...(resources[0] && { resource: resources[0] }),
        }
      : undefined;
  return {
    staff: members.map(({ staff }) => staff),
    resources,
    opened: rooms.flatMap((room) => room?.resource ?? []),
    start,
    end,
    taking: { taken, of },
  };
}
