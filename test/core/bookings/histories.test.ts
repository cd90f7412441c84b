/**
 * Random histories of bookings and holds against a model that keeps them in two arrays and looks through both for every
 * question. What the model calls free is what `GET /slots` must list, and what the verbs must accept.
 */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type ServiceTimes, takenBy } from '../../../core/availability/free-starts.ts';
import { createHold, releaseHold } from '../../../core/availability/holds.ts';
import { type Interval, overlaps } from '../../../core/availability/intervals.ts';
import { listSlots } from '../../../core/availability/list-slots.ts';
import { cancelBooking } from '../../../core/bookings/cancel.ts';
import { createBooking } from '../../../core/bookings/create-booking.ts';
import { rescheduleBooking } from '../../../core/bookings/reschedule.ts';
import type { WorkSchedule } from '../../../core/catalog/items.ts';
import { setRuntime } from '../../../core/clock.ts';
import { ApiError } from '../../../core/errors.ts';
import type { KeyActor, Principal } from '../../../core/principal.ts';
import type { Write } from '../../../core/store/write.ts';
import type { Tenant } from '../../../local/demo.ts';
import { weekOf } from '../../support/always-open.ts';
import { expectConsistent } from '../../support/booking-state.ts';
import { withBug } from '../../support/faults.ts';
import { useTestBusiness } from '../../support/test-business.ts';
import { intlWalls, modelFreeStarts, type Walls } from '../availability/intl-model.ts';

const fixture = useTestBusiness();

/** Zones, each in the night before its clocks change: by an hour, by half an hour, at midnight, and not at all. */
const places = [
  { timeZone: 'Europe/Riga', dates: ['2026-10-24', '2026-10-26'] },
  { timeZone: 'America/New_York', dates: ['2027-03-13', '2027-03-15'] },
  { timeZone: 'Australia/Lord_Howe', dates: ['2026-10-03', '2026-10-05'] },
  { timeZone: 'Africa/Cairo', dates: ['2026-10-29', '2026-10-31'] },
  { timeZone: 'America/Havana', dates: ['2027-03-13', '2027-03-15'] },
  { timeZone: 'Asia/Kathmandu', dates: ['2026-12-01', '2026-12-03'] },
] as const;
type Place = (typeof places)[number];

/** Wall clocks of the days around, one for each zone. */
const wallsOf = new Map<Place, Walls>();
function walls(place: Place): Walls {
  const first = Date.parse(place.dates[0]) / 60_000;
  const known = wallsOf.get(place) ?? intlWalls(place.timeZone, first - 4 * 1_440, first + 8 * 1_440);
  wallsOf.set(place, known);
  return known;
}

const clockOf = (quarters: number) =>
  `${String(Math.floor(quarters / 4)).padStart(2, '0')}:${String((quarters % 4) * 15).padStart(2, '0')}`;

/** Up to two working intervals on each weekday, on quarters of an hour. */
const dayHours = fc.uniqueArray(fc.integer({ min: 0, max: 96 }), { minLength: 2, maxLength: 4 }).map((cuts) => {
  const [a = 0, b = 96, c, d] = cuts.toSorted((x, y) => x - y);
  const hours = [{ from: clockOf(a), to: clockOf(b) }];
  return c === undefined || d === undefined ? hours : [...hours, { from: clockOf(c), to: clockOf(d) }];
});
const schedules = fc.record(weekOf(() => dayHours)).map((weekly): WorkSchedule => ({ weekly, exceptions: {} }));

const services = fc.record({
  durationMinutes: fc.constantFrom(10, 25, 60, 180, 420),
  bufferBeforeMinutes: fc.constantFrom(0, 0, 5, 30),
  bufferAfterMinutes: fc.constantFrom(0, 0, 7, 45),
});

/** Where to: the n-th start that is free, counted round, or any minute of the days. */
const target = fc.oneof(
  { weight: 2, arbitrary: fc.record({ free: fc.nat(10_000) }) },
  { weight: 1, arbitrary: fc.record({ minute: fc.nat(3 * 1_440) }) },
);
const which = fc.nat(1_000);
const create = fc.record({ do: fc.constant('create' as const), service: which, staff: fc.option(which), to: target });
const hold = fc.record({
  do: fc.constant('hold' as const),
  service: which,
  staff: which,
  to: target,
  minutes: fc.integer({ min: 1, max: 15 }),
});
const steps = fc.oneof(
  create,
  create,
  hold,
  fc.record({ do: fc.constant('use hold' as const), hold: which }),
  fc.record({ do: fc.constant('release' as const), hold: which }),
  fc.record({ do: fc.constant('cancel' as const), booking: which }),
  fc.record({ do: fc.constant('reschedule' as const), booking: which, staff: fc.option(which), to: target }),
  fc.record({ do: fc.constant('wait' as const), minutes: fc.constantFrom(1, 4, 15, 240) }),
);
type Step = typeof steps extends fc.Arbitrary<infer T> ? T : never;

const histories = fc.record({
  place: fc.constantFrom(...places),
  slotStepMinutes: fc.constantFrom(5, 15, 20, 60),
  minNoticeMinutes: fc.constantFrom(0, 30, 600),
  maxAdvanceDays: fc.constantFrom(2, 90),
  cancellationNoticeMinutes: fc.constantFrom(0, 720),
  services: fc.tuple(services, services),
  staff: fc.array(schedules, { minLength: 1, maxLength: 3 }),
  steps: fc.array(steps, { minLength: 8, maxLength: 24 }),
});
type History = typeof histories extends fc.Arbitrary<infer T> ? T : never;

interface Taken {
  readonly staffId: number;
  readonly serviceId: number;
  readonly start: number;
  readonly taken: Interval;
}
interface ModelBooking extends Taken {
  readonly id: number;
}
interface ModelHold extends Taken {
  readonly id: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  gone: boolean;
}

class Model {
  readonly tenant: Tenant;
  readonly bookings: ModelBooking[] = [];
  readonly cancelled: number[] = [];
  readonly holds: ModelHold[] = [];
  now: number;
  readonly #possible = new Map<string, ReadonlySet<number>>();
  readonly #place: Place;

  constructor(tenant: Tenant, place: Place, now: number) {
    this.tenant = tenant;
    this.#place = place;
    this.now = now;
  }

  serviceOf(id: number) {
    const service = this.tenant.services.find((one) => one.id === id);
    if (!service) throw new Error('The model knows its services');
    return service;
  }

  takenAt(staffId: number, serviceId: number, start: number): Taken {
    return { staffId, serviceId, start, taken: takenBy(this.serviceOf(serviceId), start) };
  }

  isLive = (hold: ModelHold) => !hold.gone && this.now < hold.expiresAt;

  /** Starts inside the hours and on the grid, whatever is booked. */
  #startsOf(staffId: number, service: ServiceTimes & { readonly id: number }): ReadonlySet<number> {
    const name = `${staffId} ${service.id}`;
    const known = this.#possible.get(name);
    if (known) return known;
    const member = this.tenant.staff.find(({ id }) => id === staffId);
    const { timeZone, bookingRules } = this.tenant.business;
    const shown = walls(this.#place);
    const starts = modelFreeStarts(
      {
        service,
        rules: { slotStepMinutes: bookingRules.slotStepMinutes, minNoticeMinutes: 0, maxAdvanceDays: 1_000_000 },
        timeZone,
        schedule: member?.schedule ?? { weekly: this.tenant.business.workingHours, exceptions: {} },
        busy: [],
        now: 0,
        range: { start: shown.start + 2_880, end: shown.end - 2_880 },
      },
      shown,
    );
    const set = new Set(starts);
    this.#possible.set(name, set);
    return set;
  }

  isFree(
    staffId: number,
    serviceId: number,
    start: number,
    except: { booking?: number; hold?: ModelHold } = {},
  ): boolean {
    const service = this.serviceOf(serviceId);
    const { minNoticeMinutes, maxAdvanceDays } = this.tenant.business.bookingRules;
    const now = except.hold?.createdAt ?? this.now;
    const ahead = start * 60_000 - now;
    if (ahead < minNoticeMinutes * 60_000 || ahead > maxAdvanceDays * 86_400_000) return false;
    if (!this.#startsOf(staffId, service).has(start)) return false;
    const taken = takenBy(service, start);
    return (
      !this.bookings.some(
        (one) => one.staffId === staffId && one.id !== except.booking && overlaps(one.taken, taken),
      ) &&
      !this.holds.some(
        (one) => one.staffId === staffId && one !== except.hold && this.isLive(one) && overlaps(one.taken, taken),
      )
    );
  }

  /** Every free start of the place's dates, ascending, and at one start in the order of the staff. */
  slots(serviceId: number): { start: number; staffId: number }[] {
    const shown = walls(this.#place);
    const [first, last] = this.#place.dates.map((date) => Date.parse(date) / 60_000);
    const found: { start: number; staffId: number }[] = [];
    for (let start = shown.start + 2_880; start < shown.end - 2_880; start++) {
      const wall = shown.at(start);
      if (wall < (first ?? 0) || wall >= (last ?? 0) + 1_440) continue;
      for (const staffId of this.serviceOf(serviceId).staffIds) {
        if (this.isFree(staffId, serviceId, start)) found.push({ start, staffId });
      }
    }
    return found;
  }
}

const iso = (minute: number) => new Date(minute * 60_000).toISOString();
const pick = <T>(from: readonly T[], n: number): T | undefined => from[n % Math.max(1, from.length)];

const outcomeOf = <T>(call: Promise<T>): Promise<T | string> =>
  call.catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 409) return error.code;
    throw error;
  });

async function live(history: History, start: number): Promise<void> {
  const { place, steps } = history;
  setRuntime({ now: () => start });
  const { tenant, key } = await fixture.tenant((one) => testBusiness(one, history));
  const model = new Model(tenant, place, start);
  setRuntime({ now: () => model.now });
  for (const [n, step] of steps.entries()) {
    await take(step, n, model, key);
    if (n % 6 === 0) await compareSlots(model, key, place);
  }
  await compareSlots(model, key, place);
  const { live: stored, holds } = await expectConsistent(fixture, key.tenantId, model.now);
  expect(stored.map(({ id }) => id).sort()).toEqual(model.bookings.map(({ id }) => id).sort());
  expect(holds.map(({ id }) => id).sort()).toEqual(
    model.holds
      .filter(model.isLive)
      .map(({ id }) => id)
      .sort(),
  );
}

function testBusiness(one: Tenant, history: History): Tenant {
  const { staff, services, place, steps: _, ...rules } = history;
  const members = one.staff.slice(0, staff.length);
  return {
    business: { ...one.business, timeZone: place.timeZone, bookingRules: { ...one.business.bookingRules, ...rules } },
    // The second service is not performed by the first member, unless that is the only one.
    services: one.services
      .slice(0, 2)
      .map((service, i) => ({
        ...service,
        ...(services[i] ?? services[0]),
        staffIds: members.slice(members.length > 1 ? i : 0).map(({ id }) => id),
      })),
    staff: members.map((member, i) => ({ ...member, schedule: staff[i] ?? member.schedule })),
  };
}

function startFor(to: { free: number } | { minute: number }, model: Model, serviceId: number, place: string): number {
  const free = 'free' in to ? pick(model.slots(serviceId), to.free)?.start : undefined;
  return free ?? Date.parse(place) / 60_000 + ('minute' in to ? to.minute : to.free % 4_320);
}

async function take(step: Step, n: number, model: Model, key: Principal<KeyActor>): Promise<void> {
  const { services, staff, business } = model.tenant;
  const firstDate = iso(Math.ceil(model.now / 60_000)).slice(0, 10);
  switch (step.do) {
    case 'wait': {
      model.now += step.minutes * 60_000;
      return;
    }
    case 'create': {
      const serviceId = pick(services, step.service)?.id ?? 0;
      const service = model.serviceOf(serviceId);
      const start = startFor(step.to, model, serviceId, firstDate);
      const staffId = step.staff === null ? undefined : pick(service.staffIds, step.staff);
      const able = staffId === undefined ? service.staffIds : [staffId];
      const free = able.filter((id) => model.isFree(id, serviceId, start));
      const client = { name: 'Client', phone: `+3712000000${n % 5}` };
      const answer = await outcomeOf(createBooking(key, { serviceId, staffId, startTime: iso(start), client }));
      if (free.length === 0) return expect(answer).toBe('slot_unavailable');
      if (typeof answer === 'string') throw new Error(`A free start was refused: ${answer}`);
      const { id, staffId: chosen, startTime } = answer.value;
      expect(free).toContain(chosen);
      expect(Date.parse(startTime)).toBe(start * 60_000);
      model.bookings.push({ id, ...model.takenAt(chosen, serviceId, start) });
      return;
    }
    case 'hold': {
      const serviceId = pick(services, step.service)?.id ?? 0;
      const service = model.serviceOf(serviceId);
      const staffId = pick(service.staffIds, step.staff) ?? 0;
      const start = startFor(step.to, model, serviceId, firstDate);
      const expected = model.holds.filter(model.isLive).length >= 10 ? 'hold_limit_reached' : 'slot_unavailable';
      const free = expected === 'slot_unavailable' && model.isFree(staffId, serviceId, start);
      const body = { serviceId, staffId, startTime: iso(start), minutes: step.minutes };
      const answer = await outcomeOf(createHold(key, body));
      if (!free) return expect(answer).toBe(expected);
      if (typeof answer === 'string') throw new Error(`A free start was refused: ${answer}`);
      const expiresAt = model.now + step.minutes * 60_000;
      expect(Date.parse(answer.expiresAt)).toBe(expiresAt);
      const lived = { createdAt: model.now, expiresAt, gone: false };
      model.holds.push({ id: answer.holdId, ...model.takenAt(staffId, serviceId, start), ...lived });
      return;
    }
    case 'use hold': {
      const hold = pick(model.holds, step.hold);
      if (!hold) return;
      const { serviceId, staffId, start } = hold;
      const client = { name: 'Client', email: 'c@example.com' };
      const body = { serviceId, startTime: iso(start), holdId: hold.id, client };
      const answer = await outcomeOf(createBooking(key, body));
      if (!model.isLive(hold)) return expect(answer).toBe('hold_expired');
      expect(model.isFree(staffId, serviceId, start, { hold })).toBe(true);
      if (typeof answer === 'string') throw new Error(`A held start was refused: ${answer}`);
      hold.gone = true;
      model.bookings.push({ id: answer.value.id, ...model.takenAt(staffId, serviceId, start) });
      return;
    }
    case 'release': {
      const hold = pick(model.holds, step.hold);
      if (!hold) return;
      const released = releaseHold(key, { holdId: hold.id });
      if (!model.isLive(hold)) return expect(released).rejects.toMatchObject({ code: 'not_found' });
      await released;
      hold.gone = true;
      return;
    }
    case 'cancel': {
      const at = step.booking % Math.max(1, model.bookings.length);
      const booking = model.bookings[at];
      if (!booking) return;
      const answer = await outcomeOf(cancelBooking(key, booking, {}));
      const inTime = model.now <= (booking.start - business.bookingRules.cancellationNoticeMinutes) * 60_000;
      if (!inTime) return expect(answer).toBe('cancellation_window_passed');
      expect(answer).toMatchObject({ status: 'cancelled' });
      model.bookings.splice(at, 1);
      return;
    }
    case 'reschedule': {
      const at = step.booking % Math.max(1, model.bookings.length);
      const booking = model.bookings[at];
      if (!booking) return;
      const service = model.serviceOf(booking.serviceId);
      const staffId = step.staff === null ? undefined : pick(staff, step.staff)?.id;
      const member = staffId ?? booking.staffId;
      const start = startFor(step.to, model, service.id, firstDate);
      const stays = member === booking.staffId && start === booking.start;
      const free =
        service.staffIds.includes(member) && model.isFree(member, service.id, start, { booking: booking.id });
      const move = { startTime: iso(start), staffId } as const;
      const answer = await outcomeOf(rescheduleBooking(key, booking, move));
      if (!free && !stays) return expect(answer).toBe('slot_unavailable');
      expect(answer).toMatchObject({ id: booking.id, staffId: member });
      model.bookings[at] = { ...booking, ...model.takenAt(member, service.id, start) };
    }
  }
}

/** What is listed is what the model finds: so ascending, in the dates asked for, and nothing twice. */
async function compareSlots(model: Model, key: Principal<KeyActor>, { dates: [from, to] }: Place): Promise<void> {
  for (const { id } of model.tenant.services) {
    const { data } = await listSlots(key, { serviceId: id, from, to });
    const listed = data.map(({ startTime, staffId }) => ({ start: Date.parse(startTime) / 60_000, staffId }));
    expect(listed).toEqual(model.slots(id));
  }
}

/** `HISTORIES=1000` looks further, `SEED=7` elsewhere. */
const numRuns = Number(process.env.HISTORIES ?? 20);
const seed = Number(process.env.SEED ?? 3);

let lived = 0;

/** Each history begins a second after the one before, so that no two businesses get the same id. */
const everyHistory = fc.asyncProperty(histories, (history) => {
  const night = Date.parse(history.place.dates[0]) - 7 * 3_600_000;
  return live(history, night + ++lived * 1_000);
});

test('After any history of bookings and holds, exactly the listed slots can be booked', {
  timeout: 300_000,
}, async () => {
  await fc.assert(everyHistory, { numRuns, seed });
});

test.each<[string, string, (write: Write) => boolean]>([
  ['a cancellation that does not give the time back', 'booking.cancelled', isDay],
  ['a move that leaves the old time taken', 'booking.rescheduled', isDay],
  ['a booking without its event', 'booking.created', (write) => write.Put?.Item?.name === 'booking.created'],
])(
  'Negative control: the comparison of bookings with the model detects %s',
  { timeout: 120_000 },
  async (_, event, isMissing) => {
    const dropping = (writes: Write[]) => {
      const isIt = writes.some(({ Put }) => Put?.Item?.name === event);
      const first = writes.find(isMissing);
      return isIt ? writes.filter((write) => write !== first) : writes;
    };
    const { failed } = await withBug(dropping, () => fc.check(everyHistory, { numRuns, seed, endOnFailure: true }));
    expect(failed).toBe(true);
  },
);

function isDay({ Put }: Write): boolean {
  return String(Put?.Item?.pk).endsWith('#DAYS');
}
